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
import { CLASS, FADED, FOCUSED, NO_FRAME, UNMAPPED } from './categories.ts';
import { FocusBar } from './focus_bar.ts';
import { PageBlockMap } from './page_block_map.ts';
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
  private readonly pageBlocks: PageBlockMap;
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
    this.pageBlocks = new PageBlockMap(model, app.look);
    this.element = panel(app, this.id, 'Physical memory', this.tools(), [
      this.overview.element, this.pageBlocks.element, new FocusBar(model).element,
      this.grid.element,
    ]);
    this.listen();
    this.restyle();
    this.arrange();
  }

  private tools(): HTMLElement[] {
    const configure = el(
      'button', { type: 'button', title: 'Beginning page (g)', click: () => this.configure() },
      'Block…'
    );
    return [this.range, configure];
  }

  private listen(): void {
    const { app, model } = this;
    app.look.changed.on(() => this.restyle());
    app.settings.changed.on(() => this.arrange());
    for (const signal of [model.onScheme, model.onBlock, model.onFocus])
      signal.on(() => this.show());
    model.onSelection.on(() => this.mark());
  }

  /** Shows one of the two maps of all memory. */
  private arrange(): void {
    const byPageBlock = this.model.ram !== null && this.app.settings.shown('pageblocks');
    const [all, blocks] = [this.overview.element, this.pageBlocks.element];
    if (all.hidden === byPageBlock && blocks.hidden !== byPageBlock) return;
    all.hidden = byPageBlock;
    blocks.hidden = !byPageBlock;
    this.show();
  }

  turn(blocks: number): void {
    this.model.lookAt(this.first + blocks * BLOCK);
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
    const { count: blocks } = model.blocks;
    const last = Math.min(this.first + BLOCK, model.framesEnd) - 1;
    const place = `block ${count(model.block + 1)} of ${count(blocks)}`;
    setText(
      this.range, `${hex(this.first)} – ${hex(last)} · ${place} · ${mib(BLOCK, model.pageSize)}`
    );
    if (this.pageBlocks.element.hidden) this.overview.set(blocks, model.block);
    else this.pageBlocks.show();
    this.mark();
    this.paint();
    this.grid.repaint();
  }

  private paint(): void {
    const { model } = this;
    for (let cell = 0; cell < BLOCK; cell++) {
      const code = model.code(this.first + cell);
      this.codes[cell] =
        !model.focus || code === NO_FRAME ? code
                                          : code + (model.focused[cell] === 1 ? FOCUSED : FADED);
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
    this.fills = this.model.colours.fills(this.app.look.dark);
    this.grid.restyle(this.app.look.grid);
    this.overview.restyle(this.app.look.grid);
    this.pageBlocks.restyle();
  }

  private describe(frame: number): string {
    const { model } = this;
    if (frame >= model.framesEnd) return 'memory ends before it';
    const code = model.code(frame);
    const use = this.use(frame, code);
    const name = code === NO_FRAME && use !== '' ? [use] : [model.categories.nameOf(code), use];
    const n = code === UNMAPPED ? 0 : model.index.find(frame).length;
    const mapped = n === 0 ? '' : n === 1 ? ', 1 mapping' : `, ${n} mappings`;
    return `frame ${hex(frame)}: ${name.filter(Boolean).join(', ')}${mapped}`;
  }

  /** The owner of a frame, if the colour does not show it, or otherwise its class. */
  private use(frame: number, code: number): string {
    const { ram, scheme } = this.model;
    const run = ram?.runAt(frame) ?? -1;
    if (!ram || run < 0) return '';
    const owner = ram.ram.owner[run]!;
    const isNamed = ['file', 'slab', 'owner'].includes(scheme) && code < CLASS;
    if (owner > 0 && !isNamed) return ram.owners.title(owner);
    return code >= CLASS ? '' : ram.classes.name(ram.classOf(run));
  }

  /** If a cell has several blocks, the one with most owned frames determines the colour. */
  private blockColour(first: number, end: number): string {
    const { focus, blocks, colours } = this.model;
    const shares = focus ? blocks.focusShare : blocks.share;
    let best = first;
    for (let b = first; b < end; b++) if ((shares[b] ?? 0) > (shares[best] ?? 0)) best = b;
    const { dark } = this.app.look;
    const filled = Math.sqrt(Math.min(1, shares[best] ?? 0));
    const behind = colours.of(focus ? this.unfocused() : blocks.background[best]!, dark);
    if (filled <= 0) return css(behind);
    const colour = focus ? colours.focused(blocks.focusDominant[best]!, dark)
                         : colours.of(blocks.dominant[best]!, dark);
    return css(mix(behind, colour, FAINTEST + (1 - FAINTEST) * filled));
  }

  private unfocused(): number {
    return this.model.ram ? NO_FRAME : UNMAPPED;
  }

  private describeBlocks(first: number, end: number): string {
    const { blocks, categories, ram } = this.model;
    let sum = 0;
    for (let b = first; b < end; b++) sum += blocks.share[b] ?? 0;
    const isOne = end - first === 1;
    const code = sum > 0 ? blocks.dominant[first]! : blocks.background[first]!;
    const name = categories.nameOf(code);
    const most = isOne && (sum > 0 || ram) ? `, most ${name}` : '';
    const frames = `frames ${hex(first * BLOCK)} – ${hex(end * BLOCK - 1)}`;
    if (ram) return `${frames}${most}`;
    return `${frames}: ${share(sum, end - first)} mapped${most.replace('most', 'most by')}`;
  }
}
