// SPDX-License-Identifier: MIT
// The commands of every page, live or of a snapshot.

import type { PaletteName, Settings, ThemeName } from '../model/settings.ts';
import type { Command, Commands } from './commands.ts';
import { openKeysDialog } from './keys_dialog.ts';

export function toggles(
  settings: Settings, group: string, entries: [id: string, label: string, key: string][]
): Command[] {
  return entries.map(([id, label, key]) => ({
    id, label, key, keyLabel: key, kind: 'check', group,
    checked: () => settings.shown(id),
    run: () => settings.show(id, !settings.shown(id)),
  }));
}

export const BARS: [string, string, string][] = [
  ['legend', 'Legend', 'e'],
  ['toolbar', 'Tool bar', 't'],
  ['menubar', 'Menu bar', 'm'],
  ['statusbar', 'Status bar', 's'],
];

export function appearance(settings: Settings): Command[] {
  const palettes: [PaletteName, string][] =
    [['paper', 'The paper’s: gray, blue, red, white'], ['safe', 'Colour-blind safe']];
  const themes: [ThemeName, string][] =
    [['auto', 'As the system'], ['light', 'Light'], ['dark', 'Dark']];
  const next = <T>(all: T[], now: T) => all[(all.indexOf(now) + 1) % all.length]!;
  return [
    ...palettes.map(([palette, label]): Command => ({
      id: `palette-${palette}`,
      label,
      kind: 'radio',
      group: 'Colours',
      checked: () => settings.now.palette === palette,
      run: () => settings.set({ palette }),
    })),
    ...themes.map(([theme, label]): Command => ({
      id: `theme-${theme}`,
      label,
      kind: 'radio',
      group: 'Theme',
      checked: () => settings.now.theme === theme,
      run: () => settings.set({ theme }),
    })),
    {
      id: 'next-palette',
      label: 'Other colours',
      key: 'c',
      keyLabel: 'c',
      kind: 'plain',
      group: 'Colours',
      run: () => settings.set({ palette: next(['paper', 'safe'], settings.now.palette) }),
    },
    {
      id: 'next-theme',
      label: 'Next theme',
      key: 'd',
      keyLabel: 'd',
      kind: 'plain',
      group: 'Theme',
      run: () => settings.set({ theme: next(['auto', 'light', 'dark'], settings.now.theme) }),
    },
  ];
}

export function keysCommand(commands: Commands): Command {
  return {
    id: 'keys',
    label: 'Keys …',
    key: '?',
    keyLabel: '?',
    kind: 'plain',
    group: 'Help',
    run: () => openKeysDialog(commands),
  };
}
