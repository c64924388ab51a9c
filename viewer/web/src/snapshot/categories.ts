// SPDX-License-Identifier: MIT
// The codes of colours. The largest owners of a scheme have one each, and the others share one.
// Frames of no owner have the colour of their class, so the sum is complete.

import {
  CATEGORY_COLOURS, OTHER_COLOUR, contrast, css, mix, parseColour, type Rgb,
} from '../grid/colours.ts';
import type { Fill } from '../grid/block_grid.ts';

/** Nothing is known about the frame, because the snapshot does not have the whole of RAM. */
export const UNMAPPED = 0;
export const OTHERS = CATEGORY_COLOURS.length + 1;
export const SHARED = OTHERS + 1;
/** No RAM, or after its end. */
export const NO_FRAME = SHARED + 1;
/** Added to a class: the class is what the scheme shows. */
export const CLASS = 16;
/** Added to a class: the scheme has no owner for the frame. */
export const MUTED = 48;
const CODES = 80;
/** Added to a code: frames outside the focus. */
export const FADED = 128;
/** Added to a code: frames of the focus. */
export const FOCUSED = 256;
/** The least contrast of highlighted frames with the background, by WCAG 2. */
const FOCUS_CONTRAST = 3;

export const isMuted = (code: number): boolean => code >= MUTED && code < CODES;

export interface Category {
  code: number;
  name: string;
  frames: number;
}

export interface Categories {
  /** In the order of the legend. Their frames add up to all memory. */
  list: Category[];
  nameOf(code: number): string;
}

/** The numbers with the largest counts, largest first; numbers without frames are left out. */
export function largest(counts: ArrayLike<number>, most: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < counts.length; i++) {
    const n = counts[i]!;
    if (n <= 0 || (found.length === most && n <= counts[found[most - 1]!]!)) continue;
    let at = found.length;
    while (at > 0 && counts[found[at - 1]!]! < n) at--;
    found.splice(at, 0, i);
    if (found.length > most) found.pop();
  }
  return found;
}

/** Two files may have the same path: the second is another owner. */
function uniqueNames(names: string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const n = seen.get(name) ?? 0;
    seen.set(name, n + 1);
    return n === 0 ? name : `${name}\n${n}`;
  });
}

/** Codes by owner's name. They are kept from snapshot to snapshot of a series. */
export type KeptCodes = Map<string, number>;

/** The code that a name has if no other name has it: the same on each page. */
function ownCode(name: string): number {
  let hash = 0;
  // A process that is started again keeps its colour: its id does not count.
  for (const letter of name.replace(/ \d+$/, '')) hash = (hash * 31 + letter.codePointAt(0)!) >>> 0;
  return 1 + hash % CATEGORY_COLOURS.length;
}

/** A code for each name: the kept one, its own one, or the next that no other name has. */
function giveCodes(names: string[], kept: KeptCodes): number[] {
  const taken = new Set(names.map((name) => kept.get(name)));
  const codes = names.map((name) => {
    let code = kept.get(name);
    if (code !== undefined) return code;
    for (code = ownCode(name); taken.has(code);) code = 1 + code % CATEGORY_COLOURS.length;
    taken.add(code);
    return code;
  });
  const used = new Set(codes);
  for (const [name, code] of kept) if (used.has(code)) kept.delete(name);
  names.forEach((name, i) => kept.set(name, codes[i]!));
  return codes;
}

/** Codes of owners, and the categories that these codes mean. */
export function rankOwners(
  counts: ArrayLike<number>, nameOf: (owner: number) => string, kept: KeptCodes
) {
  const top = largest(counts, CATEGORY_COLOURS.length);
  const codes = new Uint8Array(counts.length).fill(OTHERS);
  const names = uniqueNames(top.map(nameOf));
  const given = giveCodes(names, kept);
  top.forEach((owner, rank) => (codes[owner] = given[rank]!));
  const list: Category[] = top.map(
    (owner, rank) => ({ code: given[rank]!, name: nameOf(owner), frames: counts[owner]! })
  );
  let [others, frames] = [0, 0];
  for (let owner = 0; owner < counts.length; owner++) {
    if (codes[owner] !== OTHERS || counts[owner]! <= 0) continue;
    others++;
    frames += counts[owner]!;
  }
  if (others > 0) list.push({ code: OTHERS, name: `${others} others`, frames });
  return { codes, list };
}

/** The colours of a snapshot: the classes have theirs from the snapshot. */
export class Colours {
  private readonly classes: Rgb[];

  constructor(colours: string[]) {
    this.classes = colours.map(parseColour);
  }

  /** In the dark, light colours (free memory) are as close to the background as in the light. */
  private ofClass(number: number, dark: boolean): Rgb {
    const colour = this.classes[number] ?? OTHER_COLOUR;
    if (!dark || Math.min(...colour) < 195) return colour;
    const depth = (255 - Math.min(...colour)) / 60;
    return mix([33, 38, 46], [92, 104, 120], Math.min(1, depth));
  }

  of(code: number, dark: boolean): Rgb {
    if (code === UNMAPPED) return dark ? [58, 63, 71] : [198, 203, 210];
    if (code === SHARED) return dark ? [236, 239, 243] : [30, 34, 40];
    if (code === NO_FRAME) return dark ? [29, 33, 39] : [246, 247, 249];
    if (isMuted(code)) return this.muted(this.ofClass(code - MUTED, dark), dark);
    if (code >= CLASS) return this.ofClass(code - CLASS, dark);
    return CATEGORY_COLOURS[code - 1] ?? OTHER_COLOUR;
  }

  private muted(colour: Rgb, dark: boolean): Rgb {
    return mix(colour, dark ? [40, 44, 51] : [240, 242, 245], MUTED_SHARE);
  }

  /** The colour of a frame of the focus: never muted, and distinct from the background. */
  focused(code: number, dark: boolean): Rgb {
    const colour = this.of(isMuted(code) ? code - MUTED + CLASS : code, dark);
    const towards: Rgb = dark ? [255, 255, 255] : [0, 0, 0];
    for (let share = 0; share < 1; share += 0.1) {
      const stronger = mix(colour, towards, share);
      if (contrast(stronger, backgroundOf(dark)) >= FOCUS_CONTRAST) return stronger;
    }
    return towards;
  }

  fills(dark: boolean): Fill[] {
    const background = backgroundOf(dark);
    const fills: Fill[] = [];
    for (let code = 0; code < CODES; code++) {
      const colour = this.of(code, dark);
      fills[code] = css(colour);
      fills[code + FADED] = css(mix(colour, background, FADED_SHARE));
      fills[code + FOCUSED] = css(this.focused(code, dark));
    }
    return fills;
  }
}

const backgroundOf = (dark: boolean): Rgb => (dark ? [21, 24, 29] : [246, 247, 249]);
const MUTED_SHARE = 0.6;
const FADED_SHARE = 0.82;
