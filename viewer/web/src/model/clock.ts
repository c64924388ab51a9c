// SPDX-License-Identifier: MIT
// What time it is in the trace. The server says it ten times a second; between, the page's own clock goes on, so that cells fade on time.

/** Without word from the server for so long the clock stands: nothing is known of what happened since. */
const TRUST_MS = 1500;

export class TraceClock {
  private t = 0;
  private at = 0;
  private speed = 1;
  private running = false;
  private trusted = TRUST_MS;

  /** t ms since the trace began, at `at` ms of performance.now(). A trace that has ended is trusted to have no more events. */
  set(t: number, at: number, speed: number, running: boolean, ended: boolean): void {
    // The same t again (a trace that ended, a pause of the source) does not set back what has gone on since.
    if (ended && this.trusted === Infinity && t === this.t) return;
    this.t = t;
    this.at = at;
    this.speed = speed;
    this.running = running;
    this.trusted = ended ? Infinity : TRUST_MS;
  }

  now(at: number): number {
    if (!this.running) return this.t;
    return this.t + Math.min(Math.max(at - this.at, 0), this.trusted) * this.speed;
  }
}
