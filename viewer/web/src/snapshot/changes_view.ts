// SPDX-License-Identifier: MIT
// What changed between two snapshots: a bar before and a bar after for each process, file and
// class, with what came and what went.

import { el, setText } from '../dom.ts';
import { count, mib } from '../format.ts';
import type { ChangeRow, Changes } from '../protocol/snapshot.ts';
import { LIST_KEYS, RovingFocus } from '../shell/roving_focus.ts';
import { panel, type App, type View } from '../shell/view.ts';
import { changeTables, type ChangeTable } from './change_lists.ts';
import { isSameFocus } from './focus.ts';
import { RowOrder } from './row_order.ts';
import type { SnapshotModel } from './snapshot_model.ts';
import { sortHeads, sortedCell } from './sorted_table.ts';

/** Rows in the document. A search finds the others. */
const MAX_ROWS = 200;
const CHANGE_COLUMN = 4;

export class ChangesView implements View {
  readonly id = 'changes';
  readonly element: HTMLElement;
  private readonly tables: ChangeTable[];
  private order!: RowOrder;
  private readonly roving = new RovingFocus(LIST_KEYS, {
    count: () => this.shown.length, element: (at) => this.body.rows[at],
  });
  private shown = new Uint32Array(0);
  private readonly head = el('tr', {});
  private readonly body = el('tbody', { keydown: (event: KeyboardEvent) => this.key(event) });
  private readonly note = el('p', { class: 'hint', role: 'status' });
  private readonly search = el('input', {
    type: 'text', placeholder: 'Name or PID', 'aria-label': 'Search changes', spellcheck: 'false',
    input: () => this.list(),
  });
  private readonly choice = el(
    'select', { 'aria-label': 'Changes of', change: () => this.choose(Number(this.choice.value)) }
  );

  constructor(app: App, private readonly model: SnapshotModel, changes: Changes) {
    this.tables = changeTables(changes);
    this.choice.append(...this.tables.map(({ label }, i) => el('option', { value: i }, label)));
    const table = el('table', { class: 'rows' }, el('thead', {}, this.head), this.body);
    const scroller = el('div', { class: 'table-scroll' }, legend(), table, this.note);
    this.element = panel(app, this.id, 'Changes', [this.search, this.choice], [scroller]);
    model.onSnapshot.on(() => this.list());
    model.onFocus.on(() => this.mark());
    this.choose(0);
  }

  private get table(): ChangeTable {
    return this.tables[Number(this.choice.value)] ?? this.tables[0]!;
  }

  private choose(at: number): void {
    this.choice.value = String(at);
    this.search.value = '';
    this.order = this.ordered(CHANGE_COLUMN, true);
    this.list();
  }

  private ordered(sortBy: number, descending: boolean): RowOrder {
    const { id, label, columns, rows } = this.table;
    const focus = () => ({ scheme: 'process', index: 0 }) as const;
    const list = { id, label, columns, rows, focus };
    return new RowOrder(list, sortBy, descending, () => true);
  }

  private list(): void {
    const heads = sortHeads(this.order, (column, descending) => {
      this.order = this.ordered(column, descending);
      this.list();
    });
    this.head.replaceChildren(...heads, el('th', { scope: 'col' }, 'Before and after'));
    const found = this.order.rows(this.search.value);
    this.shown = found.slice(0, MAX_ROWS);
    this.roving.current = 0;
    const { rows } = this.table.list;
    const longest = rows.reduce((most, row) => Math.max(most, row.before, row.after), 1);
    this.body.replaceChildren(...[...this.shown].map((row, at) => this.row(row, at, longest)));
    this.showNote(found.length);
    this.mark();
  }

  private showNote(found: number): void {
    const { list: { unchanged, left_out }, rows } = this.table;
    const notes = [
      found === 0 ? (rows === 0 ? 'Nothing changed.' : 'No match.') : '',
      found > MAX_ROWS ? `${count(found - MAX_ROWS)} more: a search finds them.` : '',
      left_out > 0 ? `${count(left_out)} smaller changes are left out.` : '',
      unchanged > 0 ? `${count(unchanged)} did not change.` : '',
    ];
    setText(this.note, notes.filter(Boolean).join(' '));
  }

  private row(row: number, at: number, longest: number): HTMLElement {
    const change = this.table.list.rows[row]!;
    return el(
      'tr', {
        tabindex: this.roving.tabIndex(at), 'data-at': at, 'aria-selected': 'false',
        click: () => this.toggle(at),
      },
      ...this.table.columns.map((column, i) => sortedCell(
        column, row, this.model.pageSize, i === 0 ? this.stateNote(change) : ''
      )),
      el('td', { class: 'bars' }, ...this.bars(change, longest))
    );
  }

  /** After the name of a process that came or went. */
  private stateNote({ state }: ChangeRow): string {
    return this.table.id === 'process' && state && state !== 'stayed' ? ` (${state})` : '';
  }

  private bars(change: ChangeRow, longest: number): HTMLElement[] {
    const stayed = change.before - change.went;
    return [
      this.bar('before', [[stayed, 'stayed'], [change.went, 'went']], longest),
      this.bar('after', [[change.after - change.came, 'stayed'], [change.came, 'came']], longest),
    ];
  }

  private bar(when: string, parts: [number, string][], longest: number): HTMLElement {
    const words = parts.map(
      ([pages, what]) => `${count(pages)} pages (${mib(pages, this.model.pageSize)}) ${what}`
    );
    const title = `${when}: ${words.join(', ')}`;
    return el(
      'div', { class: 'change-bar', role: 'img', 'aria-label': title, title },
      ...parts.filter(([pages]) => pages > 0).map(([pages, what]) => {
        const part = el('span', { class: `change-${what}` });
        part.style.width = `${(100 * pages) / longest}%`;
        return part;
      })
    );
  }

  /** Highlights the frames of the process or file in memory. */
  private toggle(at: number): void {
    this.roving.moveTo(at);
    const change = this.table.list.rows[this.shown[at]!]!;
    const focus = this.table.focus(this.model.snapshot, change);
    this.model.setFocus(isSameFocus(focus, this.model.focus) ? null : focus);
  }

  private mark(): void {
    for (const row of this.body.rows) {
      const change = this.table.list.rows[this.shown[Number(row.dataset.at)]!]!;
      const focus = this.table.focus(this.model.snapshot, change);
      const isChosen = focus !== null && isSameFocus(focus, this.model.focus);
      row.classList.toggle('chosen', isChosen);
      row.setAttribute('aria-selected', String(isChosen));
    }
  }

  private key(event: KeyboardEvent): void {
    if (event.key === 'Enter' && this.shown.length > 0) this.toggle(this.roving.current);
    else if (!this.roving.key(event)) return;
    event.preventDefault();
  }
}

function legend(): HTMLElement {
  const item = (what: string, text: string) => el(
    'span', {}, el('span', { class: `swatch change-${what}`, 'aria-hidden': 'true' }), text
  );
  return el(
    'p', { class: 'change-legend' }, 'Pages that', item('stayed', 'stayed'), item('went', 'went'),
    item('came', 'came')
  );
}
