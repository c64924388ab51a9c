// SPDX-License-Identifier: MIT
// The lists of a snapshot: processes, mapped files, and, of the whole of RAM, cached files, slab
// caches, classes and others. Cells are computed for the shown rows only, because there may be
// 170,000 files.

import { count, share } from '../format.ts';
import type { OwnerKind } from '../protocol/snapshot.ts';
import type { Focus, FocusScheme } from './focus.ts';
import { FEW_PROCESSES, GROUPINGS, groupProcesses, type Grouping } from './process_groups.ts';
import type { Counts, RamIndex } from './ram.ts';
import type { SnapshotModel } from './snapshot_model.ts';

export interface Column {
  title: string;
  /** Pages are shown with their size. */
  kind: 'text' | 'number' | 'pages';
  /** What rows are sorted by. */
  value(row: number): string | number;
  /** If the text differs from the value. */
  text?(row: number): string;
}

/** Pages that are not known: shown as a dash, and less than none in the order. */
export const UNKNOWN = -1;

export interface OwnerList {
  id: string;
  /** Its name in the menu of lists. */
  label: string;
  rows: number;
  /** The first is the name, which is searched together with the second. */
  columns: Column[];
  /** Names are long: sizes are below the numbers. */
  tight?: boolean;
  focus(row: number): Focus;
}

const text = (title: string, value: (row: number) => string): Column =>
  ({ title, kind: 'text', value });
const number = (title: string, value: (row: number) => number): Column =>
  ({ title, kind: 'number', value, text: (row) => count(value(row)) });
const pages = (title: string, value: (row: number) => number): Column =>
  ({ title, kind: 'pages', value });

/** All lists of a snapshot. */
export function ownerLists(model: SnapshotModel): OwnerList[] {
  const isMany = model.snapshot.facts.processes.length > FEW_PROCESSES;
  const groups = isMany ? GROUPINGS.map(([by, title]) => groupList(model, by, title)) : [];
  const mapped = [processList(model), mappedFileList(model), ...groups];
  if (!model.ram) return [...mapped, everything(mapped)];
  const used = ramLists(model, model.ram).filter((list) => list.rows > 0);
  return [everything([...used, ...mapped]), ...mapped, ...used];
}

function processList(model: SnapshotModel): OwnerList {
  const { processes } = model.snapshot.facts;
  return {
    id: 'process', label: 'Processes', rows: processes.length,
    columns: [
      text('Process', (row) => processes[row]!.comm),
      { title: 'PID', kind: 'number', value: (row) => processes[row]!.tgid },
      pages('Resident', (row) => processes[row]!.resident),
      pages('Unique', (row) => processes[row]!.unique ?? UNKNOWN),
      pages('Swapped', (row) => processes[row]!.swapped),
    ],
    focus: (index) => ({ scheme: 'process', index }),
  };
}

/** Mapped pages and mapping processes per file, counted once when the list is made. */
function mappedFileList(model: SnapshotModel): OwnerList {
  const { snapshot } = model;
  const { areas, units } = snapshot.facts;
  const resident = new Float64Array(units.length);
  const mapped = new Float64Array(areas.length);
  for (let run = 0; run < snapshot.frame.length; run++)
    mapped[snapshot.area[run]!]! += snapshot.pages[run]!;
  const users = units.map(() => new Set<number>());
  areas.forEach((area, i) => {
    resident[area.unit]! += mapped[i]!;
    users[area.unit]?.add(area.process);
  });
  return {
    id: 'unit', label: 'Mapped files', rows: units.length,
    columns: [
      text('Mapped file', (row) => units[row]!), number('Processes', (row) => users[row]!.size),
      pages('Resident', (row) => resident[row]!),
    ],
    focus: (index) => ({ scheme: 'unit', index }),
  };
}

/** Sums over the processes of a group, of what is known. A page of several counts in each. */
function groupList(model: SnapshotModel, by: Grouping, title: string): OwnerList {
  const { processes } = model.snapshot.facts;
  const { names, of } = groupProcesses(processes, by);
  const sums = names.map(() => [0, 0, 0, 0]);
  processes.forEach(({ resident, unique = 0, swapped }, i) => {
    const sum = sums[of[i]!]!;
    [1, resident, unique, swapped].forEach((value, column) => (sum[column]! += value));
  });
  const sum = (column: number) => (row: number) => sums[row]![column]!;
  return {
    id: by, label: `By ${title.toLowerCase()}`, rows: names.length,
    columns: [
      text(title, (row) => names[row]!), number('Processes', sum(0)), pages('Resident', sum(1)),
      pages('Unique', sum(2)), pages('Swapped', sum(3)),
    ],
    focus: (index) => ({ scheme: by, index }),
  };
}

function ramLists(model: SnapshotModel, ram: RamIndex): OwnerList[] {
  return [
    classList(ram), fileList(ram, model.pageSize), slabList(ram), kernelList(ram), payerList(ram),
    zoneList(ram),
  ];
}

function classList(ram: RamIndex): OwnerList {
  const numbers = ram.classes.order.filter(
    (number) => ram.classes.isRam(number) && ram.ofClass[number]! > 0
  );
  const frames = (row: number) => ram.ofClass[numbers[row]!]!;
  return {
    id: 'class', label: 'Classes', rows: numbers.length,
    columns: [
      text('Class', (row) => ram.classes.name(numbers[row]!)),
      {
        title: 'Share', kind: 'number', value: frames,
        text: (row) => share(frames(row), ram.ram.facts.frames),
      },
      pages('Frames', frames),
    ],
    focus: (row) => ({ scheme: 'class', index: numbers[row]! }),
  };
}

/** Owners of one kind: their name, a column of the kind, and their frames. */
function ofKind(
  ram: RamIndex, kind: OwnerKind, title: string, label: string,
  special: (index: number, owner: number) => Column,
): OwnerList {
  const { first, count: rows } = ram.owners.range(kind);
  const { frames } = ram.ofOwner;
  return {
    id: kind, label, rows,
    columns: [
      text(title, (row) => ram.owners.title(first + row)), special(first, rows),
      pages('Frames', (row) => frames[first + row]!),
    ],
    focus: (row) => ({ scheme: 'owner', index: first + row }),
  };
}

function fileList(ram: RamIndex, pageSize: number): OwnerList {
  const list = ofKind(ram, 'file', 'File', 'Files', (first) => {
    const sizes = ram.owners.find(first)?.group.bytes ?? [];
    const value = (row: number) =>
      ram.ofOwner.frames[first + row]! / Math.max(1, Math.ceil(sizes[row]! / pageSize));
    return {
      title: 'Cached', kind: 'number', value, text: (row) => share(Math.min(1, value(row)), 1),
    };
  });
  list.tight = true;
  const { first } = ram.owners.range('file');
  const of = (counts: Counts['frames']) => (row: number) => counts[first + row]!;
  list.columns.push(
    pages('Mapped', of(ram.ofOwner.mapped)), pages('Dirty', of(ram.ofOwner.dirty))
  );
  return list;
}

function slabList(ram: RamIndex): OwnerList {
  return ofKind(ram, 'slab', 'Slab cache', 'Slab caches', (first) => {
    const sizes = ram.owners.find(first)?.group.object_bytes ?? [];
    return { ...number('Object', (row) => sizes[row] ?? 0), text: (row) => `${sizes[row]}\u2009B` };
  });
}

const KIND_NAMES: Record<OwnerKind, string> = {
  file: 'file', slab: 'slab cache', cgroup: 'cgroup', task: 'kernel stack',
  code: 'allocated by', other: 'other',
};

/** Stacks of tasks, memory by the function that allocated it, and owners of unknown kinds. */
function kernelList(ram: RamIndex): OwnerList {
  const owners: number[] = [];
  for (const kind of ['task', 'code', 'other'] as const) {
    const { first, count: n } = ram.owners.range(kind);
    for (let i = 0; i < n; i++) owners.push(first + i);
  }
  return {
    id: 'kernel', label: 'Tasks and code', rows: owners.length,
    columns: [
      text('Owner', (row) => ram.owners.title(owners[row]!)),
      text('Kind', (row) => KIND_NAMES[ram.owners.kind(owners[row]!) ?? 'other']),
      pages('Frames', (row) => ram.ofOwner.frames[owners[row]!]!),
    ],
    focus: (row) => ({ scheme: 'owner', index: owners[row]! }),
  };
}

function payerList(ram: RamIndex): OwnerList {
  const { frames, mapped } = ram.ofPayer;
  return {
    id: 'payer', label: 'Paying cgroups', rows: frames.length - 1,
    columns: [
      text('Cgroup', (row) => ram.payerTitle(row + 1)),
      {
        title: 'Share', kind: 'number', value: (row) => frames[row + 1]!,
        text: (row) => share(frames[row + 1]!, ram.ram.facts.frames),
      },
      pages('Pays for', (row) => frames[row + 1]!), pages('Mapped', (row) => mapped[row + 1]!),
    ],
    focus: (row) => ({ scheme: 'payer', index: row + 1 }),
  };
}

function zoneList(ram: RamIndex): OwnerList {
  const { zones } = ram.ram.facts;
  const tier: Column = {
    title: 'Tier', kind: 'number', value: (row) => zones[row]!.tier ?? -1,
    text: (row) => String(zones[row]!.tier ?? ''),
  };
  return {
    id: 'zone', label: 'Zones', rows: zones.length,
    columns: [
      text('Zone', (row) => zones[row]!.name), number('Node', (row) => zones[row]!.node),
      pages('Present', (row) => zones[row]!.present),
      pages('Managed', (row) => zones[row]!.managed),
      pages('Free', (row) => zones[row]!.free),
      ...(ram.tiers.length > 0 ? [tier] : []),
    ],
    focus: (index) => ({ scheme: 'zone', index }),
  };
}

const SCHEME_NAMES: Partial<Record<FocusScheme, string>> = {
  class: 'class', process: 'process', unit: 'mapped file', name: 'processes of a name',
  user: 'user', cgroup: 'cgroup', payer: 'paying cgroup', zone: 'zone',
};

/** The rows of all lists, with the kind of each. */
function everything(lists: OwnerList[]): OwnerList {
  const ends: number[] = [];
  for (const list of lists) ends.push((ends.at(-1) ?? 0) + list.rows);
  const find = (row: number): [OwnerList, number] => {
    const at = ends.findIndex((end) => row < end);
    return [lists[at]!, row - (ends[at - 1] ?? 0)];
  };
  const kind = (row: number) => {
    const [list, at] = find(row);
    const named = SCHEME_NAMES[list.focus(at).scheme];
    if (named) return named;
    return list.id === 'kernel' ? String(list.columns[1]!.value(at))
                                : KIND_NAMES[list.id as OwnerKind];
  };
  return {
    id: 'everything', label: 'Everything', rows: ends.at(-1) ?? 0,
    columns: [
      text('Name', (row) => {
        const [list, at] = find(row);
        const name = String(list.columns[0]!.value(at));
        return list.id === 'process' ? `${name} ${list.columns[1]!.value(at)}` : name;
      }),
      text('Kind', kind),
      pages('Frames', (row) => {
        const [list, at] = find(row);
        return Number(list.columns[2]!.value(at));
      }),
    ],
    focus: (row) => {
      const [list, at] = find(row);
      return list.focus(at);
    },
  };
}
