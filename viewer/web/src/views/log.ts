// SPDX-License-Identifier: MIT
// The log of events, newest at the end. The document contains only the visible rows.

import { isInferred, marked } from '../inferred.ts';
import { el, setText } from '../dom.ts';
import { count, hex, micros, timeOfDay } from '../format.ts';
import { isMove, kindWord } from '../moves.ts';
import type { LogLine } from '../model/log_lines.ts';
import type { PagingEvent } from '../protocol/messages.ts';
import { panel, type LiveApp, type View } from '../shell/view.ts';

const ROW = 20;
const SPARE_ROWS = 4;
const HEX = 'hexadecimal';
const HITS_HINT =
  'Include faults that moved no page: found in the swap cache, or retried';
const COLUMNS: [name: string, title?: string][] = [
  ['Time', 'time of day on the traced machine'],
  ['Kind'],
  ['Process'],
  ['Address', HEX],
  ['Frame', HEX],
  ['Slot, hex', `swap area and slot, ${HEX}`],
  ['Sector, hex', `of 512 bytes, ${HEX}`],
  ['Service'],
  ['Flags'],
];

/** The length of the log, and how many lines were left out. */
function lengthText(lines: number, left: number): string {
  if (lines === 0) return '';
  return `${count(lines)} lines${left > 0 ? `, ${count(left)} not logged` : ''}`;
}

function columnHeads(): HTMLElement {
  const heads = COLUMNS.map(([name, title]) => el('span', { role: 'columnheader', title }, name));
  return el('div', { class: 'log-head log-row', role: 'row' }, ...heads);
}

export class LogView implements View {
  readonly id = 'log';
  readonly element: HTMLElement;
  private readonly rows = el('div', { class: 'log-rows', role: 'rowgroup' });
  private readonly list = el('div', {
    class: 'log-list', tabindex: 0, role: 'table', 'aria-label': 'Log of swap-ins and swap-outs',
    scroll: () => this.scrolled(), keydown: (event: KeyboardEvent) => this.key(event),
  });
  private readonly filter = el('select', {
    'aria-label': 'Log lines of process',
    change: () => this.app.session.filterLog(Number(this.filter.value)),
  });
  private readonly all = el('input', {
    type: 'checkbox',
    'aria-label': 'hits too',
    change: () => this.app.session.filterLog(this.app.session.logTgid, this.all.checked),
  });
  private readonly follow = el(
    'button', { type: 'button', class: 'follow', hidden: true, click: () => this.toEnd() },
    '↓ Newest'
  );
  private readonly status = el('span', { class: 'range' });
  private following = true;
  private dirty = true;
  private selected: PagingEvent | null = null;
  /**
   * Lines dropped at the top since the last repaint, or added there (negative). Used to keep
   * visible lines in place.
   */
  private dropped = 0;
  /** The last position set by the view itself, to detect scrolling by the user. */
  private placed = 0;

  constructor(private readonly app: LiveApp) {
    const { session } = app;
    this.list.append(columnHeads(), this.rows);
    const body = el('div', { class: 'log-body' }, this.list, this.follow);
    const hits = el('label', { title: HITS_HINT }, this.all, 'hits too');
    this.element = panel(app, this.id, 'Log', [this.status, hits, this.filter], [body]);
    session.onLog.on((dropped) => this.came(dropped));
    session.onProcesses.on(() => this.listProcesses());
    session.onHello.on(() => (this.dirty = true));
    new ResizeObserver(() => (this.dirty = true)).observe(this.list);
    this.listProcesses();
  }

  frame(): void {
    if (!this.dirty) return;
    this.dirty = false;
    const lines = this.app.session.log.lines;
    // At its end, too, the list shows only whole rows below the heading.
    this.rows.style.height = `${lines.length * ROW + (this.list.clientHeight % ROW)}px`;
    if (this.following) this.scrollTo(this.list.scrollHeight);
    else if (this.dropped !== 0)
      this.scrollTo(Math.max(0, this.list.scrollTop - this.dropped * ROW));
    this.dropped = 0;
    const first = Math.max(0, Math.floor(this.list.scrollTop / ROW) - SPARE_ROWS);
    const end =
      Math.min(lines.length, first + Math.ceil(this.list.clientHeight / ROW) + 2 * SPARE_ROWS);
    const shown = lines.slice(first, end);
    this.rows.replaceChildren(...shown.map((line, i) => this.row(line, first + i)));
    const left = this.app.session.log.notLogged;
    setText(this.status, lengthText(lines.length, left));
    this.follow.hidden = this.following;
    this.app.session.log.reading = !this.following;
    if (!this.following && first === 0) this.app.session.wantEarlierLog();
  }

  private came(dropped: number): void {
    this.dropped += dropped;
    this.dirty = true;
    this.filter.value = String(this.app.session.logTgid);
  }

  private scrollTo(top: number): void {
    this.list.scrollTop = top;
    this.placed = this.list.scrollTop;
  }

  private scrolled(): void {
    if (Math.abs(this.list.scrollTop - this.placed) > 1)
      this.following = this.list.scrollTop + this.list.clientHeight >= this.list.scrollHeight - ROW;
    this.dirty = true;
  }

  private toEnd(): void {
    this.following = true;
    this.dirty = true;
    this.list.focus();
  }

  private row(line: LogLine, at: number): HTMLElement {
    const top = `translateY(${at * ROW}px)`;
    const row = 'more' in line ? this.gap(line.more) : this.event(line);
    row.style.transform = top;
    row.setAttribute('aria-rowindex', String(at + 2));
    return row;
  }

  private gap(more: number): HTMLElement {
    return el(
      'div', { class: 'log-row log-gap', role: 'row' },
      el('span', { role: 'cell' }, `+${count(more)} more, not logged: too many to read`)
    );
  }

  private event(event: PagingEvent): HTMLElement {
    const { session } = this.app;
    const inferred = isInferred(event);
    const mark = inferred ? 'inferred' : '';
    const cell = (text: string, name = '') =>
      el('span', { role: 'cell', class: name, title: text }, text);
    const kind = isMove(event) ? event.kind : 'unmoved';
    const classes = `log-row log-${kind}${this.selected?.seq === event.seq ? ' selected' : ''}`;
    // Uses pointerdown, because rows are recreated ten times per second and a click would end on
    // another row.
    return el(
      'div', {
        class: classes,
        role: 'row',
        pointerdown: (pressed: PointerEvent) => pressed.button === 0 && this.choose(event),
      },
      cell(timeOfDay(session.wall(event.t), session.hello?.utc_offset_min)),
      cell(kindWord(event), 'log-kind'),
      cell(event.tgid ? marked(`${event.tgid} ${event.comm ?? ''}`, inferred) : 'unknown', mark),
      cell(event.address ? marked(event.address, inferred) : '–', `number ${mark}`),
      cell(hex(event.frame), 'number'),
      cell(event.slot === undefined ? '–' : `${event.area ?? 0}:${event.slot}`, 'number'),
      cell(event.sector ?? '–', 'number'),
      cell(event.kind === 'in' ? micros(event.service_us) : '', 'number'),
      cell((event.flags ?? []).join(' '), 'log-flags')
    );
  }

  private choose(event: PagingEvent): void {
    this.selected = event;
    this.dirty = true;
    this.app.session.selectEvent(event);
  }

  private key(pressed: KeyboardEvent): void {
    const { lines } = this.app.session.log;
    const events = lines.filter((line): line is PagingEvent => !('more' in line));
    const at =
      this.selected ? events.findIndex((event) => event.seq === this.selected?.seq) : events.length;
    if (pressed.key === 'End') this.toEnd();
    else if (pressed.key === 'ArrowUp' || pressed.key === 'ArrowDown') {
      const next = events[at + (pressed.key === 'ArrowUp' ? -1 : 1)];
      if (next) this.point(next, lines.indexOf(next));
    } else if (pressed.key === 'Enter' && this.selected) this.choose(this.selected);
    else return;
    pressed.preventDefault();
  }

  private point(event: PagingEvent, line: number): void {
    this.selected = event;
    this.following = false;
    const top = line * ROW;
    if (top < this.list.scrollTop) this.scrollTo(top);
    else if (top + 2 * ROW > this.list.scrollTop + this.list.clientHeight)
      this.scrollTo(top + 2 * ROW - this.list.clientHeight);
    this.dirty = true;
  }

  private listProcesses(): void {
    const { session } = this.app;
    if (document.activeElement === this.filter) return;
    const options = session.processes
      .filter((row) => row.tgid !== 0)
      .map((row) => el('option', { value: row.tgid }, `${row.tgid} ${row.comm ?? ''}`));
    if (session.logTgid !== 0 && !session.processes.some((row) => row.tgid === session.logTgid))
      options.unshift(el('option', { value: session.logTgid }, String(session.logTgid)));
    this.filter.replaceChildren(el('option', { value: 0 }, 'all processes'), ...options);
    this.filter.value = String(session.logTgid);
  }
}
