// SPDX-License-Identifier: MIT
// All of memory or of a swap area, with one cell per block of 2048, or per several blocks if space
// is short.

import { el, setAttribute } from '../dom.ts';

export interface OverviewOwner {
  label: string;
  /** Colour of the blocks from first to before end. */
  colour(first: number, end: number): string;
  describe(first: number, end: number): string;
  /** Whether a dot marks the cell of these blocks. */
  marked?(first: number, end: number): boolean;
  chosen(block: number): void;
}

const LARGEST = 14;
const SMALLEST = 3;

export class Overview {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  private blocks = 0;
  private current = 0;
  private size = LARGEST;
  private columns = 1;
  /** Blocks per cell. */
  private group = 1;
  private ratio = 1;
  private outline = '#0a0';
  private lines = '#ccc';
  private dots = '#000';

  constructor(
    private readonly owner: OverviewOwner,
    private readonly mostRows: (size: number) => number,
  ) {
    this.canvas = el('canvas', {
      tabindex: 0,
      role: 'application',
      'aria-roledescription': 'map of blocks',
      'aria-label': owner.label,
      click: (event: MouseEvent) => this.clicked(event),
      mousemove: (event: MouseEvent) => this.hover(event),
      keydown: (event: KeyboardEvent) => this.key(event),
    });
    this.element = el('div', { class: 'overview' }, this.canvas);
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  restyle(colours: { selected: string; lines: string }, dots = '#000'): void {
    this.outline = colours.selected;
    this.lines = colours.lines;
    this.dots = dots;
    this.draw();
  }

  /** Sets the number of blocks and the shown block. */
  set(blocks: number, current: number): void {
    const other = blocks !== this.blocks;
    this.blocks = blocks;
    this.current = current;
    setAttribute(
      this.canvas, 'aria-label', `${this.owner.label}: block ${current + 1} of ${blocks}`
    );
    if (other) this.resize();
    else this.draw();
  }

  draw(): void {
    const context = this.canvas.getContext('2d');
    if (!context || this.blocks === 0) return;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const gap = this.size > 4 ? 1 : 0;
    const cells = Math.ceil(this.blocks / this.group);
    this.paintLines(context, cells);
    for (let cell = 0; cell < cells; cell++) {
      const first = cell * this.group;
      context.fillStyle = this.owner.colour(first, Math.min(first + this.group, this.blocks));
      const { x, y } = this.place(cell);
      context.fillRect(x, y, this.size - gap, this.size - gap);
      if (this.owner.marked?.(first, Math.min(first + this.group, this.blocks)))
        this.paintDot(context, x, y);
    }
    const { x, y } = this.place(Math.floor(this.current / this.group));
    context.lineWidth = 2;
    context.strokeStyle = this.outline;
    context.strokeRect(x, y, this.size - gap, this.size - gap);
  }

  private paintDot(context: CanvasRenderingContext2D, x: number, y: number): void {
    const side = Math.max(1, Math.round(this.size / 4));
    const at = Math.floor((this.size - side) / 2);
    context.fillStyle = this.dots;
    context.fillRect(x + at, y + at, side, side);
  }

  /** Paints the space between cells, only where there are cells. */
  private paintLines(context: CanvasRenderingContext2D, cells: number): void {
    context.fillStyle = this.lines;
    const whole = Math.floor(cells / this.columns);
    context.fillRect(0, 0, this.columns * this.size + 1, whole * this.size + 1);
    const rest = cells % this.columns;
    if (rest > 0) context.fillRect(0, whole * this.size, rest * this.size + 1, this.size + 1);
  }

  private place(cell: number): { x: number; y: number } {
    return {
      x: 1 + (cell % this.columns) * this.size,
      y: 1 + Math.floor(cell / this.columns) * this.size,
    };
  }

  /** The largest cells that fit. If even the smallest do not fit, several blocks share a cell. */
  private resize(): void {
    const width = this.element.clientWidth - 4;
    if (width <= 0 || this.blocks === 0) return;
    this.group = 1;
    for (this.size = LARGEST; this.size > SMALLEST; this.size--)
      if (Math.ceil(this.blocks / Math.floor(width / this.size)) <= this.mostRows(this.size)) break;
    this.columns = Math.max(1, Math.floor(width / this.size));
    const room = this.columns * this.mostRows(this.size);
    while (Math.ceil(this.blocks / this.group) > room) this.group *= 2;
    const rows = Math.ceil(Math.ceil(this.blocks / this.group) / this.columns);
    this.ratio = window.devicePixelRatio || 1;
    const cssWidth = Math.min(this.columns, Math.ceil(this.blocks / this.group)) * this.size + 2;
    const cssHeight = rows * this.size + 2;
    this.canvas.width = Math.round(cssWidth * this.ratio);
    this.canvas.height = Math.round(cssHeight * this.ratio);
    this.canvas.style.width = `${cssWidth}px`;
    this.canvas.style.height = `${cssHeight}px`;
    this.draw();
  }

  private blockAt(event: MouseEvent): number {
    const column = Math.floor((event.offsetX - 1) / this.size);
    const row = Math.floor((event.offsetY - 1) / this.size);
    const block = (row * this.columns + column) * this.group;
    return column >= 0 && column < this.columns && row >= 0 && block < this.blocks ? block : -1;
  }

  private clicked(event: MouseEvent): void {
    const block = this.blockAt(event);
    if (block >= 0) this.owner.chosen(block);
  }

  private hover(event: MouseEvent): void {
    const block = this.blockAt(event);
    setAttribute(
      this.canvas, 'title',
      block < 0 ? '' : this.owner.describe(block, Math.min(block + this.group, this.blocks))
    );
  }

  private key(event: KeyboardEvent): void {
    const moves: Record<string, number> = {
      ArrowLeft: -this.group, ArrowRight: this.group, PageUp: -1, PageDown: 1,
      ArrowUp: -this.columns * this.group, ArrowDown: this.columns * this.group,
      Home: -this.blocks, End: this.blocks,
    };
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.owner.chosen(Math.min(this.blocks - 1, Math.max(0, this.current + move)));
  }
}
