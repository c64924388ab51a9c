// SPDX-License-Identifier: MIT
// Entry point: shows an embedded snapshot if present, otherwise connects to the server.

import { el } from './dom.ts';
import { startLive } from './live.ts';
import { Settings } from './model/settings.ts';
import { decodeSnapshot } from './protocol/snapshot.ts';
import { Commands } from './shell/commands.ts';
import { Look } from './shell/look.ts';
import type { App } from './shell/view.ts';
import { embeddedMoments, embeddedSnapshot } from './snapshot/embedded.ts';
import type { Moments } from './snapshot/moments.ts';
import { startSnapshot } from './snapshot/snapshot_page.ts';

function newApp(): App {
  const settings = new Settings();
  return { settings, look: new Look(settings), commands: new Commands() };
}

function fail(reason: string): void {
  document.body.replaceChildren(el(
    'div', { class: 'cover' },
    el(
      'div', { class: 'cover-box', role: 'alert' }, el('h2', {}, 'This snapshot cannot be shown'),
      el('p', {}, reason)
    )
  ));
}

function showSnapshot(bytes: ArrayBuffer, moments: Moments): void {
  const snapshot = decodeSnapshot(bytes);
  if (typeof snapshot === 'string') fail(snapshot);
  else startSnapshot(newApp(), snapshot, moments);
}

async function start(): Promise<void> {
  const bytes = await embeddedSnapshot();
  if (bytes) showSnapshot(bytes, embeddedMoments());
  else startLive(newApp(), showSnapshot);
}

start().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
