import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { Pool } from 'undici';

/** A worker of another job queue, in a process of its own: each job posts a signed body, as a delivery does. */
type Start = { kind: 'pg-boss' | 'graphile-worker'; databaseUrl: string; url: string; atOnce: number };
type Job = { event: string; payload: unknown };

const load = createRequire(new URL('../tools/queues/package.json', import.meta.url));

process.on('message', async ({ kind, databaseUrl, url, atOnce }: Start) => {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: atOnce, pipelining: 1 });
  const deliver = async (job: Job): Promise<void> => {
    const body = JSON.stringify(job);
    const timestamp = new Date().toISOString();
    const answer = await pool.request({
      method: 'POST',
      path: pathname,
      headers: {
        'content-type': 'application/json',
        'x-service-timestamp': timestamp,
        'x-service-signature': createHmac('sha256', 'secret').update(`${timestamp}.${body}`).digest('hex'),
      },
      body,
    });
    await answer.body.text();
  };
  // `QUEUE_BATCHES=on`: with the batches that graphile-worker's documentation advises for many short jobs.
  const batches =
    process.env.QUEUE_BATCHES === 'on'
      ? { localQueue: { size: 5 * atOnce }, completeJobBatchDelay: 0, failJobBatchDelay: 0 }
      : {};
  if (kind === 'pg-boss') {
    const { PgBoss } = load('pg-boss');
    const boss = new PgBoss({ connectionString: databaseUrl, application_name: kind });
    await boss.start();
    const options = { batchSize: atOnce, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true };
    await boss.work('deliveries', options, async (jobs: { data: Job }[]) => {
      await Promise.all(jobs.map(({ data }) => deliver(data)));
    });
  } else {
    const { run, Logger } = load('graphile-worker');
    await run({
      connectionString: `${databaseUrl}?application_name=${kind}`,
      logger: new Logger(() => () => {}),
      noHandleSignals: true,
      preset: {
        worker: {
          concurrentJobs: atOnce,
          maxPoolSize: 10,
          pollInterval: 500,
          ...batches,
        },
      },
      taskList: { deliveries: (payload: Job) => deliver(payload) },
    });
  }
  process.send!('ready');
});
process.on('disconnect', () => process.exit());
