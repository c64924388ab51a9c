#!/bin/sh
# SPDX-License-Identifier: MIT
# The cost of the analyzer beside what else reads the same file, in one run: CPU seconds (user + system), median of five
# (slow peers: of one), and the largest resident size. Ratios are what to hold on to; machines are shared and noisy.
#
#   bench.sh BUILD-FOLDER [MIB]     a snapshot of MIB mebibytes [200]; memory again at ten times that, with --large
set -eu
build=$1
mib=${2:-200}
here=$(cd "$(dirname "$0")" && pwd)
bin="$build/tests/bench"
analyze="$build/analyzer/cli/physmem-analyze"
work=$(mktemp -d "${TMPDIR:-/tmp}/physmem-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
snapshot="$work/snapshot.txt"
summaries="--basic --totals --alerts --count"

echo "Generating a snapshot of $mib MiB ..."
"$bin/generate-snapshot" "$mib" "$snapshot"
bytes=$(wc -c <"$snapshot")
sync "$snapshot" # or its writing back would be paid by who is measured first

# row NAME RUNS COMMAND...: measures, prints, and keeps the seconds in $seconds.
row() {
  name=$1
  runs=$2
  shift 2
  result=$("$bin/measure" "$runs" "$@")
  seconds=${result% *}
  kib=${result#* }
  awk -v n="$name" -v s="$seconds" -v k="$kib" -v b="$bytes" -v o="${ours:-0}" 'BEGIN {
    printf "%-55s %8.3f s  %6.2f GB/s  %8.1f MiB", n, s, b / 1e9 / (s > 0 ? s : 0.001), k / 1024
    if (o > 0) printf "  %6.1f x", s / o
    printf "\n"
  }'
}

printf '\n%-55s %10s  %11s  %12s  %8s\n' "reading $((bytes >> 20)) MiB" "CPU" "rate" "largest RSS" "to ours"
# The slow peers first: a file that was just written is read at half the speed for some seconds.
row "mawk (split, associative array)" 1 mawk -f "$here/count_pages.awk" "$snapshot"
mawk=$seconds
row "naive C++ (getline, split, sscanf)" 1 "$bin/naive-analyzer" "$snapshot"
naive=$seconds
# shellcheck disable=SC2086
row "physmem-analyze $summaries" 9 "$analyze" $summaries "$snapshot"
four=$seconds
row "physmem-analyze --basic" 9 "$analyze" --basic "$snapshot"
ours=$seconds
row "wc -l" 5 wc -l "$snapshot"
row "physmem-analyze --count" 5 "$analyze" --count "$snapshot"
row "physmem-analyze --summary" 5 "$analyze" "$snapshot"
row "physmem-analyze --units" 3 "$analyze" --units "$snapshot"
row "physmem-analyze --vma" 3 "$analyze" --vma "$snapshot"
row "physmem-analyze --pages" 1 "$analyze" --pages "$snapshot"
awk -v o="$ours" -v f="$four" -v n="$naive" -v m="$mawk" 'BEGIN {
  printf "\n%-24s %8s %8s   (goals: 10, 40)\n", "CPU, times", "naive", "mawk"
  printf "%-24s %8.1f %8.1f\n%-24s %8.1f %8.1f\n", "--basic", n / o, m / o, "four analyses", n / f, m / f
}'

if [ "${3:-}" = --large ]; then
  large="$work/large.txt"
  echo
  echo "Memory does not grow with the number of mappings:"
  "$bin/generate-snapshot" $((mib * 10)) "$large"
  for file in "$snapshot" "$large"; do
    # shellcheck disable=SC2086
    result=$("$bin/measure" 1 "$analyze" $summaries "$file")
    awk -v b="$(wc -c <"$file")" -v k="${result#* }" -v s="${result% *}" \
      'BEGIN { printf "%8.0f MiB of snapshot: %6.1f MiB resident, %.3f s CPU\n", b / 1048576, k / 1024, s }'
  done
fi

collector="$here/collector_bench/collector_bench.sh"
if [ "$(id -u)" -eq 0 ]; then
  echo
  echo "The collector, with 200 python processes as a load:"
  PROCESSES=${PROCESSES:-200} "$collector" "$build/collector-proc/physmem-collect" "$bin/collector_bench"
else
  echo "The collector's figures need root." >&2
fi
