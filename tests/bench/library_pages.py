# SPDX-License-Identifier: MIT
"""library_pages.py open|pages|runs SNAPSHOT: what library-pages does, with numpy."""
import sys

import numpy

import physmem

what, path = sys.argv[1:]
snapshot = physmem.open(path, areas=False)
if what == "open":
    print(numpy.asarray(snapshot.processes.column("rss")).sum())
else:
    pages = anonymous = 0
    for batch in snapshot.pages(runs=what == "runs"):
        is_anonymous = (batch.flags & physmem.PageFlag.ANONYMOUS) != 0
        if what == "runs":
            pages += int(batch.pages.sum())
            anonymous += int(batch.pages[is_anonymous].sum())
        else:
            pages += len(batch)
            anonymous += int(numpy.count_nonzero(is_anonymous))
    print(pages, anonymous)
