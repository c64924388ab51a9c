// SPDX-License-Identifier: MIT
// The colours of the scheme with their frames, which add up to RAM.

import { el, setText } from '../dom.ts';
import { count, shortName } from '../format.ts';
import { css } from '../grid/colours.ts';
import type { App } from '../shell/view.ts';
import { sizeOf } from '../views/page_count.ts';
import { CLASS, type Category } from './categories.ts';
import { NOT_DESCRIBED } from './classes.ts';
import type { SnapshotModel } from './snapshot_model.ts';

/** Classes with an entry of their own; the smallest share one. */
const MAX_CLASSES = 8;

export function snapshotLegend(app: App, model: SnapshotModel): HTMLElement {
  const list = el('ul', {});
  const fill = () => {
    const { shown, folded } = fold(model.categories.list);
    const items = shown.map((category) => entry(app, model, category));
    if (folded.length > 0) items.push(foldedEntry(model, folded));
    const ram = model.ramPages;
    const others = model.ram?.ofClass[NOT_DESCRIBED] ?? 0;
    const sum = el(
      'li', { class: 'sum' }, `= ${count(ram)} frames of RAM `, sizeOf(ram, model.pageSize),
      others > 0 ? `; ${count(others)} frames are not described` : ''
    );
    list.replaceChildren(...items, sum);
  };
  model.onScheme.on(fill);
  app.look.changed.on(fill);
  fill();
  return foldable(list);
}

/** Windows of a lower height begin with a folded legend, in CSS pixels. */
const LOW_WINDOW = 560;

function foldable(list: HTMLElement): HTMLElement {
  const fold = () => {
    const isFolded = element.classList.toggle('folded');
    button.setAttribute('aria-expanded', String(!isFolded));
    setText(button, isFolded ? 'Legend ▸' : '▾');
  };
  const button = el(
    'button', {
      class: 'link', type: 'button', 'aria-expanded': 'true', 'aria-label': 'Legend', click: fold,
    },
    '▾'
  );
  const element =
    el('section', { class: 'legend', id: 'legend', 'aria-label': 'Legend' }, button, list);
  if (window.innerHeight < LOW_WINDOW) fold();
  return element;
}

/** The largest classes in the order of the list, and the others. */
function fold(list: Category[]): { shown: Category[]; folded: Category[] } {
  const classes = list.filter((category) => category.code >= CLASS);
  if (classes.length <= MAX_CLASSES + 1) return { shown: list, folded: [] };
  const bySize = [...classes].sort((a, b) => b.frames - a.frames);
  const small = new Set(bySize.slice(MAX_CLASSES));
  return {
    shown: list.filter((category) => !small.has(category)),
    folded: classes.filter((category) => small.has(category)),
  };
}

function entry(app: App, model: SnapshotModel, category: Category): HTMLElement {
  const swatch = el('span', { class: 'swatch', 'aria-hidden': 'true' });
  swatch.style.background = css(model.colours.of(category.code, app.look.dark));
  return el(
    'li', { 'data-frames': category.frames, title: category.name }, swatch,
    `${shortName(category.name)} `, el('b', {}, count(category.frames)), ' ',
    sizeOf(category.frames, model.pageSize)
  );
}

function foldedEntry(model: SnapshotModel, folded: Category[]): HTMLElement {
  const frames = folded.reduce((sum, category) => sum + category.frames, 0);
  const names = folded.map((category) => `${category.name} ${count(category.frames)}`).join(', ');
  return el(
    'li', { 'data-frames': frames, title: names }, `${folded.length} smaller classes `,
    el('b', {}, count(frames)), ' ', sizeOf(frames, model.pageSize)
  );
}
