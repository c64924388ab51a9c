// SPDX-License-Identifier: MIT
// The JSON messages of ../../protocol.md: their types and their parser.

import type { Flag } from './flags.ts';
import type { SeriesFacts } from './snapshot.ts';

export type Kind = 'in' | 'out';

/**
 * Unknown fields are missing. Addresses, frames, slots and sectors are hexadecimal strings, because
 * they may exceed 2^53.
 */
export interface PagingEvent {
  seq: number;
  t: number;
  kind: Kind;
  tgid?: number;
  pid?: number;
  comm?: string;
  address?: string;
  frame?: string;
  area?: number;
  slot?: string;
  sector?: string;
  flags?: Flag[];
  service_us?: number;
}

export interface SwapArea {
  type: number;
  kind: string;
  slots: number;
  name: string;
}

export interface Replay {
  speed: number;
  paused: boolean;
}

export interface Hello {
  mode: 'live' | 'replay' | 'snapshot';
  source?: string;
  arch?: string;
  kernel?: string;
  page_size: number;
  memory_bytes?: number;
  frames_end: string;
  wall_ms: number;
  utc_offset_min?: number;
  areas?: SwapArea[];
  replay?: Replay;
  history_from?: number;
  recording?: boolean;
  /** The page initially follows the busiest block. */
  follow?: boolean;
  /** Only for snapshots. */
  series?: SeriesFacts;
}

export interface Contiguity {
  pairs: number;
  adjacent: number;
}

export interface State {
  t: number;
  /** The current end of the trace, independent of the cursor. */
  end?: number;
  live: boolean;
  /** A past moment that advances with time. */
  playing?: boolean;
  history_from: number;
  ins: number;
  outs: number;
  readahead: number;
  hits: number;
  major: number;
  lost: number;
  skipped: number;
  /** Events of pages beyond the server's limits. */
  left_out?: number;
  clients: number;
  ended: boolean;
  /** The problem of the source, for example why no events arrive. */
  trouble?: string;
  contiguity?: Contiguity;
}

/** Beginning in ms, ins, outs, major faults, mean service time in µs of swap-ins without hits. */
export type Rate = [number, number, number, number, number | null];

export interface Rates {
  seconds?: Rate[];
  minutes?: Rate[];
  /** All rates sent before are dropped. */
  reset?: boolean;
}

export interface ProcessRow {
  tgid: number;
  comm?: string;
  ins: number;
  outs: number;
  /** Outs with an inferred owner. */
  inferred?: number;
  address_inferred?: boolean;
  in_rate: number;
  out_rate: number;
  address?: string;
  kind?: Kind;
  t?: number;
}

/** The least active processes, which the server no longer tracks. */
export interface OtherProcesses {
  processes: number;
  ins: number;
  outs: number;
}

export interface ProcessDetails {
  tgid: number;
  comm?: string;
  threads?: number;
  ins: number;
  outs: number;
  inferred?: number;
  resident_known?: number;
  swapped_known?: number;
  contiguity?: Contiguity;
  last: PagingEvent[];
  /** Runs of frames: first frame, number of frames. */
  frames: [string, number][];
}

export interface LogMessage {
  lines: PagingEvent[];
  more: number;
  /** All earlier lines are dropped. */
  reset?: boolean;
  /** `seq` of the line that directly follows these. */
  before?: number;
  /** The server has no lines before these. */
  first?: boolean;
}

export interface Inspection {
  what: 'frame' | 'slot' | 'address';
  at: string;
  area?: number;
  tgid?: number;
  event?: PagingEvent;
  page?: string;
  frame?: string;
  slot?: string;
  words?: string[];
}

export interface Incoming {
  hello?: Hello;
  state?: State;
  rates?: Rates;
  processes?: ProcessRow[];
  other?: OtherProcesses;
  process?: ProcessDetails;
  log?: LogMessage;
  inspection?: Inspection;
  error?: string;
}

const OBJECTS = ['hello', 'state', 'rates', 'process', 'log', 'inspection'] as const;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A malformed message becomes an error message, which the page shows. */
export function decodeText(text: string): Incoming {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return { error: `the server sent text that is no JSON: ${text.slice(0, 60)}` };
  }
  if (!isObject(message)) return { error: 'the server sent JSON that is no object' };
  for (const name of OBJECTS)
    if (name in message && !isObject(message[name]))
      return { error: `the server sent a "${name}" that is no object` };
  if ('processes' in message && !Array.isArray(message.processes))
    return { error: 'the server sent "processes" that are no list' };
  return message as Incoming;
}
