// SPDX-License-Identifier: MIT
// Page activity: a block of 2048 frames, cell by cell, below an overview of all memory.

import { el, setAttribute, setText } from '../dom.ts';
import { count, hex, mib } from '../format.ts';
import { BlockGrid, COLUMNS, type Fill } from '../grid/block_grid.ts';
import { Overview } from '../grid/overview.ts';
import { HALF_LIFE_MS, HEAT_MS } from '../model/heat.ts';
import { BLOCK } from '../protocol/binary.ts';
import { openBlockDialog } from '../shell/block_dialog.ts';
import { panel, type LiveApp, type View } from '../shell/view.ts';
import { heatColour, heatWords } from './block_heat.ts';
import { DIMMED, describeCell, fills } from './cell_words.ts';

/** Maximum height of the memory overview in pixels. */
const OVERVIEW_HEIGHT = 44;

export class PagesView implements View {
  readonly id = 'pages';
  readonly element: HTMLElement;
  private readonly grid: BlockGrid;
  private readonly overview: Overview;
  private readonly range = el('span', { class: 'range' });
  private readonly follow = el('button', {
    type: 'button', 'aria-pressed': 'false', title: 'Move to the block where most pages move (f)',
    click: () => this.app.commands.run('follow'),
  }, 'Follow');
  private readonly codes = new Uint16Array(BLOCK);
  /** 1 for pages where the selected process was last seen. */
  private marks = new Uint8Array(BLOCK);
  private fills: Fill[] = [];
  private overviewAt = 0;
  private shownBlock = -1;
  private blocks = -1;

  constructor(private readonly app: LiveApp) {
    this.grid = new BlockGrid({
      label: 'Page activity: a block of 2048 page frames',
      fill: (code) => this.fills[code] ?? '#000',
      rowLabel: (row) => hex(this.first + row * COLUMNS),
      describe: (cell) =>
        `frame ${hex(this.first + cell)}, ${describeCell(app.session.pages, cell, this.now())}`,
      selected: () => {},
      inspect: (cell) => this.inspect(this.first + cell),
      turn: (blocks) => this.show(app.session.pages.number + blocks),
    });
    this.overview = new Overview(
      {
        label: 'All memory, a cell for each block of 2048 frames',
        colour: (first, end) => heatColour(app.session.heat, app.look.palette, first, end),
        describe: (first, end) => `frames ${hex(first * BLOCK)} – ${hex(end * BLOCK - 1)}: ${
          heatWords(app.session.heat, first, end)}`,
        chosen: (block) => this.show(block),
      },
      (size) => Math.max(1, Math.floor(OVERVIEW_HEIGHT / size)),
    );
    const configure = el(
      'button',
      { type: 'button', title: 'Configuration: beginning page (g)', click: () => this.configure() },
      'Block…'
    );
    this.element = panel(app, this.id, 'Page activity', [this.range, this.follow, configure], [
      this.overview.element, this.grid.element
    ]);
    app.look.changed.on(() => this.restyle());
    app.session.onHello.on(() => this.turned());
    app.session.onFollow.on(() =>
      setAttribute(this.follow, 'aria-pressed', String(app.session.following)));
    app.session.onCells.on((what) => what === 'pages' && this.turned());
    app.session.onProcess.on(() => this.findMarks());
    app.session.onSelection.on(() => this.markSelection());
    this.restyle();
  }

  frame(at: number): void {
    const { session, settings } = this.app;
    const now = session.clock.now(at);
    const hold = session.holdOf(settings.now.holdMs);
    const dimming = session.tgid !== 0 ? DIMMED : 0;
    for (let i = 0; i < BLOCK; i++)
      this.codes[i] = session.pages.look(i, now, hold) + (this.marks[i] ? 0 : dimming);
    this.grid.draw(this.codes);
    if (at - this.overviewAt < HEAT_MS) return;
    this.overviewAt = at;
    session.heat.cool(now, session.holdOf(HALF_LIFE_MS));
    session.follow(at);
    this.overview.draw();
  }

  configure(): void {
    const { session, settings } = this.app;
    openBlockDialog({
      what: 'page',
      end: session.framesEnd,
      begin: this.first,
      holdMs: settings.now.holdMs,
      chosen: (begin, holdMs) => {
        if (holdMs !== undefined) settings.set({ holdMs });
        session.lookAtPages(begin);
        this.grid.canvas.focus();
      },
    });
  }

  turn(blocks: number): void {
    this.show(this.app.session.pages.number + blocks);
  }

  private get first(): number {
    return this.app.session.pages.number * BLOCK;
  }

  private now(): number {
    return this.app.session.clock.now(performance.now());
  }

  private show(block: number): void {
    const last = Math.max(0, Math.ceil(this.app.session.framesEnd / BLOCK) - 1);
    this.app.session.lookAtPages(Math.min(last, Math.max(0, block)) * BLOCK);
  }

  private inspect(frame: number): void {
    this.app.session.select({ what: 'frame', at: frame.toString(16).toUpperCase() });
  }

  private turned(): void {
    const { session } = this.app;
    const { number } = session.pages;
    const blocks = Math.ceil(session.framesEnd / BLOCK);
    setText(
      this.range,
      `${hex(this.first)} – ${hex(this.first + BLOCK - 1)} · block ${count(number + 1)} of ${
        count(blocks)} · ${mib(BLOCK, session.pageSize)}`
    );
    if (number === this.shownBlock && blocks === this.blocks) return;
    this.shownBlock = number;
    this.blocks = blocks;
    this.overview.set(blocks, number);
    this.findMarks();
    this.markSelection();
    this.grid.repaint();
  }

  private findMarks(): void {
    this.marks.fill(0);
    for (const [from, length] of this.app.session.process?.frames ?? []) {
      const begin = parseInt(from, 16) - this.first;
      this.marks.fill(1, Math.max(0, begin), Math.min(BLOCK, Math.max(0, begin + length)));
    }
  }

  private markSelection(): void {
    const { selection } = this.app.session;
    const cell = selection?.what === 'frame' ? parseInt(selection.at, 16) - this.first : -1;
    if (cell >= 0 && cell < BLOCK) this.grid.mark(cell);
    else if (document.activeElement !== this.grid.canvas) this.grid.mark(-1);
  }

  private restyle(): void {
    const { palette } = this.app.look;
    // Frames of other processes are dimmed to a contrast of 3:1 in both themes.
    this.fills = fills(palette, this.app.look.dark ? [23, 26, 31] : [104, 110, 118]);
    this.grid.restyle(this.app.look.grid);
    this.overview.restyle(this.app.look.grid);
  }
}
