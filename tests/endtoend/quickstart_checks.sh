# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Checks what the README promises about scripts/quickstart. Sourced by the scripts next to it, after
# waiting.sh.

# check_reports FOLDER: runs quickstart in the current folder, which has the source tree. Each file
# that it lists must be in FOLDER and have the format of its name.
check_reports() {
  scripts/quickstart "$1" >"$1.screen" 2>&1 || {
    cat "$1.screen" >&2
    exit 1
  }
  grep -q '^RAM .* available' "$1.screen"
  files=$(sed -n '/^Files/,/^==/p' "$1.screen" |
    grep -oE '[a-z-]+\.(txt|json|csv|png|svg|ps|pdf)' | sort -u)
  [ "$(echo "$files" | wc -l)" -ge 12 ]
  for file in $files; do
    [ -s "$1/$file" ] || {
      echo "quickstart names $file, but it is missing or empty" >&2
      exit 1
    }
  done
  head -c 4 "$1/basic.png" | grep -q PNG
  head -c 4 "$1/charts.pdf" | grep -q '%PDF'
  head -c 4 "$1/basic.ps" | grep -q '%!PS'
  python3 -m json.tool "$1/summary.json" >/dev/null
  tail -n 1 "$1/snapshot.txt" | grep -q '^E: '
}

demo_has_an_address() {
  demo_url=$(grep -s -m 1 '^http://127' "$1") || has_ended "$demo"
}
# check_demo FILE: runs quickstart --paging-demo, which prints the address of the page (into FILE)
# and runs until SIGTERM.
check_demo() {
  scripts/quickstart --paging-demo >"$1" 2>&1 &
  demo=$!
  wait_until "the address of the demonstration" demo_has_an_address "$1"
  [ -n "$demo_url" ] || {
    cat "$1" >&2
    exit 1
  }
  python3 -c 'import sys, urllib.request
print(urllib.request.urlopen(sys.argv[1]).read().decode())' "$demo_url" >"$1.page"
  grep -qi '<!doctype html>' "$1.page"
  kill "$demo"
  wait "$demo"
}
