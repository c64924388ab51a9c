// SPDX-License-Identifier: MIT
// Assigns colours to owners. The largest owners have one each, and the others share one, so the sum
// is complete.

import { CATEGORY_COLOURS, OTHER_COLOUR, css, mix, type Rgb } from '../grid/colours.ts';
import type { Fill } from '../grid/block_grid.ts';
import { NO_OWNER, SEVERAL, type Owners } from './frames.ts';

export const UNMAPPED = 0;
export const OTHERS = CATEGORY_COLOURS.length + 1;
export const SHARED = OTHERS + 1;
export const NO_FRAME = SHARED + 1;
/** Added to a category: frames outside the focus. */
export const FADED = 32;

export interface Category {
  code: number;
  name: string;
  frames: number;
}

export interface Categories {
  /** In the order of the legend. Their frames add up to all memory. */
  list: Category[];
  codeOf(owner: number): number;
}

export function categorize(owners: Owners, ramPages: number): Categories {
  const order = [...owners.names.keys()]
    .filter((i) => owners.frames[i]! > 0)
    .sort((a, b) => owners.frames[b]! - owners.frames[a]!);
  const codes = new Uint8Array(owners.names.length).fill(OTHERS);
  order.slice(0, CATEGORY_COLOURS.length).forEach((i, rank) => (codes[i] = rank + 1));
  const list = order
    .slice(0, CATEGORY_COLOURS.length)
    .map((i, rank) => ({ code: rank + 1, name: owners.names[i] ?? '', frames: owners.frames[i]! }));
  const rest = order.slice(CATEGORY_COLOURS.length);
  if (rest.length > 0)
    list.push({
      code: OTHERS,
      name: `${rest.length} others`,
      frames: rest.reduce((sum, i) => sum + owners.frames[i]!, 0),
    });
  if (owners.several > 0)
    list.push({ code: SHARED, name: severalName(owners), frames: owners.several });
  const mapped = list.reduce((sum, category) => sum + category.frames, 0);
  list.push(
    { code: UNMAPPED, name: 'kernel, cache, free: mapped by no process', frames: ramPages - mapped }
  );
  const codeOf = (owner: number) =>
    owner === NO_OWNER ? UNMAPPED : owner === SEVERAL ? SHARED : codes[owner - 1]!;
  return { list, codeOf };
}

function severalName(owners: Owners): string {
  const names = {
    process: 'several processes', unit: 'several units', region: 'several regions',
    sharing: 'counts differ', name: 'several names', user: 'several users',
    cgroup: 'several control groups',
  };
  return names[owners.scheme];
}

export function categoryColour(code: number, dark: boolean): Rgb {
  if (code === UNMAPPED) return dark ? [58, 63, 71] : [198, 203, 210];
  if (code === OTHERS) return OTHER_COLOUR;
  if (code === SHARED) return dark ? [236, 239, 243] : [30, 34, 40];
  if (code === NO_FRAME) return dark ? [26, 29, 34] : [238, 240, 243];
  return CATEGORY_COLOURS[code - 1] ?? OTHER_COLOUR;
}

const FADED_SHARE = 0.82;

export function categoryFills(dark: boolean): Fill[] {
  const background: Rgb = dark ? [21, 24, 29] : [246, 247, 249];
  const fills: Fill[] = [];
  for (let code = 0; code <= NO_FRAME; code++) {
    const colour = categoryColour(code, dark);
    fills[code] = css(colour);
    fills[code + FADED] = css(mix(colour, background, FADED_SHARE));
  }
  return fills;
}
