// SPDX-License-Identifier: MIT
// Entry point: shows an embedded snapshot if present, otherwise connects to the server.

import { showFailure, started } from './start_errors.ts';
import './language.ts';
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

function fail(error: unknown): void {
  showFailure('The page cannot be shown', error instanceof Error ? error.message : String(error));
  console.error(error);
}

/** A served snapshot comes when the page has started. */
function showSnapshot(bytes: ArrayBuffer, moments: Moments): void {
  try {
    const snapshot = decodeSnapshot(bytes);
    if (typeof snapshot === 'string') showFailure('This snapshot cannot be shown', snapshot);
    else startSnapshot(newApp(), snapshot, moments);
  } catch (error) {
    fail(error);
  }
}

async function start(): Promise<void> {
  const bytes = await embeddedSnapshot();
  if (bytes) showSnapshot(bytes, embeddedMoments());
  else startLive(newApp(), showSnapshot);
}

start().catch(fail).finally(started);
