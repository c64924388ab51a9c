// SPDX-License-Identifier: MIT
// Pageblocks: the unit in which the kernel keeps movable and unmovable memory apart, and the size
// of a huge page (2 MiB with pages of 4 KiB). The server sends their order.

import type { RamIndex } from './ram.ts';

const CLASSES = 32;

/** Frames of some pageblocks. */
export interface BlockUse {
  ram: number;
  free: number;
  /** Frames that the kernel cannot move, without those of hugetlbfs. */
  unmovable: number;
  /** Frames that the kernel may be able to move: their class says nothing about it. */
  unknown: number;
  hugetlb: number;
  /** The class with most frames that are in use; -1: none is. */
  largest: number;
}

export class PageBlocks {
  readonly frames: number;
  readonly count: number;
  private readonly inRam: Uint32Array;
  private readonly free: Uint32Array;
  private readonly unmovable: Uint32Array;
  private readonly unknown: Uint32Array;
  private readonly hugetlb: Uint32Array;
  private readonly largest: Int8Array;
  private readonly most: Uint32Array;

  constructor(ram: RamIndex) {
    this.frames = 2 ** ram.ram.facts.block_order;
    this.count = Math.ceil(ram.first[ram.runs]! / this.frames);
    const column = () => new Uint32Array(this.count);
    [this.inRam, this.free, this.unmovable] = [column(), column(), column()];
    [this.unknown, this.hugetlb, this.most] = [column(), column(), column()];
    this.largest = new Int8Array(this.count).fill(-1);
    this.sum(ram);
  }

  /** Runs ascend, so a block is complete when a run goes beyond it. */
  private sum(ram: RamIndex): void {
    const counts = new Uint32Array(CLASSES);
    let block = 0;
    for (let run = 0; run < ram.runs; run++) {
      const end = ram.first[run + 1]!;
      for (let frame = ram.first[run]!; frame < end;) {
        const next = Math.min(end, (block + 1) * this.frames);
        counts[ram.classOf(run)]! += next - frame;
        frame = next;
        if (frame < (block + 1) * this.frames) continue;
        this.store(ram, block++, counts);
      }
    }
    if (block < this.count) this.store(ram, block, counts);
  }

  private store(ram: RamIndex, block: number, counts: Uint32Array): void {
    for (const number of ram.classes.order) {
      const n = counts[number]!;
      if (n === 0 || !ram.classes.isRam(number)) continue;
      this.inRam[block]! += n;
      if (ram.classes.is(number, 'hugetlb')) this.hugetlb[block]! += n;
      else if (ram.classes.movability(number) === 'unmovable') this.unmovable[block]! += n;
      else if (ram.classes.movability(number) === 'unknown') this.unknown[block]! += n;
      if (ram.classes.isFree(number)) this.free[block]! += n;
      else if (n > this.most[block]!)
        [this.most[block], this.largest[block]] = [n, number];
    }
    counts.fill(0);
  }

  /** The use of the blocks from first to before end. The fullest determines the class. */
  use(first: number, end: number): BlockUse {
    const use = { ram: 0, free: 0, unmovable: 0, unknown: 0, hugetlb: 0, largest: -1 };
    let most = 0;
    for (let block = first; block < end; block++) {
      use.ram += this.inRam[block]!;
      use.free += this.free[block]!;
      use.unmovable += this.unmovable[block]!;
      use.unknown += this.unknown[block]!;
      use.hugetlb += this.hugetlb[block]!;
      if (this.most[block]! > most)
        [most, use.largest] = [this.most[block]!, this.largest[block]!];
    }
    return use;
  }
}
