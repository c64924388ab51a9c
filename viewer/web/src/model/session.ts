// SPDX-License-Identifier: MIT
// The page's state of the trace and its requests to the server.

import type { Connection, Link, Listener, Wire } from '../connection.ts';
import { BLOCK, type Overview } from '../protocol/binary.ts';
import type {
  Hello, Incoming, Inspection, OtherProcesses, PagingEvent, ProcessDetails, ProcessRow, State,
} from '../protocol/messages.ts';
import { Signal } from '../signal.ts';
import { Activity } from './activity.ts';
import { Block } from './block.ts';
import { TraceClock } from './clock.ts';
import { Heat } from './heat.ts';
import { LogLines } from './log_lines.ts';
import { RateHistory } from './rate_history.ts';

/** The selection of the user, shown in green and described in the inspector. */
export type Selection =
  | { what: 'frame'; at: string }
  | { what: 'slot'; area: number; at: string }
  | { what: 'address'; tgid: number; at: string };

const NO_STATE: State = {
  t: 0, live: true, history_from: 0, ins: 0, outs: 0, readahead: 0, hits: 0, major: 0,
  lost: 0, skipped: 0, clients: 0, ended: false,
};

/** Minimum time in ms between two requests about the same page while it changes. */
const ASK_AGAIN_MS = 250;
/**
 * A followed block stays in view for at least this time (ms), and until another block has this many
 * times its recent moves.
 */
const FOLLOW_MS = 1000;
const CLEARLY_BUSIER = 1.5;

export class Session implements Listener {
  readonly onHello = new Signal<Hello>();
  readonly onState = new Signal<State>();
  readonly onLinkChange = new Signal();
  readonly onLog = new Signal<number>();
  readonly onRates = new Signal();
  readonly onProcesses = new Signal();
  readonly onProcess = new Signal();
  readonly onSelection = new Signal();
  readonly onInspection = new Signal();
  readonly onCursor = new Signal();
  readonly onFollow = new Signal();
  readonly onError = new Signal<string>();
  readonly onSnapshot = new Signal<ArrayBuffer>();
  /** New cells of pages or slots arrived, or another block is shown. */
  readonly onCells = new Signal<'pages' | 'slots'>();

  hello: Hello | null = null;
  state = NO_STATE;
  link: Link = 'connecting';
  retryMs = 0;
  cursor: number | 'live' = 'live';
  /** The cursor advances with time until it reaches the end. */
  playing = false;
  processes: ProcessRow[] = [];
  other: OtherProcesses | null = null;
  /** tgid of the process whose details and marks are shown; 0: no process. */
  tgid = 0;
  process: ProcessDetails | null = null;
  selection: Selection | null = null;
  inspection: Inspection | null = null;
  logTgid = 0;
  logsAll = false;
  /** The shown swap area; -1: no area yet. */
  area = -1;

  readonly pages = new Block();
  readonly slots = new Block();
  readonly log = new LogLines();
  readonly heat = new Heat();
  /** For the shown swap area. */
  readonly slotHeat = new Heat();
  readonly rates = new RateHistory();
  readonly activity = new Activity();
  readonly clock = new TraceClock();

  private connection: Connection | null = null;
  private isFollowing = false;
  private followedAt = -Infinity;
  private blockChosen = false;
  private slotBlockChosen = false;
  /** A state message has confirmed that the server is playing. */
  private isPlayConfirmed = false;
  private askedAt = -Infinity;
  /** Timer of the next request; 0: no timer. */
  private asking = 0;

  start(connection: Connection): void {
    this.connection = connection;
    connection.request('pages', { want: 'pages', begin: '0' });
    connection.open();
  }

  get pageSize(): number {
    return this.hello?.page_size ?? 4096;
  }

  get framesEnd(): number {
    return parseInt(this.hello?.frames_end ?? '0', 16);
  }

  get slotsEnd(): number {
    return this.hello?.areas?.find((area) => area.type === this.area)?.slots ?? 0;
  }

  get recording(): boolean {
    return this.hello !== null && this.hello.recording !== false;
  }

  /** Time of day at a moment of the trace, in ms since 1970. */
  wall(t: number): number {
    return (this.hello?.wall_ms ?? 0) + t;
  }

  onLink(link: Link, retryMs: number): void {
    this.link = link;
    this.retryMs = retryMs;
    this.onLinkChange.emit();
  }

  onText(message: Incoming): void {
    if (message.hello) this.greeted(message.hello);
    if (message.state) this.stateCame(message.state);
    if (message.rates) {
      this.rates.apply(message.rates);
      this.activity.apply(message.rates);
      this.onRates.emit();
    }
    if (message.processes) {
      this.processes = message.processes;
      this.other = message.other ?? null;
      this.onProcesses.emit();
    }
    if (message.process?.tgid === this.tgid && this.tgid !== 0) {
      this.process = message.process ?? null;
      this.onProcess.emit();
    }
    if (message.log) this.onLog.emit(this.log.apply(message.log));
    if (message.inspection) this.inspected(message.inspection);
    if (message.error) this.onError.emit(message.error);
  }

  onBinary(message: Wire): void {
    if (message.what === 'bad') return this.onError.emit(`the server sent ${message.reason}`);
    if (message.what === 'overview') return this.overviewCame(message);
    if (message.what === 'snapshot') return this.onSnapshot.emit(message.bytes);
    if (message.what === 'slots' && message.area !== this.area) return;
    const block = message.what === 'pages' ? this.pages : this.slots;
    if (!block.apply(message)) return;
    this.onCells.emit(message.what);
    this.askAgain(message.index, message.block, message.what);
  }

  /** Shows the block that contains this frame. */
  lookAtPages(frame: number): void {
    this.following = false;
    this.showPages(frame);
  }

  /** The view follows the block with most activity until the user chooses a block. */
  get following(): boolean {
    return this.isFollowing;
  }

  set following(following: boolean) {
    if (following === this.isFollowing) return;
    this.isFollowing = following;
    this.followedAt = -Infinity;
    this.onFollow.emit();
  }

  /**
   * Shows the busiest block, but not too often and not for a small difference. `at` is in ms of
   * performance.now().
   */
  follow(at: number): void {
    if (!this.following || at - this.followedAt < FOLLOW_MS) return;
    const hottest = this.heat.hottest();
    if (hottest < 0 || hottest === this.pages.number) return;
    if (this.heat.hot(hottest) < CLEARLY_BUSIER * this.heat.hot(this.pages.number)) return;
    this.followedAt = at;
    this.showPages(hottest * BLOCK);
  }

  private showPages(frame: number): void {
    this.blockChosen = true;
    const begin = frame.toString(16).toUpperCase();
    this.turn('pages', this.pages, frame, { want: 'pages', begin });
  }

  lookAtSlots(area: number, slot: number): void {
    this.slotBlockChosen = true;
    this.turnSlots(area, slot);
  }

  /** Shows the busiest block of the area as soon as it is known. */
  lookAtArea(area: number): void {
    this.slotBlockChosen = false;
    this.turnSlots(area, 0);
  }

  private turnSlots(area: number, slot: number): void {
    if (area !== this.area) this.slots.number = -1;
    this.area = area;
    this.slotHeat.resize(Math.ceil(this.slotsEnd / BLOCK));
    const begin = slot.toString(16).toUpperCase();
    this.turn('slots', this.slots, slot, { want: 'slots', area, begin });
  }

  lookAtProcess(tgid: number): void {
    this.tgid = tgid;
    this.process = null;
    this.connection?.request('process', { want: 'process', tgid });
    this.onProcess.emit();
  }

  /** With `all`, faults that moved no page are included. */
  filterLog(tgid: number, all = this.logsAll): void {
    this.logTgid = tgid;
    this.logsAll = all;
    this.log.clear();
    this.connection?.request('log', { want: 'log', tgid, all });
    this.onLog.emit(0);
  }

  /** Requests earlier lines, if there are any, when the user scrolls to the top. */
  wantEarlierLog(): void {
    const first = this.log.requestBefore();
    if (first) this.connection?.send({ want: 'log', before: first.seq, t: first.t });
  }

  /** Sends a request once. */
  send(message: object): void {
    this.connection?.send(message);
  }

  wantViews(names: string[]): void {
    this.connection?.request('views', { want: 'views', names });
  }

  select(selection: Selection | null): void {
    this.selection = selection;
    this.inspection = null;
    this.ask();
    this.onSelection.emit();
  }

  /** Selects the page of an event and shows its blocks in the grids. */
  selectEvent(event: PagingEvent): void {
    if (event.slot !== undefined) this.lookAtSlots(event.area ?? 0, parseInt(event.slot, 16));
    if (event.frame !== undefined) this.lookAtPages(parseInt(event.frame, 16));
    if (event.frame !== undefined) this.select({ what: 'frame', at: event.frame });
    else if (event.slot !== undefined)
      this.select({ what: 'slot', area: event.area ?? 0, at: event.slot });
  }

  setCursor(cursor: number | 'live'): void {
    this.moveTo(cursor, false);
  }

  /** Plays from this moment to the end of the trace, at the speed of the replay. */
  play(from: number): void {
    if (this.hello?.replay?.paused) this.setReplay({ paused: false });
    this.moveTo(from, true);
  }

  private moveTo(cursor: number | 'live', playing: boolean): void {
    this.cursor = cursor;
    this.playing = playing;
    this.isPlayConfirmed = false;
    this.connection?.request('cursor', playing ? { cursor, play: true } : { cursor });
    if (cursor !== 'live') this.clock.set(cursor, performance.now(), 1, false, false);
    this.ask();
    this.onCursor.emit();
  }

  setReplay(change: { speed: number } | { paused: boolean }): void {
    this.connection?.send({ replay: change });
    if (this.hello) {
      const replay = { speed: 1, paused: false, ...this.hello.replay, ...change };
      this.hello = { ...this.hello, replay };
    }
    this.onCursor.emit();
  }

  /** Speed of the trace's time relative to real time. */
  get speed(): number {
    return this.hello?.mode === 'replay' ? (this.hello.replay?.speed ?? 1) || 1 : 1;
  }

  /**
   * The time in the trace's clock that a cell keeps its colour. While the trace runs, `ms` counts
   * in real time; while it is held, in the trace's time.
   */
  holdOf(ms: number): number {
    return this.cursor === 'live' || this.playing ? ms * this.speed : ms;
  }

  /** Shows the busiest block until the user chooses one. */
  private overviewCame(overview: Overview): void {
    if (overview.of === 'slots') return this.slotOverviewCame(overview);
    this.heat.apply(overview);
    const busiest = this.heat.busiest();
    if (this.blockChosen || busiest < 0) return;
    this.showPages(busiest * BLOCK);
  }

  private slotOverviewCame(overview: Overview): void {
    if (overview.area !== this.area) return;
    this.slotHeat.apply(overview);
    const busiest = this.slotHeat.busiest();
    if (this.slotBlockChosen || busiest < 0) return;
    this.lookAtSlots(this.area, busiest * BLOCK);
  }

  private turn(what: 'pages' | 'slots', block: Block, at: number, message: object): void {
    const number = Math.floor(at / BLOCK);
    if (number !== block.number) block.clear();
    block.number = number;
    this.connection?.request(what, message);
    this.onCells.emit(what);
  }

  private greeted(hello: Hello): void {
    const another =
      this.hello?.wall_ms !== hello.wall_ms || this.hello?.frames_end !== hello.frames_end;
    this.hello = hello;
    if (another) this.clear();
    if (another) this.following = hello.follow === true;
    this.heat.resize(Math.ceil(this.framesEnd / BLOCK));
    this.slotHeat.resize(Math.ceil(this.slotsEnd / BLOCK));
    this.onHello.emit(hello);
  }

  /** Clears everything when another machine or trace is shown. */
  private clear(): void {
    const { pages, slots, log, heat, slotHeat, rates, activity } = this;
    for (const part of [pages, slots, log, heat, slotHeat, rates, activity]) part.clear();
    this.blockChosen = this.slotBlockChosen = false;
    this.processes = [];
    this.other = null;
    this.process = null;
    this.state = NO_STATE;
    this.onLog.emit(0);
    this.onProcesses.emit();
    this.onProcess.emit();
    this.onRates.emit();
  }

  private stateCame(state: State): void {
    this.state = state;
    const paused = this.hello?.mode === 'replay' && this.hello.replay?.paused === true;
    if (this.playing) this.played(state);
    const ended = state.ended && !this.playing;
    if (this.cursor === 'live' || this.playing)
      this.clock.set(state.t, performance.now(), this.speed, !paused, ended);
    this.onState.emit(state);
  }

  /** A state sent before playing began is also live, but does not mean the end of playing. */
  private played(state: State): void {
    this.isPlayConfirmed ||= state.playing === true;
    if (state.playing) this.cursor = state.t;
    if (!state.live || !this.isPlayConfirmed) return;
    this.cursor = 'live';
    this.playing = false;
    this.connection?.keep('cursor', { cursor: 'live' });
    this.onCursor.emit();
  }

  private inspected(inspection: Inspection): void {
    const wanted = this.selection;
    if (!wanted || wanted.what !== inspection.what) return;
    if (parseInt(wanted.at, 16) !== parseInt(inspection.at, 16)) return;
    const { area } = inspection;
    if (wanted.what === 'slot' && area !== undefined && area !== wanted.area) return;
    this.inspection = inspection;
    this.onInspection.emit();
  }

  private ask(): void {
    const selection = this.selection;
    if (!selection) return;
    this.askedAt = performance.now();
    const { what, ...where } = selection;
    this.connection?.request('inspect', { inspect: what, ...where });
  }

  /** Requests the selected page again after it has changed. */
  private askAgain(changed: Uint16Array, block: number, what: 'pages' | 'slots'): void {
    const selection = this.selection;
    if (!selection || selection.what !== (what === 'pages' ? 'frame' : 'slot')) return;
    const at = parseInt(selection.at, 16) - block * BLOCK;
    if (!changed.includes(at)) return;
    if (this.asking !== 0) return;
    const wait = this.askedAt + ASK_AGAIN_MS - performance.now();
    this.asking = window.setTimeout(() => {
      this.asking = 0;
      this.ask();
    }, Math.max(0, wait));
  }
}
