# SPDX-License-Identifier: MIT
"""`remove --host db1` is stopped before each statement that changes a store in ClickHouse. The
reports of the host were wrong, and other ones of the same times are loaded in the end."""
import re
import subprocess
import threading

import hostile_reports
from servers import check
from statements import Statements

REMOVE = ["remove", "--host", "db1"]


class StoppedRemovals:
    """In a store of its own. run(WORDS...) runs physmem-fleet, answers(STORE) are all answers."""

    def __init__(self, fleet, url, work, run, answers):
        self.fleet, self.run, self.answers = fleet, run, answers
        self.store = re.sub("/physmem", "/stopped", url, 1)
        self.wrong, self.beside, self.right = (
            hostile_reports.write_reports(work / f"db1-{name}.rows", hostile_reports.of_db1(units))
            for name, units in (("wrong", [b"/lib/x", b"/lib/y"]), ("beside", [b"/lib/z"]),
                                ("right", [b"/lib/x"])))
        self.sqlite = str(work / f"db1-{'cluster' in url}.db")
        run("load", self.sqlite, self.wrong)
        run(*REMOVE, self.sqlite)
        self.without = answers(self.sqlite)
        run("load", self.sqlite, self.beside)
        self.of_beside = answers(self.sqlite)
        run(*REMOVE, self.sqlite)
        run("load", self.sqlite, self.right)
        self.expected = answers(self.sqlite)
        check("/lib/y" not in self.expected, "SQLite has only what was loaded last")
        self.statements = None
        self.remover = None
        self.messages = ""
        self.is_started = threading.Event()

    def check_all(self, is_short):
        self.run("load", self.store, self.wrong)
        self.statements = Statements(self.store)
        self.start()
        check(self.end() == 0, f"a removal in {len(self.statements.seen)} statements")
        steps = self.statements.seen

        def place(text):
            return next(i for i, sql in enumerate(steps, 1) if text in sql)
        facts, lines = place("stopped.units DELETE"), place("stopped.snapshots DELETE")
        # Before and after a table of facts and the lines of snapshots, and before the last sums.
        for at in (lines,) if is_short else (1, facts + 1, lines, lines + 1, len(steps)):
            self.check_killed(at, steps[at - 1])
        for at in (lines,) if is_short else (facts + 1, lines, lines + 1):
            self.check_beside(at, ["load", self.store, self.beside])
        for at in () if is_short else (facts, lines + 1, len(steps)):
            self.check_beside(at, [*REMOVE, self.store])
        for at in () if is_short else (facts, lines + 1):
            self.check_interrupted(at)
        self.check_loader(lines, is_short)
        self.statements.close()
        self.check_sums()

    def start(self, at=0, stop=None, is_lost=False):
        """A removal of the wrong reports. Their days were summed up."""
        self.run("load", self.store, self.wrong)
        self.run("rollup", self.store)
        self.is_started.clear()
        self.statements.begin(at, stop, is_lost)
        self.begin()

    def begin(self):
        # pylint: disable=consider-using-with
        self.remover = subprocess.Popen([self.fleet, *REMOVE, self.statements.own_url],
                                        stderr=subprocess.PIPE, text=True)
        self.is_started.set()

    def end(self):
        self.messages = self.remover.stderr.read().strip()
        self.remover.stderr.close()
        return self.remover.wait()

    def kill(self):
        self.is_started.wait()
        self.remover.kill()
        self.remover.wait()

    def check_killed(self, at, sql):
        what = f"killed before statement {at}: {' '.join(sql.split())[:70]}"
        self.start(at, self.kill, is_lost=True)
        check(self.end() == -9, what)
        self.run("load", self.store, self.right)
        check(self.answers(self.store) == self.expected, "the next load has the answers of SQLite")
        self.start(at, self.kill, is_lost=True)
        check(self.end() == -9, "killed again")
        messages = self.run(*REMOVE, self.store).stderr
        check("6 snapshots of 1 host removed" in messages or "no host" in messages,
              messages.strip())
        check(self.answers(self.store) == self.without, "the same command completes it")
        self.run("load", self.store, self.right)
        check(self.answers(self.store) == self.expected, "then only the other reports count")

    def check_beside(self, at, words):
        """Another command runs while the removal is stopped."""
        self.start(at, lambda: self.run(*words))
        status = self.end()
        check(status == 0 and "6 snapshots of 1 host removed" in self.messages,
              f"{words[0]} before statement {at}: {self.messages}")
        self.check_whole(words[0] == "load")

    def check_whole(self, is_loaded):
        """The answers are as after one command after the other, and nothing else is on the disk."""
        answers = self.answers(self.store)
        check(answers == self.without or (is_loaded and answers == self.of_beside),
              "the answers are as after one command after the other")
        self.run("load", self.store, self.right)
        check(self.answers(self.store) == self.expected, "then only the other reports count")

    def check_loader(self, lines, is_short):
        """A loader has asked what is stored when a removal runs. In the end, what it has loaded is
        whole: also if the removal began between two tables of facts, or before the line."""
        is_stopped, has_loaded = threading.Event(), threading.Event()

        def stop():
            is_stopped.set()
            has_loaded.wait()

        def begin():
            self.start(lines, stop)
            check(is_stopped.wait(60), "a removal is stopped before the lines of snapshots")
        loader = Statements(self.store)
        self.run("load", self.store, self.wrong)
        loader.begin(1, begin)
        self.run("load", loader.own_url, self.beside)
        has_loaded.set()
        check(self.end() == 0, self.messages)
        self.check_whole(True)

        def remove():
            self.run(*REMOVE, self.store)
        self.run("load", self.store, self.wrong)
        loader.begin(0, None)
        self.run("load", loader.own_url, self.right)
        inserts = [i for i, sql in enumerate(loader.seen, 1) if "INSERT" in sql]
        for at in inserts[-1:] if is_short else inserts[-5::2]:
            self.run("load", self.store, self.wrong)
            loader.begin(at, remove)
            self.run("load", loader.own_url, self.right)
            check(self.answers(self.store) == self.expected,
                  f"a removal before statement {at} of a load: what was loaded is whole")
        loader.close()

    def check_sums(self):
        """Of days without facts, `machine_days` goes last. In a store of its own."""
        store = re.sub("/stopped", "/days", self.store, 1)
        sqlite = self.sqlite + ".sums.db"
        for one in (sqlite, store):
            self.run("load", one, self.wrong)
            self.run("expire", "--before", "2026-11-24", one)
        self.run(*REMOVE, sqlite)
        self.statements = Statements(store)
        self.statements.begin(3, self.kill, is_lost=True)
        self.is_started.clear()
        self.begin()
        check(self.end() == -9, f"killed before {' '.join(self.statements.seen[-1].split())[:70]}")
        messages = self.run(*REMOVE, store).stderr
        check("of 1 host removed" in messages, messages.strip())
        check(self.answers(store) == self.answers(sqlite), "the same command goes on with sums")
        self.statements.close()

    def check_interrupted(self, at):
        """It may have ended by then."""
        def interrupt():
            self.is_started.wait()
            self.remover.terminate()
        self.start(at, interrupt)
        status = self.end()
        is_interrupted = "interrupted " in self.messages
        check(status == (5 if is_interrupted else 0), f"{status}: {self.messages}")
        self.run(*REMOVE, self.store)
        check(self.answers(self.store) == self.without, "the same command goes on")
