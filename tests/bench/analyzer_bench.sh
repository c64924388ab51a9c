#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the analyzer's CPU seconds compared with peers that read the same file, in turn, with one
# thread each. Peers must count the same, otherwise there are no figures.
#
#   analyzer_bench.sh [--quick] BUILD-FOLDER SNAPSHOT
#
# --quick: three turns, without the slow peers
set -eu
# shellcheck source=tests/bench/goal_lines.sh
. "$(dirname "$0")/goal_lines.sh"
quick=no turns=5
if [ "$1" = --quick ]; then
  quick=yes turns=3
  shift
fi
build=$1 snapshot=$2
here=$(cd "$(dirname "$0")" && pwd)
bin="$build/tests/bench"
analyze="$build/analyzer/cli/physmem-analyze"
portable="$bin/physmem-analyze-portable"
summaries="-j1 --basic --totals --alerts --count"
work=$(mktemp -d "${TMPDIR:-/tmp}/physmem-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# A portable build must not contain vector instructions.
if command -v objdump >/dev/null &&
  objdump -d --no-show-raw-insn "$portable" | grep -q '%[yz]mm'; then
  echo "analyzer_bench.sh: physmem-analyze-portable has AVX in it: a source that" \
    "PHYSMEM_PORTABLE should change is missing in CMakeLists.txt" >&2
  exit 1
fi

# agree PROGRAM K: checks that it counts the same mappings and distinct frames as command K. Every
# mapping is in one row of --basic, in Total or, if Rss does not include it, in Special.
agree() {
  ours=$("$1" -j1 --basic --full --csv "$snapshot" |
    awk -F', *' 'NR > 1 { n += $4 + $19 } END { printf "%d", n }')
  ours="$ours $("$1" -j1 --count --text "$snapshot" | sed -n 's/^User space pages: //p')"
  theirs=$(awk '{ print $1, $3 }' "$work/out.$2")
  [ "$theirs" = "$ours" ] && return 0
  echo "analyzer_bench.sh: $1 counts $ours (mappings, distinct frames)," \
    "command $2 counts $theirs" >&2
  exit 1
}

# rows NAME...: prints the lines of measure with names.
rows() {
  bytes=$(wc -c <"$snapshot")
  printf '\n%-55s %10s  %10s  %14s  %10s\n' "reading $((bytes >> 20)) MiB, median of $turns" "CPU" \
    "rate" "largest RSS" "to the first"
  for name in "$@"; do
    read -r cpu kib wall ratio _
    echo "$cpu $kib $wall $ratio" | awk -v n="$name" -v b="$bytes" '{
      printf "%-55s %8.3f s  %5.2f GB/s  %10.1f MiB  %8.2f x\n", n, $1, b / 1e9 / $1, $2 / 1024,
        $4 }'
  done <"$work/lines"
}

# ratio N: the CPU seconds of line N divided by the CPU seconds of the first line.
ratio() {
  sed -n "$1p" "$work/lines" | cut -d' ' -f4
}

cat "$snapshot" >/dev/null
# shellcheck disable=SC2086
if [ "$quick" = no ]; then
  set -- ++ "$bin/naive-analyzer" "$snapshot"
  if command -v mawk >/dev/null; then set -- "$@" ++ mawk -f "$here/count_pages.awk" "$snapshot"; fi
  set -- ++ "$portable" $summaries "$snapshot" "$@"
else
  set --
fi
# shellcheck disable=SC2086
"$bin/measure" --all --save "$work/out" "$turns" "$analyze" $summaries "$snapshot" ++ \
  wc -l "$snapshot" ++ "$bin/from-chars-analyzer" "$snapshot" "$@" >"$work/lines"
count=$(wc -l <"$work/lines")
agree "$analyze" 3
[ "$count" -lt 5 ] || agree "$analyze" 5
[ "$count" -lt 6 ] || agree "$analyze" 6
set -- "physmem-analyze --basic --totals --alerts --count" "wc -l" "from_chars"
[ "$quick" = yes ] || set -- "$@" "physmem-analyze-portable, the same" "getline, split, sscanf" mawk
rows "$@"
echo

goal "analyzer: CPU of four summaries to that of wc -l" "$(calculate "1 / $(ratio 2)")" "<=" 1.5 x
goal "analyzer: CPU of a from_chars parser to that of four summaries" "$(ratio 3)" ">=" 2.5 x
if [ "$quick" = no ]; then
  goal "analyzer: CPU of getline and sscanf to that of four summaries" "$(ratio 5)" ">=" 15 x
  if [ "$count" -ge 6 ]; then
    goal "analyzer: CPU of mawk to that of four summaries" "$(ratio 6)" ">=" 75 x
  else
    not_measured "analyzer: CPU of mawk to that of four summaries" ">=" 75 x "mawk is not installed"
  fi
  goal "analyzer: CPU of getline and sscanf to that of the portable build" \
    "$(calculate "$(ratio 5) / $(ratio 4)")" ">=" 7 x
  agree "$portable" 3
fi

# shellcheck disable=SC2086
"$bin/measure" --all "$turns" wc -l "$snapshot" ++ \
  "$analyze" $summaries --pages --units "$snapshot" ++ \
  "$analyze" -j1 --units "$snapshot" ++ "$analyze" -j1 --pages "$snapshot" >"$work/lines"
rows "wc -l" "physmem-analyze, four summaries, --pages, --units" "physmem-analyze --units" \
  "physmem-analyze --pages"
echo
goal "analyzer: CPU with page dump and unit maps to that of wc -l" "$(ratio 2)" "<=" 6 x

record note "wc -l, from_chars, getline and sscanf, mawk read the same file in the same turns. wc \
counts lines; from_chars (a mapped file, one bit per frame), getline and sscanf (a hash set), mawk \
(an associative array) count mappings, those used once and distinct frames, and agree with the \
analyzer. The analyzer makes its four summaries with one thread, and checks the whole format."
record note "A ratio is the median of the ratios within each of $turns turns."
