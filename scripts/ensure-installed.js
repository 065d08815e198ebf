// Runs before `npm start` and `npm test`: installs missing dependencies, and is silent otherwise. Plain JavaScript,
// because it runs on the machine's Node (20 or newer) before the pinned one is there; that one comes with the npm
// package `node`.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
const WANTED = join(ROOT, 'package-lock.json');
/** npm writes it at the end of every install. */
const INSTALLED = join(MODULES, '.package-lock.json');
const NODE_PACKAGE = join(MODULES, 'node');
const PINNED_NODE = join(NODE_PACKAGE, 'bin', 'node');
const INSTALLER = 'installArchSpecificPackage.js';
const NODE_COMMAND = join(MODULES, '.bin', 'node');

/** An empty folder, which git ignores; its holder touches it every second. */
const LOCK = join(ROOT, '.installing');
const LOCK_STALE_AFTER = 10_000;

/** @param {string} path */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const modulesMissing = () =>
  !existsSync(INSTALLED) || changedAt(INSTALLED) < changedAt(WANTED) || !existsSync(NODE_PACKAGE);
const isComplete = () => !modulesMissing() && existsSync(PINNED_NODE) && existsSync(NODE_COMMAND);

/** npm must not run on the Node that it replaces. */
function environment() {
  const path = (process.env.PATH ?? '').split(delimiter);
  const inside = (/** @type {string} */ entry) => entry.startsWith(MODULES + sep);
  return { ...process.env, PATH: path.filter((entry) => !inside(entry)).join(delimiter) };
}

/**
 * Runs a command silently. Throws its error output in one line.
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<void>}
 */
function run(command, args, cwd) {
  return new Promise((resolve, reject) => {
    let output = '';
    const child = spawn(command, args, { cwd, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', (error) => reject(new Error(`${command} cannot be started (${error.message})`)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args[0]} ended with ${signal ?? code}${complaint(output)}`));
    });
  });
}

/** The first error lines of npm, in one. @param {string} output */
function complaint(output) {
  const lines = output.split('\n').flatMap((line) => /^npm (?:error|ERR!) (.*\S)/.exec(line)?.[1] ?? []);
  const telling = lines.filter((line) => !/^(?:code|syscall|errno|path|dest) /.test(line));
  return telling.length === 0 ? '' : `: ${telling.slice(0, 2).join('; ')}`;
}

async function install() {
  if (modulesMissing()) {
    console.error('Installing the dependencies (once; npm ci) ...');
    await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], ROOT);
    // A lock file with a date in the future must not cause an install at every start.
    if (changedAt(INSTALLED) < changedAt(WANTED)) {
      const { atime, mtime } = statSync(WANTED);
      utimesSync(INSTALLED, atime, mtime);
    }
  }
  if (!existsSync(PINNED_NODE)) {
    // npm was configured not to run install scripts (ignore-scripts, allow-scripts), or the last install was
    // interrupted.
    console.error('Installing the pinned Node ...');
    await run('node', [INSTALLER], NODE_PACKAGE);
  }
  if (!existsSync(PINNED_NODE)) throw new Error('the package "node" has no binary for this machine');
  // npm links no command for a file that did not exist yet.
  if (!existsSync(NODE_COMMAND)) symlinkSync(join('..', 'node', 'bin', 'node'), NODE_COMMAND);
}

/** Two at once (npm start beside npm test) are serialized; the second one finds nothing to do. */
async function withLock(/** @type {() => Promise<void>} */ work) {
  for (let waited = false; ; waited = true) {
    try {
      mkdirSync(LOCK);
      break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      if (!waited) console.error('Waiting for another install to end ...');
      if (Date.now() - changedAt(LOCK) > LOCK_STALE_AFTER) unlock();
      else await sleep(250);
    }
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimesSync(LOCK, now, now);
  }, 1_000);
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
    unlock();
  }
}

function unlock() {
  try {
    rmdirSync(LOCK);
  } catch {
    // Another process was first.
  }
}

try {
  if (!isComplete()) {
    await withLock(async () => {
      if (!isComplete()) await install();
    });
  }
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(
    `The dependencies could not be installed: ${reason}. To see all of it, run: npm ci --include=dev`,
  );
  process.exit(1);
}
