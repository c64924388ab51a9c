// SPDX-License-Identifier: MIT
// Swapping per process, and the last ten activities of a chosen process. Its pages are marked in
// the page view.

import { WHY_INFERRED, howManyInferred, marked } from '../inferred.ts';
import { el, setAttribute, setText } from '../dom.ts';
import { count, mib, rate, timeOfDay } from '../format.ts';
import { FEW_PROCESSES, groupedRows, singleRow, type TableRow } from '../model/process_rows.ts';
import type { OtherProcesses } from '../protocol/messages.ts';
import { COLUMN_KEYS, RovingFocus } from '../shell/roving_focus.ts';
import { panel, type LiveApp, type View } from '../shell/view.ts';
import { ProcessDetailsPart } from './process_details.ts';
import { pagesWithSize } from './page_count.ts';

interface Column {
  title: string;
  hint: string;
  text: boolean;
  value(row: TableRow): string | number;
  show(row: TableRow, view: ProcessesView): string;
  /** A number of pages, which is shown with its size. */
  pages?(row: TableRow): number;
  /** The tooltip for inferred values, as in the log. */
  inferred?(row: TableRow): string | undefined;
}

const name = (row: TableRow) => (row.tgid === 0 ? 'unknown' : (row.comm ?? ''));
const pid = (row: TableRow) => {
  if (row.members) return `${row.members}\u2009×`;
  return row.tgid === 0 ? '–' : String(row.tgid);
};

const COLUMNS: Column[] = [
  {
    title: 'Process',
    hint: 'name',
    text: true,
    value: name,
    show: (row, view) => view.mark(row) + name(row),
  },
  { title: 'PID', hint: 'process id', text: false, value: (row) => row.tgid, show: pid },
  {
    title: 'In',
    hint: 'pages swapped in since the trace began',
    text: false,
    value: (row) => row.ins,
    show: (row) => count(row.ins),
    pages: (row) => row.ins,
  },
  {
    title: 'Out',
    hint: 'pages swapped out since the trace began',
    text: false,
    value: (row) => row.outs,
    show: (row) => marked(count(row.outs), row.inferred),
    pages: (row) => row.outs,
    inferred: (row) => howManyInferred(row.inferred),
  },
  {
    title: 'In/s',
    hint: 'pages swapped in per second, recently',
    text: false,
    value: (row) => row.in_rate,
    show: (row) => rate(row.in_rate),
  },
  {
    title: 'Out/s',
    hint: 'pages swapped out per second, recently',
    text: false,
    value: (row) => row.out_rate,
    show: (row) => rate(row.out_rate),
  },
  {
    title: 'Last address',
    hint: 'virtual address of its last event',
    text: false,
    value: (row) => row.address ?? '',
    show: (row) => (row.address ? marked(row.address, row.address_inferred) : '–'),
    inferred: (row) => (row.address_inferred ? WHY_INFERRED : undefined),
  },
  {
    title: 'Last',
    hint: 'its last event',
    text: false,
    value: (row) => row.t ?? -1,
    show: (row, view) => view.lastEvent(row),
  },
];

export class ProcessesView implements View {
  readonly id = 'processes';
  readonly element: HTMLElement;
  private readonly body = el('tbody', {
    keydown: (event: KeyboardEvent) => this.key(event),
    pointerdown: (pressed: PointerEvent) => (this.isPressed = pressed.button === 0),
  });
  private readonly heads: HTMLElement[];
  private readonly table: HTMLElement;
  private readonly shownDetails: ProcessDetailsPart;
  private readonly details = el('div', {
    class: 'details',
    hidden: true,
    keydown: (event: KeyboardEvent) => event.key === 'Escape' && this.back(),
  });
  private readonly rows = new Map<string, HTMLTableRowElement>();
  private readonly byName = el('input', { type: 'checkbox', change: () => this.list() });
  private readonly grouping = el(
    'label', { title: 'One row for all processes of a name; Enter or a click opens it' },
    this.byName, 'by name'
  );
  /** Keys of opened groups. */
  private readonly opened = new Set<string>();
  private sortBy = 4;
  private descending = true;
  private readonly roving = new RovingFocus(COLUMN_KEYS, {
    count: () => this.body.rows.length, element: (at) => this.body.rows[at],
  });
  /** A pointer is pressed on a row. Rows keep their places, so that a click ends where it began. */
  private isPressed = false;

  constructor(private readonly app: LiveApp) {
    this.heads = COLUMNS.map((column, i) =>
      el('th', { scope: 'col', class: column.text ? '' : 'number', title: column.hint },
        el('button', { type: 'button', class: 'sort', click: () => this.sort(i) }, column.title)));
    this.table = el(
      'div', { class: 'table-scroll' },
      el('table', { class: 'rows' }, el('thead', {}, el('tr', {}, ...this.heads)), this.body)
    );
    this.shownDetails = new ProcessDetailsPart(app.session, () => this.back());
    this.details.append(this.shownDetails.element);
    this.element = panel(app, this.id, 'Processes', [this.grouping], [this.table, this.details]);
    app.session.onLog.on(() => this.shownDetails.update());
    app.session.onProcesses.on(() => this.list());
    app.session.onProcess.on(() => this.detail());
    app.session.onHello.on(() => this.list());
    // The click follows the release.
    for (const end of ['pointerup', 'pointercancel'])
      addEventListener(end, () => setTimeout(() => this.release()));
    this.list();
  }

  private release(): void {
    if (!this.isPressed) return;
    this.isPressed = false;
    this.list();
  }

  lastEvent(row: TableRow): string {
    if (row.t === undefined) return '–';
    const { session } = this.app;
    const time = timeOfDay(session.wall(row.t), session.hello?.utc_offset_min).slice(0, 8);
    return `${row.kind === 'out' ? 'OUT' : 'IN'} ${time}`;
  }

  back(): void {
    this.app.session.lookAtProcess(0);
    (this.body.rows[this.roving.current] ?? this.body.rows[0])?.focus();
  }

  private sort(column: number): void {
    this.descending = column === this.sortBy ? !this.descending : !COLUMNS[column]!.text;
    this.sortBy = column;
    this.list();
  }

  private sorted(): TableRow[] {
    const column = COLUMNS[this.sortBy]!;
    const sign = this.descending ? -1 : 1;
    const order = (a: TableRow, b: TableRow) => {
      const [x, y] = [column.value(a), column.value(b)];
      return x === y ? b.ins + b.outs - a.ins - a.outs || a.tgid - b.tgid : x < y ? -sign : sign;
    };
    const { processes } = this.app.session;
    this.grouping.hidden = processes.length <= FEW_PROCESSES;
    const isGrouped = this.byName.checked && !this.grouping.hidden;
    if (isGrouped) return groupedRows(processes, order, this.opened);
    return processes.map((row) => singleRow(row)).sort(order);
  }

  /** The mark of a closed or open group; its processes are indented. */
  mark(row: TableRow): string {
    if (row.members) return this.opened.has(row.key) ? '▾ ' : '▸ ';
    return row.isMember ? '\u2003' : '';
  }

  private list(): void {
    if (this.isPressed) return;
    this.heads.forEach((head, i) => {
      head.setAttribute(
        'aria-sort', i === this.sortBy ? (this.descending ? 'descending' : 'ascending') : 'none'
      );
    });
    const rows = this.sorted();
    const wanted: HTMLTableRowElement[] = rows.map((row) => this.row(row));
    const { other } = this.app.session;
    if (rows.length === 0)
      wanted.push(el(
        'tr', {},
        el('td', { colspan: COLUMNS.length, class: 'empty' }, 'No process has swapped yet.')
      ));
    if (other && other.processes > 0) wanted.push(this.othersRow(other));
    const focused = wanted.findIndex((row) => row === document.activeElement);
    if (focused >= 0) this.roving.current = focused;
    wanted.forEach((row, i) => (row.tabIndex = this.roving.tabIndex(i)));
    this.place(wanted);
    const keys = new Set(rows.map((row) => row.key));
    for (const key of this.rows.keys()) if (!keys.has(key)) this.rows.delete(key);
  }

  /** Rows are reused and move only when their order changes. */
  private place(wanted: HTMLTableRowElement[]): void {
    for (const row of [...this.body.rows]) if (!wanted.includes(row)) row.remove();
    wanted.forEach((row, i) => {
      if (this.body.rows[i] === row) return;
      const hadFocus = row === document.activeElement;
      this.body.insertBefore(row, this.body.rows[i] ?? null);
      if (hadFocus) row.focus();
    });
  }

  private row(row: TableRow): HTMLTableRowElement {
    let shown = this.rows.get(row.key);
    if (!shown) {
      const tgid = row.members ? undefined : row.tgid;
      shown = el(
        'tr', { 'data-tgid': tgid, 'data-key': row.key, click: () => this.open(row.key) },
        ...COLUMNS.map((column) => this.cell(column))
      );
      this.rows.set(row.key, shown);
    }
    shown.className = row.in_rate + row.out_rate === 0 ? 'quiet' : '';
    COLUMNS.forEach((column, i) => this.fill(shown.cells[i]!, column, row));
    return shown;
  }

  private cell(column: Column): HTMLTableCellElement {
    const size = column.pages ? [' ', el('span', { class: 'size' })] : [];
    const value = el('span', { class: 'value' });
    return el('td', { class: column.text ? '' : 'number' }, value, ...size);
  }

  private fill(cell: HTMLTableCellElement, column: Column, row: TableRow): void {
    const [value, size] = cell.children as unknown as HTMLElement[];
    setText(value!, column.show(row, this));
    if (size) setText(size, mib(column.pages!(row), this.app.session.pageSize));
    const why = column.inferred?.(row);
    cell.classList.toggle('inferred', why !== undefined);
    setAttribute(cell, 'title', why ?? '');
  }

  private othersRow({ processes, ins, outs }: OtherProcesses): HTMLTableRowElement {
    const { pageSize } = this.app.session;
    const pages = (value: number) =>
      el('td', { class: 'number' }, ...pagesWithSize(value, pageSize));
    return el('tr', { class: 'quiet' },
      el('td', { colspan: 2 }, `${count(processes)} others`), pages(ins), pages(outs),
      el('td', { colspan: 4 }, 'the least active, merged'));
  }

  /** Opens a process or a group by its key. */
  private open(key: string): void {
    const tgid = Number(key);
    if (tgid > 0) return this.app.session.lookAtProcess(tgid);
    if (tgid === 0) return;
    if (!this.opened.delete(key)) this.opened.add(key);
    this.list();
  }

  private focusedKey(): string {
    return document.activeElement?.closest('tr')?.dataset.key ?? '0';
  }

  private key(event: KeyboardEvent): void {
    if (event.key === 'Enter') this.open(this.focusedKey());
    else if (!this.roving.key(event)) return;
    event.preventDefault();
  }

  private detail(): void {
    const { session } = this.app;
    const chosen = session.tgid !== 0;
    const first = chosen && this.details.hidden;
    this.table.hidden = chosen;
    if (chosen) this.grouping.hidden = true;
    this.details.hidden = !chosen;
    if (!chosen) return;
    this.shownDetails.update();
    if (first) this.details.querySelector('button')?.focus();
  }
}
