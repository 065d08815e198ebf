import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { freePort } from '../test/ports.ts';
import { binaries, type Cluster, openCluster, postgresUser } from './cluster.ts';

/**
 * A cluster of Patroni on this machine with the files under deploy/patroni: etcd, two servers, HAProxy and a repository of
 * pgBackRest, each with other addresses, folders and without passwords.
 */

const run = promisify(execFile);
const PROGRAMS = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy', pgbackrest: 'pgbackrest' };
/** Of a step of the cluster (milliseconds). */
const WITHIN = 90_000;

const pathOf = (name: string): string => fileURLToPath(new URL(`../deploy/patroni/${name}`, import.meta.url));
const readDeploy = (name: string): string => readFileSync(pathOf(name), 'utf8');

/** The Debian packages that this machine lacks. */
export const missingPackages = (): string[] =>
  Object.entries(PROGRAMS)
    .filter(([program]) => spawnSync(program, ['--version']).error !== undefined)
    .map(([, debianPackage]) => debianPackage);

/** A machine of the cluster: Patroni and its PostgreSQL. */
export type Machine = { name: string; cluster: Cluster; api: string; start(): void; kill(): Promise<void> };

export type PatroniCluster = {
  /** Of HAProxy, as the superuser. */
  url: string;
  /** Resolves to the leader once it has a standby that streams. */
  leader(): Promise<Machine>;
  /** A full backup. */
  backUp(): Promise<void>;
  /** A new server from the repository as of the time, started and writable. */
  restore(to: Date): Promise<Cluster>;
  machines: Machine[];
};

type Closers = (closer: () => unknown) => void;

/** Starts it in the folder; `isSynchronous` false: without `synchronous_mode`. */
export async function startPatroni(
  folder: string,
  isSynchronous: boolean,
  onClose: Closers,
): Promise<PatroniCluster> {
  own(folder);
  const etcd = `127.0.0.1:${await freePort()}`;
  const peer = `http://127.0.0.1:${await freePort()}`;
  const etcdArgs = `--name db1 --data-dir ${join(folder, 'etcd')} --listen-client-urls http://${etcd}
    --advertise-client-urls http://${etcd} --listen-peer-urls ${peer} --initial-advertise-peer-urls ${peer}
    --initial-cluster db1=${peer} --unsafe-no-fsync`;
  launch(folder, 'etcd', etcdArgs.split(/\s+/), onClose);

  const backupSettings = join(folder, 'pgbackrest.conf');
  writeFileSync(backupSettings, backupSettingsIn(folder));
  const machines: Machine[] = [];
  for (const name of ['db1', 'db2'])
    machines.push(await openMachine({ folder, name, etcd, backupSettings, isSynchronous, onClose }));
  for (const machine of machines) {
    machine.start();
    // The first one makes the cluster.
    await until(`${machine.name} runs`, async () => (await statusOf(machine)) !== null);
  }

  const port = await freePort();
  const proxySettings = join(folder, 'haproxy.cfg');
  writeFileSync(proxySettings, proxySettingsOf(port, machines));
  launch(folder, 'haproxy', ['-db', '-f', proxySettings], onClose);

  const backrest = (...args: string[]) =>
    run('pgbackrest', [`--config=${backupSettings}`, '--stanza=booking', ...args], {
      ...postgresUser(),
      cwd: folder,
    });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    machines,
    leader: () => leaderOf(machines, isSynchronous),
    async backUp() {
      const { cluster } = await leaderOf(machines, isSynchronous);
      const at = [`--pg1-path=${cluster.folder}`, `--pg1-port=${cluster.port}`];
      await backrest(...at, 'stanza-create');
      await backrest(...at, '--type=full', 'backup');
    },
    async restore(to) {
      const restored = join(folder, 'restored');
      const target = to.toISOString().replace('T', ' ').replace('Z', '+00');
      const options = ['--type=time', `--target=${target}`, '--target-action=promote'];
      await backrest(`--pg1-path=${restored}`, ...options, 'restore');
      // Settings that Patroni gives otherwise; the archive of the cluster is not written to.
      const settings = {
        archive_mode: 'off',
        hba_file: join(folder, 'pg_hba.conf'),
        ident_file: join(restored, 'pg_ident.conf'),
        unix_socket_directories: folder,
      };
      writeFileSync(settings.hba_file, 'host all all 127.0.0.1/32 trust\n');
      const cluster = openCluster(restored, await freePort(), settings);
      onClose(cluster.remove);
      await cluster.start();
      await until('the restored server accepts writes', async () => {
        const [row] = await cluster.run<{ standby: boolean }>('select pg_is_in_recovery() as standby');
        return !row!.standby;
      });
      return cluster;
    },
  };
}

function own(path: string): void {
  const { uid, gid } = postgresUser();
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** Starts a program that ends with the run; its output goes to a file in the folder. */
function launch(folder: string, program: string, args: string[], onClose: Closers): ChildProcess {
  const log = openSync(join(folder, `${program}.log`), 'a');
  const child = spawn(program, args, { ...postgresUser(), cwd: folder, stdio: ['ignore', log, log] });
  onClose(() => kill(child));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

function backupSettingsIn(folder: string): string {
  for (const name of ['repository', 'spool', 'lock', 'log']) {
    mkdirSync(join(folder, name));
    own(join(folder, name));
  }
  const local = `repo1-path=${join(folder, 'repository')}\nlock-path=${join(folder, 'lock')}\nlog-path=${join(folder, 'log')}\n`;
  return readDeploy('pgbackrest.conf')
    .replace(/^repo1-(?:type|s3).*\n/gm, '')
    .replace('/var/spool/pgbackrest', join(folder, 'spool'))
    .replace(
      /^pg1-path=.*$/m,
      `pg1-path=${join(folder, 'db1')}\npg1-user=postgres\npg1-socket-path=${folder}`,
    )
    .replace('[global]\n', `[global]\n${local}`);
}

function proxySettingsOf(port: number, machines: readonly Machine[]): string {
  const servers = machines.map(
    ({ name, cluster, api }) => `  server ${name} 127.0.0.1:${cluster.port} check port ${new URL(api).port}`,
  );
  return readDeploy('haproxy.cfg')
    .replace(/^global\n(?: .*\n)*/m, '')
    .replace(/^ {2}server .*\n/gm, '')
    .replace('127.0.0.1:6432', `127.0.0.1:${port}`)
    .concat(`${servers.join('\n')}\n`);
}

async function openMachine(given: {
  folder: string;
  name: string;
  etcd: string;
  backupSettings: string;
  isSynchronous: boolean;
  onClose: Closers;
}): Promise<Machine> {
  const { folder, name, etcd, backupSettings, isSynchronous, onClose } = given;
  const [port, apiPort] = [await freePort(), await freePort()];
  const dataDir = join(folder, name);
  const settings = parse(readDeploy('patroni.yml'));
  settings.name = name;
  settings.restapi = { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` };
  settings.etcd3.hosts = [etcd];
  settings.bootstrap.dcs.synchronous_mode = isSynchronous;
  const { parameters, recovery_conf: recovery } = settings.bootstrap.dcs.postgresql;
  // Each machine has a spool and locks of its own.
  const places = ['spool', 'lock'].map((kind) => {
    const path = join(folder, `${name}-${kind}`);
    mkdirSync(path);
    own(path);
    return `--${kind}-path=${path}`;
  });
  const withSettings = (command: string): string =>
    command.replace(' --', ` --config=${backupSettings} ${places.join(' ')} --`);
  // Its own folder is not the one that the settings name on the other machine.
  parameters.archive_command = withSettings(parameters.archive_command).replace(
    '%p',
    `--pg1-path=${dataDir} %p`,
  );
  recovery.restore_command = withSettings(recovery.restore_command);
  Object.assign(settings.postgresql, {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: dataDir,
    bin_dir: binaries(),
    pgpass: join(folder, `${name}.pgpass`),
    pg_hba: [
      'local all all trust',
      'host all all 127.0.0.1/32 trust',
      'host replication all 127.0.0.1/32 trust',
    ],
    callbacks: {
      on_role_change: `env PGBACKREST_CONFIG=${backupSettings} ${pathOf('archive-again.sh')} ${dataDir}`,
    },
    // Processes are killed here, never the machine.
    parameters: { unix_socket_directories: folder, fsync: 'off' },
  });
  const path = join(folder, `${name}.yml`);
  writeFileSync(path, stringify(settings));
  let child: ChildProcess | null = null;
  const cluster = openCluster(dataDir, port);
  // With its children at once: as orphans some would go on for a moment, which the loss of a machine does not allow.
  const killServer = (): void => {
    try {
      const [pid] = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      for (const each of [pid, ...children].filter(Boolean)) process.kill(Number(each), 'SIGKILL');
    } catch (error) {
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  };
  onClose(killServer);
  return {
    name,
    cluster,
    api: `http://127.0.0.1:${apiPort}`,
    start() {
      child = launch(folder, 'patroni', [path], onClose);
    },
    async kill() {
      await kill(child!);
      killServer();
    },
  };
}

type Status = { role: string; state: string; sync_standby?: boolean; replication?: { state: string }[] };

async function statusOf({ api }: Machine): Promise<Status | null> {
  try {
    const status = (await (await fetch(`${api}/patroni`)).json()) as Status;
    return status.state === 'running' ? status : null;
  } catch {
    return null; // it does not listen yet, or was killed
  }
}

async function leaderOf(machines: readonly Machine[], isSynchronous: boolean): Promise<Machine> {
  let leader: Machine | undefined;
  await until('there is a leader with a standby', async () => {
    const found = await Promise.all(machines.map(async (each) => ({ each, status: await statusOf(each) })));
    leader = found.find(({ status }) => status?.role === 'master' || status?.role === 'primary')?.each;
    if (leader === undefined) return false;
    const rows = await leader.cluster
      .run<{ sync_state: string }>("select sync_state from pg_stat_replication where state = 'streaming'")
      .catch(() => []);
    return rows.some(({ sync_state }) => !isSynchronous || sync_state === 'sync');
  });
  return leader!;
}

async function until(awaited: string, look: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WITHIN;
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`waited in vain: ${awaited}`);
    await wait(100);
  }
}

/** Cuts the replication of the leader for good: later commits are only there. */
export async function cutReplication({ cluster }: Machine): Promise<void> {
  await cluster.run('alter role replicator nologin');
  await cluster.run('select pg_terminate_backend(pid) from pg_stat_replication');
}
