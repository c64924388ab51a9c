# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Traced runs of paging-pattern in a guest ("# with: paging/traced_runs.sh"). The guest records and
# sends files; tests/vm/judges/paging checks them on the host. For each test:
#
#   TEST.paging-runs      one line per run: name=NAME kind=KIND pages=N device=DEVICE ...
#   TEST.NAME.trace       the trace as text
#   TEST.NAME.seen        the pattern's view of /proc/self/pagemap; empty if it was not run
#   TEST.NAME.vmstat      counters before and after the run

# begin_runs TEST DRIVER: sets pages of one size and no read-ahead, and makes a cgroup whose
# memory can be reclaimed.
begin_runs() {
  test=$1 driver=$2
  group=/sys/fs/cgroup/$test
  huge_pages=/sys/kernel/mm/transparent_hugepage/enabled
  mkdir "/tmp/$test"
  cd "/tmp/$test" || exit 1
  huge_pages_before=$(sed -n 's/.*\[\(.*\)\].*/\1/p' $huge_pages 2>/dev/null)
  cluster_before=$(cat /proc/sys/vm/page-cluster)
  [ ! -e $huge_pages ] || echo never >$huge_pages
  echo 0 >/proc/sys/vm/page-cluster
  echo +memory >/sys/fs/cgroup/cgroup.subtree_control
  mkdir "$group"
}

# end_runs: sends the files, and restores the settings that begin_runs changed.
end_runs() {
  for file in "$test".*; do send_file "$file"; done
  [ ! -e $huge_pages ] || echo "$huge_pages_before" >$huge_pages
  echo "$cluster_before" >/proc/sys/vm/page-cluster
  rmdir "$group"
  cd /tmp && rm -r "/tmp/$test"
}

# count_now WHEN: prints a line "WHEN NAME VALUE" for each counter that the judge checks.
count_now() {
  awk -v when="$1" '/^(pswp|swp|zswp|thp_swpout |pgmajfault )/ { print when, $1, $2 }' /proc/vmstat
}

start_pftraced() {
  printf 'client 127.0.0.1\nsource %s\nall_events yes\n' "$driver" >conf
  ip link set lo up
  pftrace-log --format trace --until-end >"$files.trace" 2>"$name.received" &
  log=$!
  # The daemon sends to UDP port 9091 (2383 in hexadecimal), whether or not it is open.
  until grep -q ':2383 ' /proc/net/udp || ! kill -0 $log; do usleep 10000; done
  pftraced --foreground --config conf 2>"$name.messages" &
  reader=$!
}

# start_reader NAME KIND PAGES [READER]: returns when tracing has begun.
start_reader() {
  name=$1 kind=$2 pages=$3
  program=paging-dump
  [ "$driver" = kmod ] || program=pftraced
  program=${4:-$program}
  files=$test.$name log=""
  : >"$files.seen"
  if [ "$program" = pftraced ]; then
    start_pftraced
  else
    paging-dump >"$files.trace" 2>"$name.messages" &
    reader=$!
  fi
  until grep -q . "$name.messages" || ! kill -0 $reader; do usleep 10000; done
  count_now before >"$files.vmstat"
}

stop_reader() {
  kill $reader
  ok "$name: the reader ends well" wait $reader
  [ -z "$log" ] || ok "$name: the client has all of it" wait $log
  count_now after >>"$files.vmstat"
  facts="pages=$pages device=$device reader=$program driver=$driver"
  echo "name=$name kind=$kind $facts" >>"$test.paging-runs"
}

# in_group COMMAND...: runs it in the cgroup.
in_group() { sh -c 'echo $$ >'"$group"'/cgroup.procs; exec "$@"' in_group "$@"; }

# run_pattern NAME KIND PAGES ORDER OPTION...
run_pattern() {
  start_reader "$1" "$2" "$3"
  order=$4
  shift 4
  in_group paging-pattern "$pages" "$order" --group "$group" "$@" >"$files.seen" 2>"$name.error"
  is "$name: the pattern's exit status" "$? $(cat "$name.error")" "0 "
  stop_reader
}

# swap_on DEVICE FILE: the following runs swap to it.
swap_on() {
  device=$1 area=$2
  ok "swap on $device" sh -c "mkswap $area && swapon $area"
}
