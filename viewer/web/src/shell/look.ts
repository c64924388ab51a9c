// SPDX-License-Identifier: MIT
// Theme and palette, resolved: what views paint with.

import { css, palette, type Palette } from '../grid/colours.ts';
import type { GridColours } from '../grid/block_grid.ts';
import type { Settings } from '../model/settings.ts';
import { Signal } from '../signal.ts';

export class Look {
  readonly changed = new Signal();
  private readonly system = window.matchMedia('(prefers-color-scheme: dark)');
  private systemIsDark = this.system.matches;

  constructor(private readonly settings: Settings) {
    // Not read again between: Chromium tells no change of which `matches` was read before it came to tell.
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

  /** Style sheets take the colours that mean something from here, too. */
  private apply(): void {
    const root = document.documentElement;
    root.dataset.theme = this.dark ? 'dark' : 'light';
    const { untraced, in: swapIn, out, normal, selected } = this.palette;
    for (const [name, colour] of Object.entries({ untraced, in: swapIn, out, normal, selected }))
      root.style.setProperty(`--cell-${name}`, css(colour));
    this.changed.emit();
  }
}
