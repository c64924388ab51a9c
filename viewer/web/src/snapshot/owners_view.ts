// SPDX-License-Identifier: MIT
// Processes and units of a snapshot. The chosen one is highlighted in memory.

import { el, setText } from '../dom.ts';
import { count } from '../format.ts';
import { panel, type App, type View } from '../shell/view.ts';
import { pagesWithSize } from '../views/page_count.ts';
import { FEW_PROCESSES, GROUPINGS, groupProcesses, type Grouping } from './process_groups.ts';
import type { SnapshotModel } from './snapshot_model.ts';

interface Row {
  index: number;
  cells: (string | number)[];
}

interface Kind {
  scheme: 'process' | 'unit' | Grouping;
  /** Name of the list in the menu of lists. */
  label: string;
  titles: string[];
  rows: Row[];
}

const MAX_ROWS = 1000;

export class OwnersView implements View {
  readonly id = 'owners';
  readonly element: HTMLElement;
  private readonly kinds: Kind[];
  private kind: Kind;
  private sortBy = 2;
  private descending = true;
  private readonly head = el('tr', {});
  private readonly body = el('tbody', { keydown: (event: KeyboardEvent) => this.key(event) });
  private readonly status = el('span', { class: 'range' });
  private readonly clear = el(
    'button', { type: 'button', hidden: true, click: () => this.model.setFocus(null) }, 'Show all'
  );
  private readonly search = el('input', {
    type: 'text',
    placeholder: 'PID, name, unit or frame',
    'aria-label': 'Search: PID, name, unit or frame',
    spellcheck: 'false',
    input: () => this.list(),
    keydown: (event: KeyboardEvent) => event.key === 'Enter' && this.take(),
  });
  private readonly choice =
    el('select', { 'aria-label': 'List', change: () => this.choose(Number(this.choice.value)) });

  constructor(app: App, private readonly model: SnapshotModel) {
    const isMany = model.snapshot.facts.processes.length > FEW_PROCESSES;
    const groups = isMany ? GROUPINGS.map(([by, title]) => this.groups(by, title)) : [];
    this.kinds = [this.processes(), this.units(), ...groups];
    this.kind = this.kinds[0]!;
    const options = this.kinds.map(({ label }, i) => el('option', { value: i }, label));
    this.choice.append(...options);
    const table = el(
      'div', { class: 'table-scroll' },
      el('table', { class: 'rows' }, el('thead', {}, this.head), this.body)
    );
    this.element =
      panel(app, this.id, 'Owners', [this.status, this.clear, this.search, this.choice], [table]);
    model.onFocus.on(() => this.list());
    this.list();
  }

  focusSearch(): void {
    this.search.focus();
    this.search.select();
  }

  private processes(): Kind {
    const rows = this.model.snapshot.facts.processes.map(
      (process, index) => ({
        index,
        cells: [process.comm, process.tgid, process.resident, process.unique, process.swapped],
      })
    );
    return {
      scheme: 'process',
      label: 'Processes',
      titles: ['Process', 'PID', 'Resident', 'Unique', 'Swapped'],
      rows
    };
  }

  /** Mapped pages and mapping processes per unit, counted once when the page opens. */
  private units(): Kind {
    const { snapshot } = this.model;
    const { areas, units } = snapshot.facts;
    const resident = new Float64Array(units.length);
    const mapped = new Float64Array(areas.length);
    for (let run = 0; run < snapshot.frame.length; run++)
      mapped[snapshot.area[run]!]! += snapshot.pages[run]!;
    const users = units.map(() => new Set<number>());
    areas.forEach((area, i) => {
      resident[area.unit]! += mapped[i]!;
      users[area.unit]?.add(area.process);
    });
    const rows =
      units.map((unit, index) => ({ index, cells: [unit, users[index]!.size, resident[index]!] }));
    return {
      scheme: 'unit',
      label: 'Units',
      titles: ['Unit or file', 'Processes', 'Resident'],
      rows
    };
  }

  /** Sums over the processes of a group. A page of several processes counts in each. */
  private groups(by: Grouping, title: string): Kind {
    const { processes } = this.model.snapshot.facts;
    const { names, of } = groupProcesses(processes, by);
    const sums = names.map(() => [0, 0, 0, 0]);
    processes.forEach(({ resident, unique, swapped }, i) => {
      const sum = sums[of[i]!]!;
      [1, resident, unique, swapped].forEach((value, column) => (sum[column]! += value));
    });
    const rows = names.map((name, index) => ({ index, cells: [name, ...sums[index]!] }));
    const titles = [title, 'Processes', 'Resident', 'Unique', 'Swapped'];
    return { scheme: by, label: `By ${title.toLowerCase()}`, titles, rows };
  }

  private choose(kind: number): void {
    this.kind = this.kinds[kind] ?? this.kinds[0]!;
    this.sortBy = 2;
    this.descending = true;
    this.list();
  }

  private sort(column: number): void {
    this.descending = column === this.sortBy ? !this.descending : column !== 0;
    this.sortBy = column;
    this.list();
  }

  /** A hexadecimal number may also be a frame. */
  private take(): void {
    const text = this.search.value.trim();
    const first = this.found()[0];
    const frame = /^(0x)?[0-9a-f]+$/i.test(text) ? parseInt(text, 16) : NaN;
    if (first && (first.cells[1] === Number(text) || Number.isNaN(frame))) this.toggle(first.index);
    else if (frame < this.model.framesEnd) {
      this.model.lookAt(frame);
      this.model.select(frame);
    }
  }

  private found(): Row[] {
    const text = this.search.value.trim().toLowerCase();
    const sign = this.descending ? -1 : 1;
    const rows = text === ''
      ? this.kind.rows
      : this.kind.rows.filter(
          (row) => `${row.cells[0]} ${row.cells[1]}`.toLowerCase().includes(text)
        );
    return [...rows].sort((a, b) => {
      const [x, y] = [a.cells[this.sortBy]!, b.cells[this.sortBy]!];
      return x === y ? a.index - b.index : x < y ? -sign : sign;
    });
  }

  private list(): void {
    const { kind, model } = this;
    this.head.replaceChildren(...kind.titles.map(
      (title, i) => el(
        'th', {
          scope: 'col',
          class: i > 0 ? 'number' : '',
          'aria-sort': i === this.sortBy ? (this.descending ? 'descending' : 'ascending') : 'none',
        },
        el('button', { type: 'button', class: 'sort', click: () => this.sort(i) }, title)
      )
    ));
    const rows = this.found();
    this.body.replaceChildren(...rows.slice(0, MAX_ROWS).map((row, i) => this.row(row, i === 0)));
    if (rows.length === 0)
      this.body.append(el(
        'tr', {},
        el(
          'td', { colspan: kind.titles.length, class: 'empty' },
          'No match. If this is a frame number, Enter goes to that frame.'
        )
      ));
    setText(
      this.status, rows.length > MAX_ROWS ? `${count(MAX_ROWS)} of ${count(rows.length)}` : ''
    );
    this.clear.hidden = model.focus === null;
  }

  private row(row: Row, first: boolean): HTMLElement {
    const { focus, pageSize } = this.model;
    const chosen = focus?.scheme === this.kind.scheme && focus.index === row.index;
    const cell = (value: string | number, i: number) => {
      if (i >= 2) return el('td', { class: 'number' }, ...pagesWithSize(Number(value), pageSize));
      return el('td', { class: i > 0 ? 'number' : '', title: String(value) }, String(value));
    };
    return el(
      'tr', {
        tabindex: first ? 0 : -1,
        class: chosen ? 'chosen' : '',
        'aria-selected': String(chosen),
        'data-index': row.index,
        click: () => this.toggle(row.index),
      },
      ...row.cells.map(cell)
    );
  }

  private toggle(index: number): void {
    const { focus } = this.model;
    const same = focus?.scheme === this.kind.scheme && focus.index === index;
    this.model.setFocus(same ? null : { scheme: this.kind.scheme, index });
    this.body.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
  }

  private key(event: KeyboardEvent): void {
    const rows = [...this.body.rows];
    const at = rows.indexOf(document.activeElement as HTMLTableRowElement);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      rows[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
    else if (event.key === 'Enter' && rows[at]?.dataset.index !== undefined)
      this.toggle(Number(rows[at].dataset.index));
    else return;
    event.preventDefault();
  }
}
