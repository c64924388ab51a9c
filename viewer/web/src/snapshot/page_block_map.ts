// SPDX-License-Identifier: MIT
// All memory, a cell for each pageblock: which class fills it, how much of it is free, and whether
// it holds memory that cannot be moved.

import { el } from '../dom.ts';
import { count, hex, share } from '../format.ts';
import { css, mix } from '../grid/colours.ts';
import { Overview } from '../grid/overview.ts';
import { BLOCK } from '../protocol/binary.ts';
import type { Look } from '../shell/look.ts';
import { CLASS, NO_FRAME } from './categories.ts';
import { PageBlocks } from './page_blocks.ts';
import type { SnapshotModel } from './snapshot_model.ts';

/** Maximum height, as a share of the window's height. */
const HEIGHT_SHARE = 0.3;
/** Makes a block with a single used frame visible. */
const FAINTEST = 0.2;

export class PageBlockMap {
  readonly element: HTMLElement;
  private readonly overview: Overview;
  private blocks: PageBlocks | null = null;
  private current = 0;

  constructor(private readonly model: SnapshotModel, private readonly look: Look) {
    this.overview = new Overview(
      {
        label: 'All memory, a cell for each pageblock',
        colour: (first, end) => this.colour(first, end),
        marked: (first, end) => (this.blocks?.use(first, end).unmovable ?? 0) > 0,
        describe: (first, end) => this.describe(first, end),
        chosen: (block) => this.choose(block),
      },
      (size) => Math.max(2, Math.floor((window.innerHeight * HEIGHT_SHARE) / size)),
    );
    this.element = el(
      'div', { class: 'page-blocks' }, this.overview.element,
      el(
        'p', { class: 'hint' },
        'Colour: the largest class in use. The more of a block is free, the closer it is to the ' +
          'colour of free memory. Dot: holds memory that cannot be moved.'
      )
    );
    model.onSnapshot.on(() => (this.blocks = null));
  }

  /** After the map became visible, or the block or the snapshot changed. */
  show(): void {
    const { ram, block, frame } = this.model;
    if (!ram) return;
    this.blocks ??= new PageBlocks(ram);
    const per = this.blocks.frames;
    const shown = Math.floor((this.current * per) / BLOCK);
    if (frame !== null && Math.floor(frame / BLOCK) === block)
      this.current = Math.floor(frame / per);
    else if (shown !== block) this.current = Math.floor((block * BLOCK) / per);
    this.overview.set(this.blocks.count, Math.min(this.current, this.blocks.count - 1));
  }

  restyle(): void {
    const { dark, grid } = this.look;
    this.overview.restyle(grid, dark ? '#fff' : '#000');
  }

  words(): string {
    return this.describe(this.current, this.current + 1);
  }

  private choose(block: number): void {
    if (!this.blocks) return;
    this.current = block;
    this.model.lookAt(block * this.blocks.frames);
  }

  private colour(first: number, end: number): string {
    const use = this.blocks?.use(first, end);
    const { dark } = this.look;
    const { colours, ram } = this.model;
    if (!use || !ram || use.ram === 0) return css(colours.of(NO_FRAME, dark));
    const free = colours.of(CLASS + ram.classes.number('free'), dark);
    if (use.largest < 0) return css(free);
    const used = 1 - use.free / use.ram;
    return css(mix(free, colours.of(CLASS + use.largest, dark), FAINTEST + (1 - FAINTEST) * used));
  }

  private describe(first: number, end: number): string {
    const { blocks, model: { ram } } = this;
    if (!blocks || !ram) return '';
    const use = blocks.use(first, Math.min(end, blocks.count));
    const place = `frames ${hex(first * blocks.frames)} – ${hex(end * blocks.frames - 1)}`;
    if (use.ram === 0) return `${place}: no RAM`;
    const parts = [`${share(use.free, use.ram)} free`];
    if (use.largest >= 0) parts.push(`most ${ram.classes.name(use.largest)}`);
    if (use.unmovable > 0) parts.push(`${count(use.unmovable)} unmovable`);
    if (use.unknown > 0) parts.push(`${count(use.unknown)} not known`);
    if (use.hugetlb > 0) parts.push(`${count(use.hugetlb)} hugetlb`);
    return `${place}: ${parts.join(', ')}`;
  }
}
