#!/bin/bash
# SPDX-License-Identifier: MIT
# What a snapshot costs, against the least it can cost, and how long it makes other processes wait.
#
#   collector_bench.sh PHYSMEM_COLLECT WALK_BOUND STALL_PROBE
#
# Environment: PROCESSES  python processes to start as a load (0)       MIB      each of them touches so much (14)
#              STALL_MIB  size of the process that is watched (1024)    STALL_S  length of each stall run (3)
# Needs root. CPU seconds are user + system, median of 5, the two programs in turn.
set -euo pipefail

collect=$1 bound=$2 probe=$3
processes=${PROCESSES:-0} mib=${MIB:-14} stall_mib=${STALL_MIB:-1024} seconds=${STALL_S:-3}
work=$(mktemp -d)
load=()
trap 'if [ ${#load[@]} -gt 0 ]; then kill "${load[@]}" 2>/dev/null || true; fi; rm -rf "$work"' EXIT

if [ "$(id -u)" != 0 ]; then
  echo "collector_bench.sh: the kernel shows frame numbers to root only; run it with sudo" >&2
  exit 4
fi

# cpu COMMAND...: user + system seconds; the command's output goes to $work/out.
cpu() {
  local TIMEFORMAT='%3U %3S'
  { time "$@" >"$work/out" 2>/dev/null || true; } 2>&1 | awk '{ printf "%.3f\n", $1 + $2 }'
}
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

start_load() {
  local i
  for ((i = 0; i < processes; i++)); do
    python3 -c "import json, ssl, sqlite3, ctypes, lzma, signal
memory = bytearray($mib << 20)
memory[::4096] = bytes([1]) * len(memory[::4096])
print(flush=True)
signal.pause()" >"$work/load.$i" &
    load+=($!)
  done
  for ((i = 0; i < processes; i++)); do
    for ((wait = 0; wait < 600; wait++)); do
      [ -s "$work/load.$i" ] && break
      sleep 0.1
    done
  done
}

speed() {
  local run name
  "$collect" >"$work/snapshot" 2>/dev/null || true
  local pages
  pages=$(tail -1 "$work/snapshot" | awk -F', *' '{ print $3 }')
  for run in 1 2 3 4 5; do
    cpu "$bound" >>"$work/bound"
    cpu sh -c 'exec "$0" >/dev/null' "$collect" >>"$work/collect"
    cpu sh -c 'exec "$0" --no-pages >/dev/null' "$collect" >>"$work/no-pages"
  done
  printf '%-28s %10s %14s %12s\n' "speed ($pages pages)" "CPU s" "Mpages/CPU s" "bound/it"
  for name in bound collect no-pages; do
    median <"$work/$name" | awk -v name="$name" -v pages="$pages" -v bound="$(median <"$work/bound")" \
      '{ printf "%-28s %10.3f %14.2f %12.2f\n", name, $1, pages / $1 / 1e6, bound / $1 }'
  done
}

# stall NAME COMMAND...: the command again and again beside the watched process; PID in it becomes its id.
stall() {
  local name=$1 pid
  shift
  : >"$work/stall"
  "$probe" "$stall_mib" "$seconds" >"$work/stall" &
  pid=$!
  until grep -q ready "$work/stall"; do sleep 0.05; done
  while kill -0 "$pid" 2>/dev/null; do
    "${@//PID/$pid}" >/dev/null 2>&1 || true
    sleep 0.1
  done
  wait "$pid" || true
  tail -1 "$work/stall" | awk -v name="$name" '{ printf "%-28s %10.1f %14.1f %12.1f\n", name, $1, $2, $3 }'
}

start_load
speed
echo
printf '%-28s %10s %14s %12s\n' "stall of a ${stall_mib} MiB process" "p50 us" "p99.9 us" "worst us"
stall idle true
stall physmem-collect "$collect" --pid PID
stall "cat smaps" cat /proc/PID/smaps
stall "cat smaps_rollup" cat /proc/PID/smaps_rollup
