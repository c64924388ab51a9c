// SPDX-License-Identifier: MIT
// The user's settings, stored in the browser. A page opened from a file may have no storage; its
// settings are lost when it closes.

import { Signal } from '../signal.ts';

export type PaletteName = 'paper' | 'safe';
export type ThemeName = 'auto' | 'light' | 'dark';

export interface Choices {
  /** Whether each view or bar is shown, by id. */
  shown: Record<string, boolean>;
  palette: PaletteName;
  theme: ThemeName;
  /** Time in ms that a cell stays blue or red. */
  holdMs: number;
  /** The scheme that colours a snapshot's frames. Empty: not chosen yet. */
  colourBy: string;
}

export const HOLD_CHOICES_MS = [500, 1000, 2000, 5000];
const KEY = 'physmem-page';

const DEFAULTS: Choices = {
  shown: {
    log: true,
    pages: true,
    inspector: true,
    processes: true,
    slots: false,
    statistics: false,
    legend: true,
    memory: true,
    owners: true,
    toolbar: true,
    menubar: true,
    statusbar: true,
    ledger: true,
    pageblocks: false,
    treemap: true,
    changes: true,
  },
  palette: 'paper',
  theme: 'auto',
  holdMs: 1000,
  colourBy: '',
};

function stored(): Partial<Choices> {
  try {
    const found: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? '{}');
    return typeof found === 'object' && found !== null ? found : {};
  } catch {
    return {};
  }
}

/** Storage may contain values from older pages or other programs, so each value is checked. */
function sane(found: Partial<Choices>): Choices {
  const shown = { ...DEFAULTS.shown };
  for (const id of Object.keys(shown))
    if (typeof found.shown?.[id] === 'boolean') shown[id] = found.shown[id];
  return {
    shown,
    palette: found.palette === 'safe' ? 'safe' : 'paper',
    theme: found.theme === 'light' || found.theme === 'dark' ? found.theme : 'auto',
    holdMs: HOLD_CHOICES_MS.includes(found.holdMs ?? 0) ? Number(found.holdMs) : DEFAULTS.holdMs,
    colourBy: typeof found.colourBy === 'string' ? found.colourBy : DEFAULTS.colourBy,
  };
}

export class Settings {
  readonly changed = new Signal();
  private choices = sane(stored());

  get now(): Readonly<Choices> {
    return this.choices;
  }

  shown(id: string): boolean {
    return this.choices.shown[id] ?? false;
  }

  show(id: string, shown: boolean): void {
    this.set({ shown: { ...this.choices.shown, [id]: shown } });
  }

  set(some: Partial<Choices>): void {
    this.choices = { ...this.choices, ...some };
    try {
      window.localStorage.setItem(KEY, JSON.stringify(this.choices));
    } catch {
      // No storage: the settings last as long as the page.
    }
    this.changed.emit();
  }
}
