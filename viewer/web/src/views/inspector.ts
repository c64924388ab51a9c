// SPDX-License-Identifier: MIT
// The data inspector shows one page: its owner, its location, its last move, and the status of
// page, frame and slot.

import { isInferred } from '../inferred.ts';
import { el } from '../dom.ts';
import { date, hex, micros, timeOfDay } from '../format.ts';
import { kindWord } from '../moves.ts';
import type { Inspection, PagingEvent } from '../protocol/messages.ts';
import { panel, type LiveApp, type View } from '../shell/view.ts';

/** Names of the last event. */
const HAPPENED: Record<string, string> = {
  IN: 'Swapped in',
  OUT: 'Swapped out',
  hit: 'Found in memory',
};
/** Labelled as hexadecimal, because a sector of digits only would look decimal. */
const HEXADECIMAL = new Set(['Sector', 'Slot']);
const STATUS_TITLES = ['Virtual page', 'Frame', 'Slot'] as const;

/** There is no event if the page was never seen, or so long ago that only its status is kept. */
function isUnknown({ page, frame, slot }: Inspection): boolean {
  return [page, frame, slot].every((status) => status === undefined || status === 'unknown');
}

export class InspectorView implements View {
  readonly id = 'inspector';
  readonly element: HTMLElement;
  private readonly body = el('div', { class: 'inspector', 'aria-live': 'polite' });

  constructor(private readonly app: LiveApp) {
    this.element = panel(app, this.id, 'Data inspector', [], [this.body]);
    app.session.onSelection.on(() => this.show());
    app.session.onInspection.on(() => this.show());
    this.show();
  }

  private show(): void {
    const { selection, inspection } = this.app.session;
    if (!selection)
      this.body.replaceChildren(el(
        'p', { class: 'empty' },
        'Click a page, a slot or a line of the log to see its details.'
      ));
    else if (!inspection)
      this.body.replaceChildren(
        el('p', { class: 'empty' }, `Loading ${selection.what} ${hex(selection.at)} …`)
      );
    else this.body.replaceChildren(...this.parts(inspection));
  }

  private parts(inspection: Inspection): HTMLElement[] {
    const name = {
      frame: 'Frame',
      slot: `Slot of area ${inspection.area ?? 0}:`,
      address: 'Address'
    }[inspection.what];
    const heading = el('h3', {}, `${name} `, el('code', {}, hex(inspection.at)));
    const event = inspection.event;
    const words = inspection.words ?? [];
    const status = [
      inspection.page, inspection.frame, inspection.slot
    ].map((value, i) => this.status(STATUS_TITLES[i] ?? '', value ?? 'unknown', words[i] ?? ''));
    const facts = event
      ? this.facts(event)
      : el(
          'p', { class: 'empty' },
          isUnknown(inspection) ? 'Not traced yet: no event has touched it.'
                                : 'Its last event is no longer kept.'
        );
    return [heading, facts, el('div', { class: 'statuses' }, ...status)];
  }

  private facts(event: PagingEvent): HTMLElement {
    const { session } = this.app;
    const wall = session.wall(event.t);
    const offset = session.hello?.utc_offset_min;
    const slot = event.slot === undefined ? '–' : `${event.area ?? 0}:${event.slot}`;
    const rows: [string, Node | string][] = [
      ['Process', this.process(event)],
      ['Page number', el('code', {}, hex(event.frame))],
      [
        HAPPENED[kindWord(event)] ?? 'Faulted',
        el('time', { title: date(wall, offset) }, timeOfDay(wall, offset))
      ],
      ['Virtual address', el('code', {}, event.address ?? '–')],
      ['Sector', el('code', {}, event.sector ?? '–')],
      ['Slot', el('code', {}, slot)],
    ];
    if (event.kind === 'in') rows.push(['Service time', micros(event.service_us)]);
    if (event.pid !== undefined && event.pid !== event.tgid)
      rows.push(['Thread', String(event.pid)]);
    rows.push(['Flags', (event.flags ?? []).join(' ') || '–']);
    return el(
      'dl', { class: 'facts' },
      ...rows.flatMap(
        ([name, value]) =>
          [el('dt', {}, HEXADECIMAL.has(name) ? `${name}, hex` : name),
           el('dd', { 'data-fact': name }, value)]
      )
    );
  }

  private process(event: PagingEvent): Node | string {
    const tgid = event.tgid;
    if (!tgid) return 'unknown';
    const button = el(
      'button', {
        type: 'button',
        class: 'link',
        title: 'Its last ten activities',
        click: () => {
          this.app.settings.show('processes', true);
          this.app.session.lookAtProcess(tgid);
        }
      },
      `${tgid} ${event.comm ?? ''}`
    );
    if (!isInferred(event)) return button;
    return el(
      'span', {}, button,
      el('span', { class: 'muted' }, ' (last owner of the frame: evidence, not proof)')
    );
  }

  private status(title: string, value: string, sentence: string): HTMLElement {
    return el(
      'div', { class: `status status-${value.replace(/ /g, '-')}`, 'data-status': title },
      el(
        'div', { class: 'status-line' }, el('span', { class: 'status-title' }, title),
        el('span', { class: 'status-value' }, value)
      ),
      sentence !== '' && el('p', {}, sentence)
    );
  }
}
