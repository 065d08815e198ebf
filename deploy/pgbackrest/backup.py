#!/usr/bin/python3
"""Backups of the leader, as postgres on each database machine; a standby does nothing. docs/failover.md

backup.py backup  a full backup each week, else an incremental one; then verifies the repository and checks the archive
backup.py check   checks the archive alone; Patroni runs it at each change of role, too

A missing segment of WAL ends every restore there; neither PostgreSQL nor `pgbackrest verify` reports it. Segments that a
lost leader had still to archive are such: a standby takes what it receives for archived. A new leader that has them
archives them now. The outcome is a row of the service's database (report_backup), which its metrics and doctor read.
"""

import json
import os
import re
import subprocess
import sys
import time
import traceback

STANZA = "booking"
DATABASE = "booking"
# Seconds. An hour less than a week: the weekly one is due in its night.
FULL_EVERY = 7 * 86400 - 3600


def run(*command, text=None):
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, errors="replace", check=True)
    return done.stdout.strip()


def sql(statement):
    return run("psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", DATABASE, text=statement)


def pgbackrest(*arguments):
    return run("pgbackrest", f"--stanza={STANZA}", *arguments)


class Unreadable(Exception):
    """What pgBackRest says of a repository that it cannot read, with exit code 0."""


def backups():
    """The backups that are kept, the oldest first."""
    # With a wrong passphrase its messages have bytes of any kind.
    stanza = json.loads(pgbackrest("--output=json", "info"), strict=False)[0]
    # 2: there are none yet.
    if stanza["status"]["code"] not in (0, 2):
        reasons = [one["status"]["message"] for one in stanza.get("repo", [stanza])]
        raise Unreadable(" ".join("; ".join(reasons).split()))
    return [one for one in stanza["backup"] if not one["error"]]


def back_up():
    full = [one["timestamp"]["stop"] for one in backups() if one["type"] == "full"]
    is_due = not full or time.time() - full[-1] > FULL_EVERY
    pgbackrest(f"--type={'full' if is_due else 'incr'}", "backup")
    # Its exit code is 0 also when it finds something.
    found = pgbackrest("--output=text", "verify")
    return f"the repository is damaged: {' '.join(found.split())}" if found else check()


def check():
    """What a restore to now would lack; segments that PostgreSQL has still to archive are no fault."""
    kept = backups()
    if not kept:
        return "there is no backup"
    missing = [name for name in missing_segments(kept[-1]["archive"]["start"]) if not archive_again(name)]
    if not missing:
        return None
    return f"{len(missing)} segments of WAL since the last backup are not in the archive, from {missing[0]} on: make a backup"


def archive_again(segment):
    """Has PostgreSQL archive a segment that it still has; an equal one in the archive does no harm."""
    wal = os.path.join(sql("show data_directory"), "pg_wal")
    if not os.path.exists(os.path.join(wal, segment)):
        return False
    status = os.path.join(wal, "archive_status", segment)
    if os.path.exists(f"{status}.done"):
        os.rename(f"{status}.done", f"{status}.ready")
    else:
        open(f"{status}.ready", "a").close()
    return True


def missing_segments(start):
    size = int(sql("select pg_size_bytes(current_setting('wal_segment_size'))"))
    each = (1 << 32) // size
    current = sql("select pg_walfile_name(pg_current_wal_lsn())")
    begins = timelines(int(current[:8], 16), size)
    waiting = sql("select left(name, 24) from pg_ls_archive_statusdir() where name ~ '^[0-9A-F]{24}.ready$'")
    archived = re.findall(r"/([0-9A-F]{24})-", pgbackrest("repo-ls", "--recurse", f"archive/{STANZA}"))
    found = {*archived, *waiting.split()}

    def number(segment):
        return int(segment[8:16], 16) * each + int(segment[16:], 16)

    def name(place):
        # A restore reads a segment of the last timeline that had begun there.
        timeline = max(one for one, begin in begins.items() if begin <= place)
        return f"{timeline:08X}{place // each:08X}{place % each:08X}"

    return [name(place) for place in range(number(start), number(current)) if name(place) not in found]


def timelines(current, size):
    """The timelines that led to this one, with the numbers of their first segments."""
    history = sql(f"select pg_read_file('pg_wal/{current:08X}.history')") if current > 1 else ""
    ended = [re.split(r"[\t/]", line)[:3] for line in history.splitlines() if re.match(r"\d+\t", line)]
    numbers = [int(timeline) for timeline, _, _ in ended] + [current]
    begins = [0] + [((int(high, 16) << 32) + int(low, 16)) // size for _, high, low in ended]
    return dict(zip(numbers, begins))


def report(kind, work):
    try:
        fault = work()
    except subprocess.CalledProcessError as error:
        fault = f"{error.cmd[0]} failed ({error.returncode}): read the log of this unit"
    except Unreadable as error:
        fault = f"the repository cannot be read: {error}"
    except Exception as error:  # Whatever it is, somebody is told.
        traceback.print_exc()
        fault = f"{type(error).__name__}: {error}"
    plain = None if fault is None else re.sub(r"[^ -~]", "?", fault)[:300].replace("'", "''")
    quoted = "null" if plain is None else f"'{plain}'"
    sql(f"select report_backup('{kind}', {quoted})")
    print(fault or "ok")
    return 0 if fault is None else 1


def main(command, role="", *_):
    # Patroni's callback: on_role_change, the role and the cluster. The promotion may not be over.
    if command == "on_role_change" and role in ("master", "primary"):
        while sql("select pg_is_in_recovery()") == "t":
            time.sleep(1)
        return report("ARCHIVE", check)
    if sql("select pg_is_in_recovery()") == "t":
        print("a standby: nothing to do")
        return 0
    works = {"backup": ("BACKUP", back_up), "check": ("ARCHIVE", check)}
    return report(*works[command]) if command in works else __doc__


sys.exit(main(*(sys.argv[1:] or [""])))
