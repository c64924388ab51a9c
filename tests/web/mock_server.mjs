// SPDX-License-Identifier: MIT
// A scripted server. It does what a real physmem-view does only by chance: it waits for a
// configuration, drops sockets, sends malformed messages, or has 100,000 events per second.

import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { WebSocketServer } from 'ws';

const WALL_MS = Date.UTC(2026, 10, 21, 14, 3, 20, 101);
/** Delay of each message. No result may depend on it: web.*-delayed run with 250. */
const DELAY_MS = Number(process.env.PAGE_DELAY_MS ?? 0);

export class MockServer {
  constructor(html, machine, { mode = 'live', recording = true } = {}) {
    this.machine = machine;
    this.mode = mode;
    this.recording = recording;
    this.replay = { speed: 1, paused: false };
    this.lost = 0;
    this.ended = false;
    this.trouble = undefined;
    this.received = [];
    this.clients = new Set();
    this.requests = [];
    this.http = createServer((request, response) => {
      this.requests.push(request.url);
      const found = new URL(request.url, 'http://x').pathname === '/';
      response.writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
      response.end(found ? readFileSync(html) : '');
    });
    this.isReachable = true;    // false: refuses new sockets
    const sockets = new WebSocketServer({
      server: this.http, path: '/live', verifyClient: () => this.isReachable,
    });
    sockets.on('connection', (socket) => this.greet(socket));
  }

  async listen(port = 0) {
    await new Promise((done) => this.http.listen(port, '127.0.0.1', done));
    this.port = this.http.address().port;
    return `http://127.0.0.1:${this.port}/?token=secret`;
  }

  close() {
    this.stop();
    this.drop();
    this.http.close();
  }

  drop() {
    for (const client of this.clients) client.socket.terminate();
  }

  hello() {
    const { frames, slotCount } = this.machine;
    return {
      hello: {
        mode: this.mode, source: 'kmod', arch: 'x86_64', kernel: '6.1.0', page_size: 4096,
        memory_bytes: frames * 4096, frames_end: frames.toString(16),
        wall_ms: WALL_MS, utc_offset_min: 0,
        areas: [{ type: 0, kind: 'partition', slots: slotCount, name: '/dev/vda' }],
        history_from: 0, recording: this.recording, follow: this.follow,
        ...(this.mode === 'replay' ? { replay: this.replay } : {}),
      },
    };
  }

  greet(socket) {
    const client = {
      socket, block: 0, slotBlock: null, tgid: 0, logTgid: 0, cursor: 'live', sent: 0, views: null,
    };
    this.clients.add(client);
    socket.on('close', () => this.clients.delete(client));
    socket.on('error', () => {});
    socket.on('message', (text) => this.receive(client, JSON.parse(String(text))));
    this.send(client, this.hello());
    if (!this.recording) return;
    this.whole(client);
    this.send(client, { rates: { seconds: this.machine.rates(), minutes: [] } });
    this.send(client, { log: { lines: this.machine.log.slice(-200), more: 0, reset: true } });
    client.logged = this.machine.seq;
    this.sums(client);
  }

  whole(client) {
    this.post(client, this.machine.blocks.message(true));
    this.post(client, this.machine.pages.message(1, client.block, true));
    this.wholeSlots(client);
  }

  wholeSlots(client) {
    if (!this.wantsSlots(client)) return;
    this.post(client, this.machine.slotBlocks.message(true));
    this.post(client, this.machine.slots.message(2, client.slotBlock, true));
  }

  /** Slots are sent only to a client that shows them and has requested a block of them. */
  wantsSlots(client) {
    return client.slotBlock !== null && client.views?.includes('slots');
  }

  send(client, message) {
    this.post(client, JSON.stringify(message));
  }

  /** Sends a message as it is now, after DELAY_MS. Timers of the same delay keep their order. */
  post(client, data) {
    if (DELAY_MS > 0) setTimeout(() => client.socket.send(data), DELAY_MS);
    else client.socket.send(data);
  }

  all(message) {
    for (const client of this.clients) this.send(client, message);
  }

  receive(client, message) {
    this.received.push(message);
    if (message.want === 'pages') {
      client.block = parseInt(message.begin, 16) >> 11;
      this.post(client, this.machine.pages.message(1, client.block, true));
    } else if (message.want === 'slots' || message.want === 'views') {
      this.receiveSlots(client, message);
    } else if (message.want === 'process') {
      client.tgid = message.tgid;
      if (client.tgid) this.details(client);
    } else if (message.want === 'log' && message.before) {
      this.earlierLines(client, message);
    } else if (message.want === 'log') {
      client.logTgid = message.tgid;
      const { log } = this.machine;
      const wanted = log.filter((event) => !message.tgid || event.tgid === message.tgid);
      this.send(client, { log: { lines: wanted.slice(-200), more: 0, reset: true } });
    } else if (message.inspect) {
      this.inspect(client, message);
    } else if (message.replay) {
      Object.assign(this.replay, message.replay);
      this.all(this.hello());
      for (const one of this.clients) this.sums(one);
    } else if (message.cursor !== undefined) {
      this.moveCursor(client, message);
    }
  }

  earlierLines(client, { before }) {
    const { log } = this.machine;
    const earlier = log.filter((event) =>
      event.seq < before && (!client.logTgid || event.tgid === client.logTgid));
    const first = earlier.length <= 200;
    this.send(client, { log: { lines: earlier.slice(-200), more: 0, before, first } });
  }

  receiveSlots(client, { want, names, begin }) {
    if (want === 'views') client.views = names;
    else client.slotBlock = parseInt(begin, 16) >> 11;
    this.wholeSlots(client);
  }

  moveCursor(client, { cursor, play }) {
    client.cursor = cursor;
    client.playing = play;
    const until = cursor === 'live' ? Infinity : cursor;
    const lines = this.machine.log.filter((event) => event.t <= until).slice(-200);
    this.send(client, { log: { lines, more: 0, reset: true } });
    this.whole(client);
    this.sums(client);
  }

  inspect(client, { inspect, at, area }) {
    const number = parseInt(at, 16);
    const event = this.machine.owner.get(inspect === 'slot' ? `slot ${number}` : number);
    const time = event ? new Date(WALL_MS + event.t).toISOString().slice(11, 23) : '';
    const isIn = event?.kind === 'in';
    const known = event && {
      event,
      page: isIn ? 'resident' : 'swapped',
      frame: isIn ? 'holds' : 'left',
      slot: isIn ? 'copy' : 'only copy',
    };
    let words = [
      'no event named a page here', 'no event named this frame', 'no event named a slot here',
    ];
    if (isIn) {
      words = [
        `resident: read in at ${time} and not written out since`,
        `holds the page since ${time}`,
        'a copy is still in the slot',
      ];
    } else if (event) {
      words = [
        `swapped out at ${time} and not read back since`,
        `its page left at ${time}`,
        'holds the only copy',
      ];
    }
    const unknown = { page: 'unknown', frame: 'unknown', slot: 'unknown' };
    this.send(client, {
      inspection: {
        what: inspect, at, ...(area === undefined ? {} : { area }), ...(known ?? unknown), words,
      },
    });
  }

  details(client) {
    const process = this.machine.processes.find((one) => one.tgid === client.tgid);
    if (!process) return;
    const frames = process.last.map((event) => [event.frame, 40]);
    this.send(client, {
      process: {
        tgid: process.tgid, comm: process.comm, threads: 1, ins: process.ins, outs: process.outs,
        resident_known: 4021, swapped_known: 812, contiguity: { pairs: 3120, adjacent: 411 },
        last: process.last, frames,
      },
    });
  }

  sums(client) {
    const t = client.cursor === 'live' ? this.machine.t : client.cursor;
    this.send(client, {
      state: {
        t, end: this.machine.t, live: client.cursor === 'live', history_from: 0,
        ...this.machine.sums, readahead: 812, hits: 96, lost: this.lost, skipped: 0,
        clients: this.clients.size, ended: this.ended, playing: client.playing,
        trouble: this.trouble,
        contiguity: { pairs: 6120, adjacent: 830 },
      },
    });
  }

  /** From now on, makes this number of events per second, in 30 rounds per second. */
  start(events) {
    const began = Date.now() - this.machine.t;
    let rounds = 0;
    this.timer = setInterval(() => {
      if (!this.replay.paused) this.machine.run(Date.now() - began, Math.round(events / 30));
      this.round(rounds++);
    }, 33);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  round(n) {
    for (const client of this.clients) {
      // Updates of start() are skipped for a slow client. Those of a test are always sent.
      const isSlow = this.timer !== undefined && client.socket.bufferedAmount > 0;
      if (client.cursor !== 'live' || isSlow) continue;
      this.post(client, this.machine.pages.message(1, client.block, false));
      if (this.wantsSlots(client)) {
        const slots = this.machine.slots.message(2, client.slotBlock, false);
        const slotBlocks = this.machine.slotBlocks.message(false);
        for (const part of [slots, slotBlocks]) this.post(client, part);
      }
      this.post(client, this.machine.blocks.message(false));
      if (n % 3 === 0) this.sums(client);
      if (n % 3 === 0) this.lines(client);
      if (n % 15 === 0) this.table(client);
    }
    this.machine.settle();
  }

  lines(client) {
    const fresh = this.machine.log.filter((event) => event.seq > (client.logged ?? 0));
    client.logged = this.machine.seq;
    const wanted = fresh.filter((event) => !client.logTgid || event.tgid === client.logTgid);
    if (wanted.length === 0) return;
    const more = Math.max(0, wanted.length - 20);
    this.send(client, { log: { lines: wanted.slice(-20), more } });
  }

  table(client) {
    const row = ({ tgid, comm, ins, outs, recent, recentOut, event }) => ({
      tgid, comm, ins, outs, in_rate: recent * 2, out_rate: recentOut * 2,
      address: event.address, kind: event.kind, t: event.t,
    });
    const rows = this.machine.processes.filter((one) => one.event).map(row);
    for (const process of this.machine.processes) process.recent = process.recentOut = 0;
    this.send(client, { processes: rows });
    this.send(client, { rates: { seconds: this.machine.rates().slice(-2) } });
    if (client.tgid) this.details(client);
  }
}
