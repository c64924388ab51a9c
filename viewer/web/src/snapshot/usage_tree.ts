// SPDX-License-Identifier: MIT
// Memory as a tree: process, region, file. A page of n mappings counts 1/n for each, so that the
// sum is the memory that processes use. With the whole of RAM also the frames that no process maps,
// by class and owner, without free ones.

import type { Snapshot } from '../protocol/snapshot.ts';
import type { Focus } from './focus.ts';
import { mappedFrames } from './frames.ts';
import type { RamIndex } from './ram.ts';

export interface UsageNode {
  name: string;
  pages: number;
  /** Largest first. */
  children: UsageNode[];
  /** What is highlighted with it. */
  focus: Focus | null;
  /** The index of its region, of pages that a process maps. */
  region?: number;
  /** The number of its class, of frames that no process maps. */
  frameClass?: number;
}

/** Pages by area. */
function areaPages(snapshot: Snapshot): Float64Array {
  const sums = new Float64Array(snapshot.facts.areas.length);
  const { area, pages, mappings } = snapshot;
  for (let run = 0; run < pages.length; run++)
    sums[area[run]!]! += pages[run]! / Math.max(1, mappings[run]!);
  return sums;
}

/** The child of this name, which is made if necessary. */
function child(parent: UsageNode, name: string, rest: Partial<UsageNode>, index: NodeIndex) {
  let known = index.get(parent);
  if (!known) index.set(parent, (known = new Map()));
  const found = known.get(name);
  if (found) return found;
  const node: UsageNode = { name, pages: 0, children: [], focus: null, ...rest };
  known.set(name, node);
  parent.children.push(node);
  return node;
}

type NodeIndex = Map<UsageNode, Map<string, UsageNode>>;

function sort(node: UsageNode): void {
  node.children.sort((a, b) => b.pages - a.pages);
  node.children.forEach(sort);
}

function addProcesses(root: UsageNode, snapshot: Snapshot): void {
  const { areas, processes, regions, units } = snapshot.facts;
  const index: NodeIndex = new Map();
  const sums = areaPages(snapshot);
  areas.forEach(({ process, region, unit }, i) => {
    const pages = sums[i]!;
    if (pages === 0) return;
    const owner: Focus = { scheme: 'process', index: process };
    const { comm = '', tgid = 0 } = processes[process] ?? {};
    const ofProcess = child(root, `${comm} ${tgid}`, { focus: owner }, index);
    const ofRegion = child(ofProcess, regions[region] ?? '', { focus: owner, region }, index);
    const focus: Focus = { scheme: 'unit', index: unit };
    const ofFile = child(ofRegion, units[unit] ?? '', { focus, region }, index);
    for (const node of [root, ofProcess, ofRegion, ofFile]) node.pages += pages;
  });
}

/** Frames that no process maps, by class and owner. */
function unmappedFrames(snapshot: Snapshot, ram: RamIndex): Map<number, Map<number, number>> {
  const sums = new Map<number, Map<number, number>>();
  const mapped = mappedFrames(snapshot);
  for (let run = 0; run < ram.runs; run++) {
    const number = ram.classOf(run);
    if (!ram.classes.isRam(number) || ram.classes.isFree(number)) continue;
    let frames = ram.ram.pages[run]!;
    mapped.within(ram.first[run]!, ram.first[run + 1]!, (first, end) => (frames -= end - first));
    if (frames === 0) continue;
    let owners = sums.get(number);
    if (!owners) sums.set(number, (owners = new Map()));
    const owner = ram.ram.owner[run]!;
    owners.set(owner, (owners.get(owner) ?? 0) + frames);
  }
  return sums;
}

/** Of the frames without an owner: what totals of the kernel say. Free ones are left out. */
function splitUnmarked(children: UsageNode[], frameClass: number, ram: RamIndex): void {
  const unowned = children.find(({ focus }) => focus?.index === 0);
  if (!unowned) return;
  for (const { what, pages, is_free: isFree } of ram.explained(unowned.pages)) {
    unowned.pages -= pages;
    if (pages > 0 && !isFree)
      children.push({ name: what, pages, children: [], focus: null, frameClass });
  }
}

function classNode(number: number, owners: Map<number, number>, ram: RamIndex): UsageNode {
  const base = { children: [], frameClass: number };
  const all: UsageNode[] = [...owners].map(([owner, pages]) => ({
    ...base, pages, name: owner === 0 ? 'without a known owner' : ram.owners.title(owner),
    focus: { scheme: 'owner', index: owner, ofClass: number, isUnmapped: true },
  }));
  if (ram.classes.is(number, 'unmarked')) splitUnmarked(all, number, ram);
  const children = all.filter((node) => node.pages > 0);
  const pages = children.reduce((sum, node) => sum + node.pages, 0);
  const hasOwners = children.length > 1 || !owners.has(0);
  return {
    ...base, pages, name: ram.classes.name(number), children: hasOwners ? children : [],
    focus: { scheme: 'class', index: number, isUnmapped: true },
  };
}

export function usageTree(snapshot: Snapshot, ram: RamIndex | null): UsageNode {
  const name = ram ? 'RAM in use' : 'All processes';
  const root: UsageNode = { name, pages: 0, children: [], focus: null };
  addProcesses(root, snapshot);
  if (ram)
    for (const [number, owners] of unmappedFrames(snapshot, ram)) {
      const node = classNode(number, owners, ram);
      root.children.push(node);
      root.pages += node.pages;
    }
  sort(root);
  return root;
}
