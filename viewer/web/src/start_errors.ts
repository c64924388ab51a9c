// SPDX-License-Identifier: MIT
// An exception before the page is shown becomes a sentence on it. Imported first, because modules
// and libraries also run code when they are imported.

import { el } from './dom.ts';

export function showFailure(heading: string, reason: string): void {
  document.body.replaceChildren(el(
    'div', { class: 'cover' },
    el('div', { class: 'cover-box', role: 'alert' }, el('h2', {}, heading), el('p', {}, reason))
  ));
}

function failed(event: ErrorEvent): void {
  showFailure('The page cannot be shown', `${event.message}. Browser: ${navigator.userAgent}`);
}

window.addEventListener('error', failed);

/** The page is shown; what fails later leaves it as it is. */
export function started(): void {
  window.removeEventListener('error', failed);
}
