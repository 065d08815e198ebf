#!/bin/sh
# For a restore drill, as postgres: `start` restores the newest backup and all archived WAL into a folder of its own, and
# starts a server on it that only this machine reaches; `stop` removes both. docs/failover.md
set -eu
stanza=booking
folder=${DRILL_FOLDER:-/var/lib/postgresql/drill}
port=${DRILL_PORT:-5499}
server=/usr/lib/postgresql/15/bin

start() {
  mkdir -m 700 "$folder"
  pgbackrest --stanza="$stanza" --pg1-path="$folder" --archive-mode=off --log-level-file=off restore
  printf 'local all all peer\nhost all all 127.0.0.1/32 scram-sha-256\n' > "$folder/drill_hba.conf"
  : > "$folder/drill_ident.conf"
  # Debian has the settings in /etc. Of its own a server takes no connection before it has recovered, whatever the other's
  # max_connections were.
  [ -e "$folder/postgresql.conf" ] || echo 'hot_standby = off' > "$folder/postgresql.conf"
  # What Patroni set for its own machines.
  "$server/pg_ctl" -D "$folder" -l "$folder/drill.log" -w -t 86400 -o "-p $port -h 127.0.0.1 -k $folder \
    -c hba_file=$folder/drill_hba.conf -c ident_file=$folder/drill_ident.conf -c ssl=off -c archive_mode=off \
    -c synchronous_standby_names= -c primary_conninfo= -c primary_slot_name=" start > /dev/null || {
    tail -n 3 "$folder/drill.log" >&2
    exit 1
  }
  # It accepts writes when it has recovered all that is archived.
  until [ "$(psql -XAtq -h "$folder" -p "$port" -d postgres -c 'select pg_is_in_recovery()')" = f ]; do sleep 1; done
}

stop() {
  [ ! -e "$folder/postmaster.pid" ] || "$server/pg_ctl" -D "$folder" -m immediate -w stop > /dev/null
  rm -rf "$folder"
}

case ${1-} in
  start | stop) "$1" ;;
  *) echo "usage: $0 start | stop" >&2; exit 2 ;;
esac
