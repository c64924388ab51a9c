// SPDX-License-Identifier: MIT
// A view of one block of 2048 frames or slots, cell by cell, and of all blocks in an overview.

import { el } from '../dom.ts';
import { count, hex, mib } from '../format.ts';
import { BlockGrid, COLUMNS, type Fill } from '../grid/block_grid.ts';
import { Overview } from '../grid/overview.ts';
import { BLOCK } from '../protocol/binary.ts';
import { openBlockDialog, type BlockDialog } from './block_dialog.ts';
import type { Look } from './look.ts';
import type { View } from './view.ts';

/** Where the numbers of a view are, and what it is called. */
export interface BlockSource extends Pick<BlockDialog, 'what' | 'settings'> {
  /** Names of the grid and of the overview for screen readers. */
  grid: string;
  overview: string;
  /** Tooltip of the button that asks for another block. */
  button: string;
  /** Number of the shown block. */
  block(): number;
  /** One more than the last frame or slot. */
  end(): number;
  /** The selected frame or slot; NaN: none. */
  selected(): number;
  /** Shows the block that contains a frame or slot. */
  lookAt(at: number): void;
  inspect(at: number): void;
}

/** Its constructor calls no abstract member: a view calls restyle() when it is complete. */
export abstract class BlockView implements View {
  abstract readonly id: string;
  abstract readonly element: HTMLElement;
  protected readonly grid: BlockGrid;
  protected readonly overview: Overview;
  protected readonly range = el('span', { class: 'range' });
  protected readonly button: HTMLElement;
  protected readonly codes = new Uint16Array(BLOCK);
  private fills: Fill[] = [];

  constructor(
    protected readonly look: Look, protected readonly source: BlockSource,
    mostRows: (size: number) => number,
  ) {
    this.grid = new BlockGrid({
      label: source.grid,
      fill: (code) => this.fills[code] ?? '#000',
      rowLabel: (row) => hex(this.first + row * COLUMNS),
      describe: (cell) => this.describe(this.first + cell),
      inspect: (cell) => source.inspect(this.first + cell),
      turn: (blocks) => this.turn(blocks),
    });
    this.overview = new Overview(
      {
        label: source.overview,
        colour: (first, end) => this.blockColour(first, end),
        describe: (first, end) => this.describeBlocks(first, end),
        chosen: (block) => this.showBlock(block),
      },
      mostRows,
    );
    this.button = el(
      'button', { type: 'button', title: source.button, click: () => this.configure() }, 'Block…'
    );
    look.changed.on(() => this.restyle());
  }

  protected abstract describe(at: number): string;
  protected abstract blockColour(first: number, end: number): string;
  protected abstract describeBlocks(first: number, end: number): string;
  /** The fills of the theme and palette, by code. */
  protected abstract newFills(): Fill[];

  protected get first(): number {
    return this.source.block() * BLOCK;
  }

  protected get blocks(): number {
    return Math.ceil(this.source.end() / BLOCK);
  }

  protected placeWords(last: number, pageSize: number): string {
    return `${hex(this.first)} – ${hex(last)} · block ${count(this.source.block() + 1)} of ${
      count(this.blocks)} · ${mib(BLOCK, pageSize)}`;
  }

  turn(blocks: number): void {
    this.showBlock(this.source.block() + blocks);
  }

  configure(): void {
    const { what, settings, end, lookAt } = this.source;
    openBlockDialog({
      what, settings, end: end(), begin: this.first,
      chosen: (begin) => {
        lookAt(begin);
        this.grid.canvas.focus();
      },
    });
  }

  private showBlock(block: number): void {
    this.source.lookAt(Math.max(0, Math.min(this.blocks - 1, block)) * BLOCK);
  }

  protected mark(): void {
    const cell = this.source.selected() - this.first;
    if (cell >= 0 && cell < BLOCK) this.grid.mark(cell);
    else if (document.activeElement !== this.grid.canvas) this.grid.mark(-1);
    this.grid.draw(this.codes);
  }

  protected restyle(): void {
    this.fills = this.newFills();
    this.grid.restyle(this.look.grid);
    this.overview.restyle(this.look.grid);
  }
}
