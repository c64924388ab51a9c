// SPDX-License-Identifier: MIT
// Groups processes by command, user or cgroup, when there are too many for colours or
// comparison.

import { CATEGORY_COLOURS } from '../grid/colours.ts';
import type { SnapshotProcess } from '../protocol/snapshot.ts';

export type Grouping = 'name' | 'user' | 'cgroup';
export const GROUPINGS: [Grouping, string][] = [
  ['name', 'Command'], ['user', 'User'], ['cgroup', 'Cgroup'],
];

/** Up to this number of processes, each has its own colour. With more, groups are offered. */
export const FEW_PROCESSES = CATEGORY_COLOURS.length;

export interface ProcessGroups {
  names: string[];
  /** The index of the group name, by process. */
  of: Uint32Array;
}

function userName(uid: number | undefined): string {
  if (uid === undefined) return 'user not recorded';
  return uid === 0 ? 'root (0)' : `user ${uid}`;
}

export function groupName(process: SnapshotProcess, by: Grouping): string {
  if (by === 'name') return process.comm;
  return by === 'user' ? userName(process.uid) : (process.cgroup ?? 'cgroup not recorded');
}

export function groupProcesses(processes: SnapshotProcess[], by: Grouping): ProcessGroups {
  const index = new Map<string, number>();
  const of = Uint32Array.from(processes, (process) => {
    const name = groupName(process, by);
    const found = index.get(name) ?? index.size;
    index.set(name, found);
    return found;
  });
  return { names: [...index.keys()], of };
}

export const isGrouping = (scheme: string): scheme is Grouping =>
  GROUPINGS.some(([id]) => id === scheme);
