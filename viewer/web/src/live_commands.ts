// SPDX-License-Identifier: MIT
// The commands of the live page.

import type { PaletteName, Settings, ThemeName } from './model/settings.ts';
import { HOLD_CHOICES_MS } from './model/settings.ts';
import type { Session } from './model/session.ts';
import type { Command, Commands } from './shell/commands.ts';
import { openKeysDialog } from './shell/keys_dialog.ts';
import type { TimeBar } from './shell/time_bar.ts';
import type { PagesView } from './views/pages.ts';

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

export function liveCommands(
  commands: Commands, settings: Settings, session: Session, time: TimeBar, pages: PagesView
): void {
  const isReplay = () => session.hello?.mode === 'replay';
  commands.add(
    ...toggles(
      settings, 'Views',
      [
        ['log', 'Log', '1'],
        ['pages', 'Page activity', '2'],
        ['inspector', 'Data inspector', '3'],
        ['processes', 'Processes', '4'],
        ['slots', 'Sectors', '5'],
        ['statistics', 'Statistics', '6'],
      ]
    ),
    ...toggles(settings, 'Bars', BARS),
    {
      id: 'block',
      label: 'Configuration: beginning page …',
      key: 'g',
      keyLabel: 'g',
      kind: 'plain',
      group: 'Block',
      run: () => pages.configure(),
    },
    {
      id: 'block-before',
      label: 'Previous block',
      key: '[',
      keyLabel: '[',
      kind: 'plain',
      group: 'Block',
      run: () => pages.turn(-1),
    },
    {
      id: 'block-after',
      label: 'Next block',
      key: ']',
      keyLabel: ']',
      kind: 'plain',
      group: 'Block',
      run: () => pages.turn(1),
    },
    {
      id: 'follow',
      label: 'Follow the busiest block',
      key: 'f',
      keyLabel: 'f',
      kind: 'check',
      group: 'Block',
      checked: () => session.following,
      run: () => (session.following = !session.following),
    },
    ...holds(settings),
    {
      id: 'hold',
      label: 'Hold the picture',
      key: ' ',
      keyLabel: 'Space',
      kind: 'check',
      group: 'Time',
      checked: () => session.cursor !== 'live' && !session.playing,
      run: () => time.toggle(),
    },
    {
      id: 'step-back',
      label: 'A second back',
      key: ',',
      keyLabel: ',',
      kind: 'plain',
      group: 'Time',
      run: () => time.step(-1),
    },
    {
      id: 'step-on',
      label: 'A second on',
      key: '.',
      keyLabel: '.',
      kind: 'plain',
      group: 'Time',
      run: () => time.step(1),
    },
    {
      id: 'live',
      label: 'Live',
      key: 'l',
      keyLabel: 'l',
      kind: 'plain',
      group: 'Time',
      enabled: () => session.cursor !== 'live',
      run: () => session.setCursor('live'),
    },
    {
      id: 'replay-pause',
      label: 'Pause the replay',
      key: 'p',
      keyLabel: 'p',
      kind: 'check',
      group: 'Time',
      enabled: isReplay,
      checked: () => session.hello?.replay?.paused ?? false,
      run: () => time.pauseReplay(),
    },
    ...appearance(settings),
    keysCommand(commands),
  );
}

function holds(settings: Settings): Command[] {
  return HOLD_CHOICES_MS.map((holdMs) => ({
    id: `hold-${holdMs}`,
    label: `Blue and red stay for ${holdMs / 1000}\u2009s`,
    kind: 'radio',
    group: 'Block',
    checked: () => settings.now.holdMs === holdMs,
    run: () => settings.set({ holdMs }),
  }));
}
