# SPDX-License-Identifier: MIT
# Compares a snapshot with the output of crash's `vm -p PID` for the same processes:
#   awk -v selected="PID PID" -f compare-vm.awk SNAPSHOT OUTPUT
# Addresses are compared as text, without leading zeros. Exit status 1: there are differences, which
# are printed.

function plain(hex) { hex = toupper(hex); sub(/^0+/, "", hex); return hex == "" ? "0" : hex }

# The physical address in an entry of x86_64: digits 4 to 13 of 16 are the frame number.
function address(value) {
  value = substr("0000000000000000" value, length(value) + 1)
  return plain(substr(value, 4, 10) "000")
}

function number(hex,    n, i) {
  for (i = 1; i <= length(hex); i++)
    n = 16 * n + index("0123456789ABCDEF", substr(hex, i, 1)) - 1
  return n
}

# VM_PFNMAP, 0x400
function is_device(flags) {
  flags = toupper(flags)
  return length(flags) > 2 && index("4567CDEF", substr(flags, length(flags) - 2, 1)) > 0
}

function wrong(place, printed, has) {
  if (bad++ < 20)
    print "process " place ": vm -p prints " printed ", the snapshot " (has == "" ? "nothing" : has)
}

BEGIN { split(selected, list, " "); for (i in list) is_selected[list[i]] = 1 }

FNR == NR && /^T: / { split($0, field, ", *"); pid = field[2] }
FNR == NR && /^[MS]: / && (pid in is_selected) {
  count = split(substr($0, 4), entries, / *\| */)
  for (i = 1; i < count; i++) {
    split(entries[i], part, /[=,:] */)
    at = pid " " plain(part[1])
    if ($1 == "M:") {
      page[at] = address(part[2])
      is_present[at] = index("13579BDF", substr(part[2], length(part[2]))) > 0
    } else slot[at] = number(plain(part[3]))
  }
}
FNR == NR && match($0, /markers\.(guard|write_protect)=[0-9]+/) {
  sub(/.*=/, "", $0)
  expected_markers += $0
}
FNR == NR { next }

/^PID: / { pid = $2 }
$1 == "VMA" { is_area = 1; next }
is_area { device = is_device($4); is_area = 0; next }
# Markers stand for no page and have no slot. vm -p reads their kind as an offset: bit 1 a missing
# write protection (userfaultfd), bit 2 a guard page (include/linux/swapops.h).
/SWAP: \(unknown swap location\)/ && $NF <= 7 && !((pid " " plain($1)) in slot) {
  markers++
  next
}
$2 == "SWAP:" {
  at = pid " " plain($1)
  if (slot[at] != $NF) wrong(at, "slot " $NF, slot[at])
  delete slot[at]
  slots++
}
# For shared memory vm -p reads the page table, which has no entry, and prints the file.
$2 == "FILE:" && (pid " " plain($1)) in slot {
  delete slot[pid " " plain($1)]
  shared++
}
NF == 2 && $1 ~ /^[0-9a-f]+$/ && $2 ~ /^[0-9a-f]+$/ {
  at = pid " " plain($1)
  printed = plain($2)
  # Entries without access are inverted (L1TF, pgtable-invert.h), which vm -p does not undo. The two
  # frame numbers then add up to all bits.
  if (!(at in page) && device) devices++    # not pages of the process, as in /proc/PID/pagemap
  else if (page[at] == printed) pages++
  else if (page[at] != "" && !is_present[at] &&
    number(page[at]) / 4096 + number(printed) / 4096 == 1099511627775) inverted++
  else wrong(at, printed, page[at])
  delete page[at]
}
END {
  for (at in page) wrong(at, "nothing", page[at])
  for (at in slot) wrong(at, "nothing", "slot " slot[at])
  if (markers != expected_markers) wrong("all", markers + 0 " markers", expected_markers + 0)
  print pages + 0 " pages, " slots + 0 " slots and " markers + 0 " markers agree; " inverted + 0 \
    " more but that vm -p shows entries without access as they stand; " \
    devices + 0 " of devices, which no snapshot lists; " shared + 0 \
    " slots of shared memory, which vm -p does not show"
  exit bad > 0 || pages == 0
}
