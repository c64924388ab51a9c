// SPDX-License-Identifier: MIT
// Message 4 of ../../protocol.md: a snapshot in columns. The columns are views into the message,
// without copies.

export interface SnapshotProcess {
  tgid: number;
  comm: string;
  resident: number;
  /** Undefined: not known, as the collector could not read the process. */
  unique?: number;
  swapped: number;
  uid?: number;
  cgroup?: string;
}

export interface SnapshotArea {
  process: number;
  start: string;
  pages: number;
  /** The mapped file, or what else is there: a heap, a stack. */
  unit: number;
  region: number;
  flags: string;
}

/** Different texts, and for each row the index of its own. */
export interface Words {
  words: string[];
  of: number[];
}

export type OwnerKind = 'file' | 'slab' | 'cgroup' | 'task' | 'code' | 'other';

/** All owners of one kind. Texts have a line per owner. */
export interface OwnerGroup {
  kind: OwnerKind;
  count: number;
  names: string;
  /** Files. */
  file_systems?: Words;
  devices?: Words;
  inodes?: string;
  bytes?: number[];
  links?: number[];
  /** Slab caches. */
  object_bytes?: number[];
  objects?: number[];
  /** Cgroups, and pids of tasks. */
  numbers?: number[];
  dying?: number[];
}

export interface RamZone {
  node: number;
  name: string;
  first: string;
  spanned: number;
  present: number;
  managed: number;
  free: number;
  /** The tier of its node; undefined: not known. */
  tier?: number;
}

/** Frames that count for a zone. */
export interface ZoneSpan {
  zone: number;
  first: string;
  frames: number;
}

/** Absent: no RAM. */
export type Movability = 'absent' | 'free' | 'movable' | 'unmovable' | 'unknown';

export interface FrameClass {
  /** In records and reports. */
  word: string;
  /** For people. */
  title: string;
  meaning: string;
  /** Hexadecimal. */
  colour: string;
  movability: Movability;
}

/** Unmarked frames that a total of the kernel explains. */
export interface ExplainedFrames {
  what: string;
  pages: number;
  is_free: boolean;
}

export interface RamFacts {
  runs: number;
  /** Frames of RAM: without holes and offline memory. */
  frames: number;
  classes: FrameClass[];
  /** Their numbers, in the order of bars and lists. */
  class_order: number[];
  /** Of pageblocks, in frames. */
  block_order: number;
  zones: RamZone[];
  /** Ascending, without overlaps. */
  zone_spans: ZoneSpan[];
  /** What the unmarked frames are, by totals of the kernel. It is not known which frames. */
  explained: ExplainedFrames[];
  owners: OwnerGroup[];
}

/** Every frame of RAM, in runs that follow each other from frame 0 on. */
export interface Ram {
  facts: RamFacts;
  pages: Uint32Array;
  /** The class in the upper 5 bits, flags in the others. */
  use: Uint32Array;
  /** 0: none; otherwise the number of the owner in all groups, from 1. */
  owner: Uint32Array;
  /** The page of the first frame in its file; the order of free blocks. */
  place: Uint32Array;
  /** The cgroup in the lower 16 bits (0: none), the count of mappings in the others. */
  payer: Uint32Array;
}

export interface SnapshotFacts {
  page_size: number;
  frames_end: string;
  ram_pages: number;
  kernel?: string;
  arch?: string;
  collector?: string;
  time_ms?: number;
  processes: SnapshotProcess[];
  units: string[];
  regions: string[];
  areas: SnapshotArea[];
  runs: number;
  notes?: string[];
  /** Only of snapshots of the whole of RAM. */
  ram?: RamFacts;
}

/** Pages of a process, file or class in two snapshots. */
export interface ChangeRow {
  name: string;
  pid?: number;
  /** stayed, new, gone, exec */
  state?: string;
  before: number;
  after: number;
  /** Only in the second; only in the first. */
  came: number;
  went: number;
}

export interface ChangeList {
  rows: ChangeRow[];
  /** Their number. */
  unchanged: number;
  /** The number of rows with smaller changes that are not in `rows`. */
  left_out: number;
}

/** What changed between two snapshots. */
export interface Changes {
  processes: ChangeList;
  units: ChangeList;
  /** Only of snapshots of the whole of RAM. */
  classes?: ChangeList;
  files?: ChangeList;
}

/** Facts of all snapshots that the page can show. */
export interface SeriesFacts {
  times_ms: number[];
  notes: string[];
  /** Only of a series of two. */
  changes?: Changes;
}

export interface Snapshot {
  facts: SnapshotFacts;
  area: Uint32Array;
  virtualPage: Uint32Array;
  frame: Uint32Array;
  pages: Uint32Array;
  mappings: Uint32Array;
  ram?: Ram;
}

const COLUMNS = 5;
const RAM_COLUMNS = 5;

export function decodeSnapshot(bytes: ArrayBuffer): Snapshot | string {
  if (bytes.byteLength < 8) return `a snapshot of ${bytes.byteLength} bytes`;
  const view = new DataView(bytes);
  if (view.getUint8(0) !== 4) return `a snapshot begins with 4, this with ${view.getUint8(0)}`;
  const length = view.getUint32(4, true);
  const columns = Math.ceil((8 + length) / 4) * 4;
  if (columns > bytes.byteLength)
    return `a snapshot's JSON of ${length} bytes in a message of ${bytes.byteLength}`;
  let facts: SnapshotFacts;
  try {
    facts = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length)));
  } catch (error) {
    return `a snapshot's JSON: ${error instanceof Error ? error.message : error}`;
  }
  const { runs, ram } = facts;
  const ramBegin = columns + runs * COLUMNS * 4;
  const expected = ramBegin + (ram?.runs ?? 0) * RAM_COLUMNS * 4;
  if (bytes.byteLength !== expected)
    return `a snapshot of ${bytes.byteLength} bytes for ${runs} runs: expected ${expected}`;
  const column = (i: number) => new Uint32Array(bytes, columns + i * runs * 4, runs);
  return {
    facts,
    area: column(0),
    virtualPage: column(1),
    frame: column(2),
    pages: column(3),
    mappings: column(4),
    ...(ram ? { ram: ramColumns(ram, bytes, ramBegin) } : {}),
  };
}

function ramColumns(facts: RamFacts, bytes: ArrayBuffer, begin: number): Ram {
  const column = (i: number) => new Uint32Array(bytes, begin + i * facts.runs * 4, facts.runs);
  return {
    facts, pages: column(0), use: column(1), owner: column(2), place: column(3), payer: column(4),
  };
}
