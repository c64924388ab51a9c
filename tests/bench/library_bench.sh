#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the Python module compared with libphysmem in C++ and with physmem-analyze, in turn. Each
# figure is the median of five.
#
#   library_bench.sh BUILD-FOLDER SNAPSHOT [MODULE-FOLDER]   SNAPSHOT is text; MODULE-FOLDER: python
set -eu
# shellcheck source=tests/bench/goal_lines.sh
. "$(dirname "$0")/goal_lines.sh"
[ $# -eq 2 ] || [ $# -eq 3 ] || {
  echo "usage: library_bench.sh BUILD-FOLDER SNAPSHOT [MODULE-FOLDER]" >&2
  exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1") snapshot=$(realpath "$2")
export PYTHONPATH="${3:-$build/library/python}"
python=$(sed -n 's/^Python_EXECUTABLE:[^=]*=//p' "$build/CMakeCache.txt")
name='library: pages into numpy per second of CPU'
if ! ls "$PYTHONPATH"/physmem/_physmem*.so >/dev/null 2>&1 ||
  ! "$python" -c 'import numpy' 2>/dev/null; then
  not_measured "$name" '>=' 10 "million" "requires the Python module and numpy"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# compare WHAT: measures it in C++ and in Python: CPU, KiB, seconds of each in WORK/WHAT.
compare() {
  "$build/tests/bench/measure" --all --save "$work/out" 5 \
    "$build/tests/bench/library-pages" "$1" "$snapshot" ++ \
    "$python" "$here/library_pages.py" "$1" "$snapshot" >"$work/$1"
  cmp "$work/out.1" "$work/out.2"
}
# of WHAT LINE FIELD
of() { sed -n "$2p" "$work/$1" | cut -d' ' -f"$3"; }

"$build/tests/bench/measure" --all 5 "$build/analyzer/cli/physmem-analyze" -j1 \
  --ask ps,units,users --totals --basic "$snapshot" >"$work/analyze"
compare open
compare pages
pages=$(cut -d' ' -f1 "$work/out.1")
compare runs
million() { calculate "$pages / 1e6 / $1"; }
goal "$name" "$(million "$(of pages 2 1)")" '>=' 10 "million" \
  "$(printf '%.0f million in %s s, with its start and open()' "$(calculate "$pages / 1e6")" \
    "$(of pages 2 3)")"
goal 'library: CPU of pages in Python to that of C++' \
  "$(calculate "$(of pages 2 1) / $(of pages 1 1)")" '<=' 1.5 x
goal 'library: CPU of runs in Python to that of C++' \
  "$(calculate "$(of runs 2 1) / $(of runs 1 1)")" '<=' 1.5 x
goal 'library: CPU of open() in Python to that of physmem-analyze' \
  "$(calculate "$(of open 2 1) / $(of analyze 1 1)")" '<=' 1.5 x
goal 'library: memory of pages in Python' "$(calculate "$(of pages 2 2) / 1024")" '<=' 96 MiB
record note "$(printf 'library: seconds of CPU in C++ and Python: open %s and %s, %s' \
  "$(of open 1 1)" "$(of open 2 1)" \
  "pages $(of pages 1 1) and $(of pages 2 1), runs $(of runs 1 1) and $(of runs 2 1)")"
