// SPDX-License-Identifier: MIT
// Rows of a list, sorted and searched. The sorted order is kept, so a search only filters it, and
// puts exact names first.

import type { OwnerList } from './owner_lists.ts';

/** After the names of some owners; the ids of processes. */
const STATE = / \((deleted|dying)\)$/;
const PID = / \d+$/;

export class RowOrder {
  private sorted: Uint32Array | null = null;
  private searched: string[] | null = null;
  private found: { text: string; rows: Uint32Array } | null = null;

  constructor(
    readonly list: OwnerList,
    readonly sortBy: number,
    readonly descending: boolean,
    /** The rows of the list that are shown. */
    private readonly isShown: (row: number) => boolean,
    before?: RowOrder,
  ) {
    if (before?.list === list) this.searched = before.searched;
  }

  rows(search: string): Uint32Array {
    this.sorted ??= this.sort();
    const text = search.trim().toLowerCase();
    if (text === '') return this.sorted;
    if (this.found?.text !== text) {
      const texts = (this.searched ??= this.texts());
      const found = this.sorted.filter((row) => texts[row]!.includes(text));
      this.found = { text, rows: this.exactFirst(found, text) };
    }
    return this.found.rows;
  }

  /** Whether the text is the whole name of the row, its process id, or the end of its path. */
  isExact(row: number, search: string): boolean {
    const text = search.trim().toLowerCase();
    const name = String(this.list.columns[0]!.value(row)).toLowerCase();
    const plain = name.replace(STATE, '');
    const pid = PID.exec(name)?.[0].trim();
    return [name, plain, name.replace(PID, ''), pid].includes(text) || plain.endsWith(`/${text}`);
  }

  private exactFirst(rows: Uint32Array, text: string): Uint32Array {
    const exact = rows.filter((row) => this.isExact(row, text));
    if (exact.length === 0) return rows;
    const others = rows.filter((row) => !this.isExact(row, text));
    rows.set(exact);
    rows.set(others, exact.length);
    return rows;
  }

  private sort(): Uint32Array {
    const { value } = this.list.columns[this.sortBy]!;
    const values = Array.from({ length: this.list.rows }, (_, row) => value(row));
    const sign = this.descending ? -1 : 1;
    const rows = Uint32Array.from(values.keys()).filter(this.isShown);
    return rows.sort((a, b) => {
      const [x, y] = [values[a]!, values[b]!];
      return x === y ? a - b : x < y ? -sign : sign;
    });
  }

  private texts(): string[] {
    const [name, second] = this.list.columns;
    return Array.from(
      { length: this.list.rows },
      (_, row) => `${name!.value(row)} ${second!.value(row)}`.toLowerCase()
    );
  }
}
