// SPDX-License-Identifier: MIT
// A series of snapshots: which one is shown, and play, pause and step.

import { decodeSnapshot } from '../protocol/snapshot.ts';
import { Signal } from '../signal.ts';
import type { Moments } from './moments.ts';
import type { SnapshotModel } from './snapshot_model.ts';

/** Each snapshot is shown at least this long while the film plays. */
const PLAY_MS = 1000;

export class Film {
  readonly changed = new Signal();
  number = 0;
  playing = false;
  /** The snapshot that is being fetched; null: none. */
  loading: number | null = null;
  /** Why the last request failed. */
  problem = '';
  private wanted: number | null = null;
  private timer = 0;

  constructor(private readonly model: SnapshotModel, private readonly moments: Moments) {}

  get times(): number[] {
    return this.moments.facts.times_ms;
  }

  get last(): number {
    return this.times.length - 1;
  }

  toggle(): void {
    this.playing = !this.playing;
    window.clearTimeout(this.timer);
    if (this.playing) void this.show(this.number === this.last ? 0 : this.number + 1);
    this.changed.emit();
  }

  pause(): void {
    if (this.playing) this.toggle();
  }

  step(direction: -1 | 1): void {
    this.pause();
    void this.show((this.wanted ?? this.loading ?? this.number) + direction);
  }

  /** If another snapshot is being fetched, this one is next. */
  async show(number: number): Promise<void> {
    this.wanted = Math.min(this.last, Math.max(0, number));
    if (this.loading === null) await this.load();
  }

  private async load(): Promise<void> {
    while (this.wanted !== null) {
      const number = (this.loading = this.wanted);
      this.wanted = null;
      this.changed.emit();
      this.problem = await this.fetch(number);
    }
    this.loading = null;
    if (this.problem !== '' || this.number === this.last) this.playing = false;
    if (this.playing) this.timer = window.setTimeout(() => this.show(this.number + 1), PLAY_MS);
    this.changed.emit();
  }

  private async fetch(number: number): Promise<string> {
    try {
      const snapshot = decodeSnapshot(await this.moments.fetch(number));
      if (typeof snapshot === 'string') return snapshot;
      this.number = number;
      this.model.setSnapshot(snapshot);
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
