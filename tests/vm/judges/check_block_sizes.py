# SPDX-License-Identifier: MIT
"""Tests the judge `block_sizes` with synthetic snapshots."""

import hashlib

from judge_case import JudgeCase


class BlockSizes(JudgeCase):
    """A reference, and a snapshot named "run"."""

    judge, suffix = "block_sizes", "block-runs"

    def setUp(self) -> None:
        super().setUp()
        self.reference = [f"T: busybox.still, {pid}" for pid in range(9)]
        self.reference.append("M: " + "|".join(["0,1"] * 256))
        self.records = list(self.reference)
        self.ends = ["H: 2, kernel=6.1", "E: 1, 2, 3"]

    def write_both(self) -> None:
        reference, records = ("".join(line + "\n" for line in lines).encode()
                              for lines in (self.reference, self.records))
        (self.folder / "test.reference.records").write_bytes(reference)
        (self.folder / "test.reference.ends").write_text("x\n")
        self.write("ends", self.ends)
        if reference != records:
            (self.folder / "test.run.records").write_bytes(records)
        sums = [hashlib.sha256(text).hexdigest() for text in (reference, records)]
        (self.folder / "test.block-runs").write_text(
            f"name=reference kind=reference sum={sums[0]} bytes=9 processes=9 pages=256\n"
            f"name=run kind=same sum={sums[1]} bytes=9\n")

    def assert_good(self) -> None:
        self.write_both()
        super().assert_good()

    def assert_in(self, source: str, point: str, expected: str, found: str) -> None:
        self.write_both()
        self.input = f"test.{source}"
        self.assert_wrong(point, expected, found)

    def test_accepts_equal_records(self) -> None:
        self.assert_good()

    def test_rejects_other_line(self) -> None:
        self.records[3] = "T: busybox.still, 33"
        self.assert_in("run: test.run.records, compared with test.reference.records",
                       "the same to the byte", "[0-9a-f]{64}; line 4: T: busybox.still, 3\n",
                       "[0-9a-f]{64}; line 4: T: busybox.still, 33\n")

    def test_rejects_fewer_lines(self) -> None:
        del self.records[9]
        self.assert_in("run: test.run.records", "the same to the byte", "line 10: M: 0,1",
                       "line 10: nothing")

    def test_rejects_checksum_without_records(self) -> None:
        self.write_both()
        runs = self.folder / "test.block-runs"
        runs.write_text(runs.read_text().replace("kind=same sum=", "kind=same sum=bad"))
        self.input = "test.run: test.run.records"
        self.assert_wrong("the same to the byte", "[0-9a-f]{64}", "bad")

    def test_rejects_snapshot_that_was_cut_off(self) -> None:
        self.ends[1] = "M: 0,1"
        self.assert_in("run: test.run.ends", "a whole snapshot", "E: with numbers", "M: 0,1")
        self.ends = ["T: a", "E: 1"]
        self.assert_in("run: test.run.ends", "a whole snapshot", "H: 2", "T: a, and E: 1")

    def test_rejects_process_that_is_missing(self) -> None:
        del self.reference[0]
        del self.records[0]
        self.assert_in("reference: test.reference.records", "every stopped process", "9", "8")

    def test_rejects_short_lines(self) -> None:
        self.reference[9] = self.records[9] = "M: " + "|".join(["0,1"] * 255)
        self.assert_in("reference: test.reference.records", "entries of the longest", "256 or more",
                       "255")

    def test_rejects_reference_that_was_cut_off(self) -> None:
        self.write_both()
        path = self.folder / "test.reference.records"
        path.write_bytes(path.read_bytes()[:-1])
        self.input = "test.reference: test.reference.records"
        self.assert_wrong("the file is whole", "[0-9a-f]{64}", "[0-9a-f]{64}")
