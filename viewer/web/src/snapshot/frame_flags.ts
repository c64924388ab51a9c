// SPDX-License-Identifier: MIT
// The flags of frames in words: formats/emit/flags.h.

/** By bit. Flags that only repeat the class have no word. */
export const FLAG_WORDS: [bit: number, name: string, words: string][] = [
  [1, 'ERROR', 'I/O error'],
  [2, 'REFERENCED', 'referenced'],
  [3, 'UPTODATE', 'up to date'],
  [4, 'DIRTY', 'dirty'],
  [6, 'ACTIVE', 'active'],
  [5, 'LRU', 'on an LRU list'],
  [8, 'WRITEBACK', 'being written back'],
  [13, 'SWAPCACHE', 'in the swap cache'],
  [14, 'SWAPBACKED', 'backed by swap'],
  [18, 'UNEVICTABLE', 'unevictable (mlocked or pinned)'],
  [19, 'HWPOISON', 'broken'],
  [21, 'KSM', 'merged by KSM'],
  [22, 'THP', 'part of a transparent huge page'],
];

export function flagWords(flags: number): string {
  const words = FLAG_WORDS.filter(([bit]) => (flags & (1 << bit)) !== 0);
  return words.map(([, , text]) => text).join(', ') || 'none';
}
