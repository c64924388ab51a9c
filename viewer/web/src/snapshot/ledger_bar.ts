// SPDX-License-Identifier: MIT
// All of RAM as one bar of 100 %: its classes, or the owners of one class.

import { el, setAttribute } from '../dom.ts';
import { count, mib, share, shortName } from '../format.ts';
import { css, mix, textOn, type Rgb } from '../grid/colours.ts';
import type { Look } from '../shell/look.ts';
import { ROW_KEYS, RovingFocus } from '../shell/roving_focus.ts';
import { Signal } from '../signal.ts';
import { sizeOf } from '../views/page_count.ts';
import { CLASS, NO_FRAME, largest } from './categories.ts';
import { isSameFocus, type Focus } from './focus.ts';
import { pathTo } from './path.ts';
import type { RamIndex } from './ram.ts';
import type { SnapshotModel } from './snapshot_model.ts';

/** Owners of a class with a part of their own. */
const MAX_OWNERS = 40;
/** Neighbours in a class differ by this share of the background. */
const ALTERNATE = 0.22;

interface Part {
  name: string;
  /** After the name in the tooltip. */
  note?: string;
  frames: number;
  colour: Rgb;
  focus: Focus | null;
  /** Opens the owners of this class. */
  opens?: number;
}

export class LedgerBar {
  /** The owners of this class are shown; null: all classes. */
  readonly onOpen = new Signal<number | null>();
  readonly element: HTMLElement;
  private readonly path = el('nav', { class: 'ledger-path', 'aria-label': 'Part of RAM' });
  private readonly bar = el('div', {
    class: 'ledger-bar', role: 'group', 'aria-label': 'Frames of RAM',
    keydown: (event: KeyboardEvent) => this.key(event),
  });
  /** The opened class; null: all of RAM. */
  private opened: number | null = null;
  private parts: Part[] = [];
  private readonly roving = new RovingFocus(ROW_KEYS, {
    count: () => this.parts.length, element: (at) => this.button(at),
  });

  constructor(private readonly model: SnapshotModel, private readonly look: Look) {
    this.element = el(
      'section', { class: 'ledger', id: 'ledger', 'aria-label': 'Ledger of RAM' }, this.path,
      this.bar
    );
    model.onSnapshot.on(() => this.show());
    model.onFocus.on(() => this.followFocus());
    look.changed.on(() => this.show());
    this.show();
  }

  private get ram(): RamIndex | null {
    return this.model.ram;
  }

  private open(number: number | null): void {
    this.opened = number;
    this.roving.current = 0;
    this.show();
    this.model.setFocus(number === null ? null : { scheme: 'class', index: number });
    this.roving.focus();
    this.onOpen.emit(number);
  }

  /** Back to all classes, unless they are shown. */
  close(): void {
    if (this.opened !== null) this.open(null);
  }

  private show(): void {
    this.element.classList.toggle('none', this.ram === null);
    if (!this.ram) return;
    this.parts = this.opened === null ? this.classes(this.ram) : this.owners(this.ram, this.opened);
    this.showPath(this.ram);
    const { roving } = this;
    roving.current = Math.min(roving.current, Math.max(0, this.parts.length - 1));
    const sum = this.parts.reduce((all, part) => all + part.frames, 0);
    this.bar.replaceChildren(...this.parts.map((part, i) => this.part(part, i, sum)));
    this.followFocus();
  }

  private showPath(ram: RamIndex): void {
    const { opened } = this;
    const names = opened === null ? ['RAM'] : ['RAM', ram.classes.name(opened)];
    const frames = opened === null ? ram.ram.facts.frames : ram.ofClass[opened]!;
    this.path.replaceChildren(
      ...pathTo(names, 'Back to all of RAM (Escape)', () => this.close()),
      sizeOf(frames, this.model.pageSize)
    );
  }

  private classes(ram: RamIndex): Part[] {
    return ram.classes.order
      .filter((number) => ram.classes.isRam(number) && ram.ofClass[number]! > 0)
      .map((number) => ({
        name: ram.classes.name(number), frames: ram.ofClass[number]!,
        colour: this.model.colours.of(CLASS + number, this.look.dark),
        focus: { scheme: 'class', index: number }, opens: number,
      }));
  }

  /** The frames of each owner in the class; 0: without a known owner. */
  private framesOf(ram: RamIndex, number: number): Float64Array {
    const frames = new Float64Array(ram.owners.count + 1);
    for (let run = 0; run < ram.runs; run++)
      if (ram.classOf(run) === number) frames[ram.ram.owner[run]!]! += ram.ram.pages[run]!;
    return frames;
  }

  private owners(ram: RamIndex, number: number): Part[] {
    const frames = this.framesOf(ram, number);
    const colour = this.model.colours.of(CLASS + number, this.look.dark);
    const other = mix(colour, this.model.colours.of(NO_FRAME, this.look.dark), ALTERNATE);
    let unowned = frames[0]!;
    frames[0] = 0;
    const top = largest(frames, MAX_OWNERS);
    const parts = top.map((owner, i): Part => ({
      name: ram.owners.title(owner), frames: frames[owner]!, colour: i % 2 === 0 ? colour : other,
      focus: { scheme: 'owner', index: owner, ofClass: number },
    }));
    const rest = frames.reduce((sum, n) => sum + n, 0) -
      parts.reduce((sum, part) => sum + part.frames, 0);
    const add = (name: string, n: number, focus: Focus | null, note = '') => {
      const at = parts.length % 2 === 0 ? colour : other;
      if (n > 0) parts.push({ name, note, frames: n, colour: at, focus });
    };
    add('further owners', rest, null);
    if (ram.classes.is(number, 'unmarked'))
      for (const { what, pages } of ram.explained(unowned)) {
        unowned -= pages;
        add(what, pages, null, ' (by a total of the kernel)');
      }
    add('without a known owner', unowned, { scheme: 'owner', index: 0, ofClass: number });
    return parts;
  }

  private part(part: Part, at: number, sum: number): HTMLElement {
    const { pageSize } = this.model;
    const size = `${count(part.frames)} frames, ${mib(part.frames, pageSize)}`;
    const words = `${part.name}${part.note ?? ''}: ${size}, ${share(part.frames, sum)}`;
    const button = el(
      'button', {
        type: 'button', class: 'ledger-part', title: words, 'aria-label': words,
        'aria-pressed': 'false', 'data-frames': part.frames, disabled: part.focus === null,
        tabindex: this.roving.tabIndex(at), click: () => this.chosen(at),
      },
      el('span', {}, shortName(part.name))
    );
    button.style.flexGrow = String(part.frames / Math.max(1, sum));
    button.style.background = css(part.colour);
    button.style.color = textOn(part.colour);
    return button;
  }

  private chosen(at: number): void {
    const part = this.parts[at];
    this.roving.current = at;
    if (part?.opens !== undefined) this.open(part.opens);
    else if (part?.focus)
      this.model.setFocus(isSameFocus(part.focus, this.model.focus) ? null : part.focus);
  }

  private button(at: number): HTMLButtonElement | undefined {
    return this.bar.children[at] as HTMLButtonElement | undefined;
  }

  private followFocus(): void {
    const { focus } = this.model;
    this.parts.forEach((part, i) => {
      const button = this.button(i);
      if (!button) return;
      const isOwner = focus?.scheme === 'owner' && part.focus?.scheme === 'owner' &&
        focus.index === part.focus.index;
      const isShown = part.focus !== null && (isOwner || isSameFocus(part.focus, focus));
      setAttribute(button, 'aria-pressed', String(isShown));
    });
  }

  private key(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.close();
    else if (!this.roving.key(event)) return;
    event.preventDefault();
  }
}
