#!/bin/bash
# SPDX-License-Identifier: MIT
# Measures nginx as the receiver of a fleet: 1000 uploads of rows in a minute and 500 at once, and
# 200 uploads of snapshots, each by a TLS connection with a certificate of its host. Prints the CPU
# time of nginx. All files must have arrived, whole. 500 hosts; everything on 127.0.0.1.
#
#   receiver_bench.sh [ROWS-BYTES [SNAPSHOT-BYTES]]     default: 6800 1500000
# shellcheck disable=SC2154
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sources=$(cd "$here/../.." && pwd)
. "$here/goal_lines.sh"
. "$sources/tests/endtoend/waiting.sh"
. "$sources/tests/endtoend/fleet_receiver.sh"
rows_bytes=${1:-6800}
snapshot_bytes=${2:-1500000}
reason=$(has_receiver) || {
  not_measured "receiver: CPU for 1000 uploads in 60 s" "<=" 10 "% of a core" "$reason"
  exit 0
}
work=$(mktemp -d "${TMPDIR:-/tmp}/physmem-receiver-bench.XXXXXX")
trap 'kill_receiver KILL; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
ulimit -n 4096

echo "Making certificates of 500 hosts ..."
# shellcheck disable=SC2046
prepare_receiver "$sources" "$work/receiver" $(seq -f host-%.0f 500)
start_receiver "$work/receiver"

# cpu_ms: the CPU time of nginx, in ms.
cpu_ms() {
  local pid sum=0
  for pid in $receiver_pid $(pgrep -P "$receiver_pid"); do
    # shellcheck disable=SC2046
    set -- $(sed 's/.*) //' "/proc/$pid/stat")
    sum=$((sum + ${12} + ${13}))
  done
  echo $((sum * 1000 / $(getconf CLK_TCK)))
}

# run NAME UPLOADS SECONDS BYTES: sets lost, cpu and took.
run() {
  local before
  before=$(cpu_ms)
  # shellcheck disable=SC2046
  set -- "$1" "$2" "$4" $(python3 "$here/receiver_load.py" "$url" "$tls" "$2" "$3" "$4" \
    2>"$work/sums")
  cpu=$(($(cpu_ms) - before))
  took=$8
  grep error "$work/sums" | sort | uniq -c | head -n 5 || true
  grep -v error "$work/sums" >"$work/files"
  # One line for each file that is missing or differs.
  lost=$(cd "$work/receiver/var" &&
    { sha256sum --quiet -c "$work/files" 2>/dev/null || true; } | wc -l)
  [ "$5" = 0 ] || lost=$((lost > $5 ? lost : $5))
  printf '%-24s %5d of %7d bytes, lost %d, nginx %5d ms CPU (%s ms each), %s s, %s\n' "$1" "$2" \
    "$3" "$lost" "$cpu" "$(calculate "$cpu / $2")" "$took" "median $6 ms, p99 $7 ms"
  rm -r "${incoming:?}"/*
}

echo "Others use $(others 2 | sed 's/ .*//') % of $(nproc) CPUs."
run "evenly in 60 s" 1000 60 "$rows_bytes"
goal "receiver: lost of 1000 uploads in 60 s" "$lost" "<=" 0 files
goal "receiver: CPU for 1000 uploads in 60 s" "$(calculate "$cpu / $took / 10")" "<=" 10 \
  "% of a core"
run "at once" 500 at-once "$rows_bytes"
goal "receiver: lost of 500 uploads at once" "$lost" "<=" 0 files
run "snapshots, in 20 s" 200 20 "$snapshot_bytes"
goal "receiver: lost of 200 snapshots in 20 s" "$lost" "<=" 0 files
