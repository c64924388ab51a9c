// SPDX-License-Identifier: MIT
// Moves over the whole trace, for the time bar. Known values stay while the page shows an earlier
// moment.

import type { Rate, Rates } from '../protocol/messages.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** Pages per second over a time interval. */
interface Stretch {
  length: number;
  ins: number;
  outs: number;
}

export interface Columns {
  ins: Float32Array;
  outs: Float32Array;
  /** The sum of ins and outs. */
  most: number;
}

export class Activity {
  private readonly stretches = new Map<number, Stretch>();

  clear(): void {
    this.stretches.clear();
  }

  /** Rates at an earlier moment lack later events, so the larger of two values is the newer one. */
  apply(rates: Rates): void {
    for (const row of rates.minutes ?? []) {
      for (let t = row[0]; t < row[0] + MINUTE_MS; t += SECOND_MS)
        if (this.stretches.get(t)?.length === SECOND_MS) this.stretches.delete(t);
      this.put(row, MINUTE_MS);
    }
    for (const row of rates.seconds ?? []) this.put(row, SECOND_MS);
  }

  private put([t, ins, outs]: Rate, length: number): void {
    const scale = SECOND_MS / length;
    const known = this.stretches.get(t);
    if (known && known.length > length) return;
    if (known?.length === length && known.ins + known.outs > (ins + outs) * scale) return;
    this.stretches.set(t, { length, ins: ins * scale, outs: outs * scale });
  }

  /** The busiest interval in each of `count` equal parts of the time range. */
  columns(from: number, end: number, count: number): Columns {
    const columns = { ins: new Float32Array(count), outs: new Float32Array(count), most: 0 };
    const scale = count / Math.max(1, end - from);
    for (const [t, { length, ins, outs }] of this.stretches) {
      if (t + length <= from || t >= end) continue;
      columns.most = Math.max(columns.most, ins + outs);
      const first = Math.max(0, Math.floor((t - from) * scale));
      const last = Math.max(first + 1, Math.floor((t + length - from) * scale));
      for (let i = first; i < Math.min(last, count); i++) {
        if (ins + outs <= columns.ins[i]! + columns.outs[i]!) continue;
        columns.ins[i] = ins;
        columns.outs[i] = outs;
      }
    }
    return columns;
  }
}
