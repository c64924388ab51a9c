// SPDX-License-Identifier: MIT
// The current time of the trace. The server sends it ten times per second. In between, the page's
// own clock continues, so that cells fade on time.

/**
 * After this time without a message from the server the clock stops, because the state is unknown.
 */
const TRUST_MS = 1500;

export class TraceClock {
  private t = 0;
  private at = 0;
  private speed = 1;
  private running = false;
  private trusted = TRUST_MS;

  /**
   * Sets the clock to t (ms since the beginning of the trace) at `at` (ms of performance.now()).
   * For a trace that has ended, the clock does not stop when messages are missing.
   */
  set(t: number, at: number, speed: number, running: boolean, ended: boolean): void {
    // The same t again (the trace ended or the source paused) does not set the clock back.
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
