// SPDX-License-Identifier: MIT
// The flags of an event, as the server sends them: the words of formats/emit/trace.h, in its order.

export const FLAG_WORDS = [
  'io', 'readahead', 'hit', 'zswap', 'zram', 'major', 'retry', 'zero', 'nofault', 'shared',
  'mapped', 'kept', 'failed',
] as const;

export type Flag = (typeof FLAG_WORDS)[number];
