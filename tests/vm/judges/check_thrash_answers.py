# SPDX-License-Identifier: MIT
"""Tests the judge `thrash_answers` with synthetic answers."""

from judge_case import JudgeCase


class ThrashAnswers(JudgeCase):
    judge, suffix = "thrash_answers", "answers-runs"

    def write_answer(self, seconds: float = 3, status: int = 0, faults: int = 400,
                     programs: int = 2) -> None:
        self.write_run(f"kind=answer begin=100.5 end={100.5 + seconds} status={status} "
                       f"faults={faults}")
        self.write("out", ["PID Command", "1 init", *["70 physmem-load"] * programs])
        self.write("err", ["a sentence"])

    def test_accepts_an_answer_in_time(self) -> None:
        self.write_answer()
        self.assert_good()
        self.write_answer(status=5)
        self.assert_good()

    def test_rejects_a_late_one(self) -> None:
        self.write_answer(seconds=30.5)
        self.assert_wrong("seconds", "less than 30", "30.5")

    def test_rejects_a_machine_that_does_not_thrash(self) -> None:
        self.write_answer(faults=59)
        self.assert_wrong("major faults", "60.0 or more", "59")

    def test_rejects_an_error(self) -> None:
        self.write_answer(status=4)
        self.assert_wrong("exit status", "0 or 5", "4: a sentence")

    def test_rejects_an_answer_that_is_cut(self) -> None:
        self.write_answer(programs=1)
        self.assert_wrong("lines that name a program", "2 or more", "1")

    def write_samples(self, times: list[int]) -> None:
        self.write_run("kind=samples")
        self.write("out", [f"physmem-top  2026-11-30 16:{12 + t // 60}:{t % 60:02}  up 0:00"
                           for t in times])
        self.write("err", [])

    def test_samples(self) -> None:
        self.write_samples([*range(20), *range(23, 60), 63])
        self.assert_good()
        self.write_samples([*range(20), *range(25, 60)])
        self.assert_wrong("the longest time", "less than 5", "6")
        self.write_samples([*range(29)])
        self.assert_wrong("samples", "30 or more", "29")
