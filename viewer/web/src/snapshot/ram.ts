// SPDX-License-Identifier: MIT
// The whole of RAM: the run of each frame, owners by number, and the frames of each class, owner
// and cgroup.

import type { ExplainedFrames, OwnerGroup, OwnerKind, Ram } from '../protocol/snapshot.ts';
import { Classes } from './classes.ts';

const CLASS_SHIFT = 27;
const FLAGS = 2 ** CLASS_SHIFT - 1;
const GROUP = 0xffff;
const CLASSES = 32;
const DIRTY = 1 << 4;

export interface OwnerPlace {
  group: OwnerGroup;
  /** In its group. */
  index: number;
}

/** Owners by their number in runs. Texts are split when they are needed first. */
export class OwnerTable {
  readonly count: number;
  private readonly begins: number[] = [];
  private readonly texts = new Map<string, string[]>();

  constructor(readonly groups: OwnerGroup[]) {
    let next = 1;
    for (const group of groups) {
      this.begins.push(next);
      next += group.count;
    }
    this.count = next - 1;
  }

  find(owner: number): OwnerPlace | null {
    for (let i = this.groups.length - 1; i >= 0; i--) {
      const begin = this.begins[i]!;
      if (owner >= begin) return { group: this.groups[i]!, index: owner - begin };
    }
    return null;
  }

  /** First number and count of the owners of a kind. */
  range(kind: OwnerKind): { first: number; count: number } {
    const at = this.groups.findIndex((group) => group.kind === kind);
    return { first: this.begins[at] ?? 1, count: this.groups[at]?.count ?? 0 };
  }

  kind(owner: number): OwnerKind | null {
    return this.find(owner)?.group.kind ?? null;
  }

  /** As the record has it. */
  name(owner: number): string {
    const place = this.find(owner);
    return place ? (this.names(place.group)[place.index] ?? '') : '';
  }

  /** As it is shown: a deleted file is marked, a task has its pid. */
  title(owner: number): string {
    const place = this.find(owner);
    if (!place) return 'no known owner';
    const name = this.names(place.group)[place.index] ?? '';
    const { kind, links, numbers, dying } = place.group;
    if (kind === 'file') return links?.[place.index] === 0 ? `${name} (deleted)` : name;
    if (kind === 'task') return `${name || 'task'} ${numbers?.[place.index] ?? ''}`;
    return dying?.[place.index] ? `${name} (dying)` : name;
  }

  inode(place: OwnerPlace): string {
    return this.lines('inodes', place.group.inodes ?? '')[place.index] ?? '';
  }

  private names(group: OwnerGroup): string[] {
    return this.lines(group.kind, group.names);
  }

  private lines(key: string, text: string): string[] {
    let found = this.texts.get(key);
    if (!found) this.texts.set(key, (found = text.split('\n')));
    return found;
  }
}

export type ZoneScheme = 'zone' | 'tier';

/** Consecutive frames of a zone or tier. */
export interface ZoneFrames {
  zone: number;
  first: number;
  end: number;
}

/** Frames of one owner or group. */
export interface Counts {
  frames: Float64Array;
  mapped: Float64Array;
  dirty: Float64Array;
}

function newCounts(size: number): Counts {
  return {
    frames: new Float64Array(size), mapped: new Float64Array(size), dirty: new Float64Array(size),
  };
}

export class RamIndex {
  readonly runs: number;
  readonly classes: Classes;
  readonly owners: OwnerTable;
  /** First frame of each run, and the end of the last one. */
  readonly first: Uint32Array;
  readonly ofClass = new Float64Array(CLASSES);
  readonly ofOwner: Counts;
  /** By the number of the cgroup among cgroups, from 1. */
  readonly ofPayer: Counts;
  /** The tiers of the zones' nodes, each once, ascending. Empty: the snapshot has no tiers. */
  readonly tiers: number[];
  private readonly zoneSpans: ZoneFrames[];

  constructor(readonly ram: Ram) {
    this.runs = ram.pages.length;
    this.classes = new Classes(ram.facts.classes, ram.facts.class_order);
    this.owners = new OwnerTable(ram.facts.owners);
    this.first = new Uint32Array(this.runs + 1);
    const tiers = ram.facts.zones.flatMap(({ tier }) => (tier === undefined ? [] : [tier]));
    this.tiers = [...new Set(tiers)].sort((a, b) => a - b);
    this.zoneSpans = ram.facts.zone_spans.map(({ zone, first, frames }) => {
      const begin = parseInt(first, 16);
      return { zone, first: begin, end: begin + frames };
    });
    this.ofOwner = newCounts(this.owners.count + 1);
    this.ofPayer = newCounts(this.owners.range('cgroup').count + 1);
    this.sum();
  }

  private sum(): void {
    const { pages, owner, use, payer } = this.ram;
    for (let run = 0; run < this.runs; run++) {
      const n = pages[run]!;
      this.first[run + 1] = this.first[run]! + n;
      this.ofClass[use[run]! >>> CLASS_SHIFT]! += n;
      const isMapped = payer[run]! > GROUP;
      const isDirty = (use[run]! & DIRTY) !== 0;
      this.add(this.ofOwner, owner[run]!, n, isMapped, isDirty);
      this.add(this.ofPayer, payer[run]! & GROUP, n, isMapped, isDirty);
    }
  }

  private add(to: Counts, at: number, n: number, isMapped: boolean, isDirty: boolean): void {
    to.frames[at]! += n;
    if (isMapped) to.mapped[at]! += n;
    if (isDirty) to.dirty[at]! += n;
  }

  /** The run of a frame; -1: after the last. */
  runAt(frame: number): number {
    if (frame >= this.first[this.runs]!) return -1;
    let low = 0;
    let high = this.runs;
    while (low + 1 < high) {
      const middle = (low + high) >>> 1;
      if (this.first[middle]! <= frame) low = middle;
      else high = middle;
    }
    return low;
  }

  classOf(run: number): number {
    return this.ram.use[run]! >>> CLASS_SHIFT;
  }

  flagsOf(run: number): number {
    return this.ram.use[run]! & FLAGS;
  }

  /** The kind of the owners that have frames of the class; null: none is known. */
  ownerKind(ofClass: number): OwnerKind | null {
    for (let run = 0; run < this.runs; run++)
      if (this.ram.owner[run] !== 0 && this.classOf(run) === ofClass)
        return this.owners.kind(this.ram.owner[run]!);
    return null;
  }

  /** What the totals of the kernel say of so many unmarked frames without a known owner. */
  explained(unowned: number): ExplainedFrames[] {
    let left = unowned;
    return this.ram.facts.explained.map((part) => {
      const pages = Math.min(part.pages, left);
      left -= pages;
      return { ...part, pages };
    });
  }

  payerOf(run: number): number {
    return this.ram.payer[run]! & GROUP;
  }

  countOf(run: number): number {
    return this.ram.payer[run]! >>> 16;
  }

  /** The name of a paying cgroup, by its number among cgroups. */
  payerTitle(payer: number): string {
    const { first, count } = this.owners.range('cgroup');
    if (payer === 0) return 'no cgroup';
    return payer === GROUP && count > GROUP ? 'further cgroups'
                                            : this.owners.title(first + payer - 1);
  }

  zoneName(zone: number): string {
    const { zones } = this.ram.facts;
    const found = zones[zone];
    return found ? `node ${found.node} ${found.name}` : 'no zone';
  }

  /** -1: no zone. */
  zoneOf(frame: number): number {
    return this.zoneSpans.find(({ first, end }) => frame >= first && frame < end)?.zone ?? -1;
  }

  /** The index in `tiers` of a zone's tier; -1: not known. */
  tierOf(zone: number): number {
    const tier = this.ram.facts.zones[zone]?.tier;
    return tier === undefined ? -1 : this.tiers.indexOf(tier);
  }

  tierName(index: number): string {
    return `tier ${this.tiers[index] ?? 'not known'}`;
  }

  /** Frames of RAM and holes by zone, or by memory tier, up to the last described frame. */
  framesBy(scheme: ZoneScheme): ZoneFrames[] {
    const last = this.first[this.runs]!;
    return this.zoneSpans
      .map(({ zone, first, end }) => ({
        zone: scheme === 'zone' ? zone : this.tierOf(zone), first, end: Math.min(end, last),
      }))
      .filter(({ zone, first, end }) => zone >= 0 && first < end);
  }
}
