#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the size of the compact form of snapshots, and the cost of reading it compared with text,
# with one thread. Each time is the median of five, taken in turn.
#
#   compact_bench.sh BUILD-FOLDER SNAPSHOT       SNAPSHOT is text
set -eu
# shellcheck source=tests/bench/goal_lines.sh
. "$(dirname "$0")/goal_lines.sh"
[ $# -eq 2 ] || {
  echo "usage: compact_bench.sh BUILD-FOLDER SNAPSHOT" >&2
  exit 2
}
build=$(realpath "$1") snapshot=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
convert=$build/tools/convert/physmem-convert
analyze=$build/analyzer/cli/physmem-analyze

# bytes_per_page TEXT COMPACT: the bytes of the compact file per page in the text.
bytes_per_page() {
  awk -v bytes="$(stat -c %s "$2")" '/^[MS]:/ { pages += gsub(/\|/, "|") }
    END { printf "%.3f", bytes / pages }' "$1"
}
# cpu FILE: CPU seconds of counting its pages. One thread is used, because the goal is for one
# parser.
cpu() {
  "$build/tests/bench/measure" 1 "$analyze" -j1 --count "$1" | awk '{ print $1 }'
}
median() {
  sort -n "$1" | sed -n 3p
}

"$convert" --to compact -o "$work/compact" "$snapshot"
"$convert" "$work/compact" | cmp - "$snapshot"
goal 'compact: bytes per page, given snapshot' \
  "$(bytes_per_page "$snapshot" "$work/compact")" '<=' 1.5 bytes
goal 'compact: size where text has 90 MB' \
  "$(awk -v c="$(stat -c %s "$work/compact")" -v t="$(stat -c %s "$snapshot")" \
    'BEGIN { printf "%.2f", 90 * c / t }')" '<=' 10 MB

"$build/collector-proc/physmem-collect" -o "$work/live" 2>"$work/messages" || [ $? -eq 5 ] || {
  cat "$work/messages" >&2
  exit 1
}
name='compact: bytes per page, this machine now'
if grep -q '^M:' "$work/live"; then
  "$convert" --to compact -o "$work/live.pmc" "$work/live"
  goal "$name" "$(bytes_per_page "$work/live" "$work/live.pmc")" '<=' 1.5 bytes
else
  not_measured "$name" '<=' 1.5 bytes "no page is seen: needs root"
fi

for _ in 1 2 3 4 5; do
  cpu "$snapshot" >>"$work/text.cpu"
  cpu "$work/compact" >>"$work/compact.cpu"
done
goal 'compact: CPU of reading, compared with text' \
  "$(awk -v c="$(median "$work/compact.cpu")" -v t="$(median "$work/text.cpu")" \
    'BEGIN { printf "%.2f", c / t }')" '<=' 2 times
