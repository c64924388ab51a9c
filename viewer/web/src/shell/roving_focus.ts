// SPDX-License-Identifier: MIT
// One of several items is the tab stop, and keys move it from item to item.

export type KeySteps = Record<string, number>;

const ENDS: KeySteps = { Home: -Infinity, End: Infinity };
export const ROW_KEYS: KeySteps = { ArrowLeft: -1, ArrowRight: 1, ...ENDS };
export const COLUMN_KEYS: KeySteps = { ArrowUp: -1, ArrowDown: 1, ...ENDS };
export const LIST_KEYS: KeySteps = { PageUp: -10, PageDown: 10, ...COLUMN_KEYS };

export interface RovingItems {
  count(): number;
  /** Undefined or null: the item is not in the document. */
  element(at: number): HTMLElement | null | undefined;
  /** Scrolls to an item before it gets the focus, and puts it into the document. */
  reach?(at: number): void;
}

export class RovingFocus {
  /** The tab stop. */
  current = 0;

  constructor(private readonly steps: KeySteps, private readonly items: RovingItems) {}

  tabIndex(at: number): 0 | -1 {
    return at === this.current ? 0 : -1;
  }

  focus(): void {
    this.items.element(this.current)?.focus({ preventScroll: this.items.reach !== undefined });
  }

  /** Moves if it is one of the keys. */
  key(event: KeyboardEvent): boolean {
    const step = this.steps[event.key];
    if (step !== undefined) this.moveTo(this.current + step);
    return step !== undefined;
  }

  moveTo(at: number): void {
    const { items } = this;
    if (items.count() === 0) return;
    items.element(this.current)?.setAttribute('tabindex', '-1');
    this.current = Math.min(items.count() - 1, Math.max(0, at));
    items.reach?.(this.current);
    items.element(this.current)?.setAttribute('tabindex', '0');
    this.focus();
  }
}
