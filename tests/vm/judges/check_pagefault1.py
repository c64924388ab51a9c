# SPDX-License-Identifier: MIT
"""Tests the judge `pagefault1` with synthetic traces."""

import gzip

from judge_case import JudgeCase

ROWS = 600
FIRST = 0x7F0000000000
COLUMNS = 3


class Pagefault1(JudgeCase):
    """In each pass the load reads and writes a page of the second array's row, then one of the
    first array's. Each page is swapped out before the next pass."""

    judge, suffix = "pagefault1", "pagefault-runs"
    input = "test.run: test.run.trace.gz\n"

    def setUp(self) -> None:
        super().setUp()
        self.lines = []
        pages = [page for row in range(ROWS) for page in (ROWS + row, row)]
        for column in range(COLUMNS):
            for page in pages:
                if column > 0:
                    self.lines.append(self.swap_in(page, column))
                self.lines.append(self.swap_out(page, column))
        self.migrated, self.arrays = 0, f"{FIRST:x}"
        self.sums: dict[str, int] = {}  # instead of those of the lines

    def event(self, kind: str, page: int, column: int, frame: int, flags: str) -> str:
        """A page has the frame of its last swap-in and the slot of its last swap-out."""
        rest = f"0:{page + 5000 * column:08X}, 00000080, {flags}, 9"
        return (f"{kind}: 1, 1000, 0, 70, 70, physmem-load, {FIRST + 4096 * page:08X},"
                f" {frame:08X}, {rest}")

    def swap_in(self, page: int, column: int) -> str:
        return self.event("I", page, column - 1, page + 9000 * column, "io major")

    def swap_out(self, page: int, column: int) -> str:
        return self.event("O", page, column, page + 9000 * column, "io mapped")

    def find(self, kind: str, page: int, column: int) -> int:
        text = self.swap_in(page, column) if kind == "I" else self.swap_out(page, column)
        return self.lines.index(text)

    def change(self, kind: str, page: int, column: int, old: str, new: str) -> int:
        """Changes a field of this event; returns its line's number."""
        at = self.find(kind, page, column)
        self.assertIn(old, self.lines[at])
        self.lines[at] = self.lines[at].replace(old, new)
        return at + 1

    def write_trace(self) -> None:
        self.write_run(f"kind=pagefault1 rows={ROWS} columns={COLUMNS} arrays={self.arrays}")
        ins = sum(line[0] == "I" for line in self.lines)
        outs = sum(line[0] == "O" for line in self.lines)
        sums = {"in_io": ins, "out_io": outs, "lost": 0, "pswpin": ins, "pswpout": outs} | self.sums
        text = ["H: 1, trace=paging", *self.lines, f"E: {ins}, {outs}, 0"]
        for letter, names in (("T", ("in_io", "out_io", "lost")), ("V", ("pswpin", "pswpout"))):
            text.append(f"{letter}: " + " ".join(f"{name}={sums[name]}" for name in names))
        with gzip.open(self.folder / "test.run.trace.gz", "wt") as trace:
            trace.write("".join(line + "\n" for line in text))
        self.write("vmstat", ["before pgmigrate_success 7",
                              f"after pgmigrate_success {7 + self.migrated}"])

    def assert_good(self) -> None:
        self.write_trace()
        super().assert_good()

    def assert_wrong(self, point: str, expected: str, found: str) -> None:
        self.write_trace()
        super().assert_wrong(point, expected, found)

    def test_accepts_whole_trace(self) -> None:
        self.assert_good()

    def test_accepts_events_of_others_and_faults_that_are_retried(self) -> None:
        at = self.find("I", 5, 1)
        self.lines.insert(at, self.lines[at].replace("io major", "io major retry"))
        self.lines[at + 1] = self.lines[at + 1].replace("io major", "hit")
        self.lines.append(self.swap_in(3, 1).replace("physmem-load", "sh"))
        self.sums = {"in_io": 2401, "pswpin": 2401}
        self.assert_good()

    def test_rejects_counts_of_the_kernel(self) -> None:
        self.sums = {"pswpin": 2399}
        self.assert_wrong("pswpin and pswpout", r"\[2399, 3600, 0\]", r"\[2400, 3600, 0\]")

    def test_rejects_lost_events(self) -> None:
        self.sums = {"lost": 3}
        self.lines.append("L: 5, 1, 3")
        self.assert_wrong("no event was lost", r"\[2400, 3600, 0\]", r"\[2400, 3600, 3\]")

    def test_rejects_lines_that_are_missing(self) -> None:
        del self.lines[self.find("O", 9, 1)]
        self.sums = {"in_io": 2400, "out_io": 3600, "pswpin": 2400, "pswpout": 3600}
        self.assert_wrong("the reader's sums", r"\[2400, 3600, 0\]", r"\[2400, 3599, 0\]")

    def test_rejects_arrays_that_were_not_found(self) -> None:
        self.arrays = ""
        self.assert_wrong("faults of the arrays", "more than 1000", "0")

    def test_rejects_faults_in_another_order(self) -> None:
        for row in (10, 20):
            one, other = self.find("I", row, 1), self.find("I", row + 1, 1)
            self.lines[one], self.lines[other] = self.lines[other], self.lines[one]
        self.assert_wrong("in order, in at most 3 passes", "fewer than 3", "5; line 1246: ")

    def test_rejects_page_from_another_slot(self) -> None:
        line = self.change("I", 7, 1, "0:00000007", "0:0000BAD0") + 1
        self.assert_wrong("pages from another slot", "0 to 0",
                          f"1; line {line}: 7F0000007000 from slot 0:0000BAD0, was in 0:00000007")

    def test_accepts_other_slot_of_page_that_was_written_without_owner(self) -> None:
        self.change("I", 7, 1, "0:00000007", "0:0000BAD0")
        self.lines.append(self.swap_out(7, 0).replace("7F0000007000", "-"))
        self.assert_good()

    def test_rejects_page_from_another_frame(self) -> None:
        line = self.change("O", 7, 1, f"{9007:08X}", "0000BAD0") + 1
        self.assert_wrong("pages written from another frame", "0 to 0",
                          f"1; line {line}: 7F0000007000 from frame 0000BAD0, was in 0000232F")
        self.migrated = 1
        self.assert_good()

    def test_rejects_many_swap_outs_without_owner(self) -> None:
        for row in range(181):
            self.change("O", row, 0, f"{FIRST + 4096 * row:08X}", "-")
        self.assert_wrong("few swap-outs have no owner", "0 to 180", "181; line 3: frame 00000000")

    def test_rejects_unknown_slots(self) -> None:
        for row in range(250):
            self.change("O", row, 0, f"{FIRST + 4096 * row:08X}", "-")
        self.assert_wrong("the slot of nearly all pages is known", "0.9 or more", "0.89")

    def test_rejects_trace_that_was_cut_off(self) -> None:
        self.write_trace()
        path = self.folder / "test.run.trace.gz"
        path.write_bytes(path.read_bytes()[:4000])
        self.input = "test.run: name=run"
        JudgeCase.assert_wrong(self, "the files of the run", "whole files", "EOFError")
