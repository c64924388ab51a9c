// SPDX-License-Identifier: MIT
// Where the snapshots of a series come from: the server, or elements of the page.

import type { SeriesFacts } from '../protocol/snapshot.ts';

export interface Moments {
  readonly facts: SeriesFacts;
  fetch(number: number): Promise<ArrayBuffer>;
}

/** Message 4 has its number in bytes 2 and 3. */
const numberOf = (message: ArrayBuffer) => new DataView(message).getUint16(2, true);

/** Requests one snapshot at a time. */
export class ServedMoments implements Moments {
  private waiting: { number: number; done: (message: ArrayBuffer) => void } | null = null;

  constructor(readonly facts: SeriesFacts, private readonly send: (message: object) => void) {}

  fetch(number: number): Promise<ArrayBuffer> {
    return new Promise((done) => {
      this.waiting = { number, done };
      this.ask();
    });
  }

  /** Also called after the connection was lost. */
  ask(): void {
    if (this.waiting) this.send({ want: 'moment', number: this.waiting.number });
  }

  came(message: ArrayBuffer): void {
    const { waiting } = this;
    if (!waiting || message.byteLength < 4 || numberOf(message) !== waiting.number) return;
    this.waiting = null;
    waiting.done(message);
  }
}
