import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Machine, needsMachines, openSite, type Site } from './debian-machines.ts';
import { hasNo, ROOT, readDeploy, run } from './deploy-files.ts';
import { until } from './until.ts';

/**
 * docs/one-machine.md, typed into an empty Debian: the way to the first booking, a power cut, updates and both ways back,
 * storage that refuses, and another machine after the loss of the first. The storage is a server that speaks S3.
 */

const page = readFileSync(join(ROOT, 'docs/one-machine.md'), 'utf8');
const operating = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');

const blocksOf = (text: string, kind: string): string[] =>
  [...text.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].flatMap(([, info, block]) =>
    info === kind ? [block!] : [],
  );

/** Each replaced text stands there once. */
function withOwn(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((all, [old, own]) => {
    assert.equal(all.split(old).length, 2, `${old} once in ${all}`);
    return all.replace(old, () => own);
  }, text);
}

const HOSTS = ['bookings.example.sa', 'console.example.sa', 'booking-backups.s3.example.sa'];

/** What the page has one write into the file of pgBackRest. */
const STORAGE = {
  'repo1-s3-endpoint=storage.example.sa': 'repo1-s3-endpoint=s3.example.sa:8443',
  'repo1-s3-key=change-me-4': 'repo1-s3-key=S3RVER',
  'repo1-s3-key-secret=change-me-5': 'repo1-s3-key-secret=S3RVER',
  'change-me-6': 'passphrase-of-the-backups',
};
const ownStorage = (): string => withOwn(readDeploy('pgbackrest/pgbackrest.conf'), STORAGE);

/** Certificates of the proxy are its own here: nobody out there is asked. */
const PROXY = {
  'systemctl restart caddy': `sed -i '1i { \\n local_certs \\n skip_install_trust \\n}' /etc/caddy/Caddyfile\nsystemctl restart caddy`,
};
const CA = '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt';

const S3 = join(ROOT, 'tools/s3/node_modules/@20minutes/s3rver');
/** The package has lost its program. It signs lists in another way than S3, and so refuses by the name of the key alone. */
const SERVER = `
  const [, s3, folder] = process.argv;
  const read = (name) => fs.readFileSync(folder + '/' + name);
  const secured = { key: read('storage.key'), cert: read('storage.crt') };
  const names = { address: '127.0.0.1', port: 8443, serviceEndpoint: 'example.sa' };
  new (require(s3))({ ...secured, ...names, directory: folder + '/buckets', silent: true, allowMismatchedSignatures: true }).run();`;

/** The shell is still there. */
const AT_RELEASE = 'cd /opt/partner-booking\n';

/** Starts the storage, and returns the folder of its bucket, and its certificate. */
async function startStorage({ folder, start }: Site): Promise<{ bucket: string; certificate: string }> {
  const [key, certificate] = ['storage.key', 'storage.crt'];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  const names = ['-subj', '/CN=storage', '-addext', 'subjectAltName=DNS:booking-backups.s3.example.sa'];
  const files = ['-keyout', key, '-out', certificate];
  await run('openssl', ['req', '-x509', ...made, ...names, ...files], { cwd: folder.here });
  const bucket = join(folder.here, 'buckets/booking-backups');
  mkdirSync(bucket, { recursive: true });
  start(process.execPath, ['--eval', SERVER, S3, folder.within]);
  return { bucket, certificate: readFileSync(join(folder.here, certificate), 'utf8') };
}

test('the page counts its commands', () => {
  const [said] = /\d+(?= commands)/.exec(page)!;
  const typed = [
    ...blocksOf(page, 'text install'),
    ...blocksOf(page, 'sh install'),
    ...blocksOf(page, 'sh company'),
  ]
    .join('')
    .replaceAll(/<<EOF$[\s\S]*?^EOF$/gm, '');
  assert.equal(Number(said), typed.trim().split('\n').length);
});

test('one machine, from an empty Debian to another one after its loss', {
  // Five minutes of installing and of machines that boot, and three times as long beside other load.
  timeout: 1_800_000,
  skip:
    needsMachines ||
    (!existsSync(S3) && 'needs `node scripts/install-tools.ts s3`') ||
    hasNo('pgbackrest') ||
    hasNo('caddy') ||
    hasNo('pg_createcluster'),
}, async (t) => {
  const site = await openSite(t);
  const storage = await startStorage(site);
  const first = await bareMachine(site, storage.certificate, 'first', ['0.1.0', '0.2.0', '0.3.0']);
  const [release, secrets, database, service] = blocksOf(page, 'sh install') as [
    string,
    string,
    string,
    string,
  ];

  const settings =
    'install -m 640 -o root -g postgres deploy/pgbackrest/pgbackrest.conf /etc/pgbackrest.conf';
  writeFileSync(first.pathOf('/root/own.conf'), ownStorage());
  const edited = withOwn(secrets, { [settings]: `${settings}\ncat /root/own.conf > /etc/pgbackrest.conf` });
  // The drill is that of the second machine.
  const undrilled = { ...PROXY, 'systemctl start partner-booking-drill': '' };
  const installed = await first.run([release, edited, database, withOwn(service, undrilled)].join(''));
  assertWell(installed, '0.1.0');
  assert.match(installed, /^ok +backup /m);
  const enabled =
    'systemctl is-enabled partner-booking-{api@0,worker} booking-{backup,archive-check}.timer partner-booking-drill.timer';
  assert.equal(await first.run(enabled), 'enabled\n'.repeat(5));

  const booked = [await first.run(COMPANY)];
  await assertBooked(first, booked);

  await first.cut();
  await first.boot();
  await assertBooked(first, booked);
  // The database comes last.
  await first.run(`systemctl stop postgresql@15-booking
    stopped=$(date +%s)
    systemctl restart partner-booking-api@0
    until journalctl --unit partner-booking-api@0 --since=@$stopped | grep --quiet ECONNREFUSED; do sleep 0.1; done
    systemctl start postgresql@15-booking`);
  await assertBooked(first, booked);

  await assertUpdates(first, booked);
  await assertRefusals(first, storage.bucket);

  booked.push(await first.run(BOOK));
  const [at] = (await first.run(`sleep 0.1; date '+%F %T.%3N%:z'; sleep 0.1`)).split('\n');
  const later = await first.run(BOOK);
  await assertBooked(first, [...booked, later]);
  await first.run('runuser -u postgres -- pgbackrest --stanza=booking check');
  const kept = ['/etc/partner-booking.env', '/etc/pgbackrest.conf', '/root/company'].map((path) => ({
    path,
    text: readFileSync(first.pathOf(path)),
  }));
  await first.cut();

  const second = await bareMachine(site, storage.certificate, 'second', ['0.1.0']);
  await second.run(release);
  for (const { path, text } of kept) writeFileSync(second.pathOf(path), text, { mode: 0o600 });
  await second.run('chmod 640 /etc/pgbackrest.conf; chgrp postgres /etc/pgbackrest.conf');
  const [restore] = blocksOf(page, 'sh restore') as [string];
  const [addition] = /--type=time .*--target-action=promote/.exec(page)!;
  const timed = withOwn(addition, { '2026-11-27 13:30:00+03': at! });
  await second.run(AT_RELEASE + withOwn(restore, { '--delta restore': `--delta ${timed} restore` }));
  assertWell(await second.run(AT_RELEASE + withOwn(service, PROXY)), '0.1.0');
  await assertDrilled(second);
  await assertBooked(second, booked);
});

/** An empty Debian with releases in /opt, which is on; the storage's certificate is one of an authority that it knows. */
async function bareMachine(
  site: Site,
  certificate: string,
  name: string,
  releases: string[],
): Promise<Machine> {
  const opt = Object.fromEntries(releases.map((version) => [`partner-booking-${version}`, ROOT]));
  const machine = await site.machine(name, opt, HOSTS);
  for (const version of releases.slice(1)) {
    const write = (path: string, text: string) =>
      writeFileSync(machine.pathOf(`/opt/partner-booking-${version}/${path}`), text);
    const { version: own, ...rest } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    assert.equal(own, releases[0]);
    write('package.json', JSON.stringify({ ...rest, version }));
    write(
      'migrations/8000_next.sql',
      '-- compatible since: 0.1.0\nalter table partners add column next text;\n',
    );
    if (version === '0.3.0')
      write(
        'migrations/8001_last.sql',
        '-- compatible since: 0.3.0\nalter table partners drop column next;\n',
      );
  }
  writeFileSync(machine.pathOf('/etc/ssl/certs/storage.pem'), certificate);
  await machine.boot();
  await machine.run(
    'cd /etc/ssl/certs; ln -s storage.pem "$(openssl x509 -in storage.pem -noout -subject_hash).0"',
  );
  return machine;
}

/** The commands of operating.md that set up a company and book, through the proxy. */
const AT = `export CURL_CA_BUNDLE=${CA}
  OPERATOR_TOKEN=$(sed -n 's/^OPERATOR_TOKEN=//p' /etc/partner-booking.env)\n  curl -s --retry 600 --retry-delay 1 --retry-all-errors --fail -o /dev/null https://console.example.sa/console\n`;
const [, , , catalogue, offered, partner, book] = blocksOf(operating, 'sh').map((block) =>
  block
    .replaceAll('http://127.0.0.1:3001/operator', 'https://console.example.sa/operator')
    .replaceAll('http://127.0.0.1:3000/v1', 'https://bookings.example.sa/v1')
    .replaceAll('npx partner-booking', 'booking'),
) as [string, string, string, string, string, string, string];
const ID = `| node -p 'JSON.parse(fs.readFileSync(0)).data.bookingId'`;
const booking = [`(${offered}) > /dev/null`, offered.replace(/^echo.*\n/m, ''), `{ ${book}\n} ${ID}`].join(
  '\n',
);
const COMPANY = `${AT}{ ${catalogue}\n${partner}\n} > /dev/null
  { declare -f get op; declare -p OP SERVICE_ID KEY; } > /root/company\n${booking}`;
const BOOK = `${AT}. /root/company\n${booking}`;

/** Exactly these bookings are there, for the partner out there. */
async function assertBooked(machine: Machine, ids: readonly string[]): Promise<void> {
  const list = `${AT}. /root/company
    curl -sS --fail 'https://bookings.example.sa/v1/partners/bookings?limit=100' -H "x-api-key: $KEY" |
      node -p 'JSON.parse(fs.readFileSync(0)).data.map((one) => one.bookingId).join("\\n")'`;
  const found = await until(() => machine.run(`set -o pipefail; ${list}`).catch(() => null));
  assert.deepEqual(found.trim().split('\n').toSorted(), ids.map((id) => id.trim()).toSorted());
}

function assertWell(doctor: string, version: string): void {
  assert.doesNotMatch(doctor, /^WRONG/m);
  assert.match(doctor, new RegExp(`^ok +build +${version.replaceAll('.', '\\.')}`, 'm'));
  assert.match(doctor, /^ok +archiving +WAL is archived$/m);
}

async function assertDrilled(machine: Machine): Promise<void> {
  const said = await machine.run('journalctl --unit partner-booking-drill --output=cat');
  assert.match(said, /^ok: the drill took /m);
}

/** To a version that the one before can run beside, and back; to one that it cannot, and back with the database. */
async function assertUpdates(machine: Machine, booked: string[]): Promise<void> {
  const [plan, change, back, undo] = [
    ...blocksOf(page, 'sh update'),
    ...blocksOf(page, 'sh back'),
    ...blocksOf(page, 'sh undo'),
  ] as [string, string, string, string];
  assert.match(await machine.run(plan), /8000_next/);
  assertWell(await machine.run(change), '0.2.0');
  booked.push(await machine.run(BOOK));
  assertWell(await machine.run(back), '0.1.0');
  await assertBooked(machine, booked);

  const toLast = change.replaceAll('0.2.0', '0.3.0');
  assertWell(await machine.run(toLast), '0.3.0');
  const lost = await machine.run(BOOK);
  await assertBooked(machine, [...booked, lost]);
  await assert.rejects(machine.run(back), /WRONG +migrations .*newer version of this program/);
  assertWell(await machine.run(undo), '0.1.0');
  await assertBooked(machine, booked);
}

/** What becomes of a wrong key, and of a bucket that is gone: the night's backup fails, and doctor says so. */
async function assertRefusals(machine: Machine, bucket: string): Promise<void> {
  const settings = machine.pathOf('/etc/pgbackrest.conf');
  const own = readFileSync(settings, 'utf8');
  const spoil = (key: keyof typeof STORAGE) =>
    writeFileSync(settings, withOwn(own, { [`${STORAGE[key]}\n`]: `${STORAGE[key]}-not\n` }));
  const sql = (text: string) => machine.run(`runuser -u postgres -- psql -Atqd booking -c "${text}"`);
  const assertTold = async () => {
    await sql('update backup_reports set fault = null');
    for (const unit of ['booking-backup', 'booking-archive-check'])
      await assert.rejects(machine.run(`systemctl start ${unit}`), /failed/);
    const told = await sql('select kind from backup_reports where fault is not null order by kind');
    assert.equal(told, 'ARCHIVE\nBACKUP\n');
  };
  spoil('repo1-s3-key=change-me-4');
  await assertTold();
  spoil('change-me-6');
  await assertTold();
  writeFileSync(settings, own);
  renameSync(bucket, `${bucket}-gone`);
  await assertTold();
  await assert.rejects(
    machine.run('booking doctor'),
    /^WRONG +backup +(?:pgbackrest failed|the repository cannot be read)/m,
  );
  renameSync(`${bucket}-gone`, bucket);
  await machine.run('systemctl start booking-backup booking-archive-check');
  assertWell(await machine.run('booking doctor'), '0.1.0');
}
