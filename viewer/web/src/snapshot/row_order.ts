// SPDX-License-Identifier: MIT
// Rows of a list, sorted and searched. The sorted order is kept, so a search only filters it.

import type { OwnerList } from './owner_lists.ts';

export class RowOrder {
  private sorted: Uint32Array | null = null;
  private searched: string[] | null = null;
  private found: { text: string; rows: Uint32Array } | null = null;

  constructor(
    readonly list: OwnerList,
    readonly sortBy: number,
    readonly descending: boolean,
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
      this.found = { text, rows: this.sorted.filter((row) => texts[row]!.includes(text)) };
    }
    return this.found.rows;
  }

  private sort(): Uint32Array {
    const { value } = this.list.columns[this.sortBy]!;
    const values = Array.from({ length: this.list.rows }, (_, row) => value(row));
    const sign = this.descending ? -1 : 1;
    const rows = Uint32Array.from(values.keys());
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
