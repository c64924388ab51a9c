#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the whole of RAM on this machine: the collector's CPU time compared with the bare reads
# of its files, the size of the records, and the analyzer's time for the ledger. Requires root. Each
# time is the median of five, taken in turn.
#
#   ram_bench.sh BUILD-FOLDER
set -eu
# shellcheck source=tests/bench/goal_lines.sh
. "$(dirname "$0")/goal_lines.sh"
[ $# -eq 1 ] || {
  echo "usage: ram_bench.sh BUILD-FOLDER" >&2
  exit 2
}
build=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
collect=$build/collector-proc/physmem-collect
physmem=$build/tools/physmem/physmem
analyze=$build/analyzer/cli/physmem-analyze
block=524288 # bytes, as the collector reads: 64 Ki frames
cat >"$work/bare" <<END
for file in kpageflags kpagecount kpagecgroup; do
  [ ! -e /proc/\$file ] || dd if=/proc/\$file of=/dev/null bs=$block 2>/dev/null
done
END

# cpu FILE COMMAND...: appends the CPU seconds of the command to the file.
cpu() {
  file=$1
  shift
  "$build/tests/bench/measure" 1 "$@" | awk '{ print $1 }' >>"$file"
}
median() {
  sort -n "$1" | sed -n 3p
}
size() {
  stat -c %s "$1"
}

if ! dd if=/proc/kpageflags of=/dev/null bs=8 count=1 2>/dev/null; then
  not_measured 'ram: CPU by /proc, compared with the bare reads' '<=' 1.1 times "requires root"
  exit
fi
"$collect" --ram=proc --tasks-only -o "$work/ram.txt"
"$collect" --ram=totals --tasks-only -o "$work/totals.txt"
runs=$(grep -c '^R:' "$work/ram.txt")
no_bpf=""
if ! "$collect" --ram=bpf --tasks-only -o "$work/bpf.txt" 2>"$work/messages"; then
  no_bpf=$(sed -n 's/^physmem-collect: //p' "$work/messages" | head -n 1)
fi
for _ in 1 2 3 4 5; do
  cpu "$work/bare.cpu" sh "$work/bare"
  cpu "$work/collect.cpu" "$collect" --ram=proc --tasks-only -o "$work/again.txt"
  if [ -z "$no_bpf" ]; then
    cpu "$work/answer.cpu" "$physmem" ledger --ram=bpf -o "$work/ledger"
    cpu "$work/cache.cpu" "$physmem" cache --ram=bpf -o "$work/cache"
  fi
  cpu "$work/ledger.cpu" "$analyze" -j1 --ask ledger -o "$work/ledger" "$work/ram.txt"
done
frames=$(awk -F'[ ,]+' '/^R:/ { n += $3 } END { print n }' "$work/ram.txt")
goal 'ram: CPU by /proc, compared with the bare reads' \
  "$(calculate "$(median "$work/collect.cpu") / $(median "$work/bare.cpu")")" '<=' 1.1 times
goal 'ram: CPU by /proc, for 24 GiB' \
  "$(calculate "$(median "$work/collect.cpu") / $frames * 6291456")" '<=' 1 s "of $frames frames"
answer='ram: CPU of physmem ledger with owners, compared with the bare reads'
files='ram: CPU of physmem cache with its collection'
if [ -z "$no_bpf" ]; then
  goal "$answer" "$(calculate "$(median "$work/answer.cpu") / $(median "$work/bare.cpu")")" \
    '<=' 0.2 times
  goal "$files" "$(median "$work/cache.cpu")" '<=' 0.5 s \
    "of $(grep -c '^O: [0-9]*, file' "$work/bpf.txt") files"
else
  not_measured "$answer" '<=' 0.2 times "$no_bpf"
  not_measured "$files" '<=' 0.5 s "$no_bpf"
fi
goal 'ram: CPU of the ledger, for 1.1 million runs' \
  "$(calculate "$(median "$work/ledger.cpu") / $runs * 1.1e6")" '<=' 0.15 s "of $runs runs"
for kind in ram totals; do
  "$build/tools/convert/physmem-convert" --to compact -o "$work/$kind.pmc" "$work/$kind.txt"
done
goal 'ram: compact bytes per run' \
  "$(calculate "($(size "$work/ram.pmc") - $(size "$work/totals.pmc")) / $runs")" '<=' 8 bytes

# A machine of 24 GiB with 170,000 cached files, in 1.15 million runs.
large='ram: time of --cache, for 170,000 cached files'
if command -v node >/dev/null; then
  node "$(dirname "$0")/../web/large_ram.mjs" "$work/large.txt" >/dev/null
  result=$("$build/tests/bench/measure" --all 5 "$analyze" -j1 --ask cache "$work/large.txt")
  goal "$large" "$(echo "$result" | awk '{ print $3 }')" '<=' 1 s
  goal 'ram: memory of --cache, for 170,000 cached files' \
    "$(echo "$result" | awk '{ printf "%.1f", $2 / 1024 }')" '<=' 64 MiB
  rm "$work/large.txt"
else
  not_measured "$large" '<=' 1 s "requires node"
fi

if "$collect" --ram=kcore --tasks-only -o "$work/kcore.txt" 2>"$work/messages"; then
  grep -v '^O:' "$work/kcore.txt" >"$work/without.txt"
  for kind in kcore without; do
    "$build/tools/convert/physmem-convert" --to compact -o "$work/$kind.pmc" "$work/$kind.txt"
  done
  owners=$(grep -c '^O:' "$work/kcore.txt")
  goal 'ram: compact bytes per owner' \
    "$(calculate "($(size "$work/kcore.pmc") - $(size "$work/without.pmc")) / $owners")" \
    '<=' 60 bytes "of $owners owners"
else
  not_measured 'ram: compact bytes per owner' '<=' 60 bytes \
    "$(sed -n 's/^physmem-collect: //p' "$work/messages" | head -n 1)"
fi
