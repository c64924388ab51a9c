# SPDX-License-Identifier: MIT
"""The base of the tests of judges: a folder of synthetic files, and what the judge prints."""

import io
import runpy
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

HERE = Path(__file__).parent


class JudgeCase(unittest.TestCase):
    judge = ""
    suffix = ""
    input = "test.run: name=run"  # beginning of the description of a failed point

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, suffix: str, lines: list[str]) -> None:
        (self.folder / f"test.run.{suffix}").write_text("".join(line + "\n" for line in lines))

    def write_run(self, facts: str) -> None:
        (self.folder / f"test.{self.suffix}").write_text(f"name=run {facts}\n")

    def judged(self) -> tuple[int, str]:
        output = io.StringIO()
        with mock.patch("sys.argv", [self.judge, str(self.folder)]), redirect_stdout(output):
            with self.assertRaises(SystemExit) as end:
                runpy.run_path(str(HERE / self.judge), run_name="__main__")
        return end.exception.code, output.getvalue()

    def assert_good(self) -> None:
        status, output = self.judged()
        self.assertEqual((status, "not ok" in output), (0, False), output)
        self.assertIn("\nok ", "\n" + output)

    def assert_wrong(self, point: str, expected: str, found: str) -> None:
        """The point fails, and its message has the run, what was expected, and what was found."""
        status, output = self.judged()
        self.assertEqual(status, 1, output)
        for block in output.split("not ok ")[1:]:
            if point in block.splitlines()[0]:
                self.assertIn(f"#   input:    {self.input}", block)
                self.assertRegex(block, f"#   expected: .*{expected}")
                self.assertRegex(block, f"#   found:    .*{found}")
                return
        self.fail(f"expected a failed point '{point}', found:\n{output}")
