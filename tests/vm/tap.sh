# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Test points of the Test Anything Protocol, for sh. The count is in a file, because the parts of a
# pipe are subshells. The variables of these functions begin with tap_, because sh has only globals.
tap_count=/run/tap_count
tap_skipped=/run/tap_skipped

# tap_point "ok" DESCRIPTION
tap_point() {
  read -r tap_number <$tap_count
  tap_number=$((tap_number + 1))
  echo $tap_number >$tap_count
  echo "$1 $tap_number - $2"
}

# ok DESCRIPTION COMMAND...: the command's status must be 0. The output of a failing command is
# shown.
ok() {
  tap_description=$1
  shift
  if "$@" >/run/tap_output 2>&1; then
    tap_point ok "$tap_description"
  else
    echo "# '$*' gave status $?"
    tail -n 20 /run/tap_output | sed 's/^/#   /'
    tap_point "not ok" "$tap_description"
  fi
}

# fails DESCRIPTION COMMAND...: its status must not be 0. A command that is missing (127) or cannot
# be executed (126) does not count as failed.
fails() {
  tap_description=$1
  shift
  "$@" >/run/tap_output 2>&1
  case $? in
    0 | 126 | 127)
      echo "# '$*' gave status 0, 126 or 127"
      tail -n 20 /run/tap_output | sed 's/^/#   /'
      tap_point "not ok" "$tap_description"
      ;;
    *) tap_point ok "$tap_description" ;;
  esac
}

# is DESCRIPTION FOUND EXPECTED
is() {
  if [ "$2" = "$3" ]; then
    tap_point ok "$1"
  else
    echo "$2" | sed 's/^/# found    /'
    echo "$3" | sed 's/^/# expected /'
    tap_point "not ok" "$1"
  fi
}

# skip DESCRIPTION REASON: skips one test point. skip_all REASON: skips the whole test; must be
# called before its first point.
skip() { tap_point ok "$1 # SKIP $2"; }
skip_all() {
  if [ "$(ls /tests | wc -l)" -gt 1 ]; then
    skip "$(ls /tests | sed -n "s/^${test%%-*}-//p")" "$1"
  else
    echo "1..0 # SKIP $1"
    : >$tap_skipped
  fi
  exit 0
}

# gtest LABEL COMMAND...: prints a test point for each test of a GoogleTest program. Its name begins
# with the label.
gtest() {
  tap_label=$1
  shift
  "$@" --gtest_color=no >/run/tap_output 2>&1 </dev/null
  tap_status=$?
  tap_points=/run/tap_points
  # A line "SKIPPED" follows the test's reason, a line "FAILED" its findings.
  awk -v label="$tap_label" '
    /^\[ RUN      \]/ { text = ""; next }
    /^\[       OK \]|^\[  FAILED  \]|^\[  SKIPPED \]/ && / \([0-9]+ ms\)$/ {
      name = $0
      sub(/^\[[^]]*\] /, "", name)
      sub(/ \([0-9]+ ms\)$/, "", name)
      sub(/, where .*/, "", name)
      if (/^\[       OK/) print "ok\t" label name
      else if (/^\[  SKIPPED/) {
        gsub(/\n#/, " ", text)
        sub(/^.*: Skipped */, "", text)
        print "ok\t" label name " # SKIP " text
      }
      else { sub(/^\n/, "", text); print text "\nnot ok\t" label name }
      text = ""; tests++
      next
    }
    { text = text "\n#   " $0 }
    END { if (!tests) print "not ok\t" label "no test was run" }' /run/tap_output >$tap_points
  while IFS='	' read -r tap_result tap_description; do
    case $tap_result in
      ok | "not ok") tap_point "$tap_result" "$tap_description" ;;
      *) echo "$tap_result $tap_description" ;;
    esac
  done <$tap_points
  if [ $tap_status -ne 0 ] && ! grep -q '^not ok' $tap_points; then
    tail -n 20 /run/tap_output | sed 's/^/#   /'
    tap_point "not ok" "$1 ended with status $tap_status"
  fi
}

# wait_for COMMAND...: waits until the command succeeds, at most 60 s.
wait_for() {
  for _ in $(seq 1200); do
    "$@" && return
    usleep 50000
  done
  return 1
}
is_in_state() { grep -q "^State:.$2" "/proc/$1/status"; }

# send_file FILE: sends it to the launcher's --out folder.
send_file() {
  echo "-----BEGIN ${1##*/}"
  gzip -c "$1" | base64
  echo "-----END"
}
