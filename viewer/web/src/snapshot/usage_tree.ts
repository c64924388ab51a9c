// SPDX-License-Identifier: MIT
// The pages of a snapshot as a tree: process, region, file. A page of n mappings counts 1/n for
// each, so that the sum is the memory in use.

import type { Snapshot } from '../protocol/snapshot.ts';
import type { Focus } from './focus.ts';

export interface UsageNode {
  name: string;
  pages: number;
  /** Largest first. */
  children: UsageNode[];
  /** What is highlighted with it. */
  focus: Focus | null;
  /** The index of its region; undefined: of a process. */
  region?: number;
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

export function usageTree(snapshot: Snapshot): UsageNode {
  const { areas, processes, regions, units } = snapshot.facts;
  const root: UsageNode = { name: 'All processes', pages: 0, children: [], focus: null };
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
  sort(root);
  return root;
}
