// SPDX-License-Identifier: MIT
// The last known state of 2048 cells, and how each one looks at a given moment.

import { BLOCK, IN, NONE, OUT, type Cells } from '../protocol/binary.ts';

export const UNTRACED = 0;
export const LOOK_IN = 1;
export const LOOK_OUT = 2;
/** In time order: the upper left half of the cell is the first move. */
export const IN_THEN_OUT = 3;
export const OUT_THEN_IN = 4;
export const NORMAL = 5;

export class Block {
  readonly kind = new Uint8Array(BLOCK);
  readonly before = new Uint8Array(BLOCK);
  readonly t = new Uint32Array(BLOCK);
  readonly tBefore = new Uint32Array(BLOCK);
  /** Block number, in units of 2048. */
  number = 0;

  clear(): void {
    this.kind.fill(NONE);
    this.before.fill(NONE);
  }

  /**
   * False if the message is for another block, because it was sent before the user changed the
   * block.
   */
  apply(cells: Cells): boolean {
    if (cells.block !== this.number) return false;
    if (cells.whole) this.clear();
    for (let k = 0; k < cells.index.length; k++) {
      const i = cells.index[k] ?? 0;
      if (i >= BLOCK) continue;
      this.kind[i] = cells.kind[k] ?? NONE;
      this.before[i] = cells.before[k] ?? NONE;
      this.t[i] = cells.t[k] ?? 0;
      this.tBefore[i] = cells.tBefore[k] ?? 0;
    }
    return true;
  }

  /** `holdMs` is in the time of the trace. */
  look(i: number, now: number, holdMs: number): number {
    const kind = this.kind[i] ?? NONE;
    if (kind === NONE) return UNTRACED;
    const t = this.t[i] ?? 0;
    if (now - t >= holdMs) return NORMAL;
    const before = this.before[i] ?? NONE;
    const close = t - (this.tBefore[i] ?? 0) <= holdMs;
    if (kind === OUT) return before === IN && close ? IN_THEN_OUT : LOOK_OUT;
    return before === OUT && close ? OUT_THEN_IN : LOOK_IN;
  }
}
