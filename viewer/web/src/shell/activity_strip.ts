// SPDX-License-Identifier: MIT
// A small chart of moves above the time slider.

import { el } from '../dom.ts';
import { css } from '../grid/colours.ts';
import type { Session } from '../model/session.ts';
import type { Look } from './look.ts';

/** CSS pixels. */
const HEIGHT = 16;
const BAR = 2;
/** Half of the width of the slider's thumb, whose middle marks the time. */
const MARGIN = 8;

export class ActivityStrip {
  readonly canvas = el('canvas', { class: 'activity', 'aria-hidden': 'true' });
  private drawn = '';
  private changes = 0;

  constructor(
    private readonly session: Session,
    private readonly look: Look,
  ) {
    const again = () => {
      this.changes++;
      this.draw();
    };
    session.onRates.on(again);
    look.changed.on(again);
    session.onState.on(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** Repaints only if a bar changes, because states arrive ten times per second. */
  private draw(): void {
    const { state, activity } = this.session;
    const width = this.canvas.clientWidth - 2 * MARGIN;
    const end = Math.max(state.end ?? state.t, state.history_from + 1);
    const count = Math.floor(width / BAR);
    const step = Math.ceil((end - state.history_from) / Math.max(1, count));
    const wanted = [width, Math.floor(end / step), state.history_from, this.changes].join();
    if (count <= 0 || wanted === this.drawn) return;
    this.drawn = wanted;
    const { ins, outs, most } = activity.columns(state.history_from, end, count);
    const context = this.prepare();
    if (!context || most === 0) return;
    const { palette } = this.look;
    for (let i = 0; i < count; i++) {
      const sum = ins[i]! + outs[i]!;
      if (sum === 0) continue;
      // Uses the square root, so that low activity next to high activity remains visible.
      const height = Math.max(1, HEIGHT * Math.sqrt(sum / most));
      const ofOuts = (height * outs[i]!) / sum;
      context.fillStyle = css(palette.out);
      context.fillRect(MARGIN + i * BAR, HEIGHT - ofOuts, BAR, ofOuts);
      context.fillStyle = css(palette.in);
      context.fillRect(MARGIN + i * BAR, HEIGHT - height, BAR, height - ofOuts);
    }
  }

  private prepare(): CanvasRenderingContext2D | null {
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.canvas.clientWidth * ratio);
    this.canvas.height = Math.round(HEIGHT * ratio);
    const context = this.canvas.getContext('2d');
    context?.setTransform(ratio, 0, 0, ratio, 0, 0);
    return context;
  }
}
