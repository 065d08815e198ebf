import { readFileSync } from 'node:fs';
import type pg from 'pg';

/** CPU milliseconds so far of a server's process and of its PostgreSQL connections. */
export type CpuTime = { node: number; postgres: number };

/** As long as Linux has told it to programs. */
const MILLISECONDS_PER_TICK = 10;

/**
 * CPU time that a server has taken, on Linux and with PostgreSQL on the same machine; NaN elsewhere. Connections are
 * found by the name the server gives them.
 */
export async function cpuTime(client: pg.Client, pid: number, applicationName: string): Promise<CpuTime> {
  const backends = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and application_name = $1',
    [applicationName],
  );
  return {
    node: processTime(pid),
    postgres: backends.rows.reduce((sum, backend) => sum + processTime(backend.pid), 0),
  };
}

/** The same of one process. */
export function processTime(pid: number): number {
  try {
    // After the name in parentheses, which may hold anything, user and system time are the 12th and 13th field.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MILLISECONDS_PER_TICK;
  } catch {
    return Number.NaN;
  }
}
