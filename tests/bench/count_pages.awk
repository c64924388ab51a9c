# SPDX-License-Identifier: MIT
# Counts entries, pages used once, and distinct frames, like the other peers.
/^M:/ {
  n = split(substr($0, 3), entry, "|")
  for (i = 1; i <= n; i++) {
    if (split(entry[i], field, "[=,]") < 4) continue
    entries++
    if (field[3] == 1) single++
    frames[substr(field[2], 1, length(field[2]) - 3)] = 1
  }
}
END {
  for (frame in frames) distinct++
  print entries, single, distinct
}
