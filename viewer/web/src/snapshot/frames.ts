// SPDX-License-Identifier: MIT
// The mappings of each frame. Uses typed arrays, because a snapshot may have tens of millions of
// frames and runs.

import type { Snapshot } from '../protocol/snapshot.ts';
import { groupProcesses, isGrouping } from './process_groups.ts';
import type { MappedScheme } from './schemes.ts';
import { FrameSpans } from './spans.ts';

export const NO_OWNER = 0;
export const SEVERAL = 0xffffffff;

const SHARING_NAMES =
  ['mapped once', 'mapped twice', 'mapped 3 to 9 times', 'mapped 10 times or more'];

function sharingKey(mappings: number): number {
  return mappings <= 1 ? 0 : mappings === 2 ? 1 : mappings < 10 ? 2 : 3;
}

/** The owner of each frame by a scheme, and the number of frames per owner. */
export interface Owners {
  scheme: MappedScheme;
  names: string[];
  /** Per frame: NO_OWNER, SEVERAL, or an index into names plus one. */
  of: Uint32Array;
  /** Frames per owner. Frames of several owners count only in `several`, so the sum is complete. */
  frames: Float64Array;
  several: number;
}

function names(snapshot: Snapshot, scheme: MappedScheme): string[] {
  const { processes, units, regions } = snapshot.facts;
  if (isGrouping(scheme)) return groupProcesses(processes, scheme).names;
  if (scheme === 'process') return processes.map((process) => `${process.comm} ${process.tgid}`);
  return scheme === 'unit' ? units : scheme === 'region' ? regions : SHARING_NAMES;
}

/** Per VMA: the index of its owner by this scheme. */
export function areaKeys(snapshot: Snapshot, scheme: MappedScheme): Uint32Array {
  const { areas, processes } = snapshot.facts;
  if (isGrouping(scheme)) {
    const { of } = groupProcesses(processes, scheme);
    return Uint32Array.from(areas, (area) => of[area.process]!);
  }
  return Uint32Array.from(areas, (area) =>
    scheme === 'process' ? area.process : scheme === 'unit' ? area.unit : area.region);
}

/** One pass over the runs and one over the frames. The large array `of` can be reused. */
export function findOwners(snapshot: Snapshot, scheme: MappedScheme, of: Uint32Array): Owners {
  const keys = areaKeys(snapshot, scheme);
  of.fill(NO_OWNER);
  const { area, frame, pages, mappings } = snapshot;
  for (let run = 0; run < frame.length; run++) {
    const key = 1 + (scheme === 'sharing' ? sharingKey(mappings[run]!) : keys[area[run]!]!);
    const end = Math.min(of.length, frame[run]! + pages[run]!);
    for (let f = frame[run]!; f < end; f++) {
      const now = of[f]!;
      if (now === NO_OWNER) of[f] = key;
      else if (now !== key) of[f] = SEVERAL;
    }
  }
  const owners: Owners = {
    scheme,
    names: names(snapshot, scheme),
    of,
    frames: new Float64Array(0),
    several: 0,
  };
  owners.frames = new Float64Array(owners.names.length);
  for (let f = 0; f < of.length; f++) {
    const owner = of[f]!;
    if (owner === SEVERAL) owners.several++;
    else if (owner !== NO_OWNER) owners.frames[owner - 1]!++;
  }
  return owners;
}

export interface Mapping {
  run: number;
  area: number;
  /** Page number in the VMA. */
  page: number;
  mappings: number;
}

const BUCKET = 256;

/**
 * Finds the runs that contain a frame. Runs are sorted by first frame, but a long run may begin far
 * before. Each bucket stores the end of all runs up to it.
 */
export class FrameIndex {
  private readonly reach: Uint32Array;

  constructor(private readonly snapshot: Snapshot) {
    const { frame, pages } = snapshot;
    this.reach = new Uint32Array(Math.ceil(frame.length / BUCKET));
    let furthest = 0;
    for (let run = 0; run < frame.length; run++) {
      furthest = Math.max(furthest, frame[run]! + pages[run]!);
      this.reach[Math.floor(run / BUCKET)] = furthest;
    }
  }

  /** The first run that begins after the frame. */
  private above(frame: number): number {
    let low = 0;
    let high = this.snapshot.frame.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.snapshot.frame[middle]! <= frame) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  find(frame: number): Mapping[] {
    const { frame: first, pages, area, virtualPage, mappings } = this.snapshot;
    const found: Mapping[] = [];
    for (let run = this.above(frame) - 1; run >= 0; run--) {
      if (this.reach[Math.floor(run / BUCKET)]! <= frame) break;
      if (first[run]! + pages[run]! > frame)
        found.push({
          run,
          area: area[run]!,
          page: virtualPage[run]! + frame - first[run]!,
          mappings: mappings[run]!,
        });
    }
    return found.reverse();
  }
}

/** Frames that a process of the snapshot maps, each once. */
export function mappedFrames({ facts, frame, pages }: Snapshot): FrameSpans {
  const framesEnd = parseInt(facts.frames_end, 16);
  const spans = new FrameSpans();
  for (let run = 0; run < frame.length; run++)
    spans.add(frame[run]!, Math.min(framesEnd, frame[run]! + pages[run]!));
  return spans;
}
