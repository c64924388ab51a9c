// SPDX-License-Identifier: MIT
// Decodes the binary messages of ../../protocol.md. Truncated messages return an error, never
// throw.

/** Pages or slots per block, as in the paper. */
export const BLOCK = 2048;

export const NONE = 0;
export const IN = 1;
export const OUT = 2;

const CELL_BYTES = 12;
const BLOCK_BYTES = 20;

/**
 * Columns with one entry per changed cell. They are copies, because views would keep the whole
 * message alive.
 */
export interface Cells {
  what: 'pages' | 'slots';
  area: number;
  /** The message contains the whole block: cells that are not listed were never touched. */
  whole: boolean;
  block: number;
  index: Uint16Array;
  kind: Uint8Array;
  before: Uint8Array;
  t: Uint32Array;
  tBefore: Uint32Array;
}

export interface Overview {
  what: 'overview';
  of: 'pages' | 'slots';
  area: number;
  whole: boolean;
  block: Uint32Array;
  ins: Uint32Array;
  outs: Uint32Array;
  /** Recent: the second of the cursor and the one before. */
  lateIns: Uint32Array;
  lateOuts: Uint32Array;
}

export interface SnapshotBytes {
  what: 'snapshot';
  bytes: ArrayBuffer;
}

export interface Bad {
  what: 'bad';
  reason: string;
}

function decodeCells(view: DataView, what: 'pages' | 'slots'): Cells | Bad {
  if (view.byteLength < 12)
    return { what: 'bad', reason: `${what}: ${view.byteLength} bytes, a header has 12` };
  const n = view.getUint32(8, true);
  if (view.byteLength !== 12 + n * CELL_BYTES)
    return { what: 'bad', reason: `${what}: ${view.byteLength} bytes for ${n} cells` };
  const cells: Cells = {
    what,
    area: view.getUint8(1),
    whole: view.getUint8(2) === 1,
    block: view.getUint32(4, true),
    index: new Uint16Array(n),
    kind: new Uint8Array(n),
    before: new Uint8Array(n),
    t: new Uint32Array(n),
    tBefore: new Uint32Array(n),
  };
  for (let i = 0, at = 12; i < n; i++, at += CELL_BYTES) {
    cells.index[i] = view.getUint16(at, true);
    cells.kind[i] = view.getUint8(at + 2);
    cells.before[i] = view.getUint8(at + 3);
    cells.t[i] = view.getUint32(at + 4, true);
    cells.tBefore[i] = view.getUint32(at + 8, true);
  }
  return cells;
}

function decodeOverview(view: DataView, of: 'pages' | 'slots'): Overview | Bad {
  if (view.byteLength < 8)
    return { what: 'bad', reason: `overview: ${view.byteLength} bytes, a header has 8` };
  const n = view.getUint32(4, true);
  if (view.byteLength !== 8 + n * BLOCK_BYTES)
    return { what: 'bad', reason: `overview: ${view.byteLength} bytes for ${n} blocks` };
  const overview: Overview = {
    what: 'overview',
    of,
    area: view.getUint8(1),
    whole: view.getUint8(2) === 1,
    block: new Uint32Array(n),
    ins: new Uint32Array(n),
    outs: new Uint32Array(n),
    lateIns: new Uint32Array(n),
    lateOuts: new Uint32Array(n),
  };
  for (let i = 0, at = 8; i < n; i++, at += BLOCK_BYTES) {
    overview.block[i] = view.getUint32(at, true);
    overview.ins[i] = view.getUint32(at + 4, true);
    overview.outs[i] = view.getUint32(at + 8, true);
    overview.lateIns[i] = view.getUint32(at + 12, true);
    overview.lateOuts[i] = view.getUint32(at + 16, true);
  }
  return overview;
}

export function decodeBinary(bytes: ArrayBuffer): Cells | Overview | SnapshotBytes | Bad {
  if (bytes.byteLength < 4)
    return { what: 'bad', reason: `a binary message of ${bytes.byteLength} bytes` };
  const view = new DataView(bytes);
  switch (view.getUint8(0)) {
    case 1:
      return decodeCells(view, 'pages');
    case 2:
      return decodeCells(view, 'slots');
    case 3:
      return decodeOverview(view, 'pages');
    case 4:
      return { what: 'snapshot', bytes };
    case 5:
      return decodeOverview(view, 'slots');
    default:
      return { what: 'bad', reason: `a binary message of unknown kind ${view.getUint8(0)}` };
  }
}
