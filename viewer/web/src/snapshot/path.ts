// SPDX-License-Identifier: MIT
// The opened part of a chart, and the links back to the parts that contain it.

import { el } from '../dom.ts';

/** The last name is the opened part. */
export function pathTo(names: string[], title: string, back: (depth: number) => void) {
  return names.flatMap((name, depth) => {
    const click = () => back(depth);
    const part = depth === names.length - 1
      ? el('b', {}, name) : el('button', { type: 'button', class: 'link', title, click }, name);
    return depth === 0 ? [part] : [el('span', { 'aria-hidden': 'true' }, '›'), part];
  });
}
