// SPDX-License-Identifier: MIT
// What is shown, in the part of the address after '#': a reload, a bookmark or a sent address of a
// snapshot file shows the same colouring, highlighted owner, frame, list and moment.

import { focusName, isFocusScheme, sameOwner } from './focus.ts';
import type { Film } from './film.ts';
import type { OwnersView } from './owners_view.ts';
import { schemesOf, type Scheme } from './schemes.ts';
import type { SnapshotModel } from './snapshot_model.ts';

/** "by=class&owner=process:bash 4711&frame=1a2b3&list=process&at=12" */
function addressOf(model: SnapshotModel, owners: OwnersView, film: Film | null): string {
  const parts = new URLSearchParams({ by: model.scheme });
  const { focus } = model;
  if (focus && focus.ofClass === undefined && !focus.isUnmapped)
    parts.set('owner', `${focus.scheme}:${focusName(model.snapshot, model.ram, focus)}`);
  if (model.frame !== null) parts.set('frame', model.frame.toString(16));
  parts.set('list', owners.shownList);
  if (film) parts.set('at', String(film.number));
  return parts.toString();
}

function setOwner(model: SnapshotModel, text: string): void {
  const colon = text.indexOf(':');
  const scheme = text.slice(0, Math.max(0, colon));
  if (!isFocusScheme(scheme)) return;
  const focus =
    sameOwner({ scheme, index: 0 }, text.slice(colon + 1), model.snapshot, model.ram);
  if (focus) model.setFocus(focus, true);
}

function setFrame(model: SnapshotModel, text: string): void {
  const frame = parseInt(text, 16);
  if (!(frame < model.framesEnd)) return;
  model.lookAt(frame);
  model.select(frame);
}

/** After the moment is shown. What this snapshot does not have is left out. */
function show(model: SnapshotModel, owners: OwnersView, parts: URLSearchParams): void {
  const by = schemesOf(model.snapshot).find(([id]) => id === parts.get('by'))?.[0];
  if (by && by !== model.scheme) model.setScheme(by as Scheme);
  owners.showList(parts.get('list') ?? '');
  setOwner(model, parts.get('owner') ?? '');
  setFrame(model, parts.get('frame') ?? '');
}

/** Shows what the address says, then keeps the address as what is shown. */
export async function followAddress(
  model: SnapshotModel, owners: OwnersView, film: Film | null
): Promise<void> {
  const parts = new URLSearchParams(window.location.hash.slice(1));
  const moment = Number(parts.get('at') ?? 0);
  if (film && moment > 0) await film.show(moment);
  show(model, owners, parts);
  const keep = () =>
    window.history.replaceState(null, '', `#${addressOf(model, owners, film)}`);
  for (const signal of [model.onScheme, model.onFocus, model.onSelection, owners.onList])
    signal.on(keep);
  film?.changed.on(keep);
}
