// SPDX-License-Identifier: MIT
// Message 4 of ../../protocol.md: a snapshot in columns. The columns are views into the message,
// without copies.

export interface SnapshotProcess {
  tgid: number;
  comm: string;
  resident: number;
  unique: number;
  swapped: number;
  uid?: number;
  cgroup?: string;
}

export interface SnapshotArea {
  process: number;
  start: string;
  pages: number;
  unit: number;
  region: number;
  flags: string;
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
}

export interface Snapshot {
  facts: SnapshotFacts;
  area: Uint32Array;
  virtualPage: Uint32Array;
  frame: Uint32Array;
  pages: Uint32Array;
  mappings: Uint32Array;
}

const COLUMNS = 5;

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
  const runs = facts.runs;
  if (bytes.byteLength !== columns + runs * COLUMNS * 4)
    return `a snapshot of ${bytes.byteLength} bytes for ${runs} runs: expected ${
      columns + runs * COLUMNS * 4}`;
  const column = (i: number) => new Uint32Array(bytes, columns + i * runs * 4, runs);
  return {
    facts,
    area: column(0),
    virtualPage: column(1),
    frame: column(2),
    pages: column(3),
    mappings: column(4),
  };
}
