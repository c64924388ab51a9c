# SPDX-License-Identifier: MIT
"""Tests the judge `stress` with synthetic output of physmem-churn and physmem-readers."""

from judge_case import JudgeCase

COUNTERS = ("thp_split_pmd", "thp_collapse_alloc", "pswpout", "pswpin", "oom_kill")


class Stress(JudgeCase):
    judge, suffix = "stress", "stress-runs"

    def setUp(self) -> None:
        super().setUp()
        self.made = {"fork": [3, 0], "area-names": [0, 7], "userfault": [0, 1], "ksm": [1, 0]}
        self.reads = {"block-1": [4, 0, 0], "block-131": [4, 1, 0], "seek": [2, 0, 0],
                      "dying": [1, 1, 0], "hole": [1, 1, 0], "block-7": [1, 1, 0]}
        self.grown = dict.fromkeys(COUNTERS, 1)

    def write_rounds(self) -> None:
        """The first of two rounds made and read nothing."""
        self.write_run("kind=rounds rounds=2")
        for suffix, word, counts in (("churn", "kind", self.made),
                                     ("readers", "reader", self.reads)):
            rounds = [dict.fromkeys(counts, [0, 0, 0]), counts]
            self.write(suffix, [f"{word} {kind} {' '.join(str(n) for n in numbers)}"
                                for one in rounds for kind, numbers in one.items()] + ["wrong 0"])
        self.write("before", [f"{name} 5" for name in COUNTERS])
        self.write("after", [f"{name} {5 + more}" for name, more in self.grown.items()])

    def assert_in(self, suffix: str, point: str, expected: str, found: str) -> None:
        self.write_rounds()
        self.input = f"test.run: test.run.{suffix}, rounds: 2"
        self.assert_wrong(point, expected, found)

    def test_accepts_rounds_with_all_kinds(self) -> None:
        self.write_rounds()
        self.assert_good()

    def test_rejects_change_that_was_never_made(self) -> None:
        self.made["ksm"] = [0, 9]
        self.assert_in("churn", "changes that were never made", "no such item", "1 .*: ksm: 0")

    def test_rejects_counters_that_did_not_grow(self) -> None:
        for name in COUNTERS:
            self.grown = dict.fromkeys(COUNTERS, 1) | {name: 0}
            self.assert_in("after", f"growth of {name}", "more than 0", "0")

    def test_rejects_counter_that_the_kernel_lacks(self) -> None:
        del self.grown["oom_kill"]
        self.assert_in("after", "growth of oom_kill", "more than 0", "-5")

    def test_rejects_reader_that_never_read(self) -> None:
        self.reads["seek"] = [0, 0, 3]
        self.assert_in("readers", "readers that never read", "no such item", "seek: 0")

    def test_rejects_reader_that_never_reached_the_end(self) -> None:
        for kind in ("block-131", "block-7", "dying", "hole"):
            before, self.reads[kind] = self.reads[kind], [4, 0, 0]
            self.assert_in("readers", "never reached the end", "no such item",
                           f"1 such items: {kind}: 4 reads, 0 ends")
            self.reads[kind] = before

    def test_rejects_output_that_is_missing(self) -> None:
        self.made = {}
        self.write_rounds()
        self.input = "test.run: name=run"
        self.assert_wrong("the files of the run", "whole files", "no line 'kind KIND ...'")
