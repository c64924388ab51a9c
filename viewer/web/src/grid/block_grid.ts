// SPDX-License-Identifier: MIT
// 2048 cells in 64 columns and 32 rows on a canvas. Paints only changed cells, and handles
// selection by mouse and keys.

import { el, setText } from '../dom.ts';
import { BLOCK } from '../protocol/binary.ts';

export const COLUMNS = 64;
export const ROWS = BLOCK / COLUMNS;

/** One colour, or two: upper left half, lower right half. */
export type Fill = string | readonly [string, string];

export interface GridOwner {
  /** Name for screen readers. */
  label: string;
  /** The fill for a code of draw(). */
  fill(code: number): Fill;
  /** The label of every fourth row: the number of its first cell. */
  rowLabel(row: number): string;
  /** One line about the cell, for tooltips and screen readers. */
  describe(cell: number): string;
  inspect(cell: number): void;
  turn(blocks: number): void;
}

const UNPAINTED = 0xffff;
const LABEL_EVERY = 4;
const HEADER = 16;
const GUTTER = 66;
/** Maximum ratio of width to height of a cell; further space stays empty. */
const WIDEST = 1.7;

const MOVES: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -COLUMNS,
  ArrowDown: COLUMNS,
};

export interface GridColours {
  selected: string;
  halo: string;
  /** The lines between cells. */
  lines: string;
  text: string;
}

export class BlockGrid {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  private readonly tip = el('div', { class: 'tip', role: 'tooltip', hidden: true });
  private readonly spoken = el('div', { class: 'spoken', 'aria-live': 'polite' });
  private readonly painted = new Uint16Array(BLOCK).fill(UNPAINTED);
  private readonly codes = new Uint16Array(BLOCK);
  private cellWidth = 8;
  private cellHeight = 8;
  private ratio = 1;
  private colours: GridColours = { selected: '#0a0', halo: '#000', lines: '#fff', text: '#888' };
  private chosen = -1;
  private hovered = -1;

  constructor(private readonly owner: GridOwner) {
    this.canvas = el('canvas', {
      tabindex: 0,
      role: 'application',
      'aria-roledescription': 'grid of 64 by 32 cells',
      'aria-label': owner.label,
      keydown: (event: KeyboardEvent) => this.key(event),
      click: (event: MouseEvent) => this.clicked(event),
      mousemove: (event: MouseEvent) => this.hover(event),
      mouseleave: () => this.leave(),
      focus: () => this.chosen < 0 && this.choose(0),
    });
    this.element = el('div', { class: 'block-grid' }, this.canvas, this.tip, this.spoken);
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** Repaints everything after a change of colours or row labels. */
  restyle(colours: GridColours): void {
    this.colours = colours;
    this.repaint();
  }

  repaint(): void {
    this.painted.fill(UNPAINTED);
    this.paintFrame();
    this.paintChanges();
  }

  /** -1: no cell of this block. */
  mark(cell: number): void {
    if (cell === this.chosen) return;
    const old = this.chosen;
    this.chosen = cell;
    this.invalidate(old);
    this.invalidate(cell);
  }

  draw(codes: Uint16Array): void {
    this.codes.set(codes);
    this.paintChanges();
  }

  /** Middle of a cell in CSS pixels of the canvas. */
  middle(cell: number): { x: number; y: number } {
    return {
      x: GUTTER + ((cell % COLUMNS) + 0.5) * this.cellWidth,
      y: HEADER + (Math.floor(cell / COLUMNS) + 0.5) * this.cellHeight,
    };
  }

  private invalidate(cell: number): void {
    if (cell >= 0 && cell < BLOCK) this.painted[cell] = UNPAINTED;
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0 || clientHeight === 0) return;
    const height = Math.max(4, Math.floor((clientHeight - HEADER - 2) / ROWS));
    const width = Math.max(
      4, Math.min(Math.floor((clientWidth - GUTTER - 4) / COLUMNS), Math.floor(height * WIDEST))
    );
    this.ratio = window.devicePixelRatio || 1;
    this.cellWidth = width;
    this.cellHeight = Math.min(height, Math.floor(width * WIDEST));
    const cssWidth = GUTTER + COLUMNS * width + 1;
    const cssHeight = HEADER + ROWS * this.cellHeight + 1;
    this.canvas.width = Math.round(cssWidth * this.ratio);
    this.canvas.height = Math.round(cssHeight * this.ratio);
    this.canvas.style.width = `${cssWidth}px`;
    this.canvas.style.height = `${cssHeight}px`;
    this.repaint();
  }

  private context(): CanvasRenderingContext2D | null {
    const context = this.canvas.getContext('2d');
    context?.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    return context;
  }

  /** Paints row and column labels, and the space between cells. */
  private paintFrame(): void {
    const context = this.context();
    if (!context) return;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.fillStyle = this.colours.lines;
    context.fillRect(
      GUTTER - 1, HEADER - 1, COLUMNS * this.cellWidth + 1, ROWS * this.cellHeight + 1
    );
    context.font = '10px ui-monospace, Menlo, Consolas, monospace';
    context.fillStyle = this.colours.text;
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    for (let row = 0; row < ROWS; row += LABEL_EVERY)
      context.fillText(
        this.owner.rowLabel(row), GUTTER - 8, HEADER + (row + 0.5) * this.cellHeight
      );
    context.textAlign = 'left';
    for (let column = 0; column < COLUMNS; column += 8)
      context.fillText(
        `+${column.toString(16).toUpperCase().padStart(2, '0')}`, GUTTER + column * this.cellWidth,
        HEADER / 2
      );
  }

  private paintChanges(): void {
    const context = this.context();
    if (!context) return;
    let changed = false;
    for (let cell = 0; cell < BLOCK; cell++) {
      const code = this.codes[cell] ?? 0;
      if (code === this.painted[cell]) continue;
      this.painted[cell] = code;
      this.paintCell(context, cell, code);
      changed = true;
    }
    if (changed && this.hovered >= 0) this.showTip();
  }

  private paintCell(context: CanvasRenderingContext2D, cell: number, code: number): void {
    const x = GUTTER + (cell % COLUMNS) * this.cellWidth;
    const y = HEADER + Math.floor(cell / COLUMNS) * this.cellHeight;
    const w = this.cellWidth - 1;
    const h = this.cellHeight - 1;
    const fill = this.owner.fill(code);
    context.fillStyle = typeof fill === 'string' ? fill : fill[0];
    context.fillRect(x, y, w, h);
    if (typeof fill !== 'string') {
      context.fillStyle = fill[1];
      context.beginPath();
      context.moveTo(x + w, y);
      context.lineTo(x + w, y + h);
      context.lineTo(x, y + h);
      context.closePath();
      context.fill();
    }
    if (cell === this.chosen) this.paintOutline(context, x, y, w, h);
  }

  /**
   * Paints inside the cell, so that its neighbours do not have to be repainted. A thin inner line
   * separates the outline from a fill of similar colour.
   */
  private paintOutline(
    context: CanvasRenderingContext2D, x: number, y: number, w: number, h: number
  ): void {
    const thick = Math.min(w, h) >= 8 ? 2 : 1.5;
    context.lineWidth = thick;
    context.strokeStyle = this.colours.selected;
    context.strokeRect(x + thick / 2, y + thick / 2, w - thick, h - thick);
    if (Math.min(w, h) < 9) return;
    context.lineWidth = 1;
    context.strokeStyle = this.colours.halo;
    context.strokeRect(x + thick + 0.5, y + thick + 0.5, w - 2 * thick - 1, h - 2 * thick - 1);
  }

  private cellAt(event: MouseEvent): number {
    const column = Math.floor((event.offsetX - GUTTER) / this.cellWidth);
    const row = Math.floor((event.offsetY - HEADER) / this.cellHeight);
    return column >= 0 && column < COLUMNS && row >= 0 && row < ROWS ? row * COLUMNS + column : -1;
  }

  private choose(cell: number): void {
    this.mark(cell);
    this.paintChanges();
    setText(this.spoken, this.owner.describe(cell));
  }

  private clicked(event: MouseEvent): void {
    const cell = this.cellAt(event);
    if (cell < 0) return;
    this.choose(cell);
    this.owner.inspect(cell);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = MOVES[event.key];
    if (move !== undefined)
      this.choose(Math.min(BLOCK - 1, Math.max(0, Math.max(this.chosen, 0) + move)));
    else if (event.key === 'Home') this.choose(0);
    else if (event.key === 'End') this.choose(BLOCK - 1);
    else if (event.key === 'PageDown') this.owner.turn(1);
    else if (event.key === 'PageUp') this.owner.turn(-1);
    else if (event.key === 'Enter' && this.chosen >= 0) this.owner.inspect(this.chosen);
    else return;
    event.preventDefault();
  }

  private hover(event: MouseEvent): void {
    this.hovered = this.cellAt(event);
    this.showTip();
  }

  private leave(): void {
    this.hovered = -1;
    this.showTip();
  }

  private showTip(): void {
    this.tip.hidden = this.hovered < 0;
    if (this.tip.hidden) return;
    setText(this.tip, this.owner.describe(this.hovered));
    const { x, y } = this.middle(this.hovered);
    const left = Math.min(x + 12, this.element.clientWidth - this.tip.offsetWidth - 4);
    const below = y + 14 + this.tip.offsetHeight < this.element.clientHeight;
    this.tip.style.transform =
      `translate(${Math.max(0, left)}px, ${below ? y + 14 : y - 14 - this.tip.offsetHeight}px)`;
  }
}
