// SPDX-License-Identifier: MIT
// Lists of processes, files and other owners. The chosen one is highlighted in memory. Only
// the visible rows are in the document.

import { el, setText } from '../dom.ts';
import { count } from '../format.ts';
import { LIST_KEYS, RovingFocus } from '../shell/roving_focus.ts';
import { Signal } from '../signal.ts';
import { panel, type App, type View } from '../shell/view.ts';
import { framesOfClass } from './class_owners.ts';
import { isSameFocus } from './focus.ts';
import { ownerLists, type OwnerList } from './owner_lists.ts';
import { RowOrder } from './row_order.ts';
import type { SnapshotModel } from './snapshot_model.ts';
import { saveList } from './save.ts';
import { sortHeads, sortedCell } from './sorted_table.ts';

/** Rows above and below the visible ones. */
const MARGIN = 8;
/** Lists up to this length are complete in the document. */
const SHORT = 200;
/** Height of a row before the first is drawn, in CSS pixels. */
const ROW_HEIGHT = 24;

export class OwnersView implements View {
  readonly id = 'owners';
  readonly element: HTMLElement;
  /** Another list is shown. */
  readonly onList = new Signal();
  private lists: OwnerList[] = [];
  /** Only owners with frames of this class are listed; null: all. */
  private ofClass: number | null = null;
  private order!: RowOrder;
  private rows: Uint32Array = new Uint32Array(0);
  private rowHeight = ROW_HEIGHT;
  /** The part of `rows` that is in the document. */
  private drawn = { begin: 0, end: 0 };
  /** Its items are positions in `rows`. */
  private readonly roving = new RovingFocus(LIST_KEYS, {
    count: () => this.rows.length,
    element: (at) => this.body.querySelector<HTMLElement>(`[data-at="${at}"]`),
    reach: (at) => this.scrollTo(at),
  });
  private readonly head = el('tr', {});
  private readonly body = el('tbody', { keydown: (event: KeyboardEvent) => this.key(event) });
  private readonly table = el('table', { class: 'rows' }, el('thead', {}, this.head), this.body);
  private readonly room = el('div', { class: 'row-room' }, this.table);
  private readonly scroller =
    el('div', { class: 'table-scroll', scroll: () => this.draw(false) }, this.room);
  private readonly status = el('span', { class: 'range' });
  /** Which rows are listed, if not all. */
  private readonly filtered = el('p', { class: 'hint', hidden: true });
  private readonly search: HTMLInputElement;
  private readonly choice =
    el('select', { 'aria-label': 'List', change: () => this.choose(Number(this.choice.value)) });

  constructor(app: App, private readonly model: SnapshotModel) {
    const words = model.ram ? 'name or frame' : 'PID, name, file or frame';
    this.search = el('input', {
      type: 'text',
      placeholder: model.ram ? 'File, cache, process …' : 'Process, file, frame …',
      'aria-label': `Search: ${words}`,
      spellcheck: 'false',
      input: () => this.list(),
      keydown: (event: KeyboardEvent) => event.key === 'Enter' && this.take(),
    });
    const tools = [this.status, this.search, this.choice];
    this.element = panel(app, this.id, 'Owners', tools, [this.filtered, this.scroller]);
    model.onFocus.on(() => this.draw(true));
    model.onSnapshot.on(() => this.load());
    new ResizeObserver(() => this.draw(false)).observe(this.scroller);
    this.load();
  }

  focusSearch(): void {
    if (this.order.list.id !== 'everything') this.showList('everything');
    this.search.focus();
    this.search.select();
  }

  /** Shows a list by its id, without a search. `ofClass`: only owners with frames of the class. */
  showList(id: string, ofClass: number | null = null): void {
    const at = this.lists.findIndex((list) => list.id === id);
    if (at < 0) return this.showAll();
    this.choice.value = String(at);
    this.search.value = '';
    this.choose(at, ofClass);
  }

  get shownList(): string {
    return this.order.list.id;
  }

  /** The shown rows as a file. */
  save(): void {
    saveList(this.order.list, this.rows, this.model.pageSize);
  }

  /** The shown list with all its rows. */
  showAll(): void {
    if (this.ofClass !== null) this.choose(Number(this.choice.value));
  }

  /** Makes the lists of the shown snapshot. The same list stays chosen. */
  private load(): void {
    const before: RowOrder | undefined = this.order;
    this.lists = ownerLists(this.model);
    const options = this.lists.map(({ label }, i) => el('option', { value: i }, label));
    this.choice.replaceChildren(...options);
    const wanted = before?.list.id ?? 'process';
    const list = this.lists.find(({ id }) => id === wanted) ?? this.lists[0]!;
    this.choice.value = String(this.lists.indexOf(list));
    this.order = this.ordered(list, before?.sortBy ?? 2, before?.descending ?? true);
    this.list();
  }

  private choose(at: number, ofClass: number | null = null): void {
    this.ofClass = ofClass;
    this.order = this.ordered(this.lists[at] ?? this.lists[0]!, 2, true);
    this.list();
    this.onList.emit();
  }

  /** What was typed, in all lists. */
  private searchEverywhere(): void {
    const text = this.search.value;
    this.showList('everything');
    this.search.value = text;
    this.list();
    this.search.focus();
  }

  private ordered(list: OwnerList, sortBy: number, descending: boolean, before?: RowOrder) {
    return new RowOrder(list, sortBy, descending, this.filter(list), before);
  }

  private filter(list: OwnerList): (row: number) => boolean {
    const { snapshot, ram } = this.model;
    if (this.ofClass === null || !ram) return () => true;
    const hasFrames = framesOfClass(snapshot, ram, this.ofClass);
    return (row) => hasFrames(list.focus(row));
  }

  /** A hexadecimal number is a frame, unless it is a PID or an exact name. */
  private take(): void {
    const text = this.search.value.trim();
    const first = this.rows[0];
    const frame = /^(0x)?[0-9a-f]+$/i.test(text) ? parseInt(text, 16) : NaN;
    const isNamed = first !== undefined && (this.order.isExact(first, text) ||
      this.order.list.columns[1]!.value(first) === Number(text));
    if (first !== undefined && (isNamed || Number.isNaN(frame))) this.toggle(0, true);
    else if (frame < this.model.framesEnd) {
      this.model.lookAt(frame);
      this.model.select(frame);
    } else if (first !== undefined) this.toggle(0, true);
  }

  /** After a change of the list, its order or the search. */
  private list(): void {
    const { list } = this.order;
    this.head.replaceChildren(...sortHeads(this.order, (column, descending) => {
      this.order = this.ordered(list, column, descending, this.order);
      this.list();
    }));
    this.table.classList.toggle('tight', list.tight ?? false);
    this.rows = this.order.rows(this.search.value);
    this.roving.current = 0;
    this.scroller.scrollTop = 0;
    this.table.setAttribute('aria-rowcount', String(this.rows.length + 1));
    setText(this.status, this.rows.length > SHORT ? count(this.rows.length) : '');
    this.showFilter();
    this.draw(true);
  }

  private showFilter(): void {
    this.filtered.hidden = this.ofClass === null;
    if (this.ofClass === null) return;
    this.filtered.replaceChildren(
      `With frames of ${this.model.ram?.classes.name(this.ofClass)}. `,
      el('button', { type: 'button', class: 'link', click: () => this.showAll() }, 'List all')
    );
  }

  private visible(): { begin: number; end: number } {
    const { length } = this.rows;
    if (length <= SHORT) return { begin: 0, end: length };
    const { clientHeight, scrollTop } = this.scroller;
    const shown = Math.ceil(clientHeight / this.rowHeight) + 2 * MARGIN;
    const above = Math.floor(scrollTop / this.rowHeight) - MARGIN;
    const begin = Math.min(Math.max(0, above), Math.max(0, length - shown));
    return { begin, end: Math.min(length, begin + shown) };
  }

  /** `again`: also if the same rows are visible. */
  private draw(again: boolean): void {
    const { begin, end } = this.visible();
    if (!again && begin === this.drawn.begin && end === this.drawn.end) return;
    this.drawn = { begin, end };
    const isFocused = this.body.contains(document.activeElement);
    const rows = [...this.rows.subarray(begin, end)];
    this.body.replaceChildren(...rows.map((row, i) => this.row(row, begin + i)));
    if (rows.length === 0) this.body.append(this.empty());
    else this.rowHeight = this.body.rows[0]!.offsetHeight || this.rowHeight;
    this.room.style.paddingTop = `${begin * this.rowHeight}px`;
    this.room.style.paddingBottom = `${(this.rows.length - end) * this.rowHeight}px`;
    if (isFocused) this.roving.focus();
  }

  private empty(): HTMLElement {
    const isSearch = this.search.value.trim() !== '';
    const words = isSearch
      ? 'No match. If this is a frame number, Enter goes to that frame. ' : 'None.';
    const hasMore = isSearch && (this.order.list.id !== 'everything' || this.ofClass !== null);
    const more = el(
      'button', { type: 'button', class: 'link', click: () => this.searchEverywhere() },
      'Search all lists'
    );
    return el(
      'tr', {},
      el(
        'td', { colspan: this.order.list.columns.length, class: 'empty' }, words,
        ...(hasMore ? [more] : [])
      )
    );
  }

  private row(row: number, at: number): HTMLElement {
    const { list } = this.order;
    const chosen = isSameFocus(this.model.focus, list.focus(row));
    return el(
      'tr', {
        tabindex: this.roving.tabIndex(at),
        class: chosen ? 'chosen' : '',
        'aria-selected': String(chosen),
        'aria-rowindex': at + 2,
        'data-at': at,
        click: () => this.toggle(at, false),
      },
      ...list.columns.map((column) => sortedCell(column, row, this.model.pageSize))
    );
  }

  private toggle(at: number, goesThere: boolean): void {
    const focus = this.order.list.focus(this.rows[at]!);
    const same = isSameFocus(focus, this.model.focus);
    this.roving.current = at;
    this.model.setFocus(same && !goesThere ? null : focus, goesThere);
    this.roving.focus();
  }

  private key(event: KeyboardEvent): void {
    if (event.key === 'Enter' && this.rows.length > 0) this.toggle(this.roving.current, false);
    else if (!this.roving.key(event)) return;
    event.preventDefault();
  }

  private scrollTo(at: number): void {
    const top = at * this.rowHeight;
    const height = this.scroller.clientHeight - this.head.offsetHeight - this.rowHeight;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    else if (top > this.scroller.scrollTop + height) this.scroller.scrollTop = top - height;
    this.draw(true);
  }
}
