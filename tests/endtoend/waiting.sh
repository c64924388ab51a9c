# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Waits for events. Sourced by the scripts next to it.

# A test that is stopped ends what it has started, too: by its trap for EXIT.
trap 'exit 130' HUP INT TERM

# Only a broken program reaches this timeout. No result depends on it.
timeout_seconds=180

# wait_until DESCRIPTION COMMAND...: returns once COMMAND succeeds.
wait_until() {
  awaited=$1
  shift
  wait_limit=$(($(date +%s) + timeout_seconds))
  until "$@"; do
    [ "$(date +%s)" -lt "$wait_limit" ] || {
      echo "timeout after $timeout_seconds s: $awaited" >&2
      exit 1
    }
    sleep 0.02
  done
}

# process_state PID: the letter of proc(5), or nothing if the process does not exist.
process_state() {
  sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null || true
}
is_stopped() { [ "$(process_state "$1")" = T ]; }
is_asleep() { [ "$(process_state "$1")" = S ]; }

# An orphan that has ended may remain a zombie until its new parent reaps it.
has_ended() {
  case $(process_state "$1") in
    '' | Z | X) ;;
    *) return 1 ;;
  esac
}

# stop PID...: stops each process, and returns once the kernel reports that all are stopped.
stop() {
  for pid in "$@"; do kill -STOP "$pid"; done
  for pid in "$@"; do wait_until "process $pid stops" is_stopped "$pid"; done
}

# catches_sigterm PID: the process has installed its handler (signal 15).
catches_sigterm() {
  caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)
  [ -n "$caught" ] && [ $((0x$caught >> 14 & 1)) -eq 1 ]
}

# has_lines COUNT PATTERN FILE: at least COUNT lines of FILE match; FILE may not exist yet.
has_lines() { [ "$(grep -c -e "$2" "$3" 2>/dev/null)" -ge "$1" ]; }

# unfinished_file PID FOLDER: prints a path to the output in FOLDER that the process has not
# completed. The file has no name ("#17 (deleted)"), or a temporary one. Prints nothing if there is
# none.
unfinished_file() {
  for descriptor in /proc/"$1"/fd/*; do
    case $(readlink "$descriptor" 2>/dev/null) in
      "$2"/*' (deleted)' | "$2"/.*.physmem-*) echo "$descriptor" && return ;;
    esac
  done
}
