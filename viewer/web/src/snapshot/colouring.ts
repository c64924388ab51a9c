// SPDX-License-Identifier: MIT
// The code of each frame by a scheme, and the categories of the legend. One byte per frame, because
// a snapshot may have tens of millions.

import type { Snapshot } from '../protocol/snapshot.ts';
import {
  CLASS, MUTED, NO_FRAME, SHARED, UNMAPPED, isMuted, rankOwners, type Categories, type Category,
  type KeptCodes,
} from './categories.ts';
import { NO_OWNER, SEVERAL, findOwners } from './frames.ts';
import type { RamIndex, ZoneScheme } from './ram.ts';
import { isRamScheme, type MappedScheme, type RamScheme, type Scheme } from './schemes.ts';

/** Arrays of all frames, used again for each scheme, and the codes of the scheme's owners. */
export interface FrameArrays {
  codes: Uint8Array;
  owners: Uint32Array;
  kept: KeptCodes;
}

export function colourFrames(
  snapshot: Snapshot, ram: RamIndex | null, scheme: Scheme, arrays: FrameArrays
): Categories {
  arrays.codes.fill(ram ? NO_FRAME : UNMAPPED);
  if (isRamScheme(scheme) && ram) return colourByUse(ram, scheme, arrays);
  return colourByMapping(snapshot, ram, isRamScheme(scheme) ? 'process' : scheme, arrays);
}

const SEVERAL_NAMES: Record<MappedScheme, string> = {
  process: 'several processes', unit: 'several files', region: 'several regions',
  sharing: 'counts differ', name: 'several names', user: 'several users',
  cgroup: 'several cgroups',
};

function colourByMapping(
  snapshot: Snapshot, ram: RamIndex | null, scheme: MappedScheme,
  { codes, owners: of, kept }: FrameArrays,
): Categories {
  const owners = findOwners(snapshot, scheme, of);
  const ranked = rankOwners(owners.frames, (owner) => owners.names[owner] ?? '', kept);
  if (ram) fillRuns(ram, codes, (run) => codeOfClass(ram, ram.classOf(run), MUTED));
  for (let frame = 0; frame < of.length; frame++) {
    const owner = of[frame]!;
    if (owner === NO_OWNER || codes[frame] === NO_FRAME) continue;
    codes[frame] = owner === SEVERAL ? SHARED : ranked.codes[owner - 1]!;
  }
  const list = ranked.list;
  if (owners.several > 0)
    list.push({ code: SHARED, name: SEVERAL_NAMES[scheme], frames: owners.several });
  if (ram) return complete(list, ram, codes);
  const mapped = list.reduce((sum, category) => sum + category.frames, 0);
  const frames = snapshot.facts.ram_pages - mapped;
  list.push({ code: UNMAPPED, name: 'kernel, cache, free: mapped by no process', frames });
  return named(list);
}

function colourByUse(ram: RamIndex, scheme: RamScheme, arrays: FrameArrays): Categories {
  const { codes, kept } = arrays;
  if (scheme === 'class') {
    fillRuns(ram, codes, (run) => codeOfClass(ram, ram.classOf(run), CLASS));
    return complete([], ram, codes);
  }
  if (scheme === 'zone' || scheme === 'tier') return colourByZone(ram, scheme, arrays);
  const [counts, keyOf, nameOf] = keysOf(ram, scheme);
  const ranked = rankOwners(counts, nameOf, kept);
  fillRuns(ram, codes, (run) => {
    const key = keyOf(run);
    const base = codeOfClass(ram, ram.classOf(run), MUTED);
    return key > 0 && counts[key]! > 0 && base !== NO_FRAME ? ranked.codes[key]! : base;
  });
  return complete(ranked.list, ram, codes);
}

type Keys = [Float64Array, (run: number) => number, (key: number) => string];

/** The frames of each owner of the scheme, the owner of a run, and the owners' names. */
function keysOf(ram: RamIndex, scheme: RamScheme): Keys {
  if (scheme === 'payer') {
    const counts = ram.ofPayer.frames.slice();
    counts[0] = 0;
    return [counts, (run) => ram.payerOf(run), (payer) => ram.payerTitle(payer)];
  }
  const counts = ram.ofOwner.frames.slice();
  counts[0] = 0;
  if (scheme === 'file' || scheme === 'slab') {
    const { first, count } = ram.owners.range(scheme);
    counts.fill(0, 0, first);
    counts.fill(0, first + count);
  }
  return [counts, (run) => ram.ram.owner[run]!, (owner) => ram.owners.title(owner)];
}

function colourByZone(
  ram: RamIndex, scheme: ZoneScheme, { codes, kept }: FrameArrays
): Categories {
  fillRuns(ram, codes, (run) => codeOfClass(ram, ram.classOf(run), MUTED));
  const spans = ram.framesBy(scheme);
  const isZone = scheme === 'zone';
  const counts = (isZone ? ram.ram.facts.zones : ram.tiers).map(() => 0);
  for (const { zone, first, end } of spans) counts[zone]! += end - first;
  const nameOf = (zone: number) => (isZone ? ram.zoneName(zone) : ram.tierName(zone));
  const ranked = rankOwners(counts, nameOf, kept);
  for (const { zone, first, end } of spans)
    for (let frame = first; frame < end; frame++)
      if (isMuted(codes[frame]!)) codes[frame] = ranked.codes[zone]!;
  return complete(ranked.list, ram, codes);
}

function codeOfClass(ram: RamIndex, number: number, base: number): number {
  return ram.classes.isRam(number) ? base + number : NO_FRAME;
}

function fillRuns(ram: RamIndex, codes: Uint8Array, codeOf: (run: number) => number): void {
  for (let run = 0; run < ram.runs; run++)
    codes.fill(codeOf(run), ram.first[run]!, ram.first[run + 1]!);
}

/** Counts the frames of all codes, and adds the classes of frames without an owner. */
function complete(list: Category[], ram: RamIndex, codes: Uint8Array): Categories {
  const frames = new Float64Array(256);
  for (let frame = 0; frame < codes.length; frame++) frames[codes[frame]!]!++;
  for (const category of list) category.frames = frames[category.code]!;
  for (const base of [CLASS, MUTED])
    for (const number of ram.classes.order) {
      const n = frames[base + number]!;
      if (n > 0)
        list.push({ code: base + number, name: ram.classes.name(number), frames: n });
    }
  return named(list.filter((category) => category.frames > 0));
}

function named(list: Category[]): Categories {
  const names = new Map(list.map((category) => [category.code, category.name]));
  names.set(NO_FRAME, 'no RAM');
  return { list, nameOf: (code) => names.get(code) ?? '' };
}
