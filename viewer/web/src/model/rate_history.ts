// SPDX-License-Identifier: MIT
// Rates per second, as far back as the server keeps them, and per minute before that.

import type { Rate, Rates } from '../protocol/messages.ts';

export interface Bucket {
  t: number;
  ins: number;
  outs: number;
  major: number;
}

export class RateHistory {
  private readonly bySecond = new Map<number, Rate>();
  private readonly byMinute = new Map<number, Rate>();
  private sorted: Rate[] | null = null;

  clear(): void {
    this.bySecond.clear();
    this.byMinute.clear();
    this.sorted = null;
  }

  apply(rates: Rates): void {
    if (rates.reset) this.clear();
    for (const row of rates.minutes ?? []) {
      this.byMinute.set(row[0], row);
      for (let t = row[0]; t < row[0] + 60_000; t += 1000) this.bySecond.delete(t);
    }
    for (const row of rates.seconds ?? []) this.bySecond.set(row[0], row);
    this.sorted = null;
  }

  /** Rates per second in time order. Minutes come first, divided by 60. */
  seconds(): Rate[] {
    if (this.sorted) return this.sorted;
    const minutes = [...this.byMinute.values()].map(
      ([t, ins, outs, major, us]): Rate => [t, ins / 60, outs / 60, major / 60, us]
    );
    this.sorted = [...minutes, ...this.bySecond.values()].sort((a, b) => a[0] - b[0]);
    return this.sorted;
  }

  /** Sums over equal time intervals, including those without events. */
  buckets(widthMs: number): Bucket[] {
    const sums = new Map<number, Bucket>();
    const add = (row: Rate) => {
      const t = Math.floor(row[0] / widthMs) * widthMs;
      const sum = sums.get(t) ?? { t, ins: 0, outs: 0, major: 0 };
      sum.ins += row[1];
      sum.outs += row[2];
      sum.major += row[3];
      sums.set(t, sum);
    };
    this.byMinute.forEach(add);
    this.bySecond.forEach(add);
    const times = [...sums.keys()];
    if (times.length === 0) return [];
    const first = Math.min(...times);
    const last = Math.max(...times);
    const all: Bucket[] = [];
    for (let t = first; t <= last; t += widthMs)
      all.push(sums.get(t) ?? { t, ins: 0, outs: 0, major: 0 });
    return all;
  }
}
