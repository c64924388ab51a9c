// SPDX-License-Identifier: MIT
// Elements in one expression. Text is always text: nothing of a trace is ever parsed as markup.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

/** Control characters but tab and newline, and those that turn the direction of the text after them. */
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Names come from processes and files: what would not be seen, or would reorder what is, is written out. */
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

/** Attributes that are functions are listeners: el('button', { click: () => … }, 'Label'). */
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

/** Only what differs is written: layout is not asked for what stays. */
export function setText(element: HTMLElement, text: string): void {
  const shown = harmless(text);
  if (element.textContent !== shown) element.textContent = shown;
}

export function setAttribute(element: HTMLElement, name: string, value: string): void {
  const shown = harmless(value);
  if (element.getAttribute(name) !== shown) element.setAttribute(name, shown);
}
