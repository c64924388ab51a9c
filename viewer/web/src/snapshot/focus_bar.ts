// SPDX-License-Identifier: MIT
// What is highlighted, how many frames in how many runs, and the way from run to run.

import { el, setText } from '../dom.ts';
import { count } from '../format.ts';
import { sizeOf } from '../views/page_count.ts';
import type { SnapshotModel } from './snapshot_model.ts';

export class FocusBar {
  readonly element: HTMLElement;
  private readonly name = el('b', {});
  private readonly frames = el('span', { class: 'muted' });
  private readonly place = el('span', { class: 'muted' });

  constructor(private readonly model: SnapshotModel) {
    this.element = el(
      'div', { class: 'focus-bar', role: 'group', 'aria-label': 'Highlighted frames' }, this.name,
      this.frames, el('span', { class: 'spring' }), this.place,
      this.button('◀', 'Previous run (N)', () => model.turnSpan(-1)),
      this.button('▶', 'Next run (n)', () => model.turnSpan(1)),
      this.button('Show all', 'Remove the highlight (a)', () => model.setFocus(null))
    );
    for (const signal of [model.onFocus, model.onBlock, model.onSelection])
      signal.on(() => this.show());
    this.show();
  }

  private button(text: string, title: string, click: () => void): HTMLElement {
    const label = text.length > 1 ? undefined : title;
    return el('button', { type: 'button', title, 'aria-label': label, click }, text);
  }

  private show(): void {
    const { model } = this;
    this.element.hidden = model.focus === null;
    if (!model.focus) return;
    const { spans } = model;
    setText(this.name, model.focusName());
    this.name.title = model.focusName();
    const runs = spans.count === 1 ? '1 run' : `${count(spans.count)} runs`;
    this.frames.replaceChildren(
      `${count(spans.frames)} frames `, sizeOf(spans.frames, model.pageSize), ` in ${runs}`
    );
    const isInside = model.frame !== null && spans.has(model.frame);
    const at = isInside ? count(spans.at(model.frame!) + 1) : '';
    setText(this.place, isInside ? `run ${at} of ${count(spans.count)}` : '');
  }
}
