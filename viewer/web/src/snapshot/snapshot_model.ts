// SPDX-License-Identifier: MIT
// The state of the snapshot page: scheme, block, selection and focus.

import { BLOCK } from '../protocol/binary.ts';
import type { Snapshot } from '../protocol/snapshot.ts';
import { Signal } from '../signal.ts';
import { Colours, NO_FRAME, type Categories } from './categories.ts';
import { BlockSummary } from './block_summary.ts';
import { colourFrames, type FrameArrays } from './colouring.ts';
import { focusName, sameOwner, spansOf, type Focus } from './focus.ts';
import { FrameIndex } from './frames.ts';
import { RamIndex } from './ram.ts';
import type { Scheme } from './schemes.ts';
import { FrameSpans } from './spans.ts';

export class SnapshotModel {
  /** Another snapshot of the series is shown. Emitted before all others. */
  readonly onSnapshot = new Signal();
  readonly onScheme = new Signal();
  readonly onBlock = new Signal();
  readonly onSelection = new Signal();
  readonly onFocus = new Signal();
  snapshot!: Snapshot;
  framesEnd = 0;
  index!: FrameIndex;
  /** Null: the snapshot has no records of the whole of RAM. */
  ram: RamIndex | null = null;
  colours!: Colours;
  categories!: Categories;
  blocks!: BlockSummary;
  block = 0;
  frame: number | null = null;
  focus: Focus | null = null;
  /** The frames of the focus. */
  spans = new FrameSpans();
  /** Per frame of the shown block: 1 if it belongs to the focus. */
  readonly focused = new Uint8Array(BLOCK);
  /** The owner that the user chose, also while a snapshot of the series does not have it. */
  private chosen: { focus: Focus; name: string } | null = null;
  private arrays: FrameArrays = {
    codes: new Uint8Array(0), owners: new Uint32Array(0), kept: new Map(),
  };

  constructor(snapshot: Snapshot, public scheme: Scheme) {
    this.take(snapshot);
    this.block = this.blocks.fullest();
  }

  get pageSize(): number {
    return this.snapshot.facts.page_size;
  }

  get ramPages(): number {
    return this.ram?.ram.facts.frames ?? this.snapshot.facts.ram_pages;
  }

  /** Shows another moment with the same scheme, block, selection and highlighted owner. */
  setSnapshot(snapshot: Snapshot): void {
    this.take(snapshot);
    const focus =
      this.chosen && sameOwner(this.chosen.focus, this.chosen.name, snapshot, this.ram);
    this.block = Math.min(this.block, this.blocks.count - 1);
    if (this.frame !== null && this.frame >= this.framesEnd) this.frame = null;
    this.takeFocus(focus);
    this.onSnapshot.emit();
    this.onScheme.emit();
    this.onSelection.emit();
    this.onFocus.emit();
  }

  setScheme(scheme: Scheme): void {
    this.scheme = scheme;
    this.arrays.kept.clear();
    this.colour();
    this.blocks.summarizeFocus(this.arrays.codes, this.spans);
    this.onScheme.emit();
  }

  lookAt(frame: number): void {
    this.block = Math.min(this.blocks.count - 1, Math.max(0, Math.floor(frame / BLOCK)));
    this.findFocused();
    this.onBlock.emit();
  }

  select(frame: number): void {
    this.frame = frame;
    this.onSelection.emit();
  }

  /** Goes to the first frame; without `always` only if the shown block has none. */
  setFocus(focus: Focus | null, always = false): void {
    this.takeFocus(focus);
    this.chosen = focus && { focus, name: this.focusName() };
    const first = this.spans.first[0];
    if (first !== undefined && (always || !this.focused.includes(1))) {
      this.block = Math.floor(first / BLOCK);
      this.findFocused();
    }
    this.onBlock.emit();
    this.onFocus.emit();
  }

  /** Selects the first frame of the next or previous run of the focus. */
  turnSpan(step: -1 | 1): void {
    const { spans } = this;
    if (spans.count === 0) return;
    const at = this.currentSpan();
    const isInside = this.frame !== null && spans.at(this.frame) === at && spans.has(this.frame);
    const next = step > 0 && !isInside ? at : at + step;
    const frame = spans.first[(next + spans.count) % spans.count]!;
    this.lookAt(frame);
    this.select(frame);
  }

  /** The run of the focus at the selection, if it is in the shown block, or the next one. */
  currentSpan(): number {
    const isShown = this.frame !== null && Math.floor(this.frame / BLOCK) === this.block;
    return this.spans.at(isShown ? this.frame! : this.block * BLOCK);
  }

  code(frame: number): number {
    return frame < this.framesEnd ? this.arrays.codes[frame]! : NO_FRAME;
  }

  focusName(): string {
    return this.focus ? focusName(this.snapshot, this.ram, this.focus) : '';
  }

  private take(snapshot: Snapshot): void {
    this.snapshot = snapshot;
    this.framesEnd = parseInt(snapshot.facts.frames_end, 16);
    this.index = new FrameIndex(snapshot);
    this.ram = snapshot.ram ? new RamIndex(snapshot.ram) : null;
    this.colours = new Colours((snapshot.ram?.facts.classes ?? []).map(({ colour }) => colour));
    if (this.arrays.codes.length !== this.framesEnd)
      this.arrays = {
        codes: new Uint8Array(this.framesEnd), owners: new Uint32Array(this.framesEnd),
        kept: this.arrays.kept,
      };
    this.colour();
  }

  private colour(): void {
    this.categories = colourFrames(this.snapshot, this.ram, this.scheme, this.arrays);
    this.blocks = new BlockSummary(this.arrays.codes, this.ram);
  }

  private takeFocus(focus: Focus | null): void {
    this.focus = focus;
    this.spans = focus ? spansOf(this.snapshot, this.ram, focus) : new FrameSpans();
    this.blocks.summarizeFocus(this.arrays.codes, this.spans);
    this.findFocused();
  }

  private findFocused(): void {
    this.focused.fill(0);
    const begin = this.block * BLOCK;
    this.spans.within(
      begin, begin + BLOCK, (first, end) => this.focused.fill(1, first - begin, end - begin)
    );
  }
}
