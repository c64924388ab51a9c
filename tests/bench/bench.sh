#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures every goal of speed and memory in one run, compared with peers. README.md in this folder
# has the details.
#
#   bench.sh [--quick] BUILD-FOLDER    --quick: nothing that takes minutes or gigabytes
#
# Writes BUILD-FOLDER/bench/run.tsv, and the charts next to it. Requires 4 GB in TMPDIR, and root
# for the collector. Goals that cannot be measured are listed with the reason. Exit status: 0 all
# goals met, 1 one missed or a measurement failed, 2 wrong usage, 4 cannot write.
set -eu
# shellcheck source=tests/bench/goal_lines.sh
. "$(dirname "$0")/goal_lines.sh"
quick=""
if [ "${1:-}" = --quick ]; then
  quick=--quick
  shift
fi
if [ $# -ne 1 ] || [ ! -x "$1/tests/bench/measure" ]; then
  echo "bench.sh: found: $*" >&2
  echo "bench.sh: expected [--quick] and a folder in which the target bench was built" >&2
  exit 2
fi
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
bin="$build/tests/bench"
mkdir -p "$build/bench"
export GOALS="$build/bench/run.tsv"
: >"$GOALS"
work=$(mktemp -d "${TMPDIR:-/tmp}/physmem-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
failed=""

# part TITLE COMMAND...: runs a measurement. If it fails, the run continues and fails at the end.
part() {
  printf '\n== %s\n' "$1"
  shift
  "$@" || failed="$failed $(basename "$1")"
}

loads() {
  cut -d' ' -f1-3 /proc/loadavg
}

# Charts show the first two lines.
model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1 | grep . || uname -m)
record machine CPU "$model, $(nproc) CPUs"
record machine date "$(date -u +%Y-%m-%d)"
record machine RAM "$(awk '/^MemTotal:/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)"
record machine kernel "$(uname -sr)"
record machine "load at begin" "$(loads)"

echo "Generating a snapshot of 205 MB ..."
make_snapshot "$bin/generate-snapshot" 200 "$work/snapshot.txt"
large=""
if [ -z "$quick" ]; then
  free=$(df -Pk "$work" | awk 'NR == 2 { print int($4 / 1e6) }')
  if [ "$free" -ge 4 ]; then
    echo "Generating a snapshot of 2.5 GB ..."
    large="$work/large.txt"
    make_snapshot "$bin/generate-snapshot" 2440 "$large"
  fi
fi

# shellcheck disable=SC2086
part "The analyzer, one thread" "$here/analyzer_bench.sh" $quick "$build" "$work/snapshot.txt"
if [ -n "$large" ]; then
  part "Threads" "$here/jobs_bench.sh" "$build" "$large"
elif [ -z "$quick" ]; then
  not_measured "threads and memory with 2.5 GB" "<=" - "" \
    "requires 4 GB in ${TMPDIR:-/tmp}, found $free; set TMPDIR to another folder"
fi
part "Memory" "$here/memory_bench.sh" "$build" "$work/snapshot.txt" ${large:+"$large"}
if [ "$(id -u)" -ne 0 ]; then
  not_measured "the collector" "<=" - "" \
    "requires root: the kernel hides frame numbers from other users"
elif [ -z "$quick" ]; then
  part "The collector, with python processes as a load" env "PROCESSES=${PROCESSES:-200}" \
    "$here/collector_bench/collector_bench.sh" "$build/collector-proc/physmem-collect" \
    "$bin/collector_bench"
fi
part "The compact form" "$here/compact_bench.sh" "$build" "$work/snapshot.txt"
part "The library" "$here/library_bench.sh" "$build" "${large:-$work/snapshot.txt}"
part "The whole of RAM" "$here/ram_bench.sh" "$build"
[ -n "$quick" ] || part "The live view, with 500 processes" "$here/top_bench.sh" "$build"
[ -n "$quick" ] || part "Many snapshots" "$here/fleet_bench.sh" "$build"
[ -n "$quick" ] || part "The receiver of a fleet" "$here/receiver_bench.sh"
[ -n "$quick" ] || part "The stores of a fleet, with 10 M rows" "$here/store_bench.sh" "$build"
[ -n "$quick" ] || part "Cost against size" "$here/cost_curves.sh" "$build" ${large:+"$large"}

record machine "load at end" "$(loads)"
printf '\n'
status=0
"$bin/bench-report" --charts "$build/bench" "$GOALS" || status=$?
printf '\nThis run: %s; for docs/performance.md: %s --markdown %s\n' "$GOALS" \
  "$bin/bench-report" "$GOALS"
if [ -n "$failed" ]; then
  echo "bench.sh: these failed, and their goals are missing above:$failed" >&2
  [ "$status" -ne 0 ] || status=1
fi
exit "$status"
