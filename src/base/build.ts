import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Digits of a commit in a name. */
const SHORT = 12;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The name of a build, as semantic versions write it: `0.1.0+a1b2c3d4e5f6`; `0.1.0` when its commit is not known. */
export function readBuild(root = ROOT): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const commit = readCommit(root);
  return commit === '' ? version : `${version}+${commit.slice(0, SHORT)}`;
}

/** The version of a build. */
export const versionOf = (build: string): string => build.replace(/\+.*$/, '');

/** The commit of an image or a package (the file `commit`), or of the checkout, without git; empty: not known. */
export function readCommit(root = ROOT): string {
  const read = (...path: string[]): string => readFileSync(join(...path), 'utf8').trim();
  try {
    if (existsSync(join(root, 'commit'))) return read(root, 'commit');
    const git = join(root, '.git');
    // Of a worktree it is a file that names the folder.
    const folder = statSync(git).isFile() ? resolve(root, read(git).replace('gitdir: ', '')) : git;
    const head = read(folder, 'HEAD');
    if (!head.startsWith('ref: ')) return head;
    const reference = head.slice('ref: '.length);
    const shared = existsSync(join(folder, 'commondir'))
      ? resolve(folder, read(folder, 'commondir'))
      : folder;
    for (const place of [folder, shared])
      if (existsSync(join(place, reference))) return read(place, reference);
    const packed = read(shared, 'packed-refs').split('\n');
    return packed.find((line) => line.endsWith(` ${reference}`))?.split(' ')[0] ?? '';
  } catch {
    return '';
  }
}
