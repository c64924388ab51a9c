// SPDX-License-Identifier: MIT
// Menu bar and tool bar. All their actions are commands.

import { el, setAttribute } from '../dom.ts';
import type { Settings } from '../model/settings.ts';
import { keyLabel, plain, type Commands } from './commands.ts';
import { icon, type IconName } from './icons.ts';
import { Menu } from './menu.ts';

export class MenuBar {
  readonly element: HTMLElement;
  readonly facts = el('div', { class: 'facts-line' });
  private readonly menu: Menu;
  private readonly button: HTMLElement;

  constructor(commands: Commands, private readonly settings: Settings) {
    this.menu = new Menu(commands, 'View');
    this.button = el(
      'button', {
        type: 'button',
        class: 'menu-button',
        role: 'menuitem',
        id: 'view-menu',
        'aria-haspopup': 'menu',
        'aria-expanded': 'false',
        click: () => this.toggle(),
        keydown: (event: KeyboardEvent) => event.key === 'ArrowDown' && this.toggle(event),
      },
      'View'
    );
    const keys = el(
      'button', {
        type: 'button',
        class: 'menu-button',
        role: 'menuitem',
        title: 'Keys (?)',
        click: () => commands.run('keys'),
      },
      'Keys'
    );
    const brand = el(
      'h1', { class: 'brand' }, el('span', { class: 'brand-mark', 'aria-hidden': 'true' }),
      'physmem'
    );
    this.element = el(
      'header', { class: 'menubar', id: 'menubar' }, brand,
      el('nav', { role: 'menubar', 'aria-label': 'Menu' }, this.button, keys),
      el('span', { class: 'spring' }), this.facts
    );
    this.element.append(this.menu.element);
    new MutationObserver(
      () => setAttribute(this.button, 'aria-expanded', String(this.menu.open))
    ).observe(this.menu.element, { attributeFilter: ['hidden'] });
    commands.add(plain('Help', 'menu', 'View menu', 'F10', () => this.openMenu()));
  }

  /** Opens the menu. If the bar is hidden, shows it first. */
  private openMenu(): void {
    this.settings.show('menubar', true);
    this.button.focus();
    this.toggle();
  }

  private toggle(event?: Event): void {
    event?.preventDefault();
    if (this.menu.open) return this.menu.close();
    const { left, bottom } = this.button.getBoundingClientRect();
    this.menu.openAt(left, bottom + 2, this.button);
  }
}

export class ToolBar {
  readonly element: HTMLElement;
  private readonly buttons = new Map<string, HTMLElement>();

  /** Groups of commands, each with its icon. Only the first group has labels. */
  constructor(
    private readonly commands: Commands, groups: [string, IconName][][], rest: HTMLElement[]
  ) {
    const parts = groups.map(
      (group, i) => el(
        'div', { class: `tool-group${i === 0 ? ' labelled' : ''}`, role: 'group' },
        ...group.map(([id, picture]) => this.button(id, picture))
      )
    );
    this.element =
      el('section', { class: 'toolbar', id: 'toolbar', 'aria-label': 'Tools' }, ...parts, ...rest);
    this.element.addEventListener('keydown', (event) => this.key(event));
    this.update();
  }

  update(): void {
    for (const [id, button] of this.buttons) {
      const command = this.commands.find(id);
      if (command.checked) setAttribute(button, 'aria-pressed', String(command.checked()));
    }
  }

  private button(id: string, picture: IconName): HTMLElement {
    const command = this.commands.find(id);
    const button = el(
      'button', {
        type: 'button',
        class: 'tool',
        id: `tool-${id}`,
        title: `${command.label} (${keyLabel(command)})`,
        click: () => this.commands.run(id),
      },
      icon(picture), el('span', { class: 'tool-label' }, command.label)
    );
    this.buttons.set(id, button);
    return button;
  }

  /** The left and right keys move between tools. */
  private key(event: KeyboardEvent): void {
    const buttons = [...this.buttons.values()];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    if (at < 0 || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    buttons[(at + (event.key === 'ArrowRight' ? 1 : buttons.length - 1)) % buttons.length]?.focus();
    event.preventDefault();
  }
}
