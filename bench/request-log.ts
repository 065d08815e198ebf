import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { cpuTime } from './cpu.ts';
import { createBenchDatabase } from './fixtures.ts';
import type { Reply, Round } from './load.ts';
import { type Running, script, serviceEnv, startProcess } from './processes.ts';

/**
 * What the request log costs a status read: `node bench/request-log.ts`. Two processes on one database, as they run in
 * production, one of them without the log; short rounds in turns, 32 connections.
 */
const ROUNDS = 24;
const ROUND_SECONDS = 1;
/** What is waiting at the end of a round is written within this time, and belongs to it (milliseconds). */
const WRITTEN_WITHIN = 700;

type Side = Running & { name: string; from: number; node: number[]; postgres: number[] };

const adminUrl = process.env.BENCH_DATABASE_URL || 'postgres://root@127.0.0.1:5432/postgres';
const folder = mkdtempSync(join(tmpdir(), 'pbs-bench-'));
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
try {
  const database = await createBenchDatabase(adminUrl);
  closers.push(database.drop);
  const observer = new pg.Client({ connectionString: database.url });
  await observer.connect();
  closers.push(() => observer.end());
  const loader = fork(script('load.ts'));
  closers.push(() => loader.disconnect());
  const { bookingIds, key } = database.fixtures;
  const shots: Round['shots'] = bookingIds.map((id) => ({
    method: 'GET',
    path: `/v1/partners/bookings/${id}/status`,
  }));

  const sides: Side[] = [];
  for (const days of [0, 14]) {
    const name = `bench-log-${days}`;
    const running = await startProcess(script('../src/main.ts'), join(folder, `${name}.log`), {
      ...serviceEnv(`${database.url}?application_name=${name}`),
      DEPLOYMENT: 'production',
      PUBLIC_URL: 'http://127.0.0.1',
      SECRETS_KEY: '0'.repeat(64),
      DATABASE_POOL: '4',
      REQUEST_LOG_DAYS: String(days),
    });
    closers.push(running.stop);
    sides.push({ name, ...running, from: 0, node: [], postgres: [] });
  }
  const shoot = async (side: Side, seconds: number): Promise<void> => {
    const before = await cpuTime(observer, side.pid, side.name);
    const round: Round = {
      port: side.port,
      headers: { 'x-api-key': key },
      seconds,
      connections: 32,
      shots,
      from: side.from,
    };
    loader.send(round);
    const [reply] = (await once(loader, 'message')) as [Reply];
    if ('error' in reply) throw new Error(reply.error);
    await new Promise((resolve) => setTimeout(resolve, WRITTEN_WITHIN));
    const after = await cpuTime(observer, side.pid, side.name);
    side.from += reply.result.done;
    side.node.push(((after.node - before.node) / reply.result.done) * 1000);
    side.postgres.push(((after.postgres - before.postgres) / reply.result.done) * 1000);
  };
  for (const side of sides) {
    await shoot(side, 2);
    Object.assign(side, { node: [], postgres: [] });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await shoot(side, ROUND_SECONDS);
  }
  const [without, kept] = sides;
  if (without === undefined || kept === undefined) throw new Error('two sides');
  const total = ({ node, postgres }: Side): number[] => node.map((time, i) => time + postgres[i]!);
  const ratios = total(kept).map((time, round) => time / total(without)[round]!);
  for (const side of sides)
    console.log(
      `${side.name}: ${median(side.node).toFixed(0)} + ${median(side.postgres).toFixed(0)} µs of CPU a request (process + PostgreSQL)`,
    );
  console.log(
    `with the log: ${((median(ratios) - 1) * 100).toFixed(1)} % more; rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`,
  );
} finally {
  for (const close of closers.reverse()) await close();
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
