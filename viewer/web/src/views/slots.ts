// SPDX-License-Identifier: MIT
// Sectors: the slots of a swap area, 2048 at a time, in the colours of page activity.

import { el, setAttribute, setText } from '../dom.ts';
import { bytes, count, hex } from '../format.ts';
import { BlockGrid, COLUMNS, type Fill } from '../grid/block_grid.ts';
import { Overview } from '../grid/overview.ts';
import { HALF_LIFE_MS, HEAT_MS } from '../model/heat.ts';
import { BLOCK } from '../protocol/binary.ts';
import { openBlockDialog } from '../shell/block_dialog.ts';
import { panel, type LiveApp, type View } from '../shell/view.ts';
import { heatColour, heatWords } from './block_heat.ts';
import { describeCell, fills } from './cell_words.ts';

const OVERVIEW_HEIGHT = 44;
const SECTOR_BYTES = 512;

export class SlotsView implements View {
  readonly id = 'slots';
  readonly element: HTMLElement;
  private readonly grid: BlockGrid;
  private readonly overview: Overview;
  private readonly range = el('span', { class: 'range' });
  private readonly areas = el('select', {
    'aria-label': 'Swap area',
    change: () => this.app.session.lookAtArea(Number(this.areas.value)),
  });
  private readonly none = el('p', { class: 'empty' }, 'No swap area is known yet.');
  private readonly codes = new Uint16Array(BLOCK);
  private fills: Fill[] = [];
  private shown = '';
  private overviewAt = 0;

  constructor(private readonly app: LiveApp) {
    const { session } = app;
    this.grid = new BlockGrid({
      label: 'Sectors: a block of 2048 swap slots',
      fill: (code) => this.fills[code] ?? '#000',
      rowLabel: (row) => hex(this.first + row * COLUMNS),
      describe: (cell) => this.describe(cell),
      selected: () => {},
      inspect: (cell) => session.select(
        { what: 'slot', area: session.area, at: (this.first + cell).toString(16).toUpperCase() }
      ),
      turn: (blocks) => this.show(session.slots.number + blocks),
    });
    this.overview = new Overview(
      {
        label: 'All slots of the swap area, a cell for each block of 2048',
        colour: (first, end) => heatColour(session.slotHeat, app.look.palette, first, end),
        describe: (first, end) => `slots ${hex(first * BLOCK)} – ${hex(end * BLOCK - 1)}: ${
          heatWords(session.slotHeat, first, end)}`,
        chosen: (block) => this.show(block),
      },
      (size) => Math.max(1, Math.floor(OVERVIEW_HEIGHT / size)),
    );
    const configure = el(
      'button',
      { type: 'button', title: 'Configuration: beginning slot', click: () => this.configure() },
      'Block…'
    );
    this.element = panel(app, this.id, 'Sectors', [this.range, this.areas, configure], [
      this.overview.element, this.grid.element, this.none
    ]);
    app.look.changed.on(() => this.restyle());
    session.onHello.on(() => this.listAreas());
    session.onCells.on((what) => what === 'slots' && this.turned());
    session.onSelection.on(() => this.markSelection());
    this.restyle();
    this.listAreas();
  }

  frame(at: number): void {
    const { session, settings } = this.app;
    const now = session.clock.now(at);
    const hold = session.holdOf(settings.now.holdMs);
    for (let i = 0; i < BLOCK; i++) this.codes[i] = session.slots.look(i, now, hold);
    this.grid.draw(this.codes);
    if (at - this.overviewAt < HEAT_MS) return;
    this.overviewAt = at;
    session.slotHeat.cool(now, session.holdOf(HALF_LIFE_MS));
    this.overview.draw();
  }

  private get first(): number {
    return Math.max(0, this.app.session.slots.number) * BLOCK;
  }

  private describe(cell: number): string {
    const { session } = this.app;
    const slot = this.first + cell;
    if (session.slotsEnd > 0 && slot >= session.slotsEnd)
      return `no slot ${hex(slot)}: the area ends before it`;
    return `slot ${hex(slot)}, ${
      describeCell(session.slots, cell, session.clock.now(performance.now()))}`;
  }

  private show(block: number): void {
    const { session } = this.app;
    const last = Math.max(0, Math.ceil(session.slotsEnd / BLOCK) - 1);
    session.lookAtSlots(session.area, Math.min(last, Math.max(0, block)) * BLOCK);
  }

  private configure(): void {
    const { session } = this.app;
    openBlockDialog({
      what: 'slot',
      end: session.slotsEnd,
      begin: this.first,
      chosen: (begin) => {
        session.lookAtSlots(session.area, begin);
        this.grid.canvas.focus();
      },
    });
  }

  private listAreas(): void {
    const { session } = this.app;
    const areas = (session.hello?.areas ?? []).filter((area) => area.kind !== 'gone');
    this.areas.replaceChildren(
      ...areas.map((area) => el('option', { value: area.type }, `${area.name} (${area.kind})`))
    );
    for (const part of [this.overview.element, this.grid.element, this.areas])
      part.hidden = areas.length === 0;
    this.none.hidden = areas.length > 0;
    if (areas.length > 0 && !areas.some((area) => area.type === session.area))
      session.lookAtArea(areas[0]!.type);
    this.areas.value = String(session.area);
    this.turned();
  }

  private turned(): void {
    const { session } = this.app;
    const blocks = Math.ceil(session.slotsEnd / BLOCK);
    const sectors = (session.hello?.page_size ?? 4096) / SECTOR_BYTES;
    const shown =
      `${hex(this.first)} – ${hex(this.first + BLOCK - 1)} of ${hex(session.slotsEnd, 1)} · ${
        sectors} sectors a slot · ${bytes(session.slotsEnd * sectors * SECTOR_BYTES)}`;
    this.areas.value = String(session.area);
    if (shown === this.shown) return;
    this.shown = shown;
    setText(this.range, shown);
    setAttribute(this.range, 'title', `${count(session.slotsEnd)} slots: ${shown}`);
    this.overview.set(blocks, Math.max(0, session.slots.number));
    this.markSelection();
    this.grid.repaint();
  }

  private markSelection(): void {
    const { selection, area } = this.app.session;
    const cell = selection?.what === 'slot' && selection.area === area
      ? parseInt(selection.at, 16) - this.first
      : -1;
    if (cell >= 0 && cell < BLOCK) this.grid.mark(cell);
    else if (document.activeElement !== this.grid.canvas) this.grid.mark(-1);
  }

  private restyle(): void {
    this.fills = fills(this.app.look.palette, [128, 128, 128]);
    this.grid.restyle(this.app.look.grid);
    this.overview.restyle(this.app.look.grid);
  }
}
