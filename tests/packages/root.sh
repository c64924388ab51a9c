# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Makes fresh roots of Debian with mmdebstrap. Sourced by the scripts next to it, which root runs,
# before anything else: each script runs again in namespaces of its own. So nothing that it mounts
# or starts remains after it ends.
#
# Sets $source, the source tree; $work, an empty folder, which is removed at the end; and $root,
# where make_root makes a root.
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/vm/archive.sh
. "$source/tests/vm/archive.sh"
[ "$(id -u)" = 0 ] || skip "only root can make a root folder"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is missing (scripts/install-packages packages)"
if [ "${PHYSMEM_IN_NAMESPACE:-}" != yes ]; then
  PHYSMEM_IN_NAMESPACE=yes exec unshare --mount --propagation private --pid --fork --kill-child \
    --mount-proc "$0" "$@"
fi
work=$(mktemp -d "${TMPDIR:-/var/tmp}/physmem-root.XXXXXX")
root=$work/root
remove_root() {
  umount -R --lazy "$root/dev" "$root/proc" "$root/sys" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap 'remove_root; rm -rf --one-file-system "$work"' EXIT

# make_root SUITES [MMDEBSTRAP-OPTION]...: makes $root of the first of SUITES, which commas
# separate, with apt sources of all of them. SUITES may be empty: this machine's suites.
make_root() {
  local suites=$1 suite
  shift
  mkdir -p "$work/archive"
  archive_open "$work/archive" "$(dpkg --print-architecture)" "$suites" "a root cannot be made"
  # shellcheck disable=SC2154
  suites=${suites:-$own,$own-security} suite=${suites%%,*}
  grep -E " (${suites//,/|}) " "$work/archive/sources.list" >"$work/sources.list"
  archive_close
  mmdebstrap --quiet --variant=apt "$@" "$suite" "$root" "$work/sources.list" ||
    skip "mmdebstrap cannot make a root of $suite"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
}
