// SPDX-License-Identifier: MIT
// Snapshots embedded in the page: message 4 of each, compressed with gzip, in base64.

import type { SeriesFacts } from '../protocol/snapshot.ts';
import type { Moments } from './moments.ts';

function bytesOf(id: string): Uint8Array<ArrayBuffer> | null {
  const text = document.getElementById(id)?.textContent;
  if (text === undefined || text === null) return null;
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

async function snapshotOf(id: string): Promise<ArrayBuffer | null> {
  const packed = bytesOf(id);
  if (!packed) return null;
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(unpacked).arrayBuffer();
}

export const embeddedSnapshot = (): Promise<ArrayBuffer | null> => snapshotOf('snapshot');

export function embeddedMoments(): Moments {
  const bytes = bytesOf('series');
  const facts: SeriesFacts = bytes ? JSON.parse(new TextDecoder().decode(bytes))
                                   : { times_ms: [], notes: [] };
  return {
    facts,
    fetch: async (number) => {
      const found = await snapshotOf(number === 0 ? 'snapshot' : `snapshot-${number}`);
      if (!found) throw new Error(`the file has no snapshot ${number + 1}`);
      return found;
    },
  };
}
