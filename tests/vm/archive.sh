# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Debian's archive without installing anything: apt with sources and state of its own, for any suite and architecture. To be sourced.

# skip WHY: what was asked for cannot be had here.
skip() {
  echo "skipped: $1"
  exit 77
}

# archive_open WORK ARCH SUITES WHAT: makes WORK/sources.list and the state beside it. The mirror is the one that this machine uses,
# whatever form its sources have. SUITES are separated by commas; this machine's own is always among them.
archive_open() {
  archive_work=$1 archive_arch=$2 archive_suites=$3
  for tool in apt-get dpkg-deb; do
    command -v $tool >/dev/null || skip "$tool is not installed"
  done
  # shellcheck disable=SC1091
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  indexes=$(apt-get update --print-uris 2>/dev/null | sed -n "s|^'\(.*\)/dists/\([^/]*\)/InRelease'.*|\2 \1|p")
  main=$(echo "$indexes" | awk -v suite="$codename" '$1 == suite { print $2; exit }')
  security=$(echo "$indexes" | awk -v suite="$codename-security" '$1 == suite { print $2; exit }')
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -n "$main" ] || skip "this machine has no Debian archive in its apt sources"
  [ -f $keyring ] || skip "debian-archive-keyring is not installed"

  host=$(dpkg --print-architecture)   # programs that run here are for this machine
  for suite in $codename $(echo "$archive_suites" | tr , ' '); do
    case $suite in *-security) mirror=$security ;; *) mirror=$main ;; esac
    [ -z "$mirror" ] || echo "deb [arch=$archive_arch,$host signed-by=$keyring check-valid-until=no] $mirror $suite main"
  done | sort -u >"$archive_work/sources.list"
  mkdir -p "$archive_work/state/lists/partial" "$archive_work/cache/archives/partial"
  touch "$archive_work/status"
  # One suite of several may fail, as security does for an hour now and then while mirrors copy it.
  private apt-get update >"$archive_work/log" 2>&1 || cat "$archive_work/log" >&2
  find "$archive_work/state/lists" -name '*_Packages*' | grep -q . || skip "the Debian archive cannot be reached, and $4"
}

# private COMMAND ARGUMENT...: an apt command with these sources and this state.
private() {
  command=$1
  shift
  "$command" -q -o Dir::Etc::sourcelist="$archive_work/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::Etc::preferencesparts=/dev/null -o Dir::State="$archive_work/state" -o Dir::State::status="$archive_work/status" \
    -o Dir::Cache="$archive_work/cache" -o APT::Architecture="$archive_arch" -o APT::Architectures::="$archive_arch" \
    -o APT::Architectures::="$host" -o APT::Sandbox::User= -o Acquire::Languages=none -o Acquire::Retries=3 "$@"
}

# depends PACKAGE: names that it depends on.
depends() { private apt-cache depends "$1" | sed -n 's/^ *Depends: *//p'; }

# archive_close: removes what archive_open made.
archive_close() { rm -rf "$archive_work"/state "$archive_work"/cache "$archive_work"/status "$archive_work"/log "$archive_work"/sources.list; }
