// SPDX-License-Identifier: MIT
// What changed between two snapshots, as lists with sortable columns.

import { count } from '../format.ts';
import type { ChangeList, ChangeRow, Changes, Snapshot } from '../protocol/snapshot.ts';
import type { Focus } from './focus.ts';
import type { Column } from './owner_lists.ts';

export interface ChangeTable {
  id: string;
  /** Its name in the menu of lists. */
  label: string;
  list: ChangeList;
  /** The first is the name, which is searched together with the second. */
  columns: Column[];
  rows: number;
  /** Null: not in the shown snapshot. */
  focus(snapshot: Snapshot, row: ChangeRow): Focus | null;
}

/** "+5", "−3", "0". */
export function signed(change: number): string {
  if (change === 0) return '0';
  return `${change > 0 ? '+' : '\u2212'}${count(Math.abs(change))}`;
}

/** Only processes have a state of their own. */
function stateOf({ state, before, after }: ChangeRow): string {
  if (state !== undefined) return state;
  return before === 0 ? 'new' : after === 0 ? 'gone' : 'stayed';
}

const found = (scheme: 'process' | 'unit', index: number): Focus | null =>
  index < 0 ? null : { scheme, index };

const processOf = (snapshot: Snapshot, row: ChangeRow) => found(
  'process', snapshot.facts.processes.findIndex(
    ({ tgid, comm }) => tgid === row.pid && comm === row.name
  )
);

const mappedFileOf = (snapshot: Snapshot, row: ChangeRow) =>
  found('unit', snapshot.facts.units.indexOf(row.name));

function columnsOf(rows: ChangeRow[], title: string, second: Column): Column[] {
  const pages = (name: string, value: (row: ChangeRow) => number): Column =>
    ({ title: name, kind: 'pages', value: (row) => value(rows[row]!) });
  const change = (row: number) => rows[row]!.after - rows[row]!.before;
  return [
    { title, kind: 'text', value: (row) => rows[row]!.name },
    second,
    pages('Before', (row) => row.before),
    pages('After', (row) => row.after),
    {
      title: 'Change', kind: 'number', value: (row) => Math.abs(change(row)),
      text: (row) => signed(change(row)),
    },
    pages('Came', (row) => row.came),
    pages('Went', (row) => row.went),
  ];
}

function table(
  id: string, label: string, title: string, list: ChangeList,
  focus: ChangeTable['focus'] = () => null
): ChangeTable {
  const { rows } = list;
  const state = (row: number) => stateOf(rows[row]!);
  const pid: Column = { title: 'PID', kind: 'number', value: (row) => rows[row]!.pid ?? 0 };
  const second: Column = id === 'process' ? pid : { title: 'State', kind: 'text', value: state };
  return { id, label, list, columns: columnsOf(rows, title, second), rows: rows.length, focus };
}

export function changeTables(changes: Changes): ChangeTable[] {
  const { processes, units, classes, files } = changes;
  return [
    table('process', 'Processes', 'Process', processes, processOf),
    table('unit', 'Mapped files', 'Mapped file', units, mappedFileOf),
    ...(classes ? [table('class', 'Classes of RAM', 'Class', classes)] : []),
    ...(files ? [table('file', 'Files in the page cache', 'File', files)] : []),
  ];
}
