// SPDX-License-Identifier: MIT
// The WebSocket. After a loss it is reopened with a delay, and all requests are sent again.

import { decodeBinary } from './protocol/binary.ts';
import { decodeText, type Incoming } from './protocol/messages.ts';

export type Wire = ReturnType<typeof decodeBinary>;
export type Link = 'connecting' | 'open' | 'lost';

export interface Listener {
  onLink(link: Link, retryMs: number): void;
  onText(message: Incoming): void;
  onBinary(message: Wire): void;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 8000;


export class Connection {
  private socket: WebSocket | null = null;
  private retryMs = FIRST_RETRY_MS;
  private timer = 0;
  private readonly subscriptions = new Map<string, object>();

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
  ) {}

  open(): void {
    window.clearTimeout(this.timer);
    this.listener.onLink('connecting', 0);
    const socket = new WebSocket(this.url);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => this.received(event.data);
    socket.onclose = () => this.lost(socket);
    this.socket = socket;
  }

  /**
   * Sends a request, and sends it again on each new socket until one with the same key replaces it.
   */
  request(key: string, message: object): void {
    this.keep(key, message);
    this.send(message);
  }

  /** Stores a request that is already in effect on this socket, for the next socket. */
  keep(key: string, message: object): void {
    this.subscriptions.set(key, message);
  }

  /** Sends a message once, if the socket is open. */
  send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private opened(): void {
    this.retryMs = FIRST_RETRY_MS;
    this.listener.onLink('open', 0);
    for (const message of this.subscriptions.values()) this.send(message);
  }

  private received(data: unknown): void {
    if (typeof data === 'string') this.listener.onText(decodeText(data));
    else if (data instanceof ArrayBuffer) this.listener.onBinary(decodeBinary(data));
  }

  private lost(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.listener.onLink('lost', this.retryMs);
    this.timer = window.setTimeout(() => this.open(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
  }
}

/** /live next to the page, with the page's query, which may contain a token. */
export function liveUrl(page: Location): string {
  const scheme = page.protocol === 'https:' ? 'wss:' : 'ws:';
  const folder = page.pathname.slice(0, page.pathname.lastIndexOf('/'));
  return `${scheme}//${page.host}${folder}/live${page.search}`;
}
