// SPDX-License-Identifier: MIT
// The colour of each block of 2048 frames in the overview.

import { BLOCK } from '../protocol/binary.ts';
import { CLASS, MUTED, NO_FRAME, UNMAPPED, isMuted } from './categories.ts';
import type { RamIndex } from './ram.ts';
import type { FrameSpans } from './spans.ts';

const CODES = 128;
/** Frames of a category that is seen in a block. */
const VISIBLE = 32;

function mostOf(counts: Uint32Array, otherwise: number): number {
  let best = otherwise;
  let most = 0;
  for (let code = 0; code < counts.length; code++)
    if (counts[code]! > most) [best, most] = [code, counts[code]!];
  return best;
}

export class BlockSummary {
  readonly count: number;
  /** Per block: the category with most frames, that of the others, the share of owned frames. */
  readonly dominant: Uint8Array;
  readonly background: Uint8Array;
  readonly share: Float32Array;
  /** Per block: categories with enough frames to be seen. */
  private readonly variety: Uint8Array;
  /** Per block: the largest category of the focus, and the share of its frames. */
  readonly focusDominant: Uint8Array;
  readonly focusShare: Float32Array;
  private readonly isBackground = new Uint8Array(CODES);

  constructor(codes: Uint8Array, ram: RamIndex | null) {
    this.count = Math.ceil(codes.length / BLOCK);
    this.dominant = new Uint8Array(this.count);
    this.background = new Uint8Array(this.count);
    this.share = new Float32Array(this.count);
    this.variety = new Uint8Array(this.count);
    this.focusDominant = new Uint8Array(this.count);
    this.focusShare = new Float32Array(this.count);
    for (let code = 0; code < CODES; code++)
      if (code === UNMAPPED || code === NO_FRAME || isMuted(code) ||
          (code >= CLASS && code < MUTED && ram?.classes.isFree(code - CLASS)))
        this.isBackground[code] = 1;
    this.summarize(codes);
  }

  /** The block in which most frames have an owner; among full ones, that of most categories. */
  fullest(): number {
    const score = (block: number) => this.share[block]! * (1 + this.variety[block]!);
    let best = 0;
    for (let block = 1; block < this.count; block++) if (score(block) > score(best)) best = block;
    return best;
  }

  private summarize(codes: Uint8Array): void {
    const counts = new Uint32Array(CODES);
    const behind = new Uint32Array(CODES);
    for (let block = 0; block < this.count; block++) {
      counts.fill(0);
      behind.fill(0);
      const end = Math.min(codes.length, (block + 1) * BLOCK);
      for (let frame = block * BLOCK; frame < end; frame++) counts[codes[frame]!]!++;
      const otherwise = counts[NO_FRAME]! > 0 ? NO_FRAME : UNMAPPED;
      let covered = counts[NO_FRAME]!;
      counts[NO_FRAME] = 0;
      for (let code = 0; code < CODES; code++)
        if (this.isBackground[code]) {
          behind[code] = counts[code]!;
          covered += counts[code]!;
          counts[code] = 0;
        }
      this.variety[block] = counts.reduce((sum, n) => (n >= VISIBLE ? sum + 1 : sum), 0);
      const frames = end - block * BLOCK;
      this.background[block] = mostOf(behind, otherwise);
      this.dominant[block] = mostOf(counts, UNMAPPED);
      this.share[block] = 1 - covered / frames;
    }
  }

  summarizeFocus(codes: Uint8Array, spans: FrameSpans): void {
    const counts = new Uint32Array(CODES);
    for (let block = 0; block < this.count; block++) {
      counts.fill(0);
      let frames = 0;
      const end = Math.min(codes.length, (block + 1) * BLOCK);
      spans.within(block * BLOCK, end, (first, last) => {
        frames += last - first;
        for (let frame = first; frame < last; frame++) counts[codes[frame]!]!++;
      });
      this.focusShare[block] = frames / BLOCK;
      this.focusDominant[block] = mostOf(counts, UNMAPPED);
    }
  }
}
