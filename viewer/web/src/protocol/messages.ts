// SPDX-License-Identifier: MIT
// The JSON half of ../../protocol.md: its shapes, and what makes a message of a text.

export type Kind = 'in' | 'out';

/** What is not known is not there. Addresses, frames, slots and sectors are hexadecimal: they pass 2^53. */
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
  flags?: string[];
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
  /** The page begins with following the busiest block. */
  follow?: boolean;
}

export interface Contiguity {
  pairs: number;
  adjacent: number;
}

export interface State {
  t: number;
  /** How far the trace goes by now, wherever the cursor stands. */
  end?: number;
  live: boolean;
  /** A moment of the past that goes on. */
  playing?: boolean;
  history_from: number;
  ins: number;
  outs: number;
  readahead: number;
  hits: number;
  major: number;
  lost: number;
  skipped: number;
  /** Events of pages for which the server had no room. */
  left_out?: number;
  clients: number;
  ended: boolean;
  /** Why nothing more comes, or is not heard of. */
  trouble?: string;
  contiguity?: Contiguity;
}

/** t of the begin in ms, ins, outs, major faults, mean service time in µs of swap-ins, hits apart. */
export type Rate = [number, number, number, number, number | null];

export interface Rates {
  seconds?: Rate[];
  minutes?: Rate[];
  /** All that were sent before are dropped. */
  anew?: boolean;
}

export interface ProcessRow {
  tgid: number;
  comm?: string;
  ins: number;
  outs: number;
  /** Of the outs: whom the frame was last seen with; no proof. */
  concluded?: number;
  address_concluded?: boolean;
  in_rate: number;
  out_rate: number;
  address?: string;
  kind?: Kind;
  t?: number;
}

/** The least active, which the server has forgotten. */
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
  concluded?: number;
  resident_known?: number;
  swapped_known?: number;
  contiguity?: Contiguity;
  last: PagingEvent[];
  /** Runs of frames: first, how many. */
  frames: [string, number][];
}

export interface LogMessage {
  lines: PagingEvent[];
  more: number;
  /** The lines before are dropped. */
  anew?: boolean;
  /** `seq` of the line that these stand before; nothing is left out between. */
  before?: number;
  /** The server keeps none before these. */
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

/** A message that is not what the protocol says is an error message: the page shows it and goes on. */
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
