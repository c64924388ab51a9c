// SPDX-License-Identifier: MIT
// Descriptions of cells for tooltips, screen readers and the legend.

import {
  IN_THEN_OUT, LOOK_IN, LOOK_OUT, NORMAL, OUT_THEN_IN, UNTRACED, type Block,
} from '../model/block.ts';
import { IN } from '../protocol/binary.ts';
import { css, mix, type Palette, type Rgb } from '../grid/colours.ts';
import type { Fill } from '../grid/block_grid.ts';
import { elapsed } from '../format.ts';

/** Added to a look: the cell belongs to a process that is not selected. */
export const DIMMED = 8;
const DIM_SHARE = 0.78;

export const LOOK_WORDS: Record<number, string> = {
  [UNTRACED]: 'not traced yet',
  [LOOK_IN]: 'swapped in',
  [LOOK_OUT]: 'swapped out',
  [IN_THEN_OUT]: 'in, then out',
  [OUT_THEN_IN]: 'out, then in',
  [NORMAL]: 'traced, normal now',
};

/** Created once per palette, because it is used for each cell. */
export function fills(palette: Palette, background: Rgb): Fill[] {
  const of = (shade: (colour: Rgb) => Rgb): Fill[] => {
    const [untraced, swapIn, out, normal] = [
      palette.untraced, palette.in, palette.out, palette.normal
    ].map((colour) => css(shade(colour)));
    return [
      untraced!, swapIn!, out!, [swapIn!, out!], [out!, swapIn!], normal!, untraced!, untraced!
    ];
  };
  return [...of((colour) => colour), ...of((colour) => mix(colour, background, DIM_SHARE))];
}

export function describeCell(block: Block, cell: number, now: number): string {
  const kind = block.kind[cell] ?? 0;
  if (kind === 0) return LOOK_WORDS[UNTRACED]!;
  const ago = Math.max(0, now - (block.t[cell] ?? 0));
  return `swapped ${kind === IN ? 'in' : 'out'} ${elapsed(ago)} ago`;
}
