#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the CPU time of physmem-top on a terminal, at one sample per second with some 500
# processes, of which many change their memory all the time, compared with top of procps and smem.
# Then the worst stall of a process of 2 GiB while physmem-top reads it, compared with its worst
# stall without a reader, and the worst stall of a process whose 2 GiB are in an area of 64 GiB.
#
#   top_bench.sh BUILD-FOLDER
#
# Environment: PROCESSES  number of processes to start as a load (470)
#              SAMPLES    length of each run in seconds (60)
#              GOALS      see goal_lines.sh
set -eu
# shellcheck source=tests/bench/goal_lines.sh
. "$(dirname "$0")/goal_lines.sh"
build=$1
processes=${PROCESSES:-470} samples=${SAMPLES:-60} mib=2048
measure="$build/tests/bench/measure"
top="$build/top/physmem-top"
goal_of_cpu="top: CPU at 1 Hz with 500 processes, of one core"
goal_of_stall="top: worst stall of a process of 2 GiB to that without a reader"
goal_of_sparse="top: worst stall of a process with a sparse area of 64 GiB"
work=$(mktemp -d "${TMPDIR:-/tmp}/physmem-bench.XXXXXX")
load=""
reader=""
end() {
  [ -z "$load" ] || kill "$load" 2>/dev/null || true
  [ -z "$reader" ] || kill "$reader" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

if [ "$(id -u)" -ne 0 ]; then
  not_measured "$goal_of_cpu" "<=" 5 % "requires root: the kernel hides frame numbers"
  not_measured "$goal_of_stall" "<=" 2 x "requires root: the kernel hides frame numbers"
  not_measured "$goal_of_sparse" "<=" 2000 us "requires root: the kernel hides frame numbers"
  exit 0
fi

# on_terminal COMMAND: the arguments that run it on a terminal of 80x24.
terminal_command="stty cols 80 rows 24; TERM=xterm-256color exec $top --count $samples"

# share CPU WALL: percent of one core.
share() {
  calculate "100 * $1 / $2"
}

# cost_of COMMAND...: CPU seconds and wall seconds of one run.
cost_of() {
  "$measure" --all 1 "$@" </dev/null | awk '{ print $1, $3 }'
}

# One leaks. Of the others a third grows once, a third changes 400 pages in a sawtooth of four
# seconds, and a third does nothing.
"$build/tools/load/physmem-load" leak --among "$processes" --pages-per-ms 0.1 --duration 0 \
  >/dev/null 2>&1 &
load=$!
sleep 5
running=$(find /proc -maxdepth 1 -name '[0-9]*' | wc -l)
# shellcheck disable=SC2046
set -- $(cost_of script -qec "$terminal_command" /dev/null)
ours=$(share "$1" "$2")
goal "$goal_of_cpu" "$ours" "<=" 5 % "$running processes"
peers=""
if command -v top >/dev/null; then
  # shellcheck disable=SC2046
  set -- $(cost_of top -b -d 1 -n 20)
  peers="top -b -d 1 (procps; without USS and PSS) $(share "$1" "$2") %"
fi
if command -v smem >/dev/null; then
  # shellcheck disable=SC2046
  set -- $(cost_of smem)
  peers="$peers${peers:+, }smem once per second $(share "$1" 1) %"
else
  peers="$peers${peers:+, }smem is not installed"
fi
record note "CPU at one sample per second with $running processes, of one core: physmem-top $ours \
%, $peers."
printf '%s\n' "$peers"

# worst_stall PROBE: microseconds, the median of five runs. PROBE: see stall_probe.
worst_stall() {
  for _ in 1 2 3 4 5; do
    "$build/tests/bench/collector_bench/stall_probe" "$1" 4 | tail -n 1
  done | awk '{ print $NF }' | sort -n | sed -n 3p
}
kill "$load" 2>/dev/null || true
wait "$load" 2>/dev/null || true
load=""
alone=$(worst_stall "$mib")
sparse_alone=$(worst_stall "$mib:64")
script -qec "stty cols 80 rows 24; TERM=xterm-256color exec $top" /dev/null \
  </dev/null >"$work/screen" 2>&1 &
reader=$!
sleep 2
watched=$(worst_stall "$mib")
sparse=$(worst_stall "$mib:64")
goal "$goal_of_stall" "$(calculate "$watched / $alone")" "<=" 2 x \
  "$(calculate "$watched / 1000") ms, without a reader $(calculate "$alone / 1000") ms"
goal "$goal_of_sparse" "$sparse" "<=" 2000 us "without a reader $sparse_alone us"
