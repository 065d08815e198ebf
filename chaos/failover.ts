import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../test/ports.ts';
import { startClients } from './clients.ts';
import { withClosers } from './closers.ts';
import { createCluster } from './cluster.ts';
import { supervise } from './processes.ts';
import { openCheck } from './role-check.ts';
import { createScene, OPERATOR_TOKEN, openReceiver, TEAMS } from './scene.ts';
import { ready, settled } from './settling.ts';
import { createStandby, streams } from './standby.ts';

/**
 * A real failover: a primary with a synchronous standby, HAProxy in front of both. Under load the primary is killed and
 * the standby promoted: `npm run failover`. docs/failover.md has the same for a deployment.
 */

const CLIENTS_PER_PARTNER = 4;
/** The duration of load before and after (milliseconds). */
const LOAD = 8_000;
const STANDBY = 'standby1';

/** Routes connections to the server that accepts writes, by health checks of both. */
function haproxySettings(
  port: number,
  servers: readonly { name: string; port: number; check: number }[],
): string {
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map(({ name, port, check }) => `  server ${name} 127.0.0.1:${port} check port ${check}`).join('\n')}
`;
}

async function main(onClose: (closer: () => unknown) => void): Promise<void> {
  if (spawnSync('haproxy', ['-v']).error !== undefined) {
    console.error('failover: HAProxy is not installed (apt-get install haproxy)');
    process.exitCode = 1;
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'pbs-failover-'));
  onClose(() => rmSync(folder, { recursive: true, force: true }));

  // The primary confirms a commit once the standby has it on disk.
  const primary = await createCluster({
    synchronous_commit: 'on',
    synchronous_standby_names: STANDBY,
  });
  onClose(primary.remove);
  await primary.start();
  const standby = await createStandby(primary, STANDBY);
  onClose(standby.remove);
  await standby.start();
  await streams(primary, 'sync');

  const port = await freePort();
  const checks = await Promise.all([primary, standby].map((cluster) => openCheck(cluster)));
  for (const { close } of checks) onClose(close);
  const settings = join(folder, 'haproxy.cfg');
  writeFileSync(
    settings,
    haproxySettings(port, [
      { name: 'first', port: primary.port, check: checks[0]!.port },
      { name: 'second', port: standby.port, check: checks[1]!.port },
    ]),
  );
  const haproxy = spawn('haproxy', ['-db', '-q', '-f', settings], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(haproxy, 'exit');
  onClose(async () => {
    haproxy.kill('SIGKILL');
    await gone;
  });

  const receiver = await openReceiver();
  onClose(receiver.close);
  const env = {
    DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres`,
    DEPLOYMENT: 'sandbox',
    OPERATOR_TOKEN,
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    LOG_LEVEL: 'warn',
  };
  const apiPort = await freePort();
  const base = `http://127.0.0.1:${apiPort}`;
  const processes = [
    supervise('api', { ...env, PORT: String(apiPort), ROLES: 'api' }),
    supervise('worker', { ...env, PUBLIC_URL: base, ROLES: 'worker' }),
  ];
  onClose(() => Promise.all(processes.map((it) => it.stop())));
  await ready(base);
  const scene = await createScene(base, receiver);
  const clients = startClients([base], scene, CLIENTS_PER_PARTNER);
  await wait(LOAD);
  const before = acknowledged();
  const killed = performance.now();
  await primary.kill();
  // The manual step of an operator, or of Patroni, repmgr and pg_auto_failover.
  await standby.run('select pg_promote()');
  const promoted = performance.now();
  await clients.nextAcknowledgement();
  const back = performance.now();
  await wait(LOAD);
  await clients.stopBooking();
  const found = [...(await settled(base, scene, clients, receiver, TEAMS)), ...clients.faults];
  await clients.stopReading();
  for (const { name, deaths } of processes)
    for (const { code, output } of deaths) found.push(`${name} ended by itself (${code}): ${output}`);
  for (const violation of found.slice(0, 50)) console.error(violation);
  const seconds = (from: number, to: number): string => `${((to - from) / 1_000).toFixed(1)} s`;
  console.log(
    [
      `failover: ${before} bookings acknowledged before, ${acknowledged() - before} after`,
      `promoted after ${seconds(killed, promoted)}`,
      `first booking after ${seconds(killed, back)}`,
      `${found.length} violations`,
    ].join('; '),
  );
  if (found.length > 0) process.exitCode = 1;

  function acknowledged(): number {
    return [...clients.watched.values()].reduce((sum, it) => sum + it.acknowledged.length, 0);
  }
}

await withClosers(main);
