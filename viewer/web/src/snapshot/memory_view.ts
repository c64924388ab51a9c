// SPDX-License-Identifier: MIT
// Physical memory of a snapshot: all blocks, and one block as frames, coloured by owner.

import { el, setText } from '../dom.ts';
import { count, hex, mib, share } from '../format.ts';
import { BlockGrid, COLUMNS, type Fill } from '../grid/block_grid.ts';
import { css, mix } from '../grid/colours.ts';
import { Overview } from '../grid/overview.ts';
import { BLOCK } from '../protocol/binary.ts';
import { openBlockDialog } from '../shell/block_dialog.ts';
import { panel, type App, type View } from '../shell/view.ts';
import { FADED, NO_FRAME, UNMAPPED, categoryColour, categoryFills } from './categories.ts';
import type { SnapshotModel } from './snapshot_model.ts';

/** Maximum height of the overview, as a share of the window's height. */
const OVERVIEW_SHARE = 0.16;
/** Makes a block with a single mapped frame visible. */
const FAINTEST = 0.3;

export class MemoryView implements View {
  readonly id = 'memory';
  readonly element: HTMLElement;
  private readonly grid: BlockGrid;
  private readonly overview: Overview;
  private readonly range = el('span', { class: 'range' });
  private readonly codes = new Uint16Array(BLOCK);
  private fills: Fill[] = [];

  constructor(
    private readonly app: App,
    private readonly model: SnapshotModel,
  ) {
    this.grid = new BlockGrid({
      label: 'Physical memory: a block of 2048 page frames',
      fill: (code) => this.fills[code] ?? '#000',
      rowLabel: (row) => hex(this.first + row * COLUMNS),
      describe: (cell) => this.describe(this.first + cell),
      selected: () => {},
      inspect: (cell) => this.first + cell < model.framesEnd && model.select(this.first + cell),
      turn: (blocks) => this.turn(blocks),
    });
    this.overview = new Overview(
      {
        label: 'All memory, a cell for each block of 2048 frames',
        colour: (first, end) => this.blockColour(first, end),
        describe: (first, end) => this.describeBlocks(first, end),
        chosen: (block) => model.lookAt(block * BLOCK),
      },
      (size) => Math.max(2, Math.floor((window.innerHeight * OVERVIEW_SHARE) / size)),
    );
    const configure = el(
      'button', { type: 'button', title: 'Beginning page (g)', click: () => this.configure() },
      'Block…'
    );
    this.element = panel(app, this.id, 'Physical memory', [this.range, configure], [
      this.overview.element, this.grid.element
    ]);
    app.look.changed.on(() => this.restyle());
    model.onScheme.on(() => this.show());
    model.onBlock.on(() => this.show());
    model.onSelection.on(() => this.mark());
    this.restyle();
    this.show();
  }

  turn(blocks: number): void {
    this.model.lookAt((this.model.block + blocks) * BLOCK);
  }

  configure(): void {
    openBlockDialog({
      what: 'page', end: this.model.framesEnd, begin: this.first,
      chosen: (begin) => {
        this.model.lookAt(begin);
        this.grid.canvas.focus();
      },
    });
  }

  private get first(): number {
    return this.model.block * BLOCK;
  }

  private show(): void {
    const { model } = this;
    setText(
      this.range,
      `${hex(this.first)} – ${hex(Math.min(this.first + BLOCK, model.framesEnd) - 1)} · block ${
        count(model.block + 1)} of ${count(model.blocks)} · ${mib(BLOCK, model.pageSize)}`
    );
    this.overview.set(model.blocks, model.block);
    this.mark();
    this.paint();
    this.grid.repaint();
  }

  private paint(): void {
    const fading = this.model.focus ? FADED : 0;
    for (let cell = 0; cell < BLOCK; cell++) {
      const frame = this.first + cell;
      this.codes[cell] = frame >= this.model.framesEnd
        ? NO_FRAME
        : this.model.code(frame) + (this.model.focused[cell] ? 0 : fading);
    }
    this.grid.draw(this.codes);
  }

  private mark(): void {
    const cell = (this.model.frame ?? -1) - this.first;
    if (cell >= 0 && cell < BLOCK) this.grid.mark(cell);
    else if (document.activeElement !== this.grid.canvas) this.grid.mark(-1);
    this.grid.draw(this.codes);
  }

  private restyle(): void {
    this.fills = categoryFills(this.app.look.dark);
    this.grid.restyle(this.app.look.grid);
    this.overview.restyle(this.app.look.grid);
  }

  private describe(frame: number): string {
    const { model } = this;
    if (frame >= model.framesEnd) return 'memory ends before it';
    const code = model.code(frame);
    const name = model.categories.list.find((category) => category.code === code)?.name ?? '';
    const mappings = code === UNMAPPED ? [] : model.index.find(frame);
    const n = mappings.length;
    const mapped = n === 0 ? '' : n === 1 ? ', 1 mapping' : `, ${n} mappings`;
    return `frame ${hex(frame)}: ${name}${mapped}`;
  }

  /** If a cell has several blocks, the one with most mapped frames determines the colour. */
  private blockColour(first: number, end: number): string {
    const shares = this.model.focus ? this.model.focusShare : this.model.mapped;
    let best = first;
    for (let b = first; b < end; b++) if ((shares[b] ?? 0) > (shares[best] ?? 0)) best = b;
    const { dark } = this.app.look;
    const filled = Math.sqrt(Math.min(1, shares[best] ?? 0));
    const nothing = categoryColour(UNMAPPED, dark);
    if (filled <= 0) return css(nothing);
    return css(mix(
      nothing, categoryColour(this.model.dominant[best] ?? 0, dark),
      FAINTEST + (1 - FAINTEST) * filled
    ));
  }

  private describeBlocks(first: number, end: number): string {
    let sum = 0;
    for (let b = first; b < end; b++) sum += this.model.mapped[b] ?? 0;
    const code = this.model.dominant[first];
    const name = this.model.categories.list.find((category) => category.code === code)?.name ?? '';
    const most = sum > 0 && end - first === 1 ? `, most by ${name}` : '';
    const frames = `frames ${hex(first * BLOCK)} – ${hex(end * BLOCK - 1)}`;
    return `${frames}: ${share(sum, end - first)} mapped${most}`;
  }
}
