# SPDX-License-Identifier: MIT
"""Tests the judge `memory_monitor` with synthetic files."""

from judge_case import JudgeCase

STAGES = ("nothing", "first_touch", "second_touch", "swapped_out", "mlock", "beyond_the_file",
          "thread", "copy_on_write")
NOON = 1_770_292_800  # 5/2/2026 12:00:00 UTC


class MemoryMonitor(JudgeCase):
    judge, suffix = "memory_monitor", "monitor-runs"

    def setUp(self) -> None:
        super().setUp()
        self.row = ["70", "fault_workload----------2048", "512", "350", "5/2/2026 12:00:01",
                    "5/2/2026 12:00:02"]
        self.others = [["60", "sh----------------------900", "9", "9", "x", "x"]]
        self.counters = {"missed": 0, "overflow": 0, "reused": 0}
        self.stages = {stage: [500, 500, 500, 0] for stage in STAGES}
        self.rollup, self.status = 512, 2048

    def write_all(self, facts: str) -> None:
        self.write_run(facts)
        header = ["PID\tCOMM\t\t\tVMA/KB\tRSS/KB\tCOUNT\tFN\t\t\tLU"]
        self.write("rows", header + ["\t".join(row) for row in [*self.others, self.row]])
        self.write("counters", [f"{name} {value}" for name, value in self.counters.items()])
        self.write("stages", [f"{stage} {' '.join(str(count) for count in counts)}"
                              for stage, counts in self.stages.items()])
        self.write("stat", ["70 (fault_workload) S 1 1 1 0 -1 0 300 0 50 0 5 5 0 0 20 0 1 0"])
        self.write("status", ["Name:\tfault_workload", f"VmSize:\t    {self.status} kB"])
        self.write("smaps_rollup", ["0-1 ---p 0 00:00 0 [rollup]", f"Rss:    {self.rollup} kB"])
        self.write("maps", ["00400000-00500000 r-xp 0 0 0 /bin/fault_workload",
                            "7f0000000000-7f0000100000 rw-p 0 0 0",
                            "ffffffffff600000-ffffffffff601000 --xp 0 0 0 [vsyscall]"])

    def assert_run(self, facts: str) -> None:
        self.write_all(facts)
        self.assert_good()

    def assert_in(self, facts: str, source: str, point: str, expected: str, found: str) -> None:
        """The point fails, and its input is this file."""
        self.write_all(facts)
        self.input = f"test.run: test.run.{source}"
        self.assert_wrong(point, expected, found)

    def known(self) -> str:
        return f"kind=known pid=70 pages=300 from={NOON} to={NOON + 3}"

    def test_accepts_numbers_of_the_kernel(self) -> None:
        self.assert_run(self.known())

    def test_rejects_other_faults(self) -> None:
        self.row[3] = "351"
        for facts in (self.known(), "kind=faults pid=70"):
            self.assert_in(facts, "rows, line 3: ['70', ", "faults are those of", "350", "351")

    def test_rejects_fewer_faults_than_pages(self) -> None:
        self.row[3] = "300"
        self.assert_in(self.known(), "rows, line 3", "more faults than", "more than 300", "300")

    def test_rejects_other_sizes(self) -> None:
        self.rollup, self.status = 516, 2052
        self.assert_in(self.known(), "rows, line 3", "RSS is that of", "516", "512")
        self.assert_in(self.known(), "rows, line 3", "VMA is VmSize", "2052", "2048")
        self.row[1] = "fault_workload----------2052"
        self.assert_in(self.known(), "rows, line 3", "sum over its areas", "2048", "2052")

    def test_rejects_other_times(self) -> None:
        self.row[4:] = ["5/2/2026 11:59:59", "05/2/2026 12:00:01"]
        expected = "5/2/2026 12:00:00 to 5/2/2026 12:00:03"
        self.assert_in(self.known(), "rows, line 3", "its first fault", expected, "11:59:59")
        self.assert_in(self.known(), "rows, line 3", "its last fault", expected, "05/2/2026")

    def test_rejects_no_row_or_two(self) -> None:
        self.input = "test.run: name=run"
        self.write_all("kind=faults pid=71")
        self.assert_wrong("the files of the run", "whole files", "0 rows of PID 71")
        self.others = [self.row]
        self.write_all("kind=faults pid=70")
        self.assert_wrong("the files of the run", "whole files", "2 rows of PID 70")

    def test_hour(self) -> None:
        facts = f"kind=hour pid=70 west=300 from={NOON + 3599} to={NOON + 3600}"
        for hour in ("07", "08"):
            self.row[5] = f"5/2/2026 {hour}:59:59"
            self.assert_run(facts)
        self.row[5] = "5/2/2026 12:59:59"
        self.assert_in(facts, "rows, line 3", "the hour is local", "5/2/2026 07 or 5/2/2026 08",
                       "5/2/2026 12")

    def test_hour_that_is_on_another_day(self) -> None:
        self.row[5] = "6/2/2026 00:00:01"
        self.assert_run(f"kind=hour pid=70 west=-720 from={NOON} to={NOON}")

    def test_stages_by_thread(self) -> None:
        self.assert_run("kind=stages by=thread")
        self.stages["mlock"] = [500, 501, 499, 0]
        self.stages["thread"][3] = 1
        facts = "kind=stages by=thread"
        self.assert_in(facts, "stages, line 5", "mlock: by getrusage", "500", "501")
        self.assert_in(facts, "stages, line 5", "mlock: by its row", "500", "499")
        self.assert_in(facts, "stages, line 7", "a thread's faults are in no other row", "0", "1")

    def test_rejects_stage_that_was_not_run(self) -> None:
        del self.stages["mlock"]
        self.write_all("kind=stages by=thread")
        self.assert_wrong_files("KeyError")

    def assert_wrong_files(self, error: str) -> None:
        self.input = "test.run: test.run.stages"
        self.assert_wrong("the files of the run", "whole files", error)

    def test_stages_by_process(self) -> None:
        self.stages["thread"] = [500, 500, 0, 500]
        self.assert_run("kind=stages by=process")
        self.stages["thread"] = [500, 500, 1, 499]
        facts = "kind=stages by=process"
        self.assert_in(facts, "stages, line 7", "counted in the process's row", "500", "499")
        self.assert_in(facts, "stages, line 7", "a thread has no row", "0", "1")

    def test_quiet(self) -> None:
        self.assert_run("kind=quiet")
        for name in self.counters:
            self.counters = {"missed": 0, "overflow": 0, "reused": 0, name: 1}
            self.assert_in("kind=quiet", "counters", "no fault was missed", f"'{name}': 0",
                           f"'{name}': 1")

    def test_churn(self) -> None:
        facts = "kind=churn entries=2 pid=70"
        self.counters["reused"] = 2501
        self.assert_run(facts)
        self.counters |= {"reused": 2500, "overflow": 1}
        self.others = []
        self.row[3] = "349"
        self.assert_in(facts, "counters", "were reused", "more than 2500", "2500")
        self.assert_in(facts, "counters", "no process was left without a row", "0", "1")
        self.assert_in(facts, "rows\n", "no more rows than entries", "2", "1")
        self.assert_in(facts, "rows, line 2", "its faults are those of", "350", "349")

    def test_full(self) -> None:
        facts = "kind=full entries=2 over=68"
        self.counters["overflow"] = 68
        self.assert_run(facts)
        self.counters["overflow"] = 67
        self.others = []
        self.assert_in(facts, "counters", "counts the overflow", "68 or more", "67")
        self.assert_in(facts, "rows", "the table is full", "2", "1")

    def test_waiters(self) -> None:
        self.assert_run("kind=waiters missed=0")
        self.counters["missed"] = 15
        self.assert_in("kind=waiters missed=0", "counters", "no fault is missed", "0", "15")
        self.assert_in("kind=waiters missed=16", "counters", "are missed", "16 or more", "15")

    def test_threads(self) -> None:
        self.assert_run("kind=threads rows=0")
        self.others = [self.row]
        self.assert_in("kind=threads rows=0", "rows, rows of fault_workload",
                       "five threads have one row", "1", "2")
