# SPDX-License-Identifier: MIT
"""Tests the judge `thrash` with a synthetic report."""

from judge_case import JudgeCase

WINDOWS = "From s,To s,Level,Condition,Minor,Major,CPU ms"
EVENTS = "Time s,Subject,PID,From,To,Condition,Reason"
MESSAGE = "physmem-watch: waiting for memory to be short, by PSI trigger some 70000 1000000"


def event(at: float, pid: str, source: str, to: str) -> str:
    return f"{at:.2f},{'physmem-load' if pid else 'system'},{pid},{source},{to},open,a reason"


class Thrash(JudgeCase):
    """The series starts at an uptime of 100 s. Pages are evicted and read back from 20 s on, and
    the first of two programs ends at 65 s."""

    judge, suffix = "thrash", "thrash-runs"

    def setUp(self) -> None:
        super().setUp()
        self.read_in = {second: 200 for second in range(20, 65)}  # pages per second
        self.events = [
            event(19.5, "", "idle", "reclaim"),
            event(21.0, "", "reclaim", "thrashing"),
            event(22.0, "71", "well", "thrashing"),
            event(23.0, "72", "well", "thrashing"),
            event(67.0, "", "thrashing", "reclaim"),
            event(68.0, "72", "thrashing", "recovering"),
        ]
        self.calm, self.short = "900,0,400", "300,200,400"
        self.messages = [MESSAGE, "a second line: of it"]
        self.states = [("thrashing", 71), ("thrashing", 72), ("recovering", 72)]

    def write_report(self) -> None:
        self.write_run("kind=two first=71 second=72 left=165.0 service_ms=4")
        self.write("series", ["H: 2, kernel=6.1, uptime_ns=100000000000, page_size=4096"])
        rows, pages_in = [], 0
        for second in range(80):
            pages_in += self.read_in.get(second, 0)
            rows.append(f"{100 + second}.0 {pages_in} {10 * second}")
        self.write("witness", rows)
        levels = [("3 thrashing", self.short) if 21 <= second < 66 else ("0 idle", self.calm)
                  for second in range(80)]
        self.write("windows.csv", [WINDOWS] + [f"{at},{at + 1},{level},open,{numbers}"
                                               for at, (level, numbers) in enumerate(levels)])
        self.write("events.csv", [EVENTS] + self.events)
        self.write("watch.messages", self.messages)
        self.write("watch.json", ['{"time":"x","subject":"process","from":"well",'
                                  f'"to":"{state}","process":'
                                  f'{{"command":"physmem-load","pid":{pid},'
                                  '"majors":1}}' for state, pid in self.states])

    def assert_good(self) -> None:
        self.write_report()
        super().assert_good()

    def assert_about(self, source: str, point: str, expected: str, found: str) -> None:
        """The point fails with this file, or line of a file, as its input."""
        self.write_report()
        self.input = f"test.run: test.run.{source}\n"
        self.assert_wrong(point, expected, found)

    def test_accepts_report_of_all_that_happened(self) -> None:
        self.assert_good()

    def test_rejects_counters_that_never_showed_it(self) -> None:
        self.read_in = {second: 99 for second in range(20, 65)}
        self.assert_about("witness, line 80", "by /proc/vmstat", "less than 65", "inf")
        self.assert_about("events.csv, line 3", "the system is thrashing", "never saw", "21.0 s")

    def test_rejects_system_that_is_reported_late(self) -> None:
        self.events[1] = event(25.5, "", "reclaim", "thrashing")
        self.assert_about("events.csv, line 3", "the system is thrashing within 5 s",
                          "19.00 s to 25.00 s", "25.5 s, 5.50 s after; line 3: 25.50,system")

    def test_rejects_system_that_is_reported_early(self) -> None:
        self.events[1] = event(18.5, "", "reclaim", "thrashing")
        self.assert_about("events.csv, line 3", "the system is thrashing", "19.00 s", "18.5 s")
        self.assert_about("events.csv", "only reclaim events before", "no such", "line 3: 18.50")

    def test_rejects_system_that_is_never_reported(self) -> None:
        del self.events[1]
        self.assert_about("events.csv", "the system is thrashing", "19.00 s to 25.00 s", "never")

    def test_rejects_processes_that_are_named_late(self) -> None:
        self.events[2] = event(30.5, "71", "well", "thrashing")
        self.events[3] = event(35.5, "72", "well", "thrashing")
        self.assert_about("events.csv, line 4", "the first of the two is named", "30.00 s", "30.5")
        self.assert_about("events.csv, line 5", "both are named", "35.00 s", "35.5 s")

    def test_rejects_one_process_that_is_not_named(self) -> None:
        self.events[3] = event(23.0, "72", "well", "slow")
        self.assert_about("events.csv", "both are named", "19.00 s to 35.00 s", "never")

    def test_rejects_another_process(self) -> None:
        self.events.append(event(70, "60", "well", "slow"))
        self.assert_about("events.csv", "no other process has events", "no such", "line 8: 70.00")

    def test_rejects_end_that_is_reported_late(self) -> None:
        self.events[4] = event(80.5, "", "thrashing", "reclaim")
        self.events[5] = event(81, "72", "thrashing", "recovering")
        self.assert_about("events.csv, line 6", "thrashing has ended", "80.00 s", "80.5 s")
        self.assert_about("events.csv, line 7", "the survivor is recovering", "80.00 s", "81.0 s")

    def test_rejects_end_that_was_reported_before_it(self) -> None:
        self.events[4] = event(64.0, "", "thrashing", "reclaim")
        self.assert_about("events.csv", "thrashing has ended", "64.00 s to 80.00 s", "never")

    def test_rejects_thrashing_after_the_end(self) -> None:
        self.events.append(event(66.5, "72", "slow", "thrashing"))
        self.assert_about("events.csv", "no process thrashes while pages are read back", "no such",
                          "line 8: 66.50")

    def test_rejects_major_faults_that_take_too_much_cpu_time(self) -> None:
        self.short = "300,100,400"
        self.assert_about("windows.csv", "L while it thrashes", "less than 4", "4")

    def test_rejects_no_window_with_thrashing(self) -> None:
        self.short = "300,0,400"
        self.assert_about("windows.csv", "L while it thrashes", "less than 4", "inf")

    def test_rejects_minor_faults_that_would_be_a_signal(self) -> None:
        self.short = "900,300,400"
        self.assert_about("windows.csv", "minor faults are no signal", "more than 900", "900")

    def test_rejects_watcher_that_woke_by_another_event(self) -> None:
        self.messages[0] = "physmem-watch: waiting for 10 s"
        self.assert_about("watch.messages, line 1", "the event that woke", "by PSI trigger",
                          "waiting for 10 s")

    def test_rejects_watcher_that_reports_other_processes(self) -> None:
        self.states = [("slow", 71), ("thrashing", 72)]
        self.assert_about("watch.json", "physmem-watch reports 71", '"pid":71,', "states .'slow'.")
        self.assert_about("watch.json", "that the survivor recovers", '"pid":72,',
                          "states .'thrashing'.")
