#!/bin/bash
# SPDX-License-Identifier: MIT
# Measures the stores of physmem-fleet with 10 million rows in 100,000 reports of 5,000 machines
# (made-reports): loading, room, and each question, from the facts and after `rollup`. One run each.
#
#   store_bench.sh BUILD-FOLDER [sqlite | clickhouse | zstd | chdb]...   default: the first three
#
# clickhouse and zstd: two shards of ClickHouse 18.16 on this machine, compressed by LZ4 and by
# zstd. chdb: today's ClickHouse as a library. CPU includes physmem-fleet and the servers, until
# their merges have ended. Pages are in the page cache, as after loading. MACHINES (default
# 5000) makes it smaller. Requires 3 GB in TMPDIR.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/goal_lines.sh"
usage() {
  echo "usage: store_bench.sh BUILD-FOLDER [sqlite | clickhouse | zstd | chdb]..." >&2
  exit 2
}
[ $# -ge 1 ] || usage
build=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- sqlite clickhouse zstd
for store in "$@"; do
  case $store in sqlite | clickhouse | zstd | chdb) ;; *) usage ;; esac
done
fleet=$build/fleet/physmem-fleet
tests=$here/../fleet
machines=${MACHINES:-5000}
rows=$((machines * 20 * 100))
# Those that read the sums of days after rollup, and the others.
summed=(units "changes --since 2026-11-23")
questions=(hosts "trend --file */libmade0675.so.3" leaks gaps)
work=$(mktemp -d "${TMPDIR:-/tmp}/physmem-store-bench.XXXXXX")
servers=""
chdb=""
trap 'end_servers; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

end_servers() {
  [ -z "$servers" ] || "$tests/clickhouse-server" --stop "$servers"
  [ -z "$chdb" ] || kill "$chdb" 2>/dev/null || true
  servers="" chdb=""
}

# pids: the processes of the store's servers.
pids() {
  [ -z "$servers" ] || for shard in 1 2; do "$tests/clickhouse-server" --pid $shard "$servers"; done
  [ -z "$chdb" ] || echo "$chdb"
}

# servers_cpu: the CPU time of the servers so far, in s.
servers_cpu() {
  local pid ticks=0
  for pid in $(pids); do
    # shellcheck disable=SC2046
    set -- $(sed 's/.*) //' "/proc/$pid/stat")
    ticks=$((ticks + ${12} + ${13}))
  done
  calculate "$ticks / $(getconf CLK_TCK)"
}

# query SHARD SQL: prints the answer of one shard; SHARD is 0 for chDB.
query() {
  local place=$url
  [ "$1" = 0 ] || place=$("$tests/clickhouse-server" --url "$1" "$servers")
  place=${place#clickhouse+}
  curl -sS --fail --data-binary "$2" "${place%/*}/"
}

# on_each SQL: the sum of the answers of both shards.
on_each() { echo $(($(query 1 "$1") + $(query 2 "$1"))); }

# wait_for_merges: until there was none for ten seconds.
wait_for_merges() {
  local quiet=0
  [ -n "$servers" ] || return 0
  while [ $quiet -lt 10 ]; do
    sleep 1
    quiet=$((quiet + 1))
    [ "$(on_each 'SELECT count() FROM system.merges')" = 0 ] || quiet=0
  done
}

# store_bytes: the room of the store.
store_bytes() {
  local sql="SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'physmem'"
  if [ -n "$servers" ]; then
    on_each "$sql"
  elif [ -n "$chdb" ]; then
    query 0 "$sql"
  else
    cat "$work"/fleet.db* | wc -c
  fi
}

# run WORD...: runs physmem-fleet; sets cpu (its own, s), kib and servers (the servers' CPU, s).
run() {
  local before
  before=$(servers_cpu)
  # shellcheck disable=SC2046
  set -- $("$build/tests/bench/measure" --save "$work/out" 1 "$fleet" "$@")
  cpu=$1 kib=$2
  others=$(calculate "$(servers_cpu) - $before")
}

# ask LIMIT-S SUFFIX QUESTION...
ask() {
  local limit=$1 suffix=$2 question total words
  shift 2
  for question in "$@"; do
    read -ra words <<<"$question"
    run ask "${words[@]}" "$url"
    total=$(calculate "$cpu + $others")
    goal "$name: CPU of $question$suffix" "$total" "<=" "$limit" s \
      "$(wc -l <"$work/out.1") lines; physmem-fleet $cpu"
  done
}

# measure_store LOAD-S BYTES RAW-S SUMS-S: the store $url, with its name and its goals.
measure_store() {
  local loading merging begun
  begun=$(servers_cpu)
  run load "$url" "$work/reports"
  loading=$others
  wait_for_merges
  merging=$(calculate "$(servers_cpu) - $begun - $loading")
  goal "$name: CPU of loading" "$(calculate "$cpu + $loading + $merging")" "<=" "$1" s \
    "physmem-fleet $cpu, servers $loading and then $merging"
  goal "$name: memory of loading" "$(calculate "$kib / 1024")" "<=" 64 MiB "physmem-fleet"
  goal "$name: bytes per row" "$(calculate "$(store_bytes) / $rows")" "<=" "$2" bytes
  ask "$3" "" "${questions[@]}" "${summed[@]}"
  run rollup "$url"
  printf '%-66s %s s\n' "$name: CPU of rollup" "$(calculate "$cpu + $others")"
  wait_for_merges
  ask "$4" ", from sums" "${summed[@]}" "units --since 2026-11-22 --until 2026-11-23"
}

# measure_report: what this machine would send.
measure_report() {
  "$build/collector-proc/physmem-collect" --quiet -o "$work/snapshot.pmc" || [ $? = 5 ]
  # shellcheck disable=SC2046
  set -- $("$build/tests/bench/measure" --accept 5 5 "$fleet" rows -o "$work/report.rows.zst" \
    "$work/snapshot.pmc")
  goal "report of this machine: CPU of rows" "$1" "<=" 0.1 s \
    "$(find /proc -maxdepth 1 -name '[0-9]*' | wc -l) processes"
  goal "report of this machine: bytes" "$(wc -c <"$work/report.rows.zst")" "<=" 10000 bytes
}

# start_chdb FOLDER: sets url.
start_chdb() {
  mkfifo "$work/stdin" "$work/port"
  node "$tests/chdb_server.mjs" "$1" "$work/chdb" <"$work/stdin" >"$work/port" &
  chdb=$!
  exec 8>"$work/stdin"
  url=clickhouse+http://127.0.0.1:$(head -n 1 "$work/port")/physmem
}

# bench STORE
bench() {
  local reason
  case $1 in
    sqlite)
      name="SQLite" url=$work/fleet.db
      measure_store 25 45 12 1
      rm -f "$work"/fleet.db*
      ;;
    clickhouse | zstd)
      compression=${1/clickhouse/lz4}
      name="ClickHouse 18.16, $compression"
      export PHYSMEM_FLEET_COMPRESSION=$compression
      url=$("$tests/clickhouse-server" "$work/$1") || {
        reason=$url
        not_measured "$name: CPU of loading" "<=" 30 s "$reason"
        return 0
      }
      servers=$work/$1
      measure_store 30 "$([ "$compression" = zstd ] && echo 9 || echo 16)" 6 6
      end_servers
      rm -r "${work:?}/$1"
      ;;
    chdb)
      name="ClickHouse 26.7 (chDB)"
      reason=$("$tests/fetch-chdb") || {
        not_measured "$name: CPU of loading" "<=" 30 s "$reason"
        return 0
      }
      start_chdb "$reason"
      measure_store 30 16 6 6
      end_servers
      ;;
  esac
}

measure_report
echo "Making $rows rows in $((machines * 20)) reports ..."
"$build/tests/bench/made-reports" "$machines" 20 100 >"$work/reports"
for store in "$@"; do bench "$store"; done
