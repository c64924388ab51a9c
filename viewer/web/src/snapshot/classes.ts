// SPDX-License-Identifier: MIT
// The classes of frames of a snapshot, as its message describes them.

import type { FrameClass, Movability } from '../protocol/snapshot.ts';

/** The class of a run that no record describes. */
export const NOT_DESCRIBED = 31;

/** By their numbers in the snapshot. */
export class Classes {
  /** All numbers, in the order of bars and lists. */
  readonly order: number[];

  constructor(private readonly list: FrameClass[], order: number[]) {
    this.order = [...order, NOT_DESCRIBED];
  }

  name(number: number): string {
    return this.list[number]?.title ?? 'not described';
  }

  meaning(number: number): string {
    return this.list[number]?.meaning ?? '';
  }

  /** Frames that no record describes are not counted as RAM. */
  movability(number: number): Movability {
    return this.list[number]?.movability ?? 'absent';
  }

  isRam(number: number): boolean {
    return this.movability(number) !== 'absent';
  }

  isFree(number: number): boolean {
    return this.movability(number) === 'free';
  }

  number(word: string): number {
    return this.list.findIndex((one) => one.word === word);
  }

  is(number: number, word: string): boolean {
    return this.list[number]?.word === word;
  }
}
