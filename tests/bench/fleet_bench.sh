#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures a thousand snapshots in one table: CPU seconds (median of three), largest resident size,
# and CPU and wall time with all CPUs compared with one thread (medians of the ratios of seven
# turns). Requires 3 GiB in the temporary folder.
#
#   fleet_bench.sh BUILD-FOLDER
set -eu
# shellcheck source=tests/bench/goal_lines.sh
. "$(dirname "$0")/goal_lines.sh"
build=$1
bin="$build/tests/bench"
analyze="$build/analyzer/cli/physmem-analyze"
work=$(mktemp -d "${TMPDIR:-/tmp}/physmem-fleet-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cpus=$(nproc)

echo "Generating 1000 snapshots of 50 hosts ..."
"$bin/generate-snapshot" 1 "$work/one.txt"
for host in $(seq 50); do
  mkdir -p "$work/day/host$host"
  for moment in $(seq 20); do
    time_ns=$((1795219200 + moment * 300))000000000
    sed "1s/time_ns=[0-9]*/time_ns=$time_ns/; 1s/\$/, host=host$host/" "$work/one.txt" \
      >"$work/day/host$host/$(printf %03d "$moment").txt"
  done
done
mkdir "$work/hundred"
for host in $(seq 5); do ln -s "$work/day/host$host" "$work/hundred/host$host"; done
bytes=$(cat "$work"/day/*/*.txt | wc -c)
sync # otherwise writeback would slow down the first measurement

# Each table goes to a file of its own.
tables="$work/tables.csv"

# row NAME FOLDER JOBS QUESTION...: measures, prints a row, and sets $cpu and $kib.
row() {
  name=$1 folder=$2 jobs=$3
  shift 3
  result=$("$bin/measure" 3 "$analyze" "$@" -o "$tables" "-j$jobs" "$folder")
  cpu=${result% *} kib=${result#* }
  awk -v n="$name" -v c="$cpu" -v k="$kib" \
    'BEGIN { printf "%-50s %8.3f s  %8.1f MiB\n", n, c, k / 1024 }'
}

ratio() {
  awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

printf '\n%-50s %10s  %12s\n' "$((bytes >> 20)) MiB in 1000 files" "CPU" "largest RSS"
row "(the page cache is warm)" "$work/day" 1 --count >/dev/null
row "--totals --alerts of 100, one thread" "$work/hundred" 1 --totals --alerts
kib_100=$kib
row "--totals --alerts of 1000, one thread" "$work/day" 1 --totals --alerts
kib_1000=$kib
row "--totals --alerts of 1000, $cpus threads" "$work/day" "$cpus" --totals --alerts
kib_all=$kib
row "--ask summary (a digest by unit), $cpus threads" "$work/day" "$cpus" --ask summary
row "--totals --alerts of 100, $cpus threads" "$work/hundred" "$cpus" --totals --alerts
kib_all_100=$kib
# Runs both in turn. The second line has CPU, resident size and wall time, then the ratios of CPU
# and wall time to the first.
"$bin/measure" --all 7 "$analyze" --totals --alerts -o "$tables" -j1 "$work/day" ++ \
  "$analyze" --totals --alerts -o "$tables" "-j$cpus" "$work/day" >"$work/turns"
one=$(sed -n 1p "$work/turns" | cut -d' ' -f3)
# shellcheck disable=SC2046
set -- $(sed -n 2p "$work/turns")
all=$3 cpu_ratio=$4 wall_ratio=$5
printf '%-50s %8.3f s  with %s: %.3f s\n\n' "wall time with one thread" "$one" "$cpus" "$all"

goal "fleet: memory of 1000 snapshots to that of 100" "$(ratio "$kib_1000" "$kib_100")" "<=" 1.1 x
goal "fleet: the same with all CPUs" "$(ratio "$kib_all" "$kib_all_100")" "<=" 1.1 x
goal "fleet: CPU with all CPUs to that with one thread" "$cpu_ratio" "<=" 1.3 x
goal "fleet: wall time with one thread to that with $cpus" "$(ratio 1 "$wall_ratio")" ">=" \
  "$(awk -v n="$cpus" 'BEGIN { printf "%.2f", 0.7 * n }')" x
