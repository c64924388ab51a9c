// SPDX-License-Identifier: MIT
// A number of pages with its size next to it, which a style can give less weight.

import { el } from '../dom.ts';
import { count, mib } from '../format.ts';

export const sizeOf = (pages: number, pageSize: number): HTMLElement =>
  el('span', { class: 'size' }, mib(pages, pageSize));

/** The blank keeps the two apart where only text is left: for screen readers and copies. */
export function pagesWithSize(pages: number, pageSize: number): (HTMLElement | string)[] {
  return [el('span', { class: 'value' }, count(pages)), ' ', sizeOf(pages, pageSize)];
}
