#!/bin/sh
# Patroni runs it at each change of role, as /etc/patroni/archive-again.sh: <data folder> <action> <role> <scope>.
# A standby takes the segments of WAL that it receives for archived. Those that a lost leader had still to archive would
# be a hole in the archive: the new leader archives again what the repository lacks. docs/failover.md
set -u
data=$1 role=$3 stanza=booking
case $role in master | primary) ;; *) exit 0 ;; esac

# Waits for a repository that is away; Patroni ends it at the next change of role.
list() {
  until pgbackrest --stanza="$stanza" repo-ls "$1" 2>/dev/null; do sleep 5; done
}

archive=archive/$stanza/$(list "archive/$stanza" | grep -E '^[0-9]+-[0-9]+$' | sort -V | tail -n 1)
listed=''
for done in "$data"/pg_wal/archive_status/*.done; do
  segment=$(basename "$done" .done)
  echo "$segment" | grep -qE '^[0-9A-F]{24}$' && [ -e "$data/pg_wal/$segment" ] || continue
  folder=${segment%????????}
  [ "$folder" = "$listed" ] || names=$(list "$archive/$folder")
  listed=$folder
  case "$names" in *"$segment"-*) ;; *) mv "$done" "${done%.done}.ready" ;; esac
done
