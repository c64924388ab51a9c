# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the guest tests of the 20 Hz profiler share ("# with: profile/profiler_parts.sh"). Numbers
# go to the host, where tests/vm/judges/profiler judges them. For each test:
#
#   TEST.profiler-runs    a line for each run: name=NAME kind=KIND ..., as the judge explains
#   TEST.NAME.samples     the samples of the run
#   TEST.NAME.*           what they are compared with
status=/proc/mp3/status
node=/dev/mp3

load() { insmod /physmem_faults.ko "$@"; }
unload() { rmmod physmem_faults; }
sleeper() { sleep 100000 & pid=$!; }
end() { kill -KILL "$1" && wait "$1"; } 2>/dev/null
samples() { profile-subject samples $node; }
# One write() of what printf makes of it; prints its result.
try() { printf "$1" | profile-subject write; }

list_is() { [ "$(cat $status)" = "$1" ]; }
has_samples() { [ "$(samples | wc -l)" -ge "$1" ]; }
# Two more samples: the second one began later than this call, so it counts all that was before.
wait_for_samples() { wait_for has_samples $(($(samples | wc -l) + ${1:-2})); }
# The kernel's clock, ns since boot, and its jiffies.
clock() { awk '/^now at/ { now = $3 } $1 == "jiffies:" { print now, $2; exit }' /proc/timer_list; }
stop() { kill -STOP "$1" && wait_for is_in_state "$1" T; }

# record TEST NAME FACTS: a run, with the samples that are in the buffer.
record() {
  samples >"$1.$2.samples"
  echo "name=$2 $3" >>"$1.profiler-runs"
}
send_runs() { for file in "$1".*; do send_file "$file"; done; }
