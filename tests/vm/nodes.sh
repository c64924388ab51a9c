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
break_page() {
  last_block=$(grep -l online $blocks/memory[0-9]*/state | sed 's/.*memory\([0-9]*\).state/\1/' |
    sort -n | tail -n 1)
  echo $((last_block * 0x$(cat $blocks/block_size_bytes) + 100 * $1)) >$blocks/hard_offline_page
}
