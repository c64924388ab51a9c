// SPDX-License-Identifier: MIT
// A menu that opens below a button or at the pointer, with the usual keys of menus.

import { el } from '../dom.ts';
import { keyLabel, type Command, type Commands } from './commands.ts';

const ROLES = { check: 'menuitemcheckbox', radio: 'menuitemradio', plain: 'menuitem' } as const;

export class Menu {
  readonly element = el('div', { class: 'menu', role: 'menu', hidden: true });
  private returnTo: HTMLElement | null = null;

  constructor(
    private readonly commands: Commands,
    label: string,
  ) {
    this.element.setAttribute('aria-label', label);
    this.element.addEventListener('keydown', (event) => this.key(event));
    document.addEventListener('pointerdown', (event) => {
      if (this.open && event.target instanceof Node && !this.element.contains(event.target))
        this.close(false);
    });
    window.addEventListener('blur', () => this.close(false));
  }

  get open(): boolean {
    return !this.element.hidden;
  }

  /** Keeps the menu inside the window; if it is too high, it scrolls. */
  openAt(x: number, y: number, returnTo: HTMLElement | null): void {
    this.returnTo = returnTo;
    this.fill();
    this.element.hidden = false;
    const { offsetWidth, offsetHeight } = this.element;
    this.element.style.left = `${Math.max(4, Math.min(x, window.innerWidth - offsetWidth - 4))}px`;
    this.element.style.top = `${Math.max(4, Math.min(y, window.innerHeight - offsetHeight - 4))}px`;
    this.items()[0]?.focus();
  }

  close(giveBack = true): void {
    if (!this.open) return;
    this.element.hidden = true;
    if (giveBack) this.returnTo?.focus();
    // Browsers remove the focus from a hidden element only at the next repaint; until then it would
    // receive keys.
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && this.element.contains(focused)) focused.blur();
  }

  private fill(): void {
    const groups = new Map<string, Command[]>();
    for (const command of this.commands.all)
      groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
    const parts = [...groups].map(
      ([name, commands]) => el(
        'div', { role: 'group', 'aria-label': name },
        el('div', { class: 'menu-heading', 'aria-hidden': 'true' }, name),
        ...commands.map((command) => this.item(command))
      ),
    );
    this.element.replaceChildren(...parts);
  }

  private item(command: Command): HTMLElement {
    const enabled = command.enabled?.() ?? true;
    const checked = command.checked?.() ?? false;
    return el(
      'div',
      {
        class: 'menu-item',
        role: ROLES[command.kind],
        tabindex: -1,
        'data-command': command.id,
        'aria-disabled': String(!enabled),
        'aria-checked': command.kind === 'plain' ? undefined : String(checked),
        'aria-keyshortcuts': command.key === ' ' ? 'Space' : command.key,
        click: () => this.choose(command),
      },
      el(
        'span', { class: 'menu-check', 'aria-hidden': 'true' },
        checked ? (command.kind === 'radio' ? '●' : '✓') : ''
      ),
      el('span', { class: 'menu-label' }, command.label),
      command.key ? el('kbd', {}, keyLabel(command)) : null,
    );
  }

  private choose(command: Command): void {
    if (command.enabled && !command.enabled()) return;
    this.close();
    command.run();
  }

  private items(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>('.menu-item:not([aria-disabled="true"])'
    )];
  }

  private key(event: KeyboardEvent): void {
    const items = this.items();
    const at = items.indexOf(document.activeElement as HTMLElement);
    const step: Record<string, number> = { ArrowDown: 1, ArrowUp: items.length - 1 };
    const move = step[event.key];
    if (move !== undefined) items[(at + move) % items.length]?.focus();
    else if (event.key === 'Home') items[0]?.focus();
    else if (event.key === 'End') items.at(-1)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') this.close();
    else if (event.key === 'Enter' || event.key === ' ') items[at]?.click();
    else if (/^[a-z]$/i.test(event.key)) this.byLetter(items, at, event.key.toLowerCase());
    event.preventDefault();
    event.stopPropagation();
  }

  private byLetter(items: HTMLElement[], at: number, letter: string): void {
    const after = [...items.slice(at + 1), ...items.slice(0, at + 1)];
    after
      .find(
        (item) => item.querySelector('.menu-label')?.textContent?.toLowerCase().startsWith(letter)
      )
      ?.focus();
  }
}
