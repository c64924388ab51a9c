// SPDX-License-Identifier: MIT
// The meaning of the colours. The marks look like the cells in the chosen palette.

import { el } from '../dom.ts';

const ENTRIES: [string, string][] = [
  ['untraced', 'not traced yet'],
  ['in', 'swap-in'],
  ['out', 'swap-out'],
  ['in-out', 'in, then out'],
  ['out-in', 'out, then in'],
  ['normal', 'traced, normal now'],
  ['selected', 'selected'],
  ['mixed', 'overviews: out to in, the more the stronger'],
];

export function legend(): HTMLElement {
  const entries = ENTRIES.map(
    ([name, words]) =>
      el('li', {}, el('span', { class: `swatch swatch-${name}`, 'aria-hidden': 'true' }), words)
  );
  return el(
    'section', { class: 'legend', id: 'legend', 'aria-label': 'Legend' }, el('ul', {}, ...entries)
  );
}
