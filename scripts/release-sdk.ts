import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSdks, checksumsOf, PAGES } from './build-downloads.ts';

/**
 * Releases the SDKs: `npm run -s sdk:release` writes the files of their version to sdk/released, where they stay as they
 * are, and its addresses to the pages. `npm run -s sdk:release -- --begin=0.3.0` gives the sources the number of the next
 * version, which a change of an SDK after a release needs.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = 'sdk/released';
const LIST = 'src/developer-docs/released.json';
/** Sources with the number of the version. */
const NUMBERED = [
  'sdk/package.json',
  'sdk/src/client.ts',
  'sdk-python/pyproject.toml',
  'sdk-python/src/partner_booking/transport.py',
];
/** Pages with addresses of the newest files. */
const ADDRESSED = [...PAGES, 'sdk/README.md', 'sdk-python/README.md', 'examples/partner-app/README.md'];
const NUMBER = /\d+\.\d+\.\d+/;

/** Checksums of released files by name, the newest version last. */
export type Released = Readonly<Record<string, string>>;

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(join(ROOT, path), change(read(path)));
}

export const readReleased = (): Released => JSON.parse(read(LIST));

/** The version in the name of a file. */
export const versionOf = (name: string): string => NUMBER.exec(name)![0];

/** The version that was released last. */
export const newestOf = (released: Released): string => versionOf(Object.keys(released).at(-1)!);

/** Negative when the first version is older. */
const compare = (a: string, b: string): number =>
  a.split('.').reduce((order, part, at) => order || Number(part) - Number(b.split('.')[at]), 0);

/** Why the built files cannot be offered beside the released ones; null: they are released, or their version is new. */
export function versionFault(built: Released, released: Released): string | null {
  for (const [name, sha256] of Object.entries(built)) {
    if (released[name] === sha256) continue;
    const [version, newest] = [versionOf(name), newestOf(released)];
    if (name in released)
      return `${name} is released with other content: npm run -s sdk:release -- --begin=NUMBER`;
    if (compare(version, newest) <= 0) return `${version} is not after the released ${newest}`;
  }
  return null;
}

/** The page with the addresses of this version, and with its files in the list of versions. */
export function withVersion(page: string, version: string): string {
  const files = `[TypeScript](../sdk/released/partner-booking-sdk-${version}.tgz), [Python](../sdk/released/partner_booking_sdk-${version}-py3-none-any.whl)`;
  const row = new RegExp(`^\\| ${version.replaceAll('.', '\\.')} \\| [^|]* \\|`, 'm');
  return page
    .replaceAll(/(?<=\/docs\/downloads\/partner[-_]booking[-_]sdk-)\d+\.\d+\.\d+/g, version)
    .replaceAll(/^\| \[partner[-_]booking.*/gm, (line) => line.replaceAll(RegExp(NUMBER, 'g'), version))
    .replace(row, `| ${version} | ${files} |`);
}

function begin(version: string): void {
  for (const path of NUMBERED)
    edit(path, (text) => text.replace(/(?<=version"?(?: =|:) "|VERSION = ['"])\d+\.\d+\.\d+/, version));
}

function release(): void {
  const released = readReleased();
  const { version } = JSON.parse(read('sdk/package.json'));
  const isReleased = version === newestOf(released);
  // The packages have their READMEs.
  if (!isReleased) for (const path of ADDRESSED) edit(path, (text) => withVersion(text, version));
  const files = buildSdks();
  const fault = versionFault(checksumsOf(files), released);
  if (fault !== null) throw new Error(fault);
  if (isReleased) {
    console.log(`${version} is released, and the sources are the same`);
    return;
  }
  for (const [name, body] of files) writeFileSync(join(ROOT, FOLDER, name), body);
  writeFileSync(join(ROOT, LIST), `${JSON.stringify({ ...released, ...checksumsOf(files) }, null, 2)}\n`);
  // The example has an address, the pages have checksums.
  spawnSync(process.execPath, ['scripts/build-downloads.ts'], { cwd: ROOT, stdio: 'inherit' });
  console.log(`${version} is released: commit it, and never change its files`);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { begin: { type: 'string' } } });
  if (values.begin === undefined) release();
  else if (RegExp(`^${NUMBER.source}$`).test(values.begin)) begin(values.begin);
  else throw new Error('--begin wants a version such as 0.3.0');
}
