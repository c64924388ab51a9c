// SPDX-License-Identifier: MIT
// Rows of the process table: one per process, or one per name with its processes below when it is
// open.

import type { ProcessRow } from '../protocol/messages.ts';

/** With more processes than this, grouping by name is offered. */
export const FEW_PROCESSES = 12;

export interface TableRow extends ProcessRow {
  /** Unique key of the row, also for groups. */
  key: string;
  /** Number of processes in a group. */
  members?: number;
  /** The row is a process below its group. */
  isMember?: boolean;
}

export type Order = (a: TableRow, b: TableRow) => number;

export const singleRow = (row: ProcessRow, isMember = false): TableRow =>
  ({ ...row, key: String(row.tgid), isMember });

/** Sums over the group's processes. Address and time are those of the latest event. */
function groupRow(name: string, members: ProcessRow[]): TableRow {
  const total = (of: (row: ProcessRow) => number) => members.reduce((sum, row) => sum + of(row), 0);
  const latest = members.reduce((best, row) => ((row.t ?? -1) > (best.t ?? -1) ? row : best));
  return {
    ...latest, key: `name ${name}`, members: members.length,
    ins: total((row) => row.ins), outs: total((row) => row.outs),
    in_rate: total((row) => row.in_rate), out_rate: total((row) => row.out_rate),
    inferred: total((row) => row.inferred ?? 0),
  };
}

/** A name with only one process becomes that process. */
export function groupedRows(
  rows: ProcessRow[], order: Order, open: ReadonlySet<string>,
): TableRow[] {
  const byName = new Map<string, ProcessRow[]>();
  for (const row of rows) {
    const name = row.tgid === 0 ? '' : (row.comm ?? '');
    byName.set(name, [...(byName.get(name) ?? []), row]);
  }
  const groups = [...byName].map(([name, members]) =>
    members.length === 1 ? singleRow(members[0]!) : groupRow(name, members));
  return groups.sort(order).flatMap((group) => {
    if (!group.members || !open.has(group.key)) return [group];
    const members = byName.get(group.comm ?? '')!;
    return [group, ...members.map((row) => singleRow(row, true)).sort(order)];
  });
}
