// SPDX-License-Identifier: MIT
// Elements in one expression. Text is always text: nothing of a trace is ever parsed as markup.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

function apply(element: HTMLElement, name: string, value: Attributes[string]): void {
  if (typeof value === 'function') element.addEventListener(name, value as EventListener);
  else if (name === 'class') element.className = String(value);
  else if (value === true) element.setAttribute(name, '');
  else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
}

/** Attributes that are functions are listeners: el('button', { click: () => … }, 'Label'). */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) apply(element, name, value);
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

/** Only what differs is written: layout is not asked for what stays. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element: HTMLElement, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
