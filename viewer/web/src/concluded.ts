// SPDX-License-Identifier: MIT
// Where the kernel did not tell whose page was swapped out, and it is said of the process that its frame was last seen with:
// evidence, no proof. All views mark it alike.

import { count } from './format.ts';
import type { PagingEvent } from './protocol/messages.ts';

export const WHY_CONCLUDED =
  'the kernel did not tell whose page it was: its frame was last seen with this process';

export function isConcluded(event: PagingEvent): boolean {
  return event.flags?.includes('kept') ?? false;
}

export function marked(text: string, concluded: boolean | number | undefined): string {
  return (concluded ? '?' : '') + text;
}

/** Of a number of swap-outs; undefined: the kernel told the process of each. */
export function howManyConcluded(concluded: number | undefined): string | undefined {
  if (!concluded) return undefined;
  return `of ${count(concluded)} of these the kernel did not tell whose pages they were: ` +
    'their frames were last seen with this process';
}
