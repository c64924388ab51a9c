// SPDX-License-Identifier: MIT
// The state of the snapshot page: scheme, block, selection and focus.

import { BLOCK } from '../protocol/binary.ts';
import type { Snapshot } from '../protocol/snapshot.ts';
import { Signal } from '../signal.ts';
import { categorize, UNMAPPED, type Categories } from './categories.ts';
import { FrameIndex, areaKeys, findOwners, type Owners, type Scheme } from './frames.ts';
import type { Grouping } from './process_groups.ts';

/** The focus: the frames of a process, a unit or a group of processes, by index. */
export interface Focus {
  scheme: 'process' | 'unit' | Grouping;
  index: number;
}

function fullest(shares: Float32Array): number {
  return shares.reduce((best, share, block) => (share > shares[best]! ? block : best), 0);
}

export class SnapshotModel {
  readonly onScheme = new Signal();
  readonly onBlock = new Signal();
  readonly onSelection = new Signal();
  readonly onFocus = new Signal();
  readonly framesEnd: number;
  readonly blocks: number;
  readonly index: FrameIndex;
  owners: Owners;
  categories: Categories;
  block = 0;
  frame: number | null = null;
  focus: Focus | null = null;
  /** Per block: the category with most frames, and the share of mapped frames. */
  dominant: Uint8Array;
  mapped: Float32Array;
  /** Per block: the share of its frames that the focus maps. */
  focusShare: Float32Array;
  /** Per frame of the shown block: 1 if it belongs to the focus. */
  readonly focused = new Uint8Array(BLOCK);
  private readonly ownerOf: Uint32Array;
  /** Per VMA: its index in the scheme of the focus. */
  private focusKeys: Uint32Array = new Uint32Array(0);

  constructor(readonly snapshot: Snapshot, scheme: Scheme) {
    this.framesEnd = parseInt(snapshot.facts.frames_end, 16);
    this.blocks = Math.ceil(this.framesEnd / BLOCK);
    this.ownerOf = new Uint32Array(this.framesEnd);
    this.index = new FrameIndex(snapshot);
    this.dominant = new Uint8Array(this.blocks);
    this.mapped = new Float32Array(this.blocks);
    this.focusShare = new Float32Array(this.blocks);
    this.owners = findOwners(snapshot, scheme, this.ownerOf);
    this.categories = categorize(this.owners, snapshot.facts.ram_pages);
    this.summarize();
    this.block = fullest(this.mapped);
  }

  get pageSize(): number {
    return this.snapshot.facts.page_size;
  }

  setScheme(scheme: Scheme): void {
    this.owners = findOwners(this.snapshot, scheme, this.ownerOf);
    this.categories = categorize(this.owners, this.snapshot.facts.ram_pages);
    this.summarize();
    this.onScheme.emit();
  }

  lookAt(frame: number): void {
    this.block = Math.min(this.blocks - 1, Math.max(0, Math.floor(frame / BLOCK)));
    this.findFocused();
    this.onBlock.emit();
  }

  select(frame: number): void {
    this.frame = frame;
    this.onSelection.emit();
  }

  setFocus(focus: Focus | null): void {
    if (focus && focus.scheme !== this.focus?.scheme)
      this.focusKeys = areaKeys(this.snapshot, focus.scheme);
    this.focus = focus;
    this.findShares();
    if (focus && !this.focusShare[this.block]) this.block = fullest(this.focusShare);
    this.findFocused();
    this.onBlock.emit();
    this.onFocus.emit();
  }

  code(frame: number): number {
    return this.categories.codeOf(this.ownerOf[frame] ?? 0);
  }

  /** Pages of a unit or file, mapped by any process; each frame counts once. */
  isFocused(area: number): boolean {
    return this.focus !== null && this.focusKeys[area] === this.focus.index;
  }

  private findFocused(): void {
    this.focused.fill(0);
    if (!this.focus) return;
    const first = this.block * BLOCK;
    for (let cell = 0; cell < BLOCK; cell++) {
      if (this.code(first + cell) === UNMAPPED) continue;
      const mappings = this.index.find(first + cell);
      if (mappings.some((mapping) => this.isFocused(mapping.area))) this.focused[cell] = 1;
    }
  }

  /**
   * A frame that is mapped twice counts twice. The share is used for colour only, not as a number.
   */
  private findShares(): void {
    const { area, frame, pages } = this.snapshot;
    this.focusShare.fill(0);
    if (!this.focus) return;
    for (let run = 0; run < frame.length; run++) {
      if (!this.isFocused(area[run]!)) continue;
      const end = Math.min(this.framesEnd, frame[run]! + pages[run]!);
      for (let f = frame[run]!; f < end; f++) this.focusShare[Math.floor(f / BLOCK)]! += 1 / BLOCK;
    }
  }

  private summarize(): void {
    const counts = new Uint32Array(256);
    for (let block = 0; block < this.blocks; block++) {
      counts.fill(0);
      const end = Math.min(this.framesEnd, (block + 1) * BLOCK);
      for (let frame = block * BLOCK; frame < end; frame++) counts[this.code(frame)]!++;
      const unmapped = counts[UNMAPPED]!;
      counts[UNMAPPED] = 0;
      const most = counts.reduce((best, n, code) => (n > counts[best]! ? code : best), 0);
      this.dominant[block] = most;
      this.mapped[block] = 1 - unmapped / (end - block * BLOCK);
    }
  }
}
