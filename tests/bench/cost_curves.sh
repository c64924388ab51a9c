#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the growth of costs: the analyzer's CPU seconds by mappings, from 10 MB to 640 MB and
# with LARGE-SNAPSHOT, and the collector's by processes. A program that took more than fifteen
# seconds gets no larger input.
#
#   cost_curves.sh BUILD-FOLDER [LARGE-SNAPSHOT]
set -eu
# shellcheck source=tests/bench/goal_lines.sh
. "$(dirname "$0")/goal_lines.sh"
build=$1 large=${2:-}
here=$(cd "$(dirname "$0")" && pwd)
bin="$build/tests/bench"
analyze="$build/analyzer/cli/physmem-analyze"
collect="$build/collector-proc/physmem-collect"
limit=15 # seconds
work=$(mktemp -d "${TMPDIR:-/tmp}/physmem-bench.XXXXXX")
load=""
clean() {
  # shellcheck disable=SC2086
  [ -z "$load" ] || kill $load 2>/dev/null || true
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# point CHART LINE X SECONDS: prints and records a point.
point() {
  printf '%-40s %12s %10.3f s\n' "$2" "$3" "$4"
  record point "$@"
}

# cost NAME X TURNS CHART COMMAND...: measures a point of the chart, unless the last one was too
# slow.
cost() {
  name=$1 x=$2 turns=$3 chart=$4
  shift 4
  slow="$work/slow.$(printf %s "$chart $name" | tr -c '[:alnum:]' _)"
  [ ! -e "$slow" ] || return 0
  cpu=$("$bin/measure" "$turns" "$@")
  cpu=${cpu% *}
  point "$chart" "$name" "$x" "$cpu"
  [ "$(calculate "$cpu > $limit")" = 0 ] || : >"$slow"
}

# read_by_all SNAPSHOT: measures every program with this snapshot.
read_by_all() {
  n=$(mappings "$1")
  turns=5
  [ "$n" -lt 2000000 ] || turns=3
  few=$turns
  [ "$n" -lt 8000000 ] || few=1
  cost "physmem-analyze, four summaries" "$n" "$turns" cost-pages \
    "$analyze" -j1 --basic --totals --alerts --count "$1"
  cost "wc -l" "$n" "$turns" cost-pages wc -l "$1"
  cost "from_chars" "$n" "$turns" cost-pages "$bin/from-chars-analyzer" "$1"
  cost "getline, split, sscanf" "$n" "$few" cost-pages "$bin/naive-analyzer" "$1"
  if command -v mawk >/dev/null; then
    cost mawk "$n" "$few" cost-pages mawk -f "$here/count_pages.awk" "$1"
  fi
}

# start COUNT: starts python processes until there are COUNT.
start() {
  # shellcheck disable=SC2086
  set -- "$1" $load
  while [ $# -le "$1" ]; do
    python3 -c 'import json, ssl, sqlite3, ctypes, lzma, signal
memory = bytearray(2 << 20)
memory[::4096] = bytes([1]) * len(memory[::4096])
print(flush=True)
signal.pause()' >"$work/ready.$#" &
    load="$load $!"
    set -- "$@" $!
  done
  for i in $(seq "$1"); do
    for _ in $(seq 600); do
      [ ! -s "$work/ready.$i" ] || break
      sleep 0.1
    done
    [ -s "$work/ready.$i" ] || {
      echo "cost_curves.sh: process $i of the load did not start within a minute" >&2
      exit 1
    }
  done
}

collected() {
  record chart cost-processes "CPU time to collect, by processes" \
    "processes (python, 2 MiB of their own and libraries)" "CPU seconds" linear
  for processes in 10 50 100 200; do
    start "$processes"
    list=$(echo "$load" | sed 's/^ //; s/ /,/g')
    files=$(for pid in $load; do echo "/proc/$pid/smaps"; done)
    # shellcheck disable=SC2086
    "$bin/measure" --accept 5 5 "$collect" --pid "$list" ++ \
      "$collect" --counts-only --pid "$list" ++ \
      cat $files >"$work/lines" 2>"$work/messages" || {
      cat "$work/messages" >&2
      exit 1
    }
    for name in "physmem-collect: every page" "physmem-collect --counts-only" \
      "cat smaps: sums of areas"; do
      read -r cpu _
      point cost-processes "$name" "$processes" "$cpu"
    done <"$work/lines"
  done
}

record chart cost-pages "CPU time to read a snapshot, by its mappings" "mappings" "CPU seconds" \
  log-log
for mib in 10 40 160 640; do
  make_snapshot "$bin/generate-snapshot" "$mib" "$work/snapshot.txt"
  read_by_all "$work/snapshot.txt"
done
rm "$work/snapshot.txt"
[ -z "$large" ] || read_by_all "$large"

if [ "$(id -u)" -ne 0 ]; then
  echo "No chart of the collector: the kernel shows frame numbers to root only." >&2
elif ! command -v python3 >/dev/null; then
  echo "No chart of the collector: python3 is not installed." >&2
else
  collected
fi
