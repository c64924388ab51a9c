# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Test points of the Test Anything Protocol, for sh. The count lives in a file, because a pipe's parts are subshells.
tap_count=/run/tap_count
tap_skipped=/run/tap_skipped

# tap_point "ok" DESCRIPTION
tap_point() {
  read -r n <$tap_count
  echo $((n + 1)) >$tap_count
  echo "$1 $((n + 1)) - $2"
}

# ok DESCRIPTION COMMAND...: the command's status is 0. What a failing command said is shown.
ok() {
  description=$1
  shift
  if "$@" >/run/tap_output 2>&1; then
    tap_point ok "$description"
  else
    echo "# '$*' gave status $?"
    tail -n 20 /run/tap_output | sed 's/^/#   /'
    tap_point "not ok" "$description"
  fi
}

# fails DESCRIPTION COMMAND...: its status is not 0. A command that is not there (127) or cannot be run (126) has not failed: it was not asked.
fails() {
  description=$1
  shift
  "$@" >/run/tap_output 2>&1
  case $? in
    0 | 126 | 127)
      echo "# '$*' gave status 0, 126 or 127"
      tail -n 20 /run/tap_output | sed 's/^/#   /'
      tap_point "not ok" "$description"
      ;;
    *) tap_point ok "$description" ;;
  esac
}

# is DESCRIPTION GOT WANTED
is() {
  if [ "$2" = "$3" ]; then
    tap_point ok "$1"
  else
    echo "$2" | sed 's/^/# got    /'
    echo "$3" | sed 's/^/# wanted /'
    tap_point "not ok" "$1"
  fi
}

# skip DESCRIPTION WHY: one test point. skip_all WHY: the whole test, before its first point.
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

# gtest LABEL COMMAND...: each test of a GoogleTest program becomes a test point, whose name begins with the label.
gtest() {
  label=$1
  shift
  "$@" --gtest_color=no >/run/gtest_output 2>&1 </dev/null
  gtest_status=$?
  gtest_points=/run/gtest_points
  # A line "SKIPPED" follows the reason that the test gave; a line "FAILED" what it found.
  awk -v label="$label" '
    /^\[ RUN      \]/ { said = ""; next }
    /^\[       OK \]|^\[  FAILED  \]|^\[  SKIPPED \]/ && / \([0-9]+ ms\)$/ {
      name = $0
      sub(/^\[[^]]*\] /, "", name)
      sub(/ \([0-9]+ ms\)$/, "", name)
      sub(/, where .*/, "", name)
      if (/^\[       OK/) print "ok\t" label name
      else if (/^\[  SKIPPED/) { gsub(/\n#/, " ", said); sub(/^.*: Skipped */, "", said); print "ok\t" label name " # SKIP " said }
      else { sub(/^\n/, "", said); print said "\nnot ok\t" label name }
      said = ""; tests++
      next
    }
    { said = said "\n#   " $0 }
    END { if (!tests) print "not ok\t" label "no test was run" }' /run/gtest_output >$gtest_points
  while IFS='	' read -r result description; do
    case $result in
      ok | "not ok") tap_point "$result" "$description" ;;
      *) echo "$result $description" ;;
    esac
  done <$gtest_points
  if [ $gtest_status -ne 0 ] && ! grep -q '^not ok' $gtest_points; then
    tail -n 20 /run/gtest_output | sed 's/^/#   /'
    tap_point "not ok" "$1 ended with status $gtest_status"
  fi
}

# send_file FILE: to the launcher's --out folder.
send_file() {
  echo "-----BEGIN ${1##*/}"
  gzip -c "$1" | base64
  echo "-----END"
}
