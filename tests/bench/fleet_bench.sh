#!/bin/sh
# SPDX-License-Identifier: MIT
# A thousand snapshots in one table: CPU seconds and largest resident size (medians of three, by `measure`), and wall seconds (least of
# three) with one thread and with all processors. 1 GiB in the temporary folder.
#
#   fleet_bench.sh BUILD-FOLDER
#
# With GOALS=FILE a line for each goal is appended there: goal, name, measured, <= or >=, goal value, unit; between them tabs.
set -eu
build=$1
bin="$build/tests/bench"
analyze="$build/analyzer/cli/physmem-analyze"
work=$(mktemp -d "${TMPDIR:-/tmp}/physmem-fleet-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
processors=$(nproc)

echo "Generating 1000 snapshots of 1 MiB, of 50 hosts ..."
"$bin/generate-snapshot" 1 "$work/one.txt"
for host in $(seq 50); do
  mkdir -p "$work/day/host$host"
  for moment in $(seq 20); do
    sed "1s/time_ns=[0-9]*/time_ns=$((1795219200 + moment * 300))000000000/; 1s/\$/, host=host$host/" "$work/one.txt" \
      >"$work/day/host$host/$(printf %03d "$moment").txt"
  done
done
mkdir "$work/hundred"
for host in $(seq 5); do ln -s "$work/day/host$host" "$work/hundred/host$host"; done
bytes=$(cat "$work"/day/*/*.txt | wc -c)
sync # or its writing back would be paid by who is measured first

# wall COMMAND...: the least of three, in seconds.
wall() {
  for _ in 1 2 3; do
    begin=$(date +%s%N)
    "$@" >/dev/null
    end=$(date +%s%N)
    echo $((end - begin))
  done | sort -n | head -n 1 | awk '{ printf "%.3f", $1 / 1e9 }'
}

# row NAME FOLDER JOBS QUESTION...: measures and prints; leaves $cpu, $kib and $seconds.
row() {
  name=$1 folder=$2 jobs=$3
  shift 3
  result=$("$bin/measure" 3 "$analyze" "$@" --csv "-j$jobs" "$folder")
  cpu=${result% *} kib=${result#* }
  seconds=$(wall "$analyze" "$@" --csv "-j$jobs" "$folder")
  awk -v n="$name" -v c="$cpu" -v k="$kib" -v s="$seconds" \
    'BEGIN { printf "%-50s %8.3f s  %8.3f s  %8.1f MiB\n", n, c, s, k / 1024 }'
}

# goal NAME MEASURED COMPARISON VALUE UNIT
goal() {
  printf '%-60s %s %s (goal: %s %s)\n' "$1" "$2" "$5" "$3" "$4"
  [ -z "${GOALS:-}" ] || printf 'goal\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "$5" >>"$GOALS"
}

ratio() {
  awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

printf '\n%-50s %10s  %10s  %12s\n' "$((bytes >> 20)) MiB in 1000 files" "CPU" "wall" "largest RSS"
row "(the page cache is warm)" "$work/day" 1 --count >/dev/null
row "--totals --alerts of 100, one thread" "$work/hundred" 1 --totals --alerts
kib_100=$kib
row "--totals --alerts of 1000, one thread" "$work/day" 1 --totals --alerts
kib_1000=$kib wall_one=$seconds cpu_one=$cpu
row "--totals --alerts of 1000, $processors threads" "$work/day" "$processors" --totals --alerts
kib_all=$kib wall_all=$seconds cpu_all=$cpu
row "--summary (a digest by unit), $processors threads" "$work/day" "$processors" --summary
row "--totals --alerts of 100, $processors threads" "$work/hundred" "$processors" --totals --alerts
kib_all_100=$kib

echo
goal "fleet: memory of 1000 snapshots to that of 100" "$(ratio "$kib_1000" "$kib_100")" "<=" 1.1 x
goal "fleet: the same with all processors" "$(ratio "$kib_all" "$kib_all_100")" "<=" 1.1 x
goal "fleet: CPU with all processors to that with one thread" "$(ratio "$cpu_all" "$cpu_one")" "<=" 1.3 x
goal "fleet: wall time with one thread to that with $processors" "$(ratio "$wall_one" "$wall_all")" ">=" \
  "$(awk -v n="$processors" 'BEGIN { printf "%.2f", 0.7 * n }')" x
