# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# Sourced by the scripts beside it: what a run writes down, in the form of README.md, to the file named by GOALS; without GOALS only
# to the screen.

# record WORD...: a line of the run, its fields one word each.
record() {
  [ -n "${GOALS:-}" ] || return 0
  printf '%s' "$1" >>"$GOALS"
  shift
  printf '\t%s' "$@" >>"$GOALS"
  printf '\n' >>"$GOALS"
}

# goal NAME MEASURED COMPARISON BOUND UNIT [REMARK]
goal() {
  printf '%-66s %s %s   (goal: %s %s)%s\n' "$1" "$2" "$5" "$3" "$4" "${6:+  $6}"
  record goal "$@"
}

# not_measured NAME COMPARISON BOUND UNIT REASON
not_measured() {
  printf '%-66s not measured: %s\n' "$1" "$5"
  record goal "$1" - "$2" "$3" "$4" "$5"
}

# calculate EXPRESSION: its value, by awk.
calculate() {
  awk "BEGIN { printf \"%.6g\", ($1) }"
}

# others SECONDS: meanwhile, percent of the processors that was at work, and that the hypervisor took away. This shell sleeps.
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
  } END { if (all < 1) all = 1; printf "%.0f %.0f\n", 100 * (all - idle - stolen) / all, 100 * stolen / all }'
}

# busy: nothing, or why figures of wall time say little now. More than a tenth of the processors at work for others, or one
# part in fifty taken away.
busy() {
  # shellcheck disable=SC2046
  set -- $(others 2)
  [ "$1" -le 10 ] && [ "$2" -le 2 ] && return 0
  echo "busy: others use $1 % of the processors, $2 % stolen, load $(cut -d' ' -f1 /proc/loadavg)"
}

# frames SNAPSHOT: of its machine's RAM.
frames() {
  head -n 1 "$1" | sed -n 's/.*ram_pages=\([0-9]*\).*/\1/p'
}

# mappings SNAPSHOT: its entries, as its last line has them.
mappings() {
  tail -n 1 "$1" | awk -F', ' '{ print $3 }'
}

# make_snapshot GENERATE-SNAPSHOT [OPTION]... MIB FILE: on disk and in the page cache.
make_snapshot() {
  "$@"
  for file in "$@"; do :; done
  sync "$file" # or its writing back would be paid by who is measured first
  cat "$file" >/dev/null
}
