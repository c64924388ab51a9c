# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034
# Common parts of the checks of dumps. To be sourced; sets here, build (of this project), and work,
# a folder that is removed at the end.
here=$(cd "$(dirname "$0")" && pwd)
build=${PHYSMEM_BUILD:-$here/../../build/dev}
work=$(mktemp -d)
unfinished=""
end_check() {
  status=$?
  rm -rf "$work"
  # A dump is kept if its check has failed or was interrupted: see remove-dump.
  [ $status -ne 0 ] && [ $status -ne 77 ] || rm -f "$unfinished"
}
trap end_check EXIT

skip() {
  echo "skipped: $1"
  exit 77
}

# fail WHAT [FILE]: fails, and shows the end of the file.
fail() {
  [ $# -lt 2 ] || tail -n 20 "$2" | sed 's/^/  /'
  echo "FAILED: $1"
  exit 1
}

# fetched TOOL ARGUMENT: prints the result of a script of tests/vm, or fails with its status.
fetched() {
  "$here/../vm/$1" "$2" || return $?
}

# open_dump DIR: sets vmlinux, kernel and pids of a folder that make-vmcore made.
open_dump() {
  [ -f "$1/env" ] || skip "$1 has no dump (tests/vmcore/make-vmcore)"
  unfinished=$(realpath "$1")/unfinished.$(basename "$0").$$
  : >"$unfinished"
  kernel="" vmlinux="" arch=""
  # shellcheck disable=SC1091
  . "$1/env"
  pids=$(cat "$1/pids")
  compiler=${CC:-cc} machine=x86_64
  case $arch in
    arm64) compiler=aarch64-linux-gnu-gcc machine=aarch64 ;;
    ppc64el) compiler=powerpc64le-linux-gnu-gcc machine=ppc64le ;;
  esac
  command -v "${compiler%% *}" >/dev/null ||
    skip "$compiler is not installed (scripts/install-packages vm)"
  vmcore=$1/vmcore.zlib               # missing for a ppc64el guest
  [ -f "$vmcore" ] || vmcore=$1/vmcore.elf
}

# find_crash NAME: sets crash, and crash_include, the folder of its defs.h.
find_crash() {
  crash=$(fetched fetch-crash "$1") || skip "${crash#skipped: }"
  crash_include=$(dirname "$crash")/include/crash
}

# build_extension OUT SOURCE... : builds it for this crash, with the command of
# collector-crash/README.md.
build_extension() {
  out=$1
  shift
  (cd "$here/../.." && $compiler -O2 -fPIC -shared -I. -Iformats -Icollector-crash \
    -isystem "$crash_include" -o "$out" "$@" kernel-image/*.c \
    formats/emit/*.c) ||
    fail "the extension does not build"
}

# in_crash VMCORE <COMMANDS: runs crash, and shows its output only if it fails.
in_crash() {
  cat >"$work/commands"
  "$here/run-crash" "$crash" "$vmlinux" "$1" "$work/commands" >"$work/output" ||
    fail "crash did not reach the end of the commands" "$work/output"
  ! grep -q '^physmem: ' "$work/output" || fail "the command reported an error" "$work/output"
}

# whole FILE: checks that it is a snapshot with an end.
whole() {
  tail -n 1 "$1" | grep -q '^E: ' || fail "$1 is not a whole snapshot" "$work/output"
}
