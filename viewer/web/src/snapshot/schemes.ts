// SPDX-License-Identifier: MIT
// What the colours of frames can mean: who maps them, and, of a snapshot of the whole of RAM, what
// they are used for.

import type { Snapshot } from '../protocol/snapshot.ts';
import { FEW_PROCESSES, GROUPINGS, type Grouping } from './process_groups.ts';
import type { ZoneScheme } from './ram.ts';

export type MappedScheme = 'process' | 'unit' | 'region' | 'sharing' | Grouping;
export type RamScheme = 'class' | 'file' | 'slab' | 'owner' | 'payer' | ZoneScheme;
export type Scheme = MappedScheme | RamScheme;

export const SCHEMES: [MappedScheme, string][] = [
  ['process', 'Process'], ['unit', 'Mapped file'], ['region', 'Region'],
  ['sharing', 'Single or shared'],
];
export const RAM_SCHEMES: [RamScheme, string][] = [
  ['class', 'Class'], ['file', 'Cached file'], ['slab', 'Slab cache'], ['owner', 'Owner'],
  ['payer', 'Paying cgroup'], ['zone', 'Node and zone'],
];
const TIER_SCHEME: [RamScheme, string] = ['tier', 'Memory tier'];

/** Tiers are offered only if the snapshot has them. */
function ramSchemes({ ram }: Snapshot): [RamScheme, string][] {
  if (!ram) return [];
  const hasTiers = ram.facts.zones.some(({ tier }) => tier !== undefined);
  return hasTiers ? [...RAM_SCHEMES, TIER_SCHEME] : RAM_SCHEMES;
}

/** Groups are offered only when there are too many processes to distinguish. */
export function schemesOf(snapshot: Snapshot): [Scheme, string][] {
  const isMany = snapshot.facts.processes.length > FEW_PROCESSES;
  return [...SCHEMES, ...(isMany ? GROUPINGS : []), ...ramSchemes(snapshot)];
}

export const isRamScheme = (scheme: string): scheme is RamScheme =>
  [...RAM_SCHEMES, TIER_SCHEME].some(([id]) => id === scheme);
