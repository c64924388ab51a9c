// SPDX-License-Identifier: MIT
// Page activity and Sectors: frames of memory and slots of a swap area, in the colours of their
// last moves.

import { el, setAttribute, setText } from '../dom.ts';
import { bytes, count, hex } from '../format.ts';
import type { Fill } from '../grid/block_grid.ts';
import type { Block } from '../model/block.ts';
import { HALF_LIFE_MS, HEAT_MS, type Heat } from '../model/heat.ts';
import { BLOCK } from '../protocol/binary.ts';
import { BlockView, type BlockSource } from '../shell/block_view.ts';
import { panel, type LiveApp } from '../shell/view.ts';
import { heatColour, heatWords } from './block_heat.ts';
import { DIMMED, describeCell, fills } from './cell_words.ts';

/** Maximum height of an overview in pixels. */
const OVERVIEW_HEIGHT = 44;
const SECTOR_BYTES = 512;

/** A number in messages of the protocol. */
const digits = (at: number) => at.toString(16).toUpperCase();

abstract class MoveView extends BlockView {
  abstract override readonly id: 'pages' | 'slots';
  protected abstract readonly what: 'frame' | 'slot';
  private shown = '';
  private overviewAt = 0;

  constructor(
    protected readonly app: LiveApp, private readonly cells: Block, private readonly heat: Heat,
    source: Omit<BlockSource, 'block'>,
  ) {
    super(
      app.look, { ...source, block: () => cells.number },
      (size) => Math.max(1, Math.floor(OVERVIEW_HEIGHT / size))
    );
    app.session.onCells.on((what) => what === this.id && this.turned());
    app.session.onSelection.on(() => this.mark());
  }

  /** The place of the shown block. */
  protected abstract rangeWords(): string;

  frame(at: number): void {
    const { session, settings } = this.app;
    const now = session.clock.now(at);
    const hold = session.holdOf(settings.now.holdMs);
    for (let i = 0; i < BLOCK; i++) this.codes[i] = this.cells.look(i, now, hold) + this.dimming(i);
    this.grid.draw(this.codes);
    if (at - this.overviewAt < HEAT_MS) return;
    this.overviewAt = at;
    this.heat.cool(now, session.holdOf(HALF_LIFE_MS));
    this.cooled(at);
    this.overview.draw();
  }

  /** Added to the code of a cell. */
  protected dimming(_cell: number): number {
    return 0;
  }

  protected cooled(_at: number): void {}

  protected override describe(at: number): string {
    const now = this.app.session.clock.now(performance.now());
    return `${this.what} ${hex(at)}, ${describeCell(this.cells, at - this.first, now)}`;
  }

  protected override blockColour(first: number, end: number): string {
    return heatColour(this.heat, this.look.palette, first, end);
  }

  protected override describeBlocks(first: number, end: number): string {
    return `${this.what}s ${hex(first * BLOCK)} – ${hex(end * BLOCK - 1)}: ${
      heatWords(this.heat, first, end)}`;
  }

  /** Cells arrived, or another block is shown. */
  protected turned(): void {
    const shown = this.rangeWords();
    if (shown === this.shown) return;
    this.shown = shown;
    setText(this.range, shown);
    this.overview.set(this.blocks, this.cells.number);
    this.findMarks();
    this.mark();
    this.grid.repaint();
  }

  /** After the block or the selected process changed. */
  protected findMarks(): void {}

  protected override newFills(): Fill[] {
    // Frames of other processes are dimmed to a contrast of 3:1 in both themes.
    return fills(this.look.palette, this.look.dark ? [23, 26, 31] : [104, 110, 118]);
  }
}

export class PagesView extends MoveView {
  readonly id = 'pages';
  readonly element: HTMLElement;
  protected readonly what = 'frame';
  private readonly follow = el('button', {
    type: 'button', 'aria-pressed': 'false', title: 'Move to the block where most pages move (f)',
    click: () => this.app.commands.run('follow'),
  }, 'Follow');
  /** 1 for pages where the selected process was last seen. */
  private readonly marks = new Uint8Array(BLOCK);

  constructor(app: LiveApp) {
    const { session } = app;
    super(app, session.pages, session.heat, {
      grid: 'Page activity: a block of 2048 page frames',
      overview: 'All memory, a cell for each block of 2048 frames',
      button: 'Configuration: beginning page (g)',
      what: 'page',
      settings: app.settings,
      end: () => session.framesEnd,
      selected: () =>
        (session.selection?.what === 'frame' ? parseInt(session.selection.at, 16) : NaN),
      lookAt: (frame) => session.lookAtPages(frame),
      inspect: (frame) => session.select({ what: 'frame', at: digits(frame) }),
    });
    const tools = [this.range, this.follow, this.button];
    const body = [this.overview.element, this.grid.element];
    this.element = panel(app, this.id, 'Page activity', tools, body);
    session.onHello.on(() => this.turned());
    session.onFollow.on(() =>
      setAttribute(this.follow, 'aria-pressed', String(session.following)));
    session.onProcess.on(() => this.findMarks());
    this.restyle();
  }

  protected override dimming(cell: number): number {
    return this.app.session.tgid === 0 || this.marks[cell] ? 0 : DIMMED;
  }

  protected override cooled(at: number): void {
    this.app.session.follow(at);
  }

  protected override rangeWords(): string {
    return this.placeWords(this.first + BLOCK - 1, this.app.session.pageSize);
  }

  protected override findMarks(): void {
    this.marks.fill(0);
    for (const [from, length] of this.app.session.process?.frames ?? []) {
      const begin = parseInt(from, 16) - this.first;
      this.marks.fill(1, Math.max(0, begin), Math.min(BLOCK, Math.max(0, begin + length)));
    }
  }
}

export class SlotsView extends MoveView {
  readonly id = 'slots';
  readonly element: HTMLElement;
  protected readonly what = 'slot';
  private readonly areas = el('select', {
    'aria-label': 'Swap area',
    change: () => this.app.session.lookAtArea(Number(this.areas.value)),
  });
  private readonly none = el('p', { class: 'empty' }, 'No swap area is known yet.');

  constructor(app: LiveApp) {
    const { session } = app;
    super(app, session.slots, session.slotHeat, {
      grid: 'Sectors: a block of 2048 swap slots',
      overview: 'All slots of the swap area, a cell for each block of 2048',
      button: 'Configuration: beginning slot',
      what: 'slot',
      end: () => session.slotsEnd,
      selected: () => {
        const { selection, area } = session;
        const isHere = selection?.what === 'slot' && selection.area === area;
        return isHere ? parseInt(selection.at, 16) : NaN;
      },
      lookAt: (slot) => session.lookAtSlots(session.area, slot),
      inspect: (slot) => session.select({ what: 'slot', area: session.area, at: digits(slot) }),
    });
    const tools = [this.range, this.areas, this.button];
    const body = [this.overview.element, this.grid.element, this.none];
    this.element = panel(app, this.id, 'Sectors', tools, body);
    session.onHello.on(() => this.listAreas());
    this.restyle();
    this.listAreas();
  }

  protected override describe(slot: number): string {
    const { slotsEnd } = this.app.session;
    if (slotsEnd === 0 || slot < slotsEnd) return super.describe(slot);
    return `no slot ${hex(slot)}: the area ends before it`;
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
    this.turned();
  }

  protected override turned(): void {
    const { area, slotsEnd } = this.app.session;
    this.areas.value = String(area);
    super.turned();
    setAttribute(this.range, 'title', `${count(slotsEnd)} slots: ${this.range.textContent}`);
  }

  protected override rangeWords(): string {
    const { pageSize, slotsEnd } = this.app.session;
    return `${hex(this.first)} – ${hex(this.first + BLOCK - 1)} of ${hex(slotsEnd, 1)} · ${
      pageSize / SECTOR_BYTES} sectors a slot · ${bytes(slotsEnd * pageSize)}`;
  }
}
