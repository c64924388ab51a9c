// SPDX-License-Identifier: MIT
// The focus: the frames of a process, a file, a class or another owner, which are highlighted.

import type { Snapshot } from '../protocol/snapshot.ts';
import { areaKeys, mappedFrames } from './frames.ts';
import { groupProcesses, isGrouping, type Grouping } from './process_groups.ts';
import type { RamIndex, ZoneScheme } from './ram.ts';
import { FrameSpans } from './spans.ts';

export type FocusScheme = 'process' | 'unit' | Grouping | 'class' | 'owner' | 'payer' | ZoneScheme;

const FOCUS_SCHEMES: readonly FocusScheme[] =
  ['process', 'unit', 'name', 'user', 'cgroup', 'class', 'owner', 'payer', 'zone', 'tier'];
export const isFocusScheme = (text: string): text is FocusScheme =>
  FOCUS_SCHEMES.some((scheme) => scheme === text);

export interface Focus {
  scheme: FocusScheme;
  index: number;
  /** Only its frames of this class. */
  ofClass?: number;
  /** Only its frames that no process maps. */
  isUnmapped?: boolean;
}

export const isSameFocus = (a: Focus | null, b: Focus | null): boolean =>
  a?.scheme === b?.scheme && a?.index === b?.index && a?.ofClass === b?.ofClass &&
  a?.isUnmapped === b?.isUnmapped;

/** Pages of a file, mapped by any process; each frame counts once. */
function mappedSpans(snapshot: Snapshot, scheme: 'process' | 'unit' | Grouping, index: number) {
  const keys = areaKeys(snapshot, scheme);
  const { area, frame, pages } = snapshot;
  const spans = new FrameSpans();
  for (let run = 0; run < frame.length; run++)
    if (keys[area[run]!] === index) spans.add(frame[run]!, frame[run]! + pages[run]!);
  return spans;
}

function zoneSpans(ram: RamIndex, scheme: ZoneScheme, index: number): FrameSpans {
  const spans = new FrameSpans();
  for (const { zone, first, end } of ram.framesBy(scheme)) {
    if (zone !== index) continue;
    for (let run = ram.runAt(first); run < ram.runs && ram.first[run]! < end; run++)
      if (ram.classes.isRam(ram.classOf(run)))
        spans.add(Math.max(first, ram.first[run]!), Math.min(end, ram.first[run + 1]!));
  }
  return spans;
}

export function spansOf(snapshot: Snapshot, ram: RamIndex | null, focus: Focus): FrameSpans {
  const { scheme, index, ofClass } = focus;
  if (scheme === 'process' || scheme === 'unit' || isGrouping(scheme))
    return mappedSpans(snapshot, scheme, index);
  if (!ram) return new FrameSpans();
  if (scheme === 'zone' || scheme === 'tier') return zoneSpans(ram, scheme, index);
  const spans = new FrameSpans();
  const { owner } = ram.ram;
  for (let run = 0; run < ram.runs; run++) {
    const number = ram.classOf(run);
    const key = scheme === 'class' ? number : scheme === 'owner' ? owner[run]! : ram.payerOf(run);
    const isWanted = ofClass === undefined || ofClass === number;
    if (key === index && isWanted) spans.add(ram.first[run]!, ram.first[run + 1]!);
  }
  return focus.isUnmapped ? spans.without(mappedFrames(snapshot)) : spans;
}

export function focusName(snapshot: Snapshot, ram: RamIndex | null, focus: Focus): string {
  const name = ownerName(snapshot, ram, focus);
  return focus.isUnmapped ? `${name}, not mapped` : name;
}

function ownerName(snapshot: Snapshot, ram: RamIndex | null, focus: Focus): string {
  const { scheme, index } = focus;
  const { processes, units } = snapshot.facts;
  if (scheme === 'process') return `${processes[index]?.comm} ${processes[index]?.tgid}`;
  if (scheme === 'unit') return units[index] ?? '';
  if (isGrouping(scheme)) return groupProcesses(processes, scheme).names[index] ?? '';
  if (!ram) return '';
  if (scheme === 'class') return ram.classes.name(index);
  if (scheme === 'owner')
    return index > 0 ? ram.owners.title(index)
                     : `${ram.classes.name(focus.ofClass ?? 0)} without a known owner`;
  if (scheme === 'payer') return ram.payerTitle(index);
  return scheme === 'tier' ? ram.tierName(index) : ram.zoneName(index);
}

/** The same owner in another snapshot of the series; null: it has no frames there. */
export function sameOwner(
  focus: Focus, name: string, snapshot: Snapshot, ram: RamIndex | null
): Focus | null {
  const { processes, units } = snapshot.facts;
  const zones = ram?.ram.facts.zones.length ?? 0;
  const ends: Record<FocusScheme, number> = {
    process: processes.length, unit: units.length, name: processes.length,
    user: processes.length, cgroup: processes.length, class: ram?.classes.order.length ?? 0,
    owner: (ram?.owners.count ?? -1) + 1, payer: ram?.ofPayer.frames.length ?? 0, zone: zones,
    tier: ram?.tiers.length ?? 0,
  };
  const isHere = (index: number) =>
    focusName(snapshot, ram, { ...focus, index }) === name;
  if (isHere(focus.index)) return focus;
  for (let index = 0; index < ends[focus.scheme]; index++)
    if (isHere(index)) return { ...focus, index };
  return null;
}
