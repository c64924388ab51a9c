// SPDX-License-Identifier: MIT
// The colours of cells. All other colours are in style/theme.css.

import type { PaletteName } from '../model/settings.ts';

export type Rgb = readonly [number, number, number];

export interface Palette {
  name: string;
  untraced: Rgb;
  in: Rgb;
  out: Rgb;
  normal: Rgb;
  selected: Rgb;
}

/** The paper's colours: gray, blue, red, white, green. */
const PAPER = {
  name: 'The paper’s colours',
  in: [31, 95, 224],
  out: [217, 38, 38],
  selected: [0, 168, 84],
} as const;
/** After Okabe and Ito: blue and orange differ in every kind of colour vision, and in lightness. */
const SAFE = {
  name: 'Colour-blind safe',
  in: [0, 96, 168],
  out: [240, 140, 0],
  selected: [0, 158, 115],
} as const;

export function palette(name: PaletteName, dark: boolean): Palette {
  const base = name === 'safe' ? SAFE : PAPER;
  return dark
    ? { ...base, untraced: [74, 80, 88], normal: [236, 239, 243] }
    : { ...base, untraced: [168, 174, 182], normal: [255, 255, 255] };
}

export function css(colour: Rgb): string {
  return `rgb(${colour[0]}, ${colour[1]}, ${colour[2]})`;
}

/** `share` is that of b: 0 gives a, 1 gives b. */
export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const at = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * share);
  return [at(0), at(1), at(2)];
}

/**
 * Categories of a snapshot. Neighbours differ in lightness, so that they are distinguishable
 * without hue. The first twelve have their own colour; all others share the last.
 */
export const CATEGORY_COLOURS: readonly Rgb[] = [
  [0, 96, 168], [230, 159, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [213, 94, 0],
  [126, 87, 194], [190, 184, 50], [141, 85, 60], [55, 190, 176], [233, 140, 140], [70, 110, 60],
];
export const OTHER_COLOUR: Rgb = [120, 128, 140];

/** Six hexadecimal digits. */
export function parseColour(digits: string): Rgb {
  const value = parseInt(digits, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** The relative luminance of WCAG 2, from 0 to 1. */
export function luminance(colour: Rgb): number {
  const linear = (value: number) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
}

/** The contrast ratio of WCAG 2, from 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a) + 0.05, luminance(b) + 0.05];
  return Math.max(x, y) / Math.min(x, y);
}

/** Black or white, whichever has more contrast: at least 4.5 with any colour. */
export const textOn = (colour: Rgb): string => (luminance(colour) > 0.179 ? '#000' : '#fff');
