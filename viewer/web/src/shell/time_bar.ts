// SPDX-License-Identifier: MIT
// The time bar: hold the display, scroll back, return to the present, and set speed and pause of a
// replay.

import { el, setAttribute, setText } from '../dom.ts';
import { elapsed, timeOfDay } from '../format.ts';
import type { Session } from '../model/session.ts';
import { ActivityStrip } from './activity_strip.ts';
import type { Look } from './look.ts';

/** Minimum time in ms between two cursor messages while the slider moves. */
const SEND_MS = 100;
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 50, 100];
const STEP_MS = 1000;

/** The next action of the button and the space key, depending on the state. */
type Action = 'hold' | 'present' | 'play' | 'again';
const ACTIONS: Record<Action, [label: string, title: string]> = {
  hold: ['❚❚ Hold', 'Hold the picture (space)'],
  present: ['▶ Go on', 'Back to the present (space)'],
  play: ['▶ Go on', 'Play from this moment to the end (space)'],
  again: ['↻ Again', 'Play from the beginning (space)'],
};

export class TimeBar {
  readonly element: HTMLElement;
  private readonly hold =
    el('button', { type: 'button', class: 'hold', click: () => this.toggle() });
  private readonly live = el(
    'button', {
      type: 'button',
      class: 'live',
      title: 'Follow the present (l)',
      click: () => this.session.setCursor('live'),
    },
    'Live'
  );
  private readonly slider = el('input', {
    type: 'range',
    min: 0,
    max: 1,
    step: 100,
    'aria-label': 'Moment of the trace',
    input: () => this.slid(),
  });
  private readonly label = el('output', { class: 'time-label' });
  private readonly speed = el(
    'select', {
      'aria-label': 'Speed of the replay',
      change: () => this.session.setReplay({ speed: Number(this.speed.value) }),
    },
    ...SPEEDS.map((speed) => el('option', { value: speed }, `${speed}×`))
  );
  private readonly pause = el('button', {
    type: 'button',
    class: 'replay-pause',
    title: 'Pause the replay, for all readers (p)',
    click: () => this.pauseReplay(),
  });
  private readonly replay =
    el('span', { class: 'replay', role: 'group', 'aria-label': 'Replay' }, this.speed, this.pause);
  private sentAt = 0;
  private timer = 0;
  /** The latest moment known to the page. */
  private end = 0;

  constructor(private readonly session: Session, look: Look) {
    const track =
      el('div', { class: 'track' }, new ActivityStrip(session, look).canvas, this.slider);
    this.element = el(
      'div', { class: 'timebar', role: 'group', 'aria-label': 'Time' }, this.hold, track,
      this.label, this.live, this.replay
    );
    for (const signal of [session.onState, session.onCursor, session.onHello])
      signal.on(() => this.update());
    this.update();
  }

  toggle(): void {
    const { session } = this;
    const { state, cursor } = session;
    const action = this.action();
    if (action === 'again') session.play(state.history_from);
    else if (action === 'play') session.play(Number(cursor));
    else session.setCursor(action === 'hold' ? Math.round(state.t) : 'live');
  }

  private action(): Action {
    const { cursor, playing, state } = this.session;
    if (playing) return 'hold';
    if (!state.ended) return cursor === 'live' ? 'hold' : 'present';
    return cursor === 'live' || cursor >= this.end ? 'again' : 'play';
  }

  step(direction: -1 | 1): void {
    const { session } = this;
    const from = session.cursor === 'live' ? session.state.t : session.cursor;
    this.session.setCursor(Math.min(
      this.end, Math.max(session.state.history_from, Math.round(from + direction * STEP_MS))
    ));
  }

  pauseReplay(): void {
    this.session.setReplay({ paused: !(this.session.hello?.replay?.paused ?? false) });
  }

  private slid(): void {
    window.clearTimeout(this.timer);
    const wait = this.sentAt + SEND_MS - performance.now();
    const send = () => {
      this.sentAt = performance.now();
      this.session.setCursor(Math.round(Number(this.slider.value)));
    };
    if (wait <= 0) send();
    else this.timer = window.setTimeout(send, wait);
    setText(this.label, this.words(Number(this.slider.value)));
  }

  private words(t: number): string {
    return `${timeOfDay(this.session.wall(t), this.session.hello?.utc_offset_min).slice(0, 10)} (${
      elapsed(t)})`;
  }

  private update(): void {
    const { session } = this;
    const { state, hello } = session;
    const isLive = session.cursor === 'live';
    this.end = state.end ?? (isLive ? state.t : Math.max(this.end, state.t));
    const at = session.cursor === 'live' ? state.t : session.cursor;
    setAttribute(this.slider, 'min', String(state.history_from));
    setAttribute(this.slider, 'max', String(Math.max(this.end, state.history_from + 1)));
    const isMoving = isLive || session.playing;
    if (document.activeElement !== this.slider || isMoving) this.slider.value = String(at);
    setText(this.label, this.words(at));
    setAttribute(this.slider, 'aria-valuetext', this.words(at));
    const [label, title] = ACTIONS[this.action()];
    setText(this.hold, label);
    setAttribute(this.hold, 'title', title);
    setAttribute(this.live, 'aria-pressed', String(isLive));
    this.element.classList.toggle('past', !isLive);
    this.replay.hidden = hello?.mode !== 'replay';
    const speed = String(hello?.replay?.speed ?? 1);
    if (![...this.speed.options].some((option) => option.value === speed))
      this.speed.append(el('option', { value: speed }, speed === '0' ? 'fastest' : `${speed}×`));
    this.speed.value = speed;
    const paused = hello?.replay?.paused ?? false;
    setText(this.pause, paused ? '▶' : '❚❚');
    setAttribute(this.pause, 'aria-label', paused ? 'Play the replay' : 'Pause the replay');
    this.element.inert = !session.recording;
  }
}
