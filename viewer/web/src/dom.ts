// SPDX-License-Identifier: MIT
// Creates elements in one expression. Text is never parsed as markup.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

/** Control characters except tab and newline, and characters that change the text direction. */
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Names come from processes and files. Characters that are invisible or reorder the text are
 * escaped.
 */
export function harmless(text: string): string {
  return text.replace(
    UNSEEN, (c) => `\\u${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
  );
}

function apply(element: HTMLElement, name: string, value: Attributes[string]): void {
  if (typeof value === 'function') element.addEventListener(name, value as EventListener);
  else if (name === 'class') element.className = String(value);
  else if (value === true) element.setAttribute(name, '');
  else if (value !== false && value !== undefined)
    element.setAttribute(name, harmless(String(value)));
}

/** Functions as attributes become listeners: el('button', { click: () => … }, 'Label'). */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) apply(element, name, value);
  for (const child of children)
    if (typeof child === 'string') element.append(harmless(child));
    else if (child) element.append(child);
  return element;
}

/** Writes only changed text, to avoid a new layout. */
export function setText(element: HTMLElement, text: string): void {
  const shown = harmless(text);
  if (element.textContent !== shown) element.textContent = shown;
}

export function setAttribute(element: HTMLElement, name: string, value: string): void {
  const shown = harmless(value);
  if (element.getAttribute(name) !== shown) element.setAttribute(name, shown);
}
