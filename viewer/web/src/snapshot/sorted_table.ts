// SPDX-License-Identifier: MIT
// Heads and cells of a table whose rows are in the order of one of its columns.

import { el } from '../dom.ts';
import { pagesWithSize } from '../views/page_count.ts';
import { UNKNOWN, type Column } from './owner_lists.ts';
import type { RowOrder } from './row_order.ts';

/** Text begins with the least, numbers with the largest; the same column again is reversed. */
export function sortHeads(
  { list, sortBy, descending }: RowOrder, sort: (column: number, descending: boolean) => void
): HTMLElement[] {
  return list.columns.map(({ title, kind }, i) => {
    const isSorted = i === sortBy;
    const click = () => sort(i, isSorted ? !descending : kind !== 'text');
    return el(
      'th', {
        scope: 'col', class: kind === 'text' ? '' : 'number',
        'aria-sort': isSorted ? (descending ? 'descending' : 'ascending') : 'none',
      },
      el('button', { type: 'button', class: 'sort', click }, title)
    );
  });
}

/** The note follows the text of the cell. */
export function sortedCell(column: Column, row: number, pageSize: number, note = ''): HTMLElement {
  const value = column.value(row);
  if (value === UNKNOWN) return el('td', { class: 'number' }, '–');
  if (column.kind === 'pages')
    return el('td', { class: 'number' }, ...pagesWithSize(Number(value), pageSize));
  const text = (column.text?.(row) ?? String(value)) + note;
  if (text.startsWith('/')) return el('td', { class: 'path', title: text }, el('bdi', {}, text));
  return el('td', { class: column.kind === 'text' ? '' : 'number', title: text }, text);
}
