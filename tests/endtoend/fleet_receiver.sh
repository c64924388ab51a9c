# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: MIT
# For scripts: nginx as the receiver of a fleet, with packaging/fleet/nginx-receiver.conf, on a free
# port of 127.0.0.1. Everything is below a folder of the caller. Requires waiting.sh.

# has_receiver: prints what is missing, if anything.
has_receiver() {
  local program
  for program in nginx curl openssl flock; do
    if ! PATH=$PATH:/usr/sbin command -v $program >/dev/null; then
      echo "$program is missing (scripts/install-packages fleet)"
      return 1
    fi
  done
}

# prepare_receiver SOURCES FOLDER HOST...: certificates, and the configuration FOLDER/nginx.conf.
# Sets port, url, and the folders tls and incoming.
prepare_receiver() {
  local sources=$1 folder=$2 user=""
  shift 2
  mkdir -p "$folder/var/body" "$folder/var/incoming" "$folder/tmp"
  "$sources/packaging/fleet/make-test-ca" "$folder/tls" server localhost 127.0.0.1 >"$folder/log"
  "$sources/packaging/fleet/make-test-ca" "$folder/tls" host "$@" >>"$folder/log"
  port=$(python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])')
  url=https://127.0.0.1:$port/incoming
  tls=$folder/tls
  incoming=$folder/var/incoming
  [ "$(id -u)" != 0 ] || user="user root;"
  sed -e "/listen \[::\]/d; s|listen 8443 |listen 127.0.0.1:$port |; s|/etc/physmem|$folder/tls|" \
    -e "s|/var/lib/physmem-fleet|$folder/var|; s|/var/log/nginx|$folder|" \
    "$sources/packaging/fleet/nginx-receiver.conf" >"$folder/receiver.conf"
  cat >"$folder/nginx.conf" <<END
$user
daemon off;
worker_processes 1;
pid $folder/nginx.pid;
error_log $folder/error.log;
events { worker_connections 2048; }
http {
  proxy_temp_path $folder/tmp/proxy;
  fastcgi_temp_path $folder/tmp/fastcgi;
  uwsgi_temp_path $folder/tmp/uwsgi;
  scgi_temp_path $folder/tmp/scgi;
  include $folder/receiver.conf;
}
END
}

# start_receiver FOLDER: sets receiver_pid. Waits until it accepts connections.
start_receiver() {
  PATH=$PATH:/usr/sbin nginx -e "$1/error.log" -c "$1/nginx.conf" 2>>"$1/messages" &
  receiver_pid=$!
  wait_until "nginx starts or ends" is_up_or_ended
  is_up && return
  cat "$1/error.log" "$1/messages" >&2
  echo "nginx does not start" >&2
  return 1
}
is_up() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
is_up_or_ended() { is_up || has_ended "$receiver_pid"; }

# kill_receiver SIGNAL: master and workers. Waits until they are gone.
kill_receiver() {
  local pids
  [ -n "${receiver_pid:-}" ] || return 0
  # shellcheck disable=SC2046
  pids="$receiver_pid $(pgrep -P "$receiver_pid" | paste -sd ' ' || true)"
  # shellcheck disable=SC2086
  kill "-$1" $pids 2>/dev/null || true
  wait "$receiver_pid" 2>/dev/null || true
  for pid in $pids; do wait_until "nginx ends" has_ended "$pid"; done
  receiver_pid=""
}

# ---- a test: $work has the folders receiver/ and spool/, $system the program

fail() {
  tail -n 5 "$work/receiver/error.log" >&2 || true
  echo "$(basename "$0"): $*" >&2
  exit 1
}
expect() { [ "$2" = "$3" ] || fail "$1: found \"$2\", expected \"$3\""; }

# prepare_spool: the settings of physmem-upload.
prepare_spool() {
  mkdir "$work/spool"
  export SPOOL=$work/spool UPLOAD_URL=https://127.0.0.1:$port UPLOAD_NAME=host-1
  export UPLOAD_CA=$tls/ca.crt UPLOAD_CERTIFICATE=$tls/host-1.crt UPLOAD_KEY=$tls/host-1.key
}
upload() { "$system/physmem-upload" "$@" 2>"$work/messages"; }
# status_of_upload WORD...
status_of_upload() {
  local status=0
  upload "$@" || status=$?
  echo $status
}
# fill FIRST LAST: rows of 3 kB, and every tenth snapshot.
fill() {
  local number
  for number in $(seq -f %010.0f "$1" "$2"); do
    head -c 3000 /dev/urandom >"$SPOOL/$number-20261126T000000Z.rows.zst"
    case $number in *0)
      head -c 300K /dev/urandom >"$SPOOL/$number-20261126T000000Z.kept.${number}abcdef.pmc.zst" ;;
    esac
  done
}
# sums_of FOLDER: of the files of a spool folder.
sums_of() { (cd "$1" && sha256sum [0-9]*Z.*); }
# arrived: the same of what the receiver has, by the names in the spool folder. Kept snapshots have
# their number as the beginning of the hash.
arrived() {
  (cd "$work/receiver/var" && sha256sum incoming/host-1/* archive/2026-11-26/host-1/*) |
    sed -E -e 's|incoming/host-1/||' \
      -e 's|archive/.*/(.*Z)-([0-9]{10})(.*)|\2-\1.kept.\2\3|' | sort -k 2
}

# Parts of files, as nginx receives them.
has_part() { [ -n "$(find "$work/receiver/var/body" -type f -size +0)" ]; }
has_no_part() { [ -z "$(find "$work/receiver/var/body" -type f)" ]; }
