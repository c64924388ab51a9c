// SPDX-License-Identifier: MIT
// Physical memory of a snapshot: all blocks, and one block as frames, coloured by owner.

import { setText } from '../dom.ts';
import { hex, share } from '../format.ts';
import type { Fill } from '../grid/block_grid.ts';
import { css, mix } from '../grid/colours.ts';
import { BLOCK } from '../protocol/binary.ts';
import { BlockView } from '../shell/block_view.ts';
import { panel, type App } from '../shell/view.ts';
import { CLASS, FADED, FOCUSED, NO_FRAME, UNMAPPED } from './categories.ts';
import { FocusBar } from './focus_bar.ts';
import { PageBlockMap } from './page_block_map.ts';
import { savePicture } from './save.ts';
import type { SnapshotModel } from './snapshot_model.ts';

/** Maximum height of the overview, as a share of the window's height. */
const OVERVIEW_SHARE = 0.16;
/** Makes a block with a single mapped frame visible. */
const FAINTEST = 0.3;

export class MemoryView extends BlockView {
  readonly id = 'memory';
  readonly element: HTMLElement;
  private readonly pageBlocks: PageBlockMap;

  constructor(private readonly app: App, private readonly model: SnapshotModel) {
    super(app.look, {
      what: 'page',
      grid: 'Physical memory: a block of 2048 page frames',
      overview: 'All memory, a cell for each block of 2048 frames',
      button: 'Beginning page (g)',
      block: () => model.block,
      end: () => model.framesEnd,
      selected: () => model.frame ?? NaN,
      lookAt: (frame) => model.lookAt(frame),
      inspect: (frame) => frame < model.framesEnd && model.select(frame),
    }, (size) => Math.max(2, Math.floor((window.innerHeight * OVERVIEW_SHARE) / size)));
    this.pageBlocks = new PageBlockMap(model, app.look);
    this.element = panel(app, this.id, 'Physical memory', [this.range, this.button], [
      this.overview.element, this.pageBlocks.element, new FocusBar(model).element,
      this.grid.element,
    ]);
    app.settings.changed.on(() => this.arrange());
    for (const signal of [model.onScheme, model.onBlock, model.onFocus])
      signal.on(() => this.show());
    model.onSelection.on(() => this.mark());
    this.restyle();
    this.arrange();
  }

  /** The map of all memory as a file. */
  save(): void {
    savePicture(this.overview.canvas, 'memory.png');
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

  private show(): void {
    const { model } = this;
    const last = Math.min(this.first + BLOCK, model.framesEnd) - 1;
    setText(this.range, this.placeWords(last, model.pageSize));
    if (this.pageBlocks.element.hidden) this.overview.set(this.blocks, model.block);
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

  protected override newFills(): Fill[] {
    return this.model.colours.fills(this.look.dark);
  }

  protected override restyle(): void {
    super.restyle();
    this.pageBlocks.restyle();
  }

  protected override describe(frame: number): string {
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
  protected override blockColour(first: number, end: number): string {
    const { focus, blocks, colours } = this.model;
    const shares = focus ? blocks.focusShare : blocks.share;
    let best = first;
    for (let b = first; b < end; b++) if ((shares[b] ?? 0) > (shares[best] ?? 0)) best = b;
    const { dark } = this.look;
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

  protected override describeBlocks(first: number, end: number): string {
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
