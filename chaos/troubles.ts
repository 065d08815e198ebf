import { type ExecFileException, execFile, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { postgresUser } from './cluster.ts';
import { type Machine, type PatroniCluster, pathOf } from './patroni.ts';
import { newCustomer, OPERATOR_TOKEN, type Scene, send } from './scene.ts';
import { ready } from './settling.ts';

/** Troubles of the database, and after each a restore drill that must find everything that was written until then. */

type Service = { base: string; scene: Scene };
/** Segments that the archive lacks when the leader is lost. */
const BACKLOG = 3;
/** Customers that are created in each part of a trouble. */
const WRITES = 10;

/** Goes through all of them; returns a line for each, and faults. */
export async function troubles(patroni: PatroniCluster, service: Service, folder: string) {
  const results: string[] = [];
  const faults: string[] = [];
  // The restored server asks for it.
  await (await patroni.leader()).cluster.run(`alter role postgres password 'drill'`);
  // Everything below is restored from this backup.
  const backup = await patroni.script('backup');
  if (backup !== 'ok\n') faults.push(`a backup: ${backup}`);
  for (const [name, trouble] of Object.entries(TROUBLES)) {
    await write(service);
    const after = await trouble(patroni, service);
    await ready(service.base);
    await write(service);
    await patroni.switchWal();
    // The leader archives what waits within seconds; a hole stays.
    const checked = await patroni.archived();
    if (checked !== 'ok\n') faults.push(`${name}: ${checked}`);
    try {
      results.push(`${name}: ${await drill(patroni, folder)}`);
    } catch (error) {
      const { stdout, stderr, message } = error as ExecFileException;
      faults.push(`${name}: ${stderr || stdout || message}`);
    }
    await after();
    await patroni.leader();
  }
  return { results, faults };
}

type Trouble = (patroni: PatroniCluster, service: Service) => Promise<() => unknown>;

const TROUBLES: Record<string, Trouble> = {
  'a switchover': async (patroni) => {
    await patroni.switchOver();
    return () => {};
  },
  'the repository away, then the leader killed': async (patroni, service) => {
    const lost = await patroni.leader();
    const bringBack = patroni.takeRepository();
    for (let segment = 0; segment < BACKLOG; segment++) {
      await write(service);
      await patroni.switchWal();
    }
    await lost.kill();
    await patroni.promoted(lost);
    bringBack();
    return () => lost.start();
  },
  'the disk of the leader full, then a switchover': async (patroni, service) => {
    const full = await patroni.leader();
    const free = fill(full);
    for (let segment = 0; segment < BACKLOG; segment++) {
      await write(service).catch(() => {});
      await patroni.switchWal().catch(() => {});
    }
    // Patroni has done it when the server ended, and the operator otherwise.
    await patroni.switchOver().catch(() => patroni.promoted(full));
    free();
    return () => {};
  },
  'the standby killed': async (patroni, service) => {
    const leader = await patroni.leader();
    const standby = patroni.machines.find((each) => each !== leader)!;
    await standby.kill();
    // Synchronous commits wait until Patroni goes on without it.
    await patroni.alone(leader);
    await write(service);
    return () => standby.start();
  },
  'the server of the leader crashed while the repository was away': async (patroni, service) => {
    const leader = await patroni.leader();
    const bringBack = patroni.takeRepository();
    await write(service);
    await patroni.switchWal();
    leader.crash();
    await patroni.promoted(leader);
    bringBack();
    return () => {};
  },
};

/** Fills the disk of a machine; the result frees it. */
function fill({ cluster }: Machine): () => void {
  const ballast = join(cluster.folder, 'ballast');
  const { status } = spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M'], { stdio: 'ignore' });
  if (status === 0) throw new Error('the disk is not full');
  return () => rmSync(ballast);
}

/** Creates customers. Throws when none was. */
async function write({ base, scene }: Service): Promise<void> {
  const headers = { 'x-api-key': scene.partners[0]!.key };
  let created = 0;
  for (let tried = 0; tried < WRITES; tried++) {
    const { status } = await send(`${base}/v1/partners/contacts`, 'POST', headers, newCustomer());
    if (status === 200) created++;
  }
  if (created === 0) throw new Error('no customer could be created');
}

/** `partner-booking drill`, with the scripts that a deployment has; returns its last line. */
async function drill({ url, backrestSettings, drillPort }: PatroniCluster, folder: string): Promise<string> {
  const script = pathOf('pgbackrest/restore-elsewhere.sh');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(import.meta.dirname, '../src/cli.ts'),
      'drill',
      ...['--url', `postgres://127.0.0.1:${drillPort}`, '--within', '0'],
      ...['--restore', `${script} start`, '--remove', `${script} stop`],
    ],
    {
      ...postgresUser(),
      cwd: folder,
      env: {
        ...process.env,
        DATABASE_URL: url.replace('postgres@', 'postgres:drill@'),
        DEPLOYMENT: 'sandbox',
        OPERATOR_TOKEN,
        PGBACKREST_CONFIG: backrestSettings,
        DRILL_FOLDER: join(folder, 'drill'),
        DRILL_PORT: String(drillPort),
      },
    },
  );
  return stdout.trim().split('\n').at(-1)!;
}
