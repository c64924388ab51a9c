// SPDX-License-Identifier: MIT
// What is shown, as files: the list as CSV, physical memory as PNG, the treemap as SVG.

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

function shape(
  name: string, attributes: Record<string, string | number>, ...content: (Node | string)[]
): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...content);
  return made;
}

/** The boxes of a treemap as they are shown, each with its tooltip. Names are text nodes. */
function svgOf(map: HTMLElement): string {
  const { left, top, width, height } = map.getBoundingClientRect();
  const boxes = [...map.querySelectorAll<HTMLElement>('.treemap-box, .treemap-part')];
  const shapes = boxes.map((box) => {
    const place = box.getBoundingClientRect();
    const label = box.querySelector(':scope > .treemap-label');
    const { backgroundColor: fill, borderTopColor: stroke, color } = getComputedStyle(box);
    const { fontWeight } = getComputedStyle(label ?? box);
    return shape(
      'svg',
      { x: place.left - left, y: place.top - top, width: place.width, height: place.height },
      shape('title', {}, box.title), shape('rect', { width: '100%', height: '100%', fill, stroke }),
      shape(
        'text', { x: 4, y: 12, fill: color, 'font-weight': fontWeight },
        box.dataset.label ?? label?.textContent ?? ''
      )
    );
  });
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  const font = { 'font-family': 'sans-serif', 'font-size': 11 };
  return new XMLSerializer().serializeToString(shape('svg', { ...size, ...font }, ...shapes));
}

export function saveTreemap(map: HTMLElement): void {
  save('treemap.svg', new Blob([svgOf(map)], { type: 'image/svg+xml' }));
}
