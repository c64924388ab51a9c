#!/bin/bash
# SPDX-License-Identifier: MIT
# Measures the cost of a snapshot, compared with programs that read the same, and how long it makes
# other processes wait.
#
#   collector_bench.sh PHYSMEM_COLLECT FOLDER
#
# FOLDER has read_share, uncached_collect, forked_load and stall_probe.
#
# Environment: PROCESSES  number of python processes to start as a load (0)
#              MIB        memory that each of them touches (14)
#              STALL_MIB  size of the process whose stalls are measured (4096)
#              STALL_S    length of each stall run (3)
#              GOALS      see goal_lines.sh
# Requires root. CPU seconds are user + system. Values are medians of five runs; programs that are
# compared run in turn. Worst stalls are medians of the worst of five runs. A collector that fails
# ends the script; peers may miss a process that ends.
set -euo pipefail
# shellcheck source=tests/bench/goal_lines.sh
. "$(dirname "$0")/../goal_lines.sh"

collect=$1 folder=$2 measure=$2/../measure
physmem=$(dirname "$collect")/../tools/physmem/physmem
processes=${PROCESSES:-0} mib=${MIB:-14} stall_mib=${STALL_MIB:-4096} seconds=${STALL_S:-3}
runs=5
work=$(mktemp -d)
load=()
end() {
  if [ ${#load[@]} -gt 0 ]; then kill "${load[@]}" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

if [ "$(id -u)" != 0 ]; then
  echo "collector_bench.sh: the kernel shows frame numbers to root only; run it with sudo" >&2
  exit 4
fi
# The measured process and the load must fit into memory.
free_mib=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
if [ "$free_mib" -lt 12288 ] && [ "$stall_mib" -gt $((free_mib / 3)) ]; then
  stall_mib=$((free_mib / 3))
  echo "Less than 12 GiB are free: the process that is watched has $stall_mib MiB."
fi

# fail TEXT: prints the messages of the last command and the text, and exits.
fail() {
  cat "$work/messages" >&2
  echo "collector_bench.sh: $1" >&2
  exit 1
}
# is_good COMMAND...: succeeds if its exit status (also in $status) is 0, or 5: data is missing, for
# example because a process changed in the meantime.
is_good() {
  status=0
  "$@" 2>"$work/messages" || status=$?
  [ "$status" -eq 0 ] || [ "$status" -eq 5 ]
}
# ours COMMAND...: runs a command that must not fail.
ours() { is_good "$@" || fail "exit status $status of $*"; }
# add FILE COMMAND...: adds a line with user + system seconds and wall seconds; the command's output
# is discarded.
add() {
  local file=$work/$1
  shift
  ours "$measure" --all --accept 5 1 "$@" >"$work/line"
  awk '{ printf "%.3f %.3f\n", $1, $3 }' "$work/line" >>"$file"
}
# add_peer FILE COMMAND...: the same for a command that may fail or is a function.
add_peer() {
  local TIMEFORMAT='%3U %3S %3R' file=$work/$1
  shift
  { time "$@" >/dev/null 2>&1 || true; } 2>&1 |
    awk '{ printf "%.3f %.3f\n", $1 + $2, $3 }' >>"$file"
}
# add_share FILE OPTION...: adds a line with the share of reads in percent and their number.
add_share() {
  local file=$work/$1
  shift
  ours "$folder/read_share" "$@" >/dev/null
  tail -1 "$work/messages" >>"$file"
}
# median FILE [COLUMN]: the median of a column; 1 is CPU, 2 is wall.
median() {
  awk -v c="${2:-1}" '{ print $c }' "$work/$1" | sort -n |
    awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / (b > 0 ? b : 0.001) }'; }
head_line() { printf '\n%-44s %10s %12s\n' "$@"; }
row() { printf '%-44s %10s %12s\n' "$1" "$2" "${3:-}"; }
# goal_row NAME MEASURED COMPARISON BOUND UNIT [REMARK]: prints a goal as a row of the table, and
# whether it is met.
goal_row() {
  local verdict
  verdict=$(awk -v m="$2" -v c="$3" -v g="$4" \
    'BEGIN { print (c == "<=" ? m <= g : m >= g) ? "reached" : "missed" }')
  row "  goal: $1 $3 $4 $5" "$2" "$verdict"
  record goal "collector: $1" "${@:2}"
}

# until_ready FILE PID: waits until the load prints "ready" to its file.
until_ready() {
  local try
  for ((try = 0; try < 1200; try++)); do
    if grep -qs ready "$1"; then return; fi
    kill -0 "$2" 2>/dev/null || break
    sleep 0.05
  done
  echo "collector_bench.sh: a load did not start" >&2
  exit 4
}

start_pythons() {
  local i
  for ((i = 0; i < processes; i++)); do
    python3 -c "import json, ssl, sqlite3, ctypes, lzma, signal
memory = bytearray($mib << 20)
memory[::4096] = bytes([1]) * len(memory[::4096])
print('ready', flush=True)
signal.pause()" >"$work/python.$i" &
    load+=($!)
  done
  for ((i = 0; i < processes; i++)); do until_ready "$work/python.$i" "${load[$i]}"; done
}
stop_load() {
  [ ${#load[@]} -gt 0 ] || return 0
  kill "${load[@]}" 2>/dev/null || true
  wait "${load[@]}" 2>/dev/null || true
  load=()
}

all_smaps() { cat /proc/[0-9]*/smaps; }
page_types_of_each() {
  local folder
  for folder in /proc/[0-9]*; do page-types -L -M -N -p "${folder#/proc/}"; done
}
# peer NAME FILE: prints a row for the whole machine, and adds to the note below the table.
peer() {
  local seconds times
  seconds=$(median "$2")
  times=$(ratio "$seconds" "$(median collect)")
  row "$1" "$seconds" "$times"
  peers+=", $1 $times x"
}
# no_peer NAME WHERE-FROM: the same for a peer that is not installed.
no_peer() {
  row "$1" "-" "is not installed ($2)"
  peers+=", $1 is not installed ($2)"
}

# kernel_memory_goal NAME FILE BOUND: CPU time by the kernel's memory, compared with smem's.
kernel_memory_goal() {
  if [ -n "$no_bpf" ]; then
    not_measured "collector: $1" "<=" "$3" x "$no_bpf"
  elif ! command -v smem >/dev/null; then
    not_measured "collector: $1" "<=" "$3" x "smem is not installed"
  else
    goal_row "$1" "$(ratio "$(median "$2")" "$(median smem)")" "<=" "$3" x
  fi
}

whole_machine() {
  local run pages peers="" name
  ours "$collect" >"$work/snapshot"
  pages=$(tail -1 "$work/snapshot" | awk -F', *' '{ print $3 }')
  rm "$work/snapshot"
  for ((run = 0; run < runs; run++)); do
    add collect "$collect"
    add no-pages "$collect" --counts-only
    add two-jobs "$collect" --jobs 2
    if [ -z "$no_bpf" ]; then
      add bpf "$collect" --source=bpf
      add bpf-no-pages "$collect" --source=bpf --counts-only
    fi
    add_peer smaps all_smaps
    add ps "$physmem" ps -o /dev/null
    if command -v smem >/dev/null; then add_peer smem smem; fi
    if command -v page-types >/dev/null; then add_peer page-types page_types_of_each; fi
    add_share share
  done
  head_line "whole machine, $processes python processes" "CPU s" "to ours"
  row "physmem-collect ($pages pages)" "$(median collect)" \
    "$(awk -v p="$pages" -v s="$(median collect)" 'BEGIN { printf "%.2f M/s", p / s / 1e6 }')"
  peer "physmem-collect --counts-only" no-pages
  if [ -z "$no_bpf" ]; then
    peer "physmem-collect --source=bpf" bpf
    peer "physmem-collect --source=bpf --counts-only" bpf-no-pages
  fi
  peer "physmem ps, collected and answered" ps
  peer "cat /proc/PID/smaps of all" smaps
  if command -v smem >/dev/null; then peer smem smem; else no_peer smem "Debian: smem"; fi
  if command -v page-types >/dev/null; then
    peer "page-types of each process, every page" page-types
  else
    no_peer page-types "kernel sources: tools/mm"
  fi
  record note "CPU compared with that of a snapshot of the whole machine ($processes python \
processes, $pages pages, $(median collect) s): ${peers#, }."
  goal_row "share of pagemap and kpage reads in its CPU" "$(median share)" ">=" 85 %
  name="CPU of a snapshot of 200 python processes"
  if [ "$processes" -eq 200 ]; then
    goal_row "$name" "$(median collect)" "<=" 0.6 s
  else
    not_measured "collector: $name" "<=" 0.6 s "PROCESSES is $processes"
  fi
  kernel_memory_goal "CPU by BPF to that of smem, with pages" bpf 0.2
  kernel_memory_goal "CPU by BPF to that of smem, counts only" bpf-no-pages 0.2
  kernel_memory_goal "CPU of physmem ps to that of smem" ps 0.3
  goal_row "wall time with one job to that with two" \
    "$(ratio "$(median collect 2)" "$(median two-jobs 2)")" ">=" 1.5 x
}

forked() {
  local run pids
  "$folder/forked_load" 256 30 >"$work/forked" &
  load+=($!)
  until_ready "$work/forked" $!
  read -r pids <"$work/forked"
  pids=${pids% ready}
  for ((run = 0; run < runs; run++)); do
    add forked "$collect" --pid "${pids// /,}"
    # shellcheck disable=SC2086
    add uncached "$folder/uncached_collect" $pids
  done
  stop_load
  head_line "256 MiB shared by 31 processes" "CPU s" "to ours"
  row "physmem-collect" "$(median forked)"
  row "each process for itself" "$(median uncached)" \
    "$(ratio "$(median uncached)" "$(median forked)")"
  goal_row "CPU without the cache of frames to that with it, forked load" \
    "$(ratio "$(median uncached)" "$(median forked)")" ">=" 1.7 x
}

# stall NAME PROBE COMMAND...: one run, in which the command is repeated while the measured process
# runs; PID in the command is replaced by its id. The command fails when that process ends, and must
# succeed at least once before. PROBE is the first argument of stall_probe.
stall() {
  local name=$1 probe=$2 pid times=0
  shift 2
  : >"$work/probe"
  "$folder/stall_probe" "$probe" "$seconds" >"$work/probe" &
  pid=$!
  load=("$pid")
  until_ready "$work/probe" "$pid"
  while kill -0 "$pid" 2>/dev/null; do
    if is_good "${@//PID/$pid}" >/dev/null; then times=$((times + 1)); fi
    sleep 0.1
  done
  [ "$times" -gt 0 ] || fail "$* did not succeed once"
  wait "$pid" || true
  load=()
  tail -1 "$work/probe" >>"$work/stall-$name"
}

# stall_rows TITLE NAME...: a table of stalls.
stall_rows() {
  local name
  printf '\n%-44s %10s %12s %12s\n' "$1" "p50 us" "p99.9 us" "worst us"
  shift
  for name in "$@"; do
    printf '%-44s %10s %12s %12s\n' "$name" "$(median "stall-$name" 1)" \
      "$(median "stall-$name" 2)" "$(median "stall-$name" 3)"
  done
}

# stall_goal NAME STALL IDLE: reading the kernel's memory does not delay the process.
stall_goal() {
  if [ -n "$no_bpf" ]; then
    not_measured "collector: $1" "<=" 1.2 x "$no_bpf"
  else
    goal_row "$1" "$(ratio "$(median "stall-$2" 2)" "$(median "stall-$3" 2)")" "<=" 1.2 x
  fi
}

stalls() {
  local run
  for ((run = 0; run < runs; run++)); do
    stall sleeper sleep true
    stall idle "$stall_mib" true
    stall physmem-collect "$stall_mib" "$collect" --pid PID
    if [ -z "$no_bpf" ]; then stall bpf "$stall_mib" "$collect" --source=bpf --pid PID; fi
    stall smaps "$stall_mib" cat /proc/PID/smaps
    stall smaps_rollup "$stall_mib" cat /proc/PID/smaps_rollup
  done
  stall_rows "stall of a $stall_mib MiB process" idle physmem-collect $by_bpf \
    smaps smaps_rollup sleeper
  stall_goal "stall at 99.9 % by BPF to that of an idle machine" bpf idle
  goal_row "worst stall of a process that is collected to that of an idle machine" \
    "$(ratio "$(median stall-physmem-collect 3)" "$(median stall-idle 3)")" "<=" 2 x \
    "worst us: $(median stall-idle 3) idle, $(median stall-physmem-collect 3) collected; a \
process that sleeps on the idle machine wakes $(median stall-sleeper 3) late"
}

# An area that is far larger than the memory in it is searched for pages (PAGEMAP_SCAN). The
# measured process waits for the lock only, so there is no noise except the machine's.
sparse_stalls() {
  local run
  for ((run = 0; run < runs; run++)); do
    stall sparse-idle "$stall_mib:64" true
    stall sparse-collect "$stall_mib:64" "$collect" --pid PID
    if [ -z "$no_bpf" ]; then
      stall sparse-bpf "$stall_mib:64" "$collect" --source=bpf --pid PID
    fi
    stall sparse-smaps "$stall_mib:64" cat /proc/PID/smaps
  done
  stall_rows "stall of $stall_mib MiB in 64 GiB" sparse-idle sparse-collect \
    ${by_bpf:+sparse-bpf} sparse-smaps
  stall_goal "stall at 99.9 % by BPF with a sparse area to that of an idle machine" \
    sparse-bpf sparse-idle
  goal_row "worst stall of a process with a sparse area of 64 GiB" \
    "$(median stall-sparse-collect 3)" "<=" 2000 us \
    "worst us: $(median stall-sparse-idle 3) idle, $(median stall-sparse-smaps 3) under cat smaps"
}

share_of_one() {
  local run pid
  "$folder/forked_load" 1024 0 >"$work/one" &
  pid=$!
  load+=("$pid")
  until_ready "$work/one" "$pid"
  for ((run = 0; run < runs; run++)); do
    add_share share-of-one --pid "$pid"
  done
  stop_load
  head_line "one process of 1024 MiB" "%" "reads"
  row "share of pagemap and kpage reads" "$(median share-of-one)" "$(median share-of-one 2)"
}

# Empty, or why the kernel's memory cannot be read.
no_bpf="" by_bpf=bpf
if ! is_good "$collect" --source=bpf --pid $$ -o /dev/null; then
  no_bpf=$(cat "$work/messages") by_bpf=""
fi

start_pythons
whole_machine
stop_load
share_of_one
forked
stalls
sparse_stalls
