// SPDX-License-Identifier: MIT
// Activity of whole blocks. Sums from the server become a heat that cools down, so that the
// overview shows current activity.

import type { Overview } from '../protocol/binary.ts';

/** Half-life of the heat. */
export const HALF_LIFE_MS = 1500;
/** Time between two repaints. */
export const HEAT_MS = 66;
/** Number of events below which a block is cold and no longer drawn. */
const COLD = 0.05;

export class Heat {
  ins = new Uint32Array(0);
  outs = new Uint32Array(0);
  /** Recent swap-ins and swap-outs, which cool down. */
  hotIns = new Float32Array(0);
  hotOuts = new Float32Array(0);
  private cooledAt = 0;

  resize(blocks: number): void {
    if (blocks === this.ins.length) return;
    this.ins = new Uint32Array(blocks);
    this.outs = new Uint32Array(blocks);
    this.hotIns = new Float32Array(blocks);
    this.hotOuts = new Float32Array(blocks);
  }

  clear(): void {
    for (const column of [this.ins, this.outs, this.hotIns, this.hotOuts]) column.fill(0);
    this.cooledAt = 0;
  }

  apply(overview: Overview): void {
    if (overview.whole) this.clear();
    for (let k = 0; k < overview.block.length; k++) {
      const b = overview.block[k] ?? 0;
      if (b >= this.ins.length) continue;
      const ins = overview.ins[k] ?? 0;
      const outs = overview.outs[k] ?? 0;
      // Complete sums contain history. The server sends the recent part of them separately.
      this.hotIns[b]! +=
        overview.whole ? (overview.lateIns[k] ?? 0) : Math.max(0, ins - this.ins[b]!);
      this.hotOuts[b]! +=
        overview.whole ? (overview.lateOuts[k] ?? 0) : Math.max(0, outs - this.outs[b]!);
      this.ins[b] = ins;
      this.outs[b] = outs;
    }
  }

  /** The block with most events so far; -1: no events. */
  busiest(): number {
    let best = -1;
    let most = 0;
    for (let b = 0; b < this.ins.length; b++) {
      const sum = this.ins[b]! + this.outs[b]!;
      if (sum > most) [best, most] = [b, sum];
    }
    return best;
  }

  /** Number of recent events of a block. */
  hot(block: number): number {
    return (this.hotIns[block] ?? 0) + (this.hotOuts[block] ?? 0);
  }

  /** The block with most recent events; -1: no recent events. */
  hottest(): number {
    let best = -1;
    for (let b = 0; b < this.ins.length; b++)
      if (this.hot(b) > Math.max(COLD, best < 0 ? 0 : this.hot(best))) best = b;
    return best;
  }

  /** True while any block is warm. Blocks do not cool while the trace is held. */
  cool(at: number, halfLifeMs = HALF_LIFE_MS): boolean {
    const passed = this.cooledAt === 0 ? 0 : Math.max(0, at - this.cooledAt);
    const factor = 0.5 ** (passed / halfLifeMs);
    this.cooledAt = at;
    let warm = false;
    for (let b = 0; b < this.ins.length; b++) {
      this.hotIns[b]! *= factor;
      this.hotOuts[b]! *= factor;
      warm ||= this.hotIns[b]! + this.hotOuts[b]! > COLD;
    }
    return warm;
  }
}
