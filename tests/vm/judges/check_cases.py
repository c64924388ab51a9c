# SPDX-License-Identifier: MIT
"""Tests the judge `cases` with synthetic profiles."""

from dataclasses import dataclass, field

from judge_case import JudgeCase


@dataclass
class Profile:
    """One line per second: minor faults, major faults, ms of CPU time."""

    facts: str
    processes: int
    seconds: list[tuple[int, int, int]]
    percent: float
    completion: float
    ends: list[float]
    period: float = 0.05
    missed: int = 0  # of every 20 deadlines
    printed: dict[str, int] = field(default_factory=dict)  # instead of the sums of the samples
    kernels: int = -1  # instead of the sum of the samples
    client: list[str] = field(default_factory=list)  # instead of the samples

    def samples(self) -> list[tuple[float, int, int, float]]:
        """The last sample is not on a deadline."""
        samples = []
        for second, (minor, major, cpu) in enumerate(self.seconds):
            at = [second + i * self.period for i in range(20) if i < 20 - self.missed]
            samples += [(time, 0, 0, 0.0) for time in at[:-1]]
            samples.append((at[-1], minor, major, cpu / 1000))
        return samples + [(len(self.seconds) + 0.02, 0, 0, 0.0)]

    def sums(self) -> dict[str, int]:
        sums = {"minor": sum(second[0] for second in self.seconds),
                "major": sum(second[1] for second in self.seconds)}
        return sums | {"cpu": 1} | self.printed


FILL = (50_000, 0, 900)
SHORT = (400, 300, 400)  # L is 1.3 ms
FITS = (500, 2, 900)


class CaseStudies(JudgeCase):
    judge, suffix = "cases", "cases-runs"

    def setUp(self) -> None:
        super().setUp()
        self.runs = {
            "profile1": Profile("kind=random all=2 fit=1", 2, [FILL] + [SHORT] * 20, 60, 21,
                                [18.0, 21.0]),
            "profile2": Profile("kind=local", 2, [FILL] + [SHORT] * 5, 70, 6, [5.0, 6.0]),
            "n20": Profile("kind=short", 20, [FILL] + [SHORT] * 20, 80, 21, [21.0] * 20),
            "n22": Profile("kind=short all=22 fit=16", 22, [FILL] + [SHORT] * 25, 90, 26,
                           [20.0] * 6 + [26.0] * 16),
        }
        fits = {"n5": ("", 5), "n11": ("", 11), "n16": (" few=100", 16), "n16-again": ("", 16)}
        for name, (few, count) in fits.items():
            self.runs[name] = Profile(f"kind=fit{few}", count, [FILL] + [FITS] * 5, 170, 6,
                                      [6.0] * count)

    def write_run_of(self, name: str, run: Profile) -> str:
        samples = run.samples()
        lines = [f"{round(1000 * time)} {minor} {major} {round(1e9 * cpu)}"
                 for time, minor, major, cpu in samples] + [f"read {len(samples)} profiled data"]
        sums = run.sums()
        texts = {
            f"{name}.data": lines,
            f"test.{name}.client": run.client or lines,
            f"test.{name}.csv": ["Time s,Jiffies,Minor faults,Major faults,CPU s,CPU %"] + [
                f"{time:.3f},1,{minor},{major},{cpu:.6f},1" for time, minor, major, cpu in samples],
            f"test.{name}.totals": ["N,CPU %,Completion s,Minor faults,Major faults",
                                    f"0,{run.percent},{run.completion},1,1"],
            f"test.{name}.messages": [
                f"physmem-load work[{70 + at}] {end:.3f} s: while registered:"
                + "".join(f" {key}={value if at == 0 else 0}" for key, value in sums.items())
                for at, end in enumerate(run.ends)],
        }
        for file, text in texts.items():
            (self.folder / file).write_text("".join(line + "\n" for line in text))
        kernels = sums["major"] if run.kernels < 0 else run.kernels
        return f"name={name} {run.facts} begin=1.0 end=9.0 majors=1 kernels={kernels}"

    def write_all(self) -> None:
        lines = [self.write_run_of(name, run) for name, run in self.runs.items()]
        (self.folder / "test.cases-runs").write_text(
            "".join(line + "\n" for line in [*lines, "name=all kind=compare"]))

    def assert_good(self) -> None:
        self.write_all()
        super().assert_good()

    def assert_in(self, run: str, source: str, point: str, expected: str, found: str) -> None:
        """The point of this run fails, and its input is this file."""
        self.write_all()
        self.input = f"test.{run}: {source}"
        self.assert_wrong(f"test.{run}: {point}", expected, found)

    def test_accepts_cases_as_they_should_be(self) -> None:
        self.assert_good()

    def test_accepts_deadlines_that_were_missed(self) -> None:
        self.runs["n11"].missed = 4
        self.assert_good()

    def test_rejects_longer_period(self) -> None:
        self.runs["n11"].period = 0.054
        self.assert_in("n11", "test.n11.csv", "20 samples per second", "more than 19", "18.5185")

    def test_rejects_shorter_period(self) -> None:
        self.runs["n11"].period = 0.04
        self.assert_in("n11", "test.n11.csv", "20 samples per second", "less than 20.2", "25")

    def test_rejects_too_many_samples(self) -> None:
        self.runs["n11"].seconds = self.runs["n11"].seconds[:1]
        self.runs["n11"].period = 0.0489
        self.assert_in("n11", "test.n11.csv", "no more samples than that", "less than 20.2", "20.4")

    def test_rejects_every_second_deadline(self) -> None:
        self.runs["n11"].period = 0.1
        self.runs["n11"].missed = 10
        self.assert_in("n11", "test.n11.csv", "at least four in five", "more than 16", "9.96")

    def test_rejects_client_that_prints_other_samples(self) -> None:
        self.runs["n5"].client = ["1 2 3 4"]
        self.assert_in("n5", "n5.data", "the assignment's client", "item 0: 0 0 0 0",
                       "1 items; item 0: 1 2 3 4; item 1: nothing")

    def test_rejects_faults_that_getrusage_does_not_have(self) -> None:
        self.runs["n5"].printed = {"minor": 52_506, "major": 4}
        source = "n5.data, test.n5.messages: 5 processes"
        self.assert_in("n5", source, "minor faults are those of getrusage", "52501 to 52511",
                       "52500")
        self.assert_in("n5", source, "major faults are those of getrusage", "-1 to 9", "10")

    def test_rejects_faults_that_the_kernel_does_not_have(self) -> None:
        self.runs["n20"].kernels = 5600
        self.assert_in("n20", "n20.data", "major faults are those of the kernel", "5220 to 5980",
                       "6000")

    def test_rejects_major_faults_that_take_too_much_cpu_time(self) -> None:
        self.runs["profile1"].seconds[1:] = [(400, 100, 400)] * 20
        self.assert_in("profile1", "test.profile1.csv, until 18.0 s", "L is below", "less than 4",
                       "4")
        self.runs["n22"].seconds[1:] = [(400, 50, 2200)] * 25
        self.assert_in("n22", "test.n22.csv, until 20.0 s", "L is below", "less than 44", "44")

    def test_ignores_seconds_in_which_the_rest_fits(self) -> None:
        self.runs["profile1"].seconds[18:] = [(400, 100, 900)] * 40
        self.assert_good()

    def test_rejects_major_faults_while_memory_is_filled(self) -> None:
        self.runs["profile1"].seconds[0] = (50_000, 1001, 900)
        self.assert_in("profile1", "test.profile1.csv", "major faults in the second with the most",
                       "0 to 1000", "1001")
        self.assert_in("profile1", "test.profile1.csv", "minor faults are no signal",
                       "is short: 50000", "50000")

    def test_rejects_memory_that_was_never_short(self) -> None:
        self.runs["n22"].seconds[1:] = [(400, 49, 40)] * 25
        self.assert_in("n22", "test.n22.csv", "L is below", "less than 44", "inf")
        self.assert_in("n22", "test.n22.csv", "minor faults are no signal", "None", "50000")

    def test_rejects_cases_that_fit_or_do_not(self) -> None:
        self.runs["profile1"].seconds[1:] = [(400, 100, 100)] * 10
        self.runs["profile2"].seconds = [FILL] * 6
        self.runs["n16"].seconds[1:] = [(400, 20, 100)] * 5
        self.runs["n20"].seconds[1:] = [(400, 100, 100)] * 10
        self.assert_in("profile1", "profile1.data", "do not fit", "more than 1000", "1000")
        self.assert_in("profile2", "profile2.data", "do not fit", "more than 0", "0")
        self.assert_in("n16", "n16.data", "fit", "less than 100", "100")
        self.assert_in("n20", "n20.data", "do not fit", "more than 1000", "1000")

    def test_rejects_cases_that_do_not_take_longer(self) -> None:
        self.runs["profile1"].completion = 6
        self.runs["n20"].completion = 6
        self.assert_in("all", "test.profile1.totals, test.profile2.totals",
                       "random and random takes longer", "more than 6", "6")
        self.assert_in("all", "test.n20.totals", "n20 takes longer than n16", "more than 6", "6")

    def test_rejects_cases_that_use_as_much_of_the_cpus(self) -> None:
        self.runs["n16"].percent, self.runs["n20"].percent = 80, 170
        self.runs["n22"].percent = 169
        self.assert_in("all", "test.n20.totals, test.n16.totals, test.n16-again.totals",
                       "n20 uses less of the CPUs than n16", "less than 170", "170")
        self.runs["n20"].percent = 169
        self.assert_good()

    def test_rejects_runs_that_are_missing(self) -> None:
        del self.runs["n22"]
        self.assert_in("all", "name=all kind=compare", "runs of each kind", "'n22'", r"\['n20'\]")

    def test_rejects_file_that_was_not_sent(self) -> None:
        self.write_all()
        (self.folder / "test.n5.totals").unlink()
        self.input = "test.n5: name=n5"
        self.assert_wrong("the files of the run", "whole files", "FileNotFoundError")
