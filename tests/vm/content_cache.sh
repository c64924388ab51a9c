# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Caches build results on this machine by the content of their sources. To be sourced, with the
# project's folder in `root`.
built_cache=${PHYSMEM_VM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/physmem-vm}/built
built_kept=3                          # the number of newest results kept per kind

# content_key WORDS FILE-OR-FOLDER...: prints a hash of the words and the content of files in `root`
content_key() {
  {
    echo "$1"
    shift
    cd "$root"
    find "$@" -type f -print0 | sort -z | xargs -0 sha256sum
  } | sha256sum | cut -c 1-16
}

# take_built KIND KEY OUT: copies the cached files to the folder OUT; fails if there are none
take_built() {
  [ -d "$built_cache/$1/$2" ] || return 1
  touch "$built_cache/$1/$2"
  cp -p "$built_cache/$1/$2"/* "$3/"
}

# keep_built KIND KEY FILE...: caches the files, and removes old ones of their kind
keep_built() {
  kind=$1 key=$2
  shift 2
  mkdir -p "$built_cache/$kind"
  kept=$(mktemp -d "$built_cache/$kind/new.XXXXXX")
  cp -p "$@" "$kept/"
  mv -T "$kept" "$built_cache/$kind/$key" 2>/dev/null || rm -rf "$kept"    # another run was faster
  # shellcheck disable=SC2012
  ls -1td "$built_cache/$kind"/* | tail -n +$((built_kept + 1)) | xargs -r rm -rf
}
