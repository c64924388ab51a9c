// SPDX-License-Identifier: MIT
// The interface of views, and their common frame.

import { el } from '../dom.ts';
import type { Session } from '../model/session.ts';
import type { Settings } from '../model/settings.ts';
import type { Commands } from './commands.ts';
import type { Look } from './look.ts';

export interface App {
  settings: Settings;
  look: Look;
  commands: Commands;
}

export interface LiveApp extends App {
  session: Session;
}

export interface View {
  id: string;
  element: HTMLElement;
  /** Called before each repaint while the view is shown. `at` is in ms of performance.now(). */
  frame?(at: number): void;
}

/**
 * A titled panel with its own controls and a button that hides it. With `scrolls`, its body scrolls
 * and is focusable.
 */
export function panel(
  app: App, id: string, title: string, tools: (Node | null)[], body: Node[], scrolls = false,
): HTMLElement {
  const heading = el('h2', { id: `${id}-title` }, title);
  const hide = el(
    'button', {
      class: 'icon-button',
      type: 'button',
      'aria-label': `Hide ${title}`,
      title: `Hide ${title}`,
      click: () => app.settings.show(id, false),
    },
    '✕'
  );
  return el(
    'section',
    { class: `panel panel-${id}`, id: `view-${id}`, 'aria-labelledby': `${id}-title` },
    el('header', {}, heading, el('div', { class: 'panel-tools' }, ...tools), hide),
    el('div', { class: 'panel-body', tabindex: scrolls ? 0 : undefined }, ...body),
  );
}
