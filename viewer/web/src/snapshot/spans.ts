// SPDX-License-Identifier: MIT
// A set of frames as ascending ranges that do not touch each other.

export class FrameSpans {
  readonly first: number[] = [];
  readonly end: number[] = [];
  frames = 0;

  /** Ranges must be added by ascending first frame; they may overlap. */
  add(first: number, end: number): void {
    const last = this.end.length - 1;
    if (last >= 0 && first <= this.end[last]!) {
      this.frames += Math.max(0, end - this.end[last]!);
      this.end[last] = Math.max(this.end[last]!, end);
      return;
    }
    this.frames += end - first;
    this.first.push(first);
    this.end.push(end);
  }

  /** The frames that are not in the other set. */
  without(other: FrameSpans): FrameSpans {
    const rest = new FrameSpans();
    for (let i = 0; i < this.count; i++) {
      let begin = this.first[i]!;
      const end = this.end[i]!;
      other.within(begin, end, (first, stop) => {
        if (first > begin) rest.add(begin, first);
        begin = stop;
      });
      if (begin < end) rest.add(begin, end);
    }
    return rest;
  }

  get count(): number {
    return this.first.length;
  }

  /** The index of the first range that ends after the frame. */
  at(frame: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.end[middle]! <= frame) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  has(frame: number): boolean {
    return (this.first[this.at(frame)] ?? Infinity) <= frame;
  }

  /** Calls for the parts of the ranges in [begin, end). */
  within(begin: number, end: number, call: (first: number, end: number) => void): void {
    for (let i = this.at(begin); i < this.count && this.first[i]! < end; i++)
      call(Math.max(begin, this.first[i]!), Math.min(end, this.end[i]!));
  }
}
