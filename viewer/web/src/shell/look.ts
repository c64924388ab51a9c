// SPDX-License-Identifier: MIT
// The resolved theme and palette for painting.

import { css, palette, type Palette } from '../grid/colours.ts';
import type { GridColours } from '../grid/block_grid.ts';
import type { Settings } from '../model/settings.ts';
import { Signal } from '../signal.ts';

export class Look {
  readonly changed = new Signal();
  private readonly system = window.matchMedia('(prefers-color-scheme: dark)');
  private systemIsDark = this.system.matches;

  constructor(private readonly settings: Settings) {
    // Read only here: Chromium reports no change if `matches` was read before the event.
    this.system.addEventListener('change', (event) => {
      this.systemIsDark = event.matches;
      this.apply();
    });
    let last = '';
    settings.changed.on(() => {
      const now = `${settings.now.theme} ${settings.now.palette}`;
      if (now !== last) this.apply();
      last = now;
    });
    this.apply();
  }

  get dark(): boolean {
    const { theme } = this.settings.now;
    return theme === 'dark' || (theme === 'auto' && this.systemIsDark);
  }

  get palette(): Palette {
    return palette(this.settings.now.palette, this.dark);
  }

  get grid(): GridColours {
    return {
      selected: css(this.palette.selected),
      halo: this.dark ? '#000' : '#fff',
      lines: this.variable('--cell-lines'),
      text: this.variable('--muted'),
    };
  }

  variable(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  /** Style sheets also use these colours. */
  private apply(): void {
    const root = document.documentElement;
    root.dataset.theme = this.dark ? 'dark' : 'light';
    const { untraced, in: swapIn, out, normal, selected } = this.palette;
    for (const [name, colour] of Object.entries({ untraced, in: swapIn, out, normal, selected }))
      root.style.setProperty(`--cell-${name}`, css(colour));
    this.changed.emit();
  }
}
