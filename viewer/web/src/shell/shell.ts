// SPDX-License-Identifier: MIT
// The window: bars above and below, two rows of views in between. Hidden parts take no room.

import { el, setText } from '../dom.ts';
import { Menu } from './menu.ts';
import type { App, View } from './view.ts';

/** Time in ms until a notice disappears. Important ones remain as numbers in the status bar. */
const NOTICE_MS = 6000;

/** A view, or several one above the other. */
export type Place = View | View[];

export interface Bars {
  /** Bars by their id in the settings. */
  menubar: HTMLElement;
  toolbar: HTMLElement;
  legend: HTMLElement;
  statusbar: HTMLElement;
  /** Below the tool bar, of a snapshot of the whole of RAM. */
  ledger?: HTMLElement;
}

export class Shell {
  readonly cover = el('div', { class: 'cover', role: 'status', hidden: true });
  private readonly notices = el('div', { class: 'notices', role: 'status', 'aria-live': 'polite' });
  private readonly hint = el(
    'p', { class: 'empty nothing' },
    'All views are hidden. Press F10 for the View menu, or the right mouse button.'
  );
  private readonly views: View[];
  /** Rows and their stacks, which are hidden when they contain no visible view. */
  private readonly frames: [HTMLElement, View[]][] = [];
  private readonly popup: Menu;
  private sticky: HTMLElement | null = null;
  private readonly closing = new AbortController();

  constructor(
    private readonly app: App,
    private readonly bars: Bars,
    places: Place[][],
  ) {
    this.views = places.flat(2);
    const rows = places.map(
      (row, i) => this.framed(`row row-${i}`, row.flat(), row.map((place) => this.place(place)))
    );
    this.popup = new Menu(app.commands, 'Commands');
    const main = el('main', {}, ...rows, this.hint, this.cover, this.popup.element);
    document.body.prepend(
      bars.menubar, bars.toolbar, ...(bars.ledger ? [bars.ledger] : []), main, bars.legend,
      bars.statusbar, this.notices
    );
    document.body.addEventListener(
      'contextmenu', (event) => this.openPopup(event), { signal: this.closing.signal }
    );
    app.commands.listen(document.body, this.closing.signal);
    app.settings.changed.on(() => this.arrange());
    this.arrange();
    requestAnimationFrame((at) => this.frame(at));
  }

  shownViews(): View[] {
    return this.views.filter((view) => this.app.settings.shown(view.id));
  }

  notice(text: string): void {
    const note = el('p', { class: 'notice' }, text);
    this.notices.append(note);
    window.setTimeout(() => note.remove(), NOTICE_MS);
  }

  /** Stays until it is cleared with ''. */
  stickyNotice(text: string): void {
    if (text === '') {
      this.sticky?.remove();
      this.sticky = null;
      return;
    }
    if (!this.sticky) {
      this.sticky = el('p', { class: 'notice sticky' });
      this.notices.append(this.sticky);
    }
    setText(this.sticky, text);
  }

  private place(place: Place): HTMLElement {
    return Array.isArray(place) ? this.framed('stack', place, place.map((view) => view.element))
                                : place.element;
  }

  private framed(name: string, views: View[], parts: HTMLElement[]): HTMLElement {
    const frame = el('div', { class: name }, ...parts);
    this.frames.push([frame, views]);
    return frame;
  }

  private arrange(): void {
    const { settings } = this.app;
    for (const view of this.views) view.element.hidden = !settings.shown(view.id);
    for (const [frame, views] of this.frames)
      frame.hidden = !views.some((view) => settings.shown(view.id));
    this.hint.hidden = this.shownViews().length > 0;
    for (const [id, bar] of Object.entries(this.bars))
      (bar as HTMLElement).hidden = !settings.shown(id);
  }

  private openPopup(event: MouseEvent): void {
    if (event.target instanceof HTMLInputElement && event.target.type === 'text') return;
    event.preventDefault();
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    this.popup.openAt(event.clientX, event.clientY, focused);
  }

  /** Removes everything, before another shell takes the window. */
  close(): void {
    this.closing.abort();
    document.body.replaceChildren();
  }

  private frame(at: number): void {
    if (this.closing.signal.aborted) return;
    for (const view of this.shownViews()) view.frame?.(at);
    requestAnimationFrame((next) => this.frame(next));
  }
}
