# SPDX-License-Identifier: MIT
"""Runs physmem-analyze, whose output is compared with the module."""
import json
import os
import pathlib
import subprocess

SAMPLES = pathlib.Path(__file__).parent.parent.parent / "samples"
# One or more of each kind: areas and pages of processes, the whole of RAM, a series, 64 KiB pages,
# version 1.
SNAPSHOTS = [SAMPLES / name for name in (
    "desk.txt.zst", "shell.txt", "figure1.txt", "ppc64le-64k.txt", "thrash.txt.zst", "top.txt.zst",
    "ram.txt.zst", "ram-files.txt.zst", "ram-kernel.txt.zst", "ram-kcore.txt.zst",
    "ram-split.pmc.zst", "slab-growth.txt.zst")]
OF_RAM = [path for path in SNAPSHOTS if path.name.startswith("ram")]


def run(*words):
    """Exit status 5: data is missing from the snapshot."""
    done = subprocess.run([os.environ["PHYSMEM_ANALYZE"], *map(str, words)], capture_output=True,
                          text=True, check=False)
    assert done.returncode in (0, 5), done.stderr
    return done.stdout


def reports(path, *words):
    """The tables of the first snapshot, by name."""
    first = json.loads(run("--json", *words, path))[0]
    return {report["report"]: report["rows"] for report in first["reports"]}


def rounded(value):
    """As the analyzer prints a number that need not be whole."""
    return None if value is None else round(value, 2)
