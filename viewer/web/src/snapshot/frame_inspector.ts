// SPDX-License-Identifier: MIT
// All mappings of a frame, with process, address, unit and region.

import { el } from '../dom.ts';
import { count, hex } from '../format.ts';
import { panel, type App, type View } from '../shell/view.ts';
import type { Mapping } from './frames.ts';
import type { SnapshotModel } from './snapshot_model.ts';

/** Maximum number of mappings shown. A page of a library may have thousands. */
const MAX_ROWS = 500;
const UNMAPPED_TEXT =
  'Not mapped by a process of the snapshot: kernel memory, ' +
  'a page of a file that is not mapped, or free.';

export class FrameInspector implements View {
  readonly id = 'inspector';
  readonly element: HTMLElement;
  private readonly body = el('div', { class: 'inspector', 'aria-live': 'polite' });

  constructor(app: App, private readonly model: SnapshotModel) {
    this.element = panel(app, this.id, 'Data inspector', [], [this.body]);
    model.onSelection.on(() => this.show());
    this.show();
  }

  private show(): void {
    const { frame } = this.model;
    if (frame === null) {
      this.body.replaceChildren(
        el('p', { class: 'empty' }, 'Click a frame to see its mappings.'), ...this.notes()
      );
      return;
    }
    const mappings = this.model.index.find(frame);
    const address = BigInt(frame) * BigInt(this.model.snapshot.facts.page_size);
    const facts = el(
      'dl', { class: 'facts' }, el('dt', {}, 'Physical address'),
      el('dd', {}, el('code', {}, address.toString(16).toUpperCase())), el('dt', {}, 'Mappings'),
      el(
        'dd', { 'data-fact': 'Mappings' },
        mappings.length === 0 ? 'none' : count(mappings[0]!.mappings)
      )
    );
    this.body.replaceChildren(
      el('h3', {}, 'Frame ', el('code', {}, hex(frame))), facts, ...this.list(mappings)
    );
  }

  private notes(): HTMLElement[] {
    const { notes } = this.model.snapshot.facts;
    if (!notes || notes.length === 0) return [];
    return [
      el('h3', {}, 'Notes on this snapshot'),
      el('ul', { class: 'notes' }, ...notes.map((note) => el('li', {}, note)))
    ];
  }

  private list(mappings: Mapping[]): HTMLElement[] {
    if (mappings.length === 0)
      return [el('p', { class: 'empty' }, UNMAPPED_TEXT)];
    const more = mappings.length - MAX_ROWS;
    const counted = mappings[0]!.mappings;
    const listed = counted > mappings.length
      ? `The kernel counts ${count(counted)} mappings; ` +
        `the snapshot lists ${count(mappings.length)}.`
      : '';
    return [
      el(
        'ul', { class: 'mappings' },
        ...mappings.slice(0, MAX_ROWS).map((mapping) => this.mapping(mapping))
      ),
      more > 0 ? el('p', { class: 'hint' }, `and ${count(more)} more`)
               : el('p', { class: 'hint' }, listed),
    ];
  }

  private mapping(mapping: Mapping): HTMLElement {
    const { facts } = this.model.snapshot;
    const area = facts.areas[mapping.area]!;
    const process = facts.processes[area.process]!;
    const address = BigInt(`0x${area.start}`) + BigInt(mapping.page) * BigInt(facts.page_size);
    const focus = () => this.model.setFocus({ scheme: 'process', index: area.process });
    return el(
      'li', {},
      el(
        'div', { class: 'mapping-head' },
        el(
          'button', { type: 'button', class: 'link', title: 'Highlight its frames', click: focus },
          `${process.tgid} ${process.comm}`
        ),
        el('code', {}, address.toString(16).toUpperCase())
      ),
      el(
        'div', { class: 'muted' },
        `${facts.units[area.unit] ?? ''} · ${facts.regions[area.region] ?? ''} · `,
        el('code', {}, area.flags)
      )
    );
  }
}
