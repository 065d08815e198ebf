import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
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
const DISK = '2g';
/** Of a step of the cluster (milliseconds). */
const WITHIN = 90_000;

/** A file under deploy. */
export const pathOf = (name: string): string => fileURLToPath(new URL(`../deploy/${name}`, import.meta.url));
const readDeploy = (name: string): string => readFileSync(pathOf(name), 'utf8');

/** The Debian packages that this machine lacks. */
export const missingPackages = (): string[] =>
  Object.entries(PROGRAMS)
    .filter(([program]) => spawnSync(program, ['--version']).error !== undefined)
    .map(([, debianPackage]) => debianPackage);

/** A machine of the cluster: Patroni and its PostgreSQL. */
export type Machine = {
  name: string;
  cluster: Cluster;
  api: { port: number; tls: Certificates };
  start(): void;
  /** Patroni and PostgreSQL. */
  kill(): Promise<void>;
  /** PostgreSQL alone. */
  crash(): void;
};

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
  backrestSettings: string;
  drillPort: number;
  /** backup.py on the leader; returns its output. */
  script(command: 'backup' | 'check'): Promise<string>;
  /** Its check, when all is archived, or nothing goes on. */
  archived(): Promise<string>;
  /** Ends the segment of WAL. */
  switchWal(): Promise<void>;
  switchOver(): Promise<void>;
  /** Resolves when another machine leads, with or without a standby. */
  promoted(lost: Machine): Promise<void>;
  /** Resolves when the leader waits for no standby. */
  alone(leader: Machine): Promise<void>;
  /** Takes the repository away; the result brings it back. */
  takeRepository(): () => void;
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
  const peer = `https://127.0.0.1:${await freePort()}`;
  const tls = await makeCertificates(folder);
  const pair = (side: string): string =>
    `--${side}cert-file ${tls.cert} --${side}key-file ${tls.key} --${side}trusted-ca-file ${tls.ca} --${side}client-cert-auth`;
  const etcdArgs = `--name db1 --data-dir ${join(folder, 'etcd')} --listen-client-urls https://${etcd}
    --advertise-client-urls https://${etcd} --listen-peer-urls ${peer} --initial-advertise-peer-urls ${peer}
    --initial-cluster db1=${peer} --unsafe-no-fsync ${pair('')} ${pair('peer-')}`;
  launch(folder, 'etcd', etcdArgs.split(/\s+/), onClose);

  const backupSettings = join(folder, 'pgbackrest.conf');
  writeFileSync(backupSettings, backupSettingsIn(folder));
  const script = join(folder, 'backup.py');
  writeFileSync(
    script,
    readDeploy('pgbackrest/backup.py').replace('DATABASE = "booking"', 'DATABASE = "postgres"'),
  );
  const machines: Machine[] = [];
  for (const name of ['db1', 'db2'])
    machines.push(await openMachine({ folder, name, etcd, tls, backupSettings, isSynchronous, onClose }));
  for (const machine of machines) {
    machine.start();
    // The first one makes the cluster.
    await until(`${machine.name} runs`, async () => (await statusOf(machine)) !== null);
  }

  const port = await freePort();
  const proxySettings = join(folder, 'haproxy.cfg');
  writeFileSync(proxySettings, proxySettingsOf(port, machines, tls));
  launch(folder, 'haproxy', ['-db', '-f', proxySettings], onClose);

  async function runScript(command: string): Promise<string> {
    const { cluster } = await leading(machines);
    const { port, folder: dataDir } = cluster;
    const env = { ...process.env, ...scriptEnvironment({ folder, port, dataDir, backupSettings }) };
    try {
      return (await run('python3', [script, command], { ...postgresUser(), cwd: folder, env })).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      return stdout || stderr;
    }
  }
  const waiting = `select count(*)::int as count from pg_ls_archive_statusdir() where name ~ '^[0-9A-F]{24}.ready$'`;

  const backrest = (...args: string[]) =>
    run('pgbackrest', [`--config=${backupSettings}`, '--stanza=booking', ...args], {
      ...postgresUser(),
      cwd: folder,
    });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=verify-full&sslrootcert=${tls.ca}`,
    machines,
    backrestSettings: backupSettings,
    drillPort: await freePort(),
    leader: () => leaderOf(machines, isSynchronous),
    script: runScript,
    async archived() {
      const { cluster } = await leading(machines);
      // As the timer does.
      await runScript('check');
      await until(
        'all is archived',
        async () => (await cluster.run<{ count: number }>(waiting))[0]!.count === 0,
      );
      return runScript('check');
    },
    async switchWal() {
      await (await leading(machines)).cluster.run('select pg_switch_wal()');
    },
    async switchOver() {
      const leader = await leading(machines);
      const candidate = machines.find((each) => each !== leader)!;
      const body = JSON.stringify({ leader: leader.name, candidate: candidate.name });
      await askPatroni(leader, '/switchover', body);
      await until('the standby leads', async () => (await leading(machines)) === candidate);
    },
    promoted: (lost) => until('another leads', async () => (await leading(machines)) !== lost),
    alone: ({ cluster }) =>
      until('the leader is alone', async () => {
        const [row] = await cluster.run<{ names: string }>(
          `select current_setting('synchronous_standby_names') as names`,
        );
        return row!.names === '';
      }),
    takeRepository() {
      const [here, away] = ['repository', 'repository-away'].map((name) => join(folder, name));
      renameSync(here!, away!);
      return () => {
        rmSync(here!, { recursive: true, force: true });
        renameSync(away!, here!);
      };
    },
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

/** A disk of the machine's own, so that it can be full; only root can mount one. */
function mountDisk(path: string, onClose: Closers): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = postgresUser();
  mkdirSync(path);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},uid=${uid},gid=${gid},mode=700`, 'tmpfs', path]);
  onClose(() => execFileSync('umount', ['--lazy', path]));
}

/** Of backup.py on a machine. */
function scriptEnvironment(given: { folder: string; port: number; dataDir: string; backupSettings: string }) {
  return {
    PGHOST: given.folder,
    PGPORT: String(given.port),
    PGBACKREST_CONFIG: given.backupSettings,
    PGBACKREST_PG1_PATH: given.dataDir,
    PGBACKREST_PG1_PORT: String(given.port),
  };
}

type Certificates = Record<'ca' | 'cert' | 'key', string>;

/** Of certificates.sh; both machines have the same address. */
async function makeCertificates(folder: string): Promise<Certificates> {
  await run(pathOf('patroni/certificates.sh'), ['db=127.0.0.1'], { ...postgresUser(), cwd: folder });
  const [ca, cert, key] = ['ca.crt', 'db.crt', 'db.key'].map((name) => join(folder, name));
  return { ca: ca!, cert: cert!, key: key! };
}

function own(path: string): void {
  const { uid, gid } = postgresUser();
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** Starts a program that ends with the run; its output goes to a file in the folder. */
function launch(folder: string, program: string, args: string[], onClose: Closers): ChildProcess {
  const log = openSync(join(folder, `${program}.log`), 'a');
  // Clients of PostgreSQL look for certificates in the home folder.
  const env = { ...process.env, HOME: folder };
  const child = spawn(program, args, { ...postgresUser(), cwd: folder, env, stdio: ['ignore', log, log] });
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
  return readDeploy('pgbackrest/pgbackrest.conf')
    .replace(/^repo1-(?:type|s3).*\n/gm, '')
    .replace('/var/spool/pgbackrest', join(folder, 'spool'))
    .replace(
      /^pg1-path=.*$/m,
      `pg1-path=${join(folder, 'db1')}\npg1-user=postgres\npg1-socket-path=${folder}`,
    )
    .replace('[global]\n', `[global]\n${local}`);
}

function proxySettingsOf(port: number, machines: readonly Machine[], tls: Certificates): string {
  const servers = machines.map(
    ({ name, cluster, api }) => `  server ${name} 127.0.0.1:${cluster.port} check port ${api.port}`,
  );
  return readDeploy('patroni/haproxy.cfg')
    .replace(/^global\n(?: .*\n)*/m, '')
    .replace(/^ {2}server .*\n/gm, '')
    .replace('127.0.0.1:6432', `127.0.0.1:${port}`)
    .replace('/etc/haproxy/booking-ca.crt', tls.ca)
    .concat(`${servers.join('\n')}\n`);
}

async function openMachine(given: {
  folder: string;
  name: string;
  etcd: string;
  tls: Certificates;
  backupSettings: string;
  isSynchronous: boolean;
  onClose: Closers;
}): Promise<Machine> {
  const { folder, name, etcd, tls, backupSettings, isSynchronous, onClose } = given;
  const [port, apiPort] = [await freePort(), await freePort()];
  const dataDir = join(folder, name);
  mountDisk(dataDir, onClose);
  const settings = parse(
    readDeploy('patroni/patroni.yml')
      .replaceAll('/etc/booking-tls/server.crt', tls.cert)
      .replaceAll('/etc/booking-tls/server.key', tls.key)
      .replaceAll('/etc/booking-tls/ca.crt', tls.ca),
  );
  settings.name = name;
  Object.assign(settings.restapi, {
    listen: `127.0.0.1:${apiPort}`,
    connect_address: `127.0.0.1:${apiPort}`,
  });
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
  // The settings that all share name the folder of the first machine.
  const ownCommand = (command: string, path: string): string =>
    withSettings(command).replace(path, `--pg1-path=${dataDir} ${path}`);
  Object.assign(settings.postgresql, {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: dataDir,
    bin_dir: binaries(),
    pgpass: join(folder, `${name}.pgpass`),
    pg_hba: [
      'local all all trust',
      'host all all 127.0.0.1/32 trust',
      'hostssl replication all 127.0.0.1/32 trust',
    ],
    callbacks: {
      on_role_change: [
        'env',
        ...Object.entries(scriptEnvironment({ folder, port, dataDir, backupSettings })).map((one) =>
          one.join('='),
        ),
        `python3 ${join(folder, 'backup.py')}`,
      ].join(' '),
    },
    // Processes are killed here, never the machine.
    parameters: {
      ...settings.postgresql.parameters,
      unix_socket_directories: folder,
      fsync: 'off',
      archive_command: ownCommand(parameters.archive_command, '%p'),
    },
    recovery_conf: { restore_command: ownCommand(recovery.restore_command, '%f') },
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
    api: { port: apiPort, tls },
    start() {
      child = launch(folder, 'patroni', [path], onClose);
    },
    async kill() {
      await kill(child!);
      killServer();
    },
    crash: killServer,
  };
}

type Status = { role: string; state: string; sync_standby?: boolean; replication?: { state: string }[] };

/** A POST with the body, or a GET. Throws when it is refused. */
async function askPatroni({ api: { port, tls } }: Machine, path: string, body?: string): Promise<string> {
  const [ca, cert, key] = [tls.ca, tls.cert, tls.key].map((file) => readFileSync(file));
  const method = body === undefined ? 'GET' : 'POST';
  const asked = request({ host: '127.0.0.1', port, path, method, ca, cert, key, agent: false });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const answer = (await response.toArray()).join('');
  if (body !== undefined && response.statusCode !== 200) throw new Error(answer);
  return answer;
}

async function statusOf(machine: Machine): Promise<Status | null> {
  try {
    const status = JSON.parse(await askPatroni(machine, '/patroni')) as Status;
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
    // Patroni promotes a standby that it has noted as such, some seconds after PostgreSQL waits for it.
    if (isSynchronous) return found.some(({ status }) => status?.sync_standby === true);
    const rows = await leader.cluster
      .run("select from pg_stat_replication where state = 'streaming'")
      .catch(() => []);
    return rows.length > 0;
  });
  return leader!;
}

/** The machine that leads, with or without a standby. */
async function leading(machines: readonly Machine[]): Promise<Machine> {
  let leader: Machine | undefined;
  await until('there is a leader', async () => {
    for (const each of machines) {
      const role = (await statusOf(each))?.role;
      if (role === 'master' || role === 'primary') leader = each;
    }
    return leader !== undefined;
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
