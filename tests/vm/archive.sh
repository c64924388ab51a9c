# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Reads Debian's archive without installing anything: apt with sources and state of its own, for any
# suite and architecture. To be sourced.

# skip REASON: reports that something is not available, and exits with status 77.
skip() {
  echo "skipped: $1"
  exit 77
}

# archive_open WORK ARCH SUITES MISSING: makes WORK/sources.list and the state next to it. The
# mirror is the one that this machine uses, in either form of its sources. SUITES are separated by
# commas; this machine's own suite is always added: its codename, or the name that follows the
# releases, as on sid. MISSING is part of the message if this fails.
archive_open() {
  archive_work=$1 archive_arch=$2 archive_suites=$3
  for tool in apt-get dpkg-deb; do
    command -v $tool >/dev/null || skip "$tool is not installed"
  done
  # shellcheck disable=SC1091
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  indexes=$(apt-get update --print-uris 2>/dev/null |
    sed -n "s|^'\(.*\)/dists/\([^/]*\)/InRelease'.*|\2 \1|p")
  for own in $codename stable testing sid unstable; do
    main=$(echo "$indexes" | awk -v suite="$own" '$1 == suite { print $2; exit }')
    [ -z "$main" ] || break
  done
  security=$(echo "$indexes" | awk -v suite="$own-security" '$1 == suite { print $2; exit }')
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -n "$main" ] || skip "this machine has no Debian archive in its apt sources"
  [ -f $keyring ] || skip "debian-archive-keyring is not installed"

  host=$(dpkg --print-architecture)   # of programs that run on this machine
  for suite in $own $(echo "$archive_suites" | tr , ' '); do
    case $suite in *-security) mirror=$security ;; *) mirror=$main ;; esac
    options="arch=$archive_arch,$host signed-by=$keyring check-valid-until=no"
    [ -z "$mirror" ] || echo "deb [$options] $mirror $suite main"
  done | sort -u >"$archive_work/sources.list"
  mkdir -p "$archive_work/state/lists/partial" "$archive_work/cache/archives/partial"
  touch "$archive_work/status"
  # One of several suites may fail. Occasionally security does for an hour while mirrors copy it.
  private apt-get update >"$archive_work/log" 2>&1 || cat "$archive_work/log" >&2
  find "$archive_work/state/lists" -name '*_Packages*' | grep -q . ||
    skip "the Debian archive cannot be reached, and $4"
}

# private COMMAND ARGUMENT...: runs an apt command with these sources and this state.
private() {
  command=$1
  shift
  "$command" -q -o Dir::Etc::sourcelist="$archive_work/sources.list" \
    -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null \
    -o Dir::State="$archive_work/state" -o Dir::State::status="$archive_work/status" \
    -o Dir::Cache="$archive_work/cache" -o APT::Architecture="$archive_arch" \
    -o APT::Architectures::="$archive_arch" -o APT::Architectures::="$host" \
    -o APT::Sandbox::User= -o Acquire::Languages=none -o Acquire::Retries=3 "$@"
}

# depends PACKAGE: prints the names of packages that it depends on.
depends() { private apt-cache depends "$1" | sed -n 's/^ *Depends: *//p'; }

# archive_close: removes the files of archive_open.
archive_close() {
  rm -rf "$archive_work"/state "$archive_work"/cache "$archive_work"/status "$archive_work"/log \
    "$archive_work"/sources.list
}
