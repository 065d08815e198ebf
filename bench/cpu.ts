import { readFileSync } from 'node:fs';
import type pg from 'pg';

/** CPU milliseconds so far of a server's process and of its PostgreSQL connections. */
export type CpuTime = { node: number; postgres: number };

/** The kernel's USER_HZ, fixed for programs. */
const MILLISECONDS_PER_TICK = 10;

/**
 * Returns a function that returns the CPU time of a server, on Linux and with PostgreSQL on the same machine; NaN
 * elsewhere. Connections are found by the server's application name. A closed one counts with its last reading.
 */
export function cpuMeter(client: pg.Client, pid: number, applicationName: string): () => Promise<CpuTime> {
  const taken = new Map<number, number>();
  return async () => {
    const backends = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and application_name = $1',
      [applicationName],
    );
    const node = processTime(pid);
    for (const backend of backends.rows) {
      const time = processTime(backend.pid);
      if (!Number.isNaN(time) || Number.isNaN(node)) taken.set(backend.pid, time);
    }
    return { node, postgres: [...taken.values()].reduce((sum, time) => sum + time, 0) };
  };
}

/** CPU milliseconds of a process so far. */
export function processTime(pid: number): number {
  try {
    // After the name in parentheses, which may contain anything, user and system time are the 12th and 13th field.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MILLISECONDS_PER_TICK;
  } catch {
    return Number.NaN;
  }
}
