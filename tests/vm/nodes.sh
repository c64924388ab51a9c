# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Memory hotplug in guests with two nodes. To be sourced.
blocks=/sys/devices/system/memory

# Takes one memory block offline. Those with memory that the kernel cannot move stay online.
take_block_offline() {
  for block in "$blocks"/memory[0-9]*; do
    echo offline >"$block/state" 2>/dev/null
    [ "$(cat "$block/state")" != offline ] || return 0
  done
  return 1
}

# break_page SIZE: marks a page as broken, in the last memory block that is online. SIZE: of a page.
# The kernel refuses one that it uses itself, so the first free one is taken that it accepts.
break_page() {
  last_block=$(grep -l online $blocks/memory[0-9]*/state | sed 's/.*memory\([0-9]*\).state/\1/' |
    sort -n | tail -n 1)
  block_pages=$((0x$(cat $blocks/block_size_bytes) / $1))
  first_page=$((last_block * block_pages))
  for free_page in $(free_pages_of $first_page $block_pages); do
    ! echo $((free_page * $1)) 2>/dev/null >$blocks/hard_offline_page || return 0
  done
  return 1
}

# free_pages_of FIRST COUNT: prints their numbers, by flag BUDDY (bit 10) of /proc/kpageflags. Older
# kernels show it for the first page of a free area only.
free_pages_of() {
  dd if=/proc/kpageflags bs=4096 skip=$(($1 / 512)) count=$(($2 / 512)) 2>/dev/null |
    od -A n -v -t x8 -w8 |
    awk -v first="$1" 'substr($1, 14, 1) ~ /[4-7c-f]/ { print first + NR - 1 }'
}
