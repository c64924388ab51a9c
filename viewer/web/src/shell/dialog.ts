// SPDX-License-Identifier: MIT
// Dialogs of the browser, which keep the focus inside and restore it.

import { el } from '../dom.ts';

export function openDialog(title: string, id: string, body: Node[], buttons: HTMLElement[]):
  HTMLDialogElement {
  const heading = el('h2', { id: `${id}-title` }, title);
  const close = el(
    'button',
    { class: 'icon-button', type: 'button', 'aria-label': 'Close', click: () => dialog.close() },
    '✕'
  );
  const dialog = el(
    'dialog',
    { id, 'aria-labelledby': `${id}-title`, close: () => dialog.remove() },
    el('header', {}, heading, close),
    el('div', { class: 'dialog-body' }, ...body),
    buttons.length > 0 && el('footer', {}, ...buttons),
  );
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
