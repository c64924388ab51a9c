#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures wall seconds of the analyzer by number of threads. Reports if the machine was not idle,
# when the figure is not reliable. Also measures what two copies with one thread each gain compared
# with one after the other, which is the gain of two CPUs on this machine.
#
#   jobs_bench.sh BUILD-FOLDER SNAPSHOT
set -eu
# shellcheck source=tests/bench/goal_lines.sh
. "$(dirname "$0")/goal_lines.sh"
build=$1 snapshot=$2
measure="$build/tests/bench/measure"
analyze="$build/analyzer/cli/physmem-analyze"
summaries="--basic --totals --alerts --count"
name="analyzer: wall time with one thread to that with two"
lines=$(mktemp "${TMPDIR:-/tmp}/physmem-bench.XXXXXX")
trap 'rm -f "$lines"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cpus=$(nproc)
gigabytes=$(wc -c <"$snapshot" | awk '{ printf "%.1f", $1 / 1e9 }')

# commands FIRST LAST: prints commands with these numbers of threads.
commands() {
  for jobs in $(seq "$1" "$2"); do
    [ "$jobs" = "$1" ] || echo ++
    echo "$analyze -j$jobs $summaries $snapshot"
  done
}

[ "$cpus" -ge 2 ] || {
  not_measured "$name" ">=" 1.6 x "one CPU only"
  exit 0
}
cat "$snapshot" >/dev/null
remark=$(busy)
# shellcheck disable=SC2046
"$measure" --all 5 $(commands 1 "$cpus") ++ \
  "$(dirname "$0")/side_by_side" $(commands 1 1) >"$lines"
[ -n "$remark" ] || remark=$(busy)

record chart cost-cores "Time to analyze a snapshot of $gigabytes GB, by number of threads" \
  "threads" "wall seconds" linear
jobs=0
while read -r cpu kib wall _ wall_ratio; do
  jobs=$((jobs + 1))
  [ "$jobs" -le "$cpus" ] || {
    copies=$(awk -v r="$wall_ratio" 'BEGIN { printf "%.2f", 2 / r }')
    continue
  }
  printf '%-30s %8.3f s wall  %8.3f s CPU  %6.1f MiB\n' "$gigabytes GB, -j$jobs" "$wall" "$cpu" \
    "$(calculate "$kib / 1024")"
  [ "$jobs" != 1 ] || alone=$wall
  # Uses the same ratio as the table, not the ratio of two medians.
  record point cost-cores "physmem-analyze, four summaries" "$jobs" \
    "$(calculate "$alone * $wall_ratio")"
  record point cost-cores "if threads cost nothing" "$jobs" "$(calculate "$alone / $jobs")"
  [ "$jobs" != 2 ] || speedup=$(calculate "1 / $wall_ratio")
done <"$lines"
goal "$name ($gigabytes GB)" "$speedup" ">=" 1.6 x \
  "two copies side by side: $copies x${remark:+; $remark}"
