// SPDX-License-Identifier: MIT
// The colour of an overview cell, which stands for one or more blocks of 2048 frames or slots, by
// their recent moves.

import { count } from '../format.ts';
import { css, mix, type Palette } from '../grid/colours.ts';
import type { Heat } from '../model/heat.ts';
import { UNTRACED_WORDS } from './cell_words.ts';

interface Sums {
  ins: number;
  outs: number;
  hotIns: number;
  hotOuts: number;
}

function sumsOf(heat: Heat, first: number, end: number): Sums {
  const sums = { ins: 0, outs: 0, hotIns: 0, hotOuts: 0 };
  for (let b = first; b < end; b++) {
    sums.ins += heat.ins[b] ?? 0;
    sums.outs += heat.outs[b] ?? 0;
    sums.hotIns += heat.hotIns[b] ?? 0;
    sums.hotOuts += heat.hotOuts[b] ?? 0;
  }
  return sums;
}

/** The hue is the share of ins among recent events. The strength is their number, logarithmic. */
export function heatColour(heat: Heat, palette: Palette, first: number, end: number): string {
  const { ins, outs, hotIns, hotOuts } = sumsOf(heat, first, end);
  if (ins + outs === 0) return css(palette.untraced);
  const hot = hotIns + hotOuts;
  if (hot < 0.5) return css(palette.normal);
  const strength = Math.min(1, 0.35 + Math.log10(1 + hot) / 4);
  return css(mix(palette.normal, mix(palette.out, palette.in, hotIns / hot), strength));
}

export function heatWords(heat: Heat, first: number, end: number): string {
  const { ins, outs } = sumsOf(heat, first, end);
  return ins + outs === 0 ? UNTRACED_WORDS : `${count(ins)} in, ${count(outs)} out`;
}
