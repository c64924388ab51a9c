// SPDX-License-Identifier: MIT
// One process: its numbers, the physical contiguity of its pages, and its last ten activities.

import { howManyInferred, isInferred, marked } from '../inferred.ts';
import { el, setAttribute, setText } from '../dom.ts';
import { count, hex, mib, micros, share, timeOfDay } from '../format.ts';
import type { Session } from '../model/session.ts';
import type { PagingEvent, ProcessDetails } from '../protocol/messages.ts';

function figure(title: string, value: string, hint: string, size = ''): HTMLElement {
  return el(
    'div', { class: 'figure', title: hint }, el('span', { class: 'figure-value' }, value),
    el(
      'span', { class: 'figure-title' }, title, ' ',
      size !== '' && el('span', { class: 'size' }, size)
    )
  );
}

function figures(process: ProcessDetails, pageSize: number): HTMLElement {
  const { contiguity } = process;
  const size = (pages: number | undefined) => (pages === undefined ? '' : mib(pages, pageSize));
  return el(
    'div', { class: 'figures' },
    figure('in', count(process.ins), 'pages swapped in', size(process.ins)),
    figure(
      'out', marked(count(process.outs), process.inferred),
      howManyInferred(process.inferred) ?? 'pages swapped out', size(process.outs)
    ),
    figure(
      'resident', process.resident_known === undefined ? '–' : count(process.resident_known),
      'pages that the trace saw come in and not leave', size(process.resident_known)
    ),
    figure(
      'swapped', process.swapped_known === undefined ? '–' : count(process.swapped_known),
      'pages that the trace saw leave and not come back', size(process.swapped_known)
    ),
    figure(
      'contiguous', contiguity ? share(contiguity.adjacent, contiguity.pairs) : '–',
      `of ${count(contiguity?.pairs ?? 0)} pairs of neighbouring virtual pages with known frames, ${
        count(contiguity?.adjacent ?? 0)} are neighbours in memory too`
    ),
    process.threads === undefined
      ? figure(
          'frames', count(process.frames.reduce((sum, [, n]) => sum + n, 0)),
          'frames it was seen in last'
        )
      : figure('threads', count(process.threads), 'threads that the trace saw')
  );
}

const TITLES = ['Time', 'Kind', 'Address', 'Frame', 'Sector, hex', 'Service'];
const TEN = 10;

/** Rows and buttons are reused, so that a click ends on the element on which it began. */
export class ProcessDetailsPart {
  readonly element = el('div', {});
  private readonly name = el('h3', {});
  private readonly onlyLog =
    el('button', { type: 'button', click: () => this.filterLog() }, 'Its log only');
  private readonly figures = el('div', {});
  private readonly loading = el('p', { class: 'empty' }, 'Loading …');
  private readonly rows: HTMLTableRowElement[];
  private readonly table: HTMLElement;

  constructor(private readonly session: Session, back: () => void) {
    this.rows = Array.from({ length: TEN }, (_, i) => this.row(i));
    this.table = el(
      'table', { class: 'rows last-ten' }, el('caption', {}, 'Last ten activities, newest first'),
      el(
        'thead', {},
        el(
          'tr', {},
          ...TITLES.map(
            (title, i) => el('th', { scope: 'col', class: i > 1 ? 'number' : '' }, title)
          )
        )
      ),
      el('tbody', {}, ...this.rows)
    );
    const head = el(
      'div', { class: 'details-head' },
      el('button', { type: 'button', class: 'back', click: back }, '← All processes'), this.name,
      this.onlyLog
    );
    this.element.append(head, this.loading, this.figures, this.table);
  }

  update(): void {
    const { process, tgid, processes, logTgid } = this.session;
    const comm = process?.comm ?? processes.find((one) => one.tgid === tgid)?.comm ?? '';
    setText(this.name, `${comm} ${tgid}`);
    setAttribute(this.onlyLog, 'aria-pressed', String(logTgid === tgid));
    this.loading.hidden = process !== null;
    this.figures.hidden = this.table.hidden = process === null;
    if (!process) return;
    this.figures.replaceChildren(figures(process, this.session.pageSize));
    this.rows.forEach((row, i) => this.fill(row, process.last[i]));
  }

  private filterLog(): void {
    const { logTgid, tgid } = this.session;
    this.session.filterLog(logTgid === tgid ? 0 : tgid);
    this.update();
  }

  private row(i: number): HTMLTableRowElement {
    const inspect = () => {
      const event = this.session.process?.last[i];
      if (event) this.session.selectEvent(event);
    };
    const cells = TITLES.map((_, column) => el('td', { class: column > 1 ? 'number' : '' }));
    return el(
      'tr', {
        tabindex: 0,
        click: inspect,
        keydown: (pressed: KeyboardEvent) => pressed.key === 'Enter' && inspect(),
      },
      ...cells
    );
  }

  private fill(row: HTMLTableRowElement, event: PagingEvent | undefined): void {
    row.hidden = event === undefined;
    if (!event) return;
    const { session } = this;
    const inferred = isInferred(event);
    const texts = [
      timeOfDay(session.wall(event.t), session.hello?.utc_offset_min),
      event.kind === 'in' ? 'IN' : 'OUT', event.address ? marked(event.address, inferred) : '–',
      hex(event.frame), event.sector ?? '–', event.kind === 'in' ? micros(event.service_us) : ''
    ];
    texts.forEach((text, column) => setText(row.cells[column]!, text));
    row.cells[1]!.className = `kind-${event.kind}`;
    row.cells[2]!.classList.toggle('inferred', inferred);
  }
}
