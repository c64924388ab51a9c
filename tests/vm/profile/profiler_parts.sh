# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Common parts of the guest tests of the 20 Hz profiler ("# with: profile/profiler_parts.sh").
# tests/vm/judges/profiler checks the numbers on the host. For each test:
#
#   TEST.profiler-runs    one line per run: name=NAME kind=KIND ..., as documented in the judge
#   TEST.NAME.samples     the samples of the run
#   TEST.NAME.*           the values with which they are compared
status=/proc/mp3/status
node=/dev/mp3

load() { insmod /physmem_faults.ko "$@"; }
unload() { rmmod physmem_faults; }
sleeper() { sleep 100000 & pid=$!; }
end() { kill -KILL "$1" && wait "$1"; } 2>/dev/null
samples() { profile-subject samples $node; }
# try FORMAT: one write() of the text that printf makes of it; prints its result.
try() { printf "$1" | profile-subject write; }

list_is() { [ "$(cat $status)" = "$1" ]; }
has_samples() { [ "$(samples | wc -l)" -ge "$1" ]; }
# Waits for two more samples. The second one began after this call, so it counts everything before.
wait_for_samples() { wait_for has_samples $(($(samples | wc -l) + ${1:-2})); }
# The kernel's clock, ns since boot, and its jiffies.
clock() { awk '/^now at/ { now = $3 } $1 == "jiffies:" { print now, $2; exit }' /proc/timer_list; }
stop() { kill -STOP "$1" && wait_for is_in_state "$1" T; }

# record TEST NAME FACTS: records a run with the samples in the buffer.
record() {
  samples >"$1.$2.samples"
  echo "name=$2 $3" >>"$1.profiler-runs"
}
send_runs() { for file in "$1".*; do send_file "$file"; done; }
