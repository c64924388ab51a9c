// SPDX-License-Identifier: MIT
// Which events are swap-ins and swap-outs: the page moved between memory and the device or the
// compressed pool, or it was a zero page.

import type { Flag } from './protocol/flags.ts';
import type { PagingEvent } from './protocol/messages.ts';

const OF_MOVES: Flag[] = ['io', 'zswap', 'zero'];
/** The name of a fault that moved no page. */
const OTHERWISE: Flag[] = ['hit', 'retry', 'failed'];

export function isMove(event: PagingEvent): boolean {
  return event.flags?.some((flag) => OF_MOVES.includes(flag)) ?? false;
}

export function kindWord(event: PagingEvent): string {
  if (isMove(event)) return event.kind === 'in' ? 'IN' : 'OUT';
  return OTHERWISE.find((word) => event.flags?.includes(word)) ?? 'none';
}
