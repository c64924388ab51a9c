// SPDX-License-Identifier: MIT
// Which owners and processes have frames of a class.

import type { Snapshot } from '../protocol/snapshot.ts';
import type { Focus } from './focus.ts';
import type { RamIndex } from './ram.ts';

/** Whether what is in focus has frames of the class. Not for groups, mapped files and zones. */
export function framesOfClass(
  snapshot: Snapshot, ram: RamIndex, number: number
): (focus: Focus) => boolean {
  const owners = ownersOf(ram, number);
  const processes = processesOf(snapshot, ram, number);
  return ({ scheme, index }) => {
    if (scheme === 'owner') return owners.has(index);
    return scheme === 'process' ? processes.has(index) : true;
  };
}

function ownersOf(ram: RamIndex, number: number): Set<number> {
  const owners = new Set<number>();
  for (let run = 0; run < ram.runs; run++)
    if (ram.classOf(run) === number) owners.add(ram.ram.owner[run]!);
  return owners;
}

/** Processes that map a frame of the class. */
function processesOf({ facts, area, frame, pages }: Snapshot, ram: RamIndex, number: number) {
  const processes = new Set<number>();
  for (let i = 0; i < frame.length; i++) {
    const { process } = facts.areas[area[i]!]!;
    if (processes.has(process)) continue;
    if (hasClass(ram, frame[i]!, frame[i]! + pages[i]!, number)) processes.add(process);
  }
  return processes;
}

function hasClass(ram: RamIndex, first: number, end: number, number: number): boolean {
  const begin = ram.runAt(first);
  for (let run = begin; run >= 0 && run < ram.runs && ram.first[run]! < end; run++)
    if (ram.classOf(run) === number) return true;
  return false;
}
