// SPDX-License-Identifier: MIT
// The live page: views, bars and commands around one session.

import { Connection, liveUrl } from './connection.ts';
import { bytes } from './format.ts';
import { el, setText } from './dom.ts';
import { liveCommands } from './live_commands.ts';
import { Session } from './model/session.ts';
import { MenuBar, ToolBar } from './shell/bars.ts';
import { legend } from './shell/legend.ts';
import { Shell } from './shell/shell.ts';
import { StatusBar } from './shell/status_bar.ts';
import { TimeBar } from './shell/time_bar.ts';
import type { App, LiveApp } from './shell/view.ts';
import { ServedMoments, type Moments } from './snapshot/moments.ts';
import { InspectorView } from './views/inspector.ts';
import { LogView } from './views/log.ts';
import { PagesView, SlotsView } from './views/move_views.ts';
import { ProcessesView } from './views/processes.ts';
import { StatisticsView } from './views/statistics.ts';

/** Views for which the server sends data. The inspector sends its own requests. */
const SERVED = ['log', 'pages', 'processes', 'slots', 'statistics'];
/** The time bar always needs the data for statistics. */
const ALWAYS = 'statistics';

export function startLive(
  base: App, snapshotCame: (bytes: ArrayBuffer, moments: Moments) => void
): void {
  const session = new Session();
  const app: LiveApp = { ...base, session };
  const pages = new PagesView(app);
  const time = new TimeBar(session, base.look);
  liveCommands(app.commands, app.settings, session, time, pages);
  const menubar = new MenuBar(app.commands, app.settings);
  const toolbar = new ToolBar(app.commands, [
    [['log', 'log'], ['pages', 'pages'], ['inspector', 'inspector']],
    [['processes', 'processes'], ['slots', 'slots'], ['statistics', 'statistics']],
  ], [time.element]);
  const status = new StatusBar(session);
  const shell = new Shell(
    app, {
      menubar: menubar.element,
      toolbar: toolbar.element,
      legend: legend(),
      statusbar: status.element,
    },
    [
      [pages, new SlotsView(app), new InspectorView(app)],
      [new LogView(app), new ProcessesView(app), new StatisticsView(app)],
    ]
  );
  app.settings.changed.on(() => toolbar.update());
  showLinkState(session, shell, menubar.facts);
  session.onError.on((text) => shell.notice(text));
  showSnapshots(session, shell, snapshotCame);
  session.start(new Connection(liveUrl(window.location), session));
  requestShownViews(app);
}

/** The first snapshot replaces the page; later ones were requested. */
function showSnapshots(
  session: Session, shell: Shell, came: (bytes: ArrayBuffer, moments: Moments) => void
): void {
  let moments: ServedMoments | null = null;
  session.onSnapshot.on((message) => {
    if (moments) return moments.came(message);
    shell.close();
    const facts = session.hello?.series ?? { times_ms: [], notes: [] };
    moments = new ServedMoments(facts, (request) => session.send(request));
    came(message, moments);
  });
  session.onLinkChange.on(() => session.link === 'open' && moments?.ask());
}

function requestShownViews(app: LiveApp): void {
  let last = '';
  const request = () => {
    const names = SERVED.filter((id) => id === ALWAYS || app.settings.shown(id));
    if (names.join() === last) return;
    last = names.join();
    app.session.wantViews(names);
  };
  app.settings.changed.on(request);
  request();
}

function showLinkState(session: Session, shell: Shell, facts: HTMLElement): void {
  const cover = () => {
    shell.cover.hidden = session.recording;
    const words =
      session.hello ? 'Waiting for the configuration of the traced machine' : 'Connecting';
    shell.cover.replaceChildren(el(
      'div', { class: 'cover-box' }, el('h2', {}, words),
      el(
        'p', {},
        session.hello
          ? 'Recording starts when the sizes of its memory and pages are known, ' +
            'at the latest after 64 rounds of its daemon.'
          : 'Requesting the current state from physmem-view.'
      )
    ));
  };
  session.onHello.on((hello) => {
    cover();
    const memory = hello.memory_bytes ? bytes(hello.memory_bytes) : '';
    const parts = [
      hello.mode, hello.source, hello.kernel && `Linux ${hello.kernel}`, hello.arch, memory,
      `pages of ${bytes(hello.page_size)}`
    ];
    setText(facts, hello.recording === false ? '' : parts.filter(Boolean).join(' · '));
  });
  session.onLinkChange.on(() => {
    cover();
    shell.stickyNotice(
      session.link === 'lost'
        ? 'The connection to physmem-view is lost. The page shows old data; ' +
          `the next attempt is in ${session.retryMs / 1000}\u2009s.`
        : ''
    );
  });
  cover();
}
