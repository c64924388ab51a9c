# SPDX-License-Identifier: MIT
"""Makes a folder of a thousand snapshots: fifty hosts, twenty snapshots each."""
import gzip
import pathlib
import re

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
HOSTS, TIMES = 50, 20
MIDNIGHT = 1795219200


def make_fleet(folder):
    """Copies of one small snapshot with other hosts and times. Half of the files are compressed."""
    text = (SAMPLES / "shell.txt").read_text()
    header, rest = text.split("\n", 1)
    for host in range(HOSTS):
        (folder / f"host{host:02}").mkdir(parents=True)
        for moment in range(TIMES):
            own = re.sub(r"time_ns=\d+", f"time_ns={MIDNIGHT + moment * 300}000000000", header)
            whole = f"{own}, host=host{host:02}.example\n{rest}".encode()
            if host % 2 == 0:
                (folder / f"host{host:02}" / f"{moment:03}.txt").write_bytes(whole)
            else:
                (folder / f"host{host:02}" / f"{moment:03}.txt.gz").write_bytes(
                    gzip.compress(whole, 1))
