// SPDX-License-Identifier: MIT
// Inferred owners: the kernel did not report the owner of a swap-out, so the last owner of its
// frame is shown. This is evidence, not proof. All views mark it in the same way.

import { count } from './format.ts';
import type { PagingEvent } from './protocol/messages.ts';

export const WHY_INFERRED =
  'the kernel did not report the owner: it is inferred from the last owner of the frame';

export function isInferred(event: PagingEvent): boolean {
  return event.flags?.includes('kept') ?? false;
}

export function marked(text: string, inferred: boolean | number | undefined): string {
  return (inferred ? '?' : '') + text;
}

/** Describes a number of swap-outs; undefined if the kernel reported the process of each. */
export function howManyInferred(inferred: number | undefined): string | undefined {
  if (!inferred) return undefined;
  return `for ${count(inferred)} of these the kernel did not report the owner: ` +
    'it is inferred from the last owner of their frames';
}
