// SPDX-License-Identifier: MIT
// What is shown, as files: the list as CSV, physical memory as PNG.

import { el } from '../dom.ts';
import type { OwnerList } from './owner_lists.ts';

function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  el('a', { href: url, download: name }).click();
  // The browser has begun to read it when the click returns.
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** RFC 4180: texts with a comma, a quote or a line end are quoted. */
const field = (value: string | number): string => {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows of a list, with sizes in bytes. A size that is not known is empty. */
export function csvOf(list: OwnerList, rows: ArrayLike<number>, pageSize: number): string {
  const { columns } = list;
  const lines = [
    columns.map(({ title, kind }) => field(kind === 'pages' ? `${title} bytes` : title)),
  ];
  for (let i = 0; i < rows.length; i++)
    lines.push(columns.map((column) => {
      const value = column.value(rows[i]!);
      if (column.kind === 'pages')
        return Number(value) < 0 ? '' : String(Number(value) * pageSize);
      // Numbers without the marks between their digits.
      const text = column.text?.(rows[i]!) ?? String(value);
      return field(text.replaceAll(/\D/g, '') === String(value) ? value : text);
    }));
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

export function saveList(list: OwnerList, rows: ArrayLike<number>, pageSize: number): void {
  save(`${list.id}.csv`, new Blob([csvOf(list, rows, pageSize)], { type: 'text/csv' }));
}

export function savePicture(canvas: HTMLCanvasElement, name: string): void {
  canvas.toBlob((content) => content && save(name, content), 'image/png');
}
