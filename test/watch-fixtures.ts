import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { SECOND } from '../src/base/clock.ts';
import { createLogger } from '../src/runtime/logger.ts';
import { openChannels } from '../src/watch/channels.ts';
import { createWatcher } from '../src/watch/watcher.ts';
import { temporaryFolder } from './deploy-files.ts';
import { TEST_NOW } from './harness.ts';
import { type NotifierServer, startNotifierServer } from './notifier-server.ts';

/** A watcher whose time is moved by hand, and the two who are told, as local servers. */

export const PHONES = ['+966501112233', '+966501112244'];
const INTERVAL = 15;

export type Watch = {
  sms: NotifierServer;
  hook: NotifierServer;
  /** The file of what was told. */
  file: string;
  now(): number;
  logged(): string;
  /** Seconds of the watcher, with a reading each `interval`. */
  pass(seconds: number, interval?: number): Promise<void>;
  /** Reads until there are so many messages at the webhook. */
  untilTold(count: number): Promise<void>;
  /** Another process with the same file. */
  restart(): void;
  /** What the webhook took, in order: `LINKS_NOT_MADE BEGUN`. */
  told(): string[];
};

export async function startWatch(
  t: TestContext,
  urls: readonly string[],
  { token = null, file }: { token?: string | null; file?: string } = {},
): Promise<Watch> {
  let time = TEST_NOW;
  const now = (): number => time;
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const [sms, hook] = [await startNotifierServer(t, now), await startNotifierServer(t, now)];
  const alerts = {
    phones: PHONES,
    webhook: { url: hook.url, secret: hook.secret },
    urls,
    stateFile: file ?? join(temporaryFolder(t), 'alerts.json'),
  };
  const payments = { notifier: { name: 'webhook', url: sms.url, secret: sms.secret } } as const;
  const settings = { alerts, payments, metricsToken: token, publicUrl: 'https://riyadh.example.sa' };
  const channels = openChannels(settings, { now, offset: () => 0 }, logger);
  let watcher = createWatcher(settings, channels, logger);
  const told = (): string[] =>
    (hook.messages as unknown as { fact: string; state: string }[]).map(
      ({ fact, state }) => `${fact} ${state}`,
    );
  const read = async (interval = INTERVAL): Promise<void> => {
    time += interval * SECOND;
    await watcher.tick(time);
  };
  return {
    sms,
    hook,
    file: alerts.stateFile,
    now,
    logged: () => lines.join(''),
    async pass(seconds, interval = INTERVAL) {
      for (let left = seconds; left > 0; left -= interval) await read(interval);
    },
    async untilTold(count) {
      for (let reads = 0; told().length < count; reads++) {
        assert.ok(reads < 60, `${count} were to be told, not ${told()}: ${lines.join('')}`);
        await read();
      }
    },
    restart() {
      watcher = createWatcher(settings, channels, logger);
    },
    told,
  };
}

/** Begins at nothing, then tells of these once and of their ends once. */
export async function tellsOf(
  watch: Watch,
  facts: readonly string[],
  { cause, mend }: { cause: () => unknown; mend: () => unknown },
): Promise<void> {
  const before = watch.told().length;
  await watch.pass(60);
  assert.deepEqual(watch.told().slice(before), [], 'all is well');
  await cause();
  await watch.untilTold(before + facts.length);
  await watch.pass(300);
  const begun = facts.map((fact) => `${fact} BEGUN`).toSorted();
  assert.deepEqual(watch.told().slice(before).toSorted(), begun);
  await mend();
  await watch.untilTold(before + 2 * facts.length);
  await watch.pass(300);
  const over = facts.map((fact) => `${fact} OVER`).toSorted();
  assert.deepEqual(
    watch
      .told()
      .slice(before + facts.length)
      .toSorted(),
    over,
  );
  // Every number was told the same, once.
  for (const phone of PHONES)
    assert.equal(watch.sms.messages.filter(({ to }) => to === phone).length, watch.told().length);
}
