import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { afterwards } from './afterwards.ts';
import { hasNo, run, temporaryFolder } from './deploy-files.ts';
import { until } from './until.ts';

/**
 * Debian machines, each with a systemd of its own, on a network without a way out. Their disks are copies on write of this
 * machine's, in memory, without what was set up here.
 */

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Why a test with machines is skipped. */
export const needsMachines: string | false =
  (process.getuid?.() !== 0 && 'needs root') || hasNo('systemd-nspawn') || hasNo('ip');

export type Machine = {
  /** A path of the machine, as this process reaches it. */
  pathOf(path: string): string;
  /** Starts it; its disk is as it was left. */
  boot(): Promise<void>;
  /** As a power cut. */
  cut(): Promise<void>;
  /** Runs it in a shell of root, and returns what it printed. Throws when it fails, with all that it printed. */
  run(script: string): Promise<string>;
};

export type Site = {
  /** A folder in memory, which ends with the site; as programs on its network name it, and as this process reaches it. */
  folder: { within: string; here: string };
  /** Starts a program on the network, until the test is over. */
  start(program: string, args: string[], env?: Record<string, string>): ChildProcess;
  /** A machine that is off. Under /opt it has copies of folders of this one, by their names there; its hosts have the names. */
  machine(name: string, opt: Record<string, string>, hosts: readonly string[]): Promise<Machine>;
};

/** Opens a network of the test's own. */
export async function openSite(t: TestContext): Promise<Site> {
  const folder = temporaryFolder(t);
  const hold = `mount --make-rprivate /; ip link set lo up; mount -t tmpfs -o mode=755 tmpfs ${folder}; echo; exec sleep infinity`;
  const spaces = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const holder = spawn('unshare', [...spaces, 'sh', '-ec', hold], { stdio: ['ignore', 'pipe', 'inherit'] });
  // All processes within end with it.
  afterwards(t, () => killed(holder, holder.pid!));
  await once(holder.stdout, 'data');
  const within = childOf(holder.pid!)!;
  const enter = ['--target', String(within), '--mount', '--net', '--pid', '--'];
  const outside = `/proc/${within}/root`;
  const start: Site['start'] = (program, args, env = {}) =>
    spawn('nsenter', [...enter, program, ...args], { env: { PATH, ...env }, stdio: 'ignore' });
  return {
    folder: { within: folder, here: join(outside, folder) },
    start,
    async machine(name, opt, hosts) {
      const disk = join(folder, name);
      const releases = Object.entries(opt).map(([own, of]) => overlay(join(disk, own), of, `opt/${own}`));
      const made = [`mkdir -p ${disk}/root`, `cd ${disk}/root`, overlay(join(disk, 'all'), '/', '.')];
      const script = [
        ...made,
        `cd ${disk}/root`,
        BARE,
        ...releases,
        `echo '127.0.0.1 ${hosts.join(' ')}' >> etc/hosts`,
      ];
      await run('nsenter', [...enter, 'sh', '-ec', script.join('\n')]);
      return machineOn(start, join(disk, 'root'), outside);
    },
  };
}

/** Commands that mount a copy on write of a folder at a path. */
const overlay = (disk: string, of: string, at: string): string =>
  `mkdir -p ${at} ${disk}/upper ${disk}/work
  mount -t overlay overlay -o lowerdir=${of},upperdir=${disk}/upper,workdir=${disk}/work ${at}`;

/** Leaves of a disk what Debian's packages install: nothing is set up, and only their own services are enabled. */
const BARE = `
  rm -rf opt etc/systemd/system etc/rc?.d etc/postgresql etc/pgbackrest.conf var/log/journal var/lib/systemd/timers
  mkdir -p opt etc/systemd/system/multi-user.target.wants etc/postgresql
  mount -t tmpfs tmpfs var/lib/postgresql
  chown postgres etc/postgresql var/lib/postgresql
  ln -s /lib/systemd/system/postgresql.service /lib/systemd/system/caddy.service etc/systemd/system/multi-user.target.wants
  : > etc/machine-id`;

function machineOn(start: Site['start'], root: string, outside: string): Machine {
  let [container, first]: [ChildProcess | null, number] = [null, 0];
  // `--all` would be the namespaces of this process for what the machine shares with it.
  const shell = (script: string) =>
    run('nsenter', [
      ...['--target', String(first), '--all', '--', 'env', '-i', `PATH=${PATH}`, 'HOME=/root'],
      ...['bash', '--norc', '-e', '-c', `cd\n${script}`],
    ]);
  return {
    pathOf: (path) => join(outside, root, path),
    async boot() {
      const quiet = ['--quiet', '--register=no', '--keep-unit', '--resolv-conf=off', '--console=pipe'];
      container = start('systemd-nspawn', [...quiet, '--boot', `--directory=${root}`]);
      // `degraded`: a unit of this machine's disk that is not ours fails in a container.
      await until(async () => {
        // nsenter, systemd-nspawn, systemd; its first child is another one.
        const nspawn = childOf(container!.pid!);
        first = (nspawn !== null && childOf(nspawn)) || 0;
        if (first === 0) return false;
        const { stdout } = await shell('systemctl is-system-running || true').catch(() => ({ stdout: '' }));
        return /^(?:running|degraded)$/m.test(stdout);
      });
    },
    cut: () => killed(container!, first),
    async run(script) {
      try {
        return (await shell(script)).stdout;
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        const journal = (await shell('journalctl --lines=40 --output=cat')).stdout;
        throw new Error([stdout, stderr, 'The journal:', journal].join('\n'));
      }
    },
  };
}

function childOf(pid: number): number | null {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return child ? Number(child) : null;
}

/** Kills the process, and waits until the program that belongs to it is gone. */
async function killed(program: ChildProcess, pid: number): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const gone = once(program, 'exit');
  process.kill(pid, 'SIGKILL');
  await gone;
}
