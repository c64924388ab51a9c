// SPDX-License-Identifier: MIT
// A frame: what it is used for, and all its mappings with process, address, file and region.

import { el } from '../dom.ts';
import { count, hex } from '../format.ts';
import { panel, type App, type View } from '../shell/view.ts';
import type { Focus } from './focus.ts';
import { frameFacts, type Fact } from './frame_facts.ts';
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
      const hint = this.model.ram ? 'Click a frame to see whose it is.'
                                  : 'Click a frame to see its mappings.';
      this.body.replaceChildren(el('p', { class: 'empty' }, hint), ...this.notes());
      return;
    }
    const mappings = this.model.index.find(frame);
    this.body.replaceChildren(
      el('h3', {}, 'Frame ', el('code', {}, hex(frame))), this.facts(frame, mappings),
      ...this.list(mappings)
    );
  }

  private facts(frame: number, mappings: Mapping[]): HTMLElement {
    const { ram, pageSize } = this.model;
    const address = BigInt(frame) * BigInt(pageSize);
    const mapped = mappings.length === 0 ? 'none' : count(mappings[0]!.mappings);
    const facts = el('dl', { class: 'facts' });
    if (ram)
      for (const fact of frameFacts(ram, frame, pageSize)) facts.append(...this.fact(fact));
    facts.append(
      el('dt', {}, 'Physical address'),
      el('dd', {}, el('code', {}, address.toString(16).toUpperCase()))
    );
    if (!ram)
      facts.append(el('dt', {}, 'Mappings'), el('dd', { 'data-fact': 'Mappings' }, mapped));
    return facts;
  }

  private fact({ name, text, detail, focus }: Fact): HTMLElement[] {
    return [
      el('dt', {}, name),
      el(
        'dd', {},
        el('span', { 'data-fact': name }, focus ? this.link(text, focus) : text),
        detail ? el('div', { class: 'muted detail' }, detail) : null
      ),
    ];
  }

  private link(text: string, focus: Focus): HTMLElement {
    const click = () => this.model.setFocus(focus);
    return el(
      'button', { type: 'button', class: 'link', title: 'Highlight its frames', click }, text
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
      return this.model.ram ? [] : [el('p', { class: 'empty' }, UNMAPPED_TEXT)];
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
    return el(
      'li', {},
      el(
        'div', { class: 'mapping-head' },
        this.link(
          `${process.tgid} ${process.comm}`, { scheme: 'process', index: area.process }
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
