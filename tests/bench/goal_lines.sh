# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# Sourced by the scripts next to it. Records the results of a run in the file GOALS, in the format
# of README.md; without GOALS results are only printed.

# record WORD...: records a line of the run, with one field per word.
record() {
  [ -n "${GOALS:-}" ] || return 0
  printf '%s' "$1" >>"$GOALS"
  shift
  printf '\t%s' "$@" >>"$GOALS"
  printf '\n' >>"$GOALS"
}

# goal NAME MEASURED COMPARISON BOUND UNIT [REMARK]: prints and records a goal.
goal() {
  printf '%-66s %s %s   (goal: %s %s)%s\n' "$1" "$2" "$5" "$3" "$4" "${6:+  $6}"
  record goal "$@"
}

# not_measured NAME COMPARISON BOUND UNIT REASON: prints and records a goal that was not measured.
not_measured() {
  printf '%-66s not measured: %s\n' "$1" "$5"
  record goal "$1" - "$2" "$3" "$4" "$5"
}

# calculate EXPRESSION: prints its value, computed by awk.
calculate() {
  awk "BEGIN { printf \"%.6g\", ($1) }"
}

# others SECONDS: sleeps and prints the use of the CPUs in that time, and the time stolen by
# the hypervisor, both in percent.
others() {
  before=$(grep '^cpu ' /proc/stat)
  sleep "$1"
  after=$(grep '^cpu ' /proc/stat)
  printf '%s\n%s\n' "$before" "$after" | awk '{
    total = 0
    for (i = 2; i <= 9; i++) total += $i
    if (NR == 2) all = total - was_total
    idle = $5 + $6 - was_idle; stolen = $9 - was_stolen
    was_total = total; was_idle = $5 + $6; was_stolen = $9
  } END {
    if (all < 1) all = 1
    printf "%.0f %.0f\n", 100 * (all - idle - stolen) / all, 100 * stolen / all
  }'
}

# busy: prints nothing, or why wall times are not reliable now: other programs use more than 10 % of
# the CPUs, or more than 2 % is stolen.
busy() {
  # shellcheck disable=SC2046
  set -- $(others 2)
  [ "$1" -le 10 ] && [ "$2" -le 2 ] && return 0
  echo "busy: others use $1 % of the CPUs, $2 % stolen, load $(cut -d' ' -f1 /proc/loadavg)"
}

# frames SNAPSHOT: the number of frames of its machine's RAM.
frames() {
  head -n 1 "$1" | sed -n 's/.*ram_pages=\([0-9]*\).*/\1/p'
}

# mappings SNAPSHOT: the number of its entries, from its last line.
mappings() {
  tail -n 1 "$1" | awk -F', ' '{ print $3 }'
}

# make_snapshot GENERATE-SNAPSHOT [OPTION]... MIB FILE: makes a snapshot on disk and in the page
# cache.
make_snapshot() {
  "$@"
  for file in "$@"; do :; done
  sync "$file" # otherwise writeback would slow down the first measurement
  cat "$file" >/dev/null
}
