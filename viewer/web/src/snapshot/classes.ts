// SPDX-License-Identifier: MIT
// The classes of frames: their order in bars and lists, and what they mean.

import type { Movability } from '../protocol/snapshot.ts';

/** From anonymous memory over the page cache and the kernel to free memory. */
const MEANINGS: Record<string, string> = {
  anon: 'anonymous memory: heaps, stacks, private copies',
  hugetlb: 'huge pages of hugetlbfs, in use or free',
  zsmalloc: 'compressed pages of zram and zswap',
  shmem: 'tmpfs and other shared memory',
  file: 'page cache of files',
  block: 'page cache of block devices',
  slab: 'slab caches of the kernel',
  large_kmalloc: 'large kmalloc allocations',
  pgtable: 'page tables',
  kernel_stack: 'kernel stacks of tasks',
  vmalloc: 'vmalloc memory',
  module: 'kernel modules',
  percpu: 'per-CPU data',
  page_pool: 'network buffers',
  kernel: 'kernel memory of a known owner',
  balloon: 'given back to a hypervisor',
  kernel_code: 'code of the kernel',
  kernel_data: 'data of the kernel',
  crash_kernel: 'reserved for a crash kernel',
  memmap: 'descriptors of page frames',
  reserved: 'never given to the page allocator',
  zero: 'zero pages',
  poison: 'broken memory',
  unmarked: 'not distinguished by this way of collecting',
  unknown: 'none of the known classes',
  free_percpu: 'free, on the list of a processor',
  free: 'free blocks of the page allocator',
  offline: 'offline memory',
  hole: 'no RAM',
};

/** Of a run that no record describes. */
export const NOT_DESCRIBED = 31;

/** The classes of a snapshot, by their numbers there. */
export class Classes {
  /** All numbers, in the order of bars and lists. */
  readonly order: number[];
  private readonly words: string[];

  constructor(words: string[], private readonly movabilities: Movability[]) {
    this.words = [...words];
    this.words[NOT_DESCRIBED] = 'not described';
    const rank = Object.keys(MEANINGS);
    const place = (word: string) => (rank.includes(word) ? rank.indexOf(word) : rank.length);
    this.order = [...words.keys(), NOT_DESCRIBED];
    this.order.sort((a, b) => place(this.word(a)) - place(this.word(b)));
  }

  word(number: number): string {
    return this.words[number] ?? `class ${number}`;
  }

  /** The word as it is shown. */
  name(number: number): string {
    return this.word(number).replaceAll('_', ' ');
  }

  meaning(number: number): string {
    return MEANINGS[this.word(number)] ?? '';
  }

  /** Frames that no record describes are not counted as RAM. */
  movability(number: number): Movability {
    if (number === NOT_DESCRIBED) return 'absent';
    return this.movabilities[number] ?? 'unknown';
  }

  isRam(number: number): boolean {
    return this.movability(number) !== 'absent';
  }

  isFree(number: number): boolean {
    return this.movability(number) === 'free';
  }

  number(word: string): number {
    return this.words.indexOf(word);
  }

  is(number: number, word: string): boolean {
    return this.words[number] === word;
  }
}
