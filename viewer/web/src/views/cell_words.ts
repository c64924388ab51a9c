// SPDX-License-Identifier: MIT
// Fills of cells, and their descriptions for tooltips and screen readers.

import type { Block } from '../model/block.ts';
import { IN } from '../protocol/binary.ts';
import { css, mix, type Palette, type Rgb } from '../grid/colours.ts';
import type { Fill } from '../grid/block_grid.ts';
import { elapsed } from '../format.ts';

/** Added to a look: the cell belongs to a process that is not selected. */
export const DIMMED = 8;
const DIM_SHARE = 0.78;

export const UNTRACED_WORDS = 'not traced yet';

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
  if (kind === 0) return UNTRACED_WORDS;
  const ago = Math.max(0, now - (block.t[cell] ?? 0));
  return `swapped ${kind === IN ? 'in' : 'out'} ${elapsed(ago)} ago`;
}
