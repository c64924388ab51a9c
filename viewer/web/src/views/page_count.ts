// SPDX-License-Identifier: MIT
// A number of pages with its size next to it, in an element of its own for styling.

import { el } from '../dom.ts';
import { count, mib } from '../format.ts';

export const sizeOf = (pages: number, pageSize: number): HTMLElement =>
  el('span', { class: 'size' }, mib(pages, pageSize));

/** The blank separates the two in plain text, for screen readers and copies. */
export function pagesWithSize(pages: number, pageSize: number): (HTMLElement | string)[] {
  return [el('span', { class: 'value' }, count(pages)), ' ', sizeOf(pages, pageSize)];
}
