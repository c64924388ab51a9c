#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the analyzer's largest resident size. It may depend only on the number of the machine's
# frames, not on the length of the file or of a line, nor on the positions of the frames.
#
#   memory_bench.sh BUILD-FOLDER SNAPSHOT...
set -eu
# shellcheck source=tests/bench/goal_lines.sh
. "$(dirname "$0")/goal_lines.sh"
build=$1
shift
bin="$build/tests/bench"
analyze="$build/analyzer/cli/physmem-analyze"
work=$(mktemp -d "${TMPDIR:-/tmp}/physmem-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# resident NAME SNAPSHOT BYTES-PER-FRAME QUESTION...: the goal is 16 MiB and so many bytes per
# frame.
resident() {
  name=$1 snapshot=$2 bytes=$3
  shift 3
  kib=$("$bin/measure" 1 "$analyze" "$@" "$snapshot" | cut -d' ' -f2)
  goal "memory: $name" "$(calculate "$kib / 1024")" "<=" \
    "$(calculate "16 + $bytes * $(frames "$snapshot") / 2^20")" MiB
}

# both NAME SNAPSHOT: measures summaries and page dump.
both() {
  resident "four summaries, $1" "$2" 0.125 --basic --totals --alerts --count
  resident "page dump, $1" "$2" 8 --pages
}

for snapshot in "$@"; do
  millions=$(calculate "int($(mappings "$snapshot") / 1e5) / 10")
  both "$(($(wc -c <"$snapshot") / 1000000)) MB, $millions million mappings" "$snapshot"
done
make_snapshot "$bin/generate-snapshot" --one-line 64 "$work/line.txt"
megabytes=$(awk '{ if (length > n) n = length } END { printf "%d", n / 1e6 }' "$work/line.txt")
both "a line of $megabytes MB" "$work/line.txt"
rm "$work/line.txt"
make_snapshot "$bin/generate-snapshot" --scattered 100 "$work/scattered.txt"
both "frames in pieces over 52 bits" "$work/scattered.txt"
record note "Memory goals are 16 MiB and, for each frame of the snapshot's machine \
($(frames "$work/scattered.txt")), one bit (summaries) or eight bytes (page dump)."
