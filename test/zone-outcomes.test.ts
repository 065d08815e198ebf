import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doOverlap } from '../src/catalogue/zone-rules.ts';
import { createWorld, squareAround, WORLD_DATE } from './fixtures.ts';
import { documented, startTestService, type TestService } from './harness.ts';

/**
 * A change of several zones is judged by its outcome; zones of equal priority overlap only when that is confirmed.
 */

const AT = { a: 10, b: 20, c: 30 } as const;
const area = (longitude: number) => squareAround(10, longitude);

async function made(service: TestService, body: object) {
  const answer = await service.operator('POST', '/zones', body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

function permutationsOf<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]];
  return all.flatMap((one, index) => permutationsOf(all.toSpliced(index, 1)).map((rest) => [one, ...rest]));
}

test('any order of the changes has the same result', async (t) => {
  const service = await startTestService(t);
  const ids: Record<string, string> = {};
  for (const name of ['a', 'b', 'c'] as const)
    ids[name] = (await made(service, { name: `Zone ${name}`, area: area(AT[name]) })).id;
  const { a, b, c } = ids;
  type Line = Record<string, unknown>;
  const CHANGES: Record<string, { lines: Line[]; status: number }> = {
    'two names swapped': {
      lines: [
        { id: a, name: 'Zone b' },
        { id: b, name: 'Zone a' },
      ],
      status: 200,
    },
    'three names in a circle': {
      lines: [
        { id: a, name: 'zone B' },
        { id: b, name: 'Zone C' },
        { id: c, name: 'ZONE a' },
      ],
      status: 200,
    },
    'a new zone takes a name that another gives up': {
      lines: [
        { name: ' Zone a', area: area(40) },
        { id: a, name: 'Old' },
        { id: c, priority: 3 },
      ],
      status: 200,
    },
    'a chain of names': {
      lines: [
        { id: a, name: 'Zone b' },
        { id: b, name: 'Zone c' },
        { id: c, name: 'Zone d' },
      ],
      status: 200,
    },
    'only the letters of a name': {
      lines: [
        { id: a, name: 'ZONE A' },
        { id: b, name: 'Beyond' },
      ],
      status: 200,
    },
    'areas swapped': {
      lines: [
        { id: a, area: area(AT.b) },
        { id: b, area: area(AT.a) },
      ],
      status: 200,
    },
    'two priorities moved together': {
      lines: [
        { id: a, priority: 5 },
        { id: b, priority: 5 },
      ],
      status: 200,
    },
    'a name that nobody gives up': {
      lines: [
        { id: a, name: 'Zone c' },
        { id: b, name: 'Zone a' },
      ],
      status: 409,
    },
    'one name for two': {
      lines: [
        { id: a, name: 'Same' },
        { name: 'SAME', area: area(40) },
      ],
      status: 409,
    },
    'an area that another leaves, and one that another keeps': {
      lines: [
        { id: a, area: area(AT.b) },
        { id: b, area: area(AT.c) },
      ],
      status: 409,
    },
    'an overlap that the priority of another line prevents': {
      lines: [
        { id: a, area: area(AT.c) },
        { id: c, priority: 1 },
      ],
      status: 200,
    },
  };
  const state = async () =>
    (await service.operator('GET', '/zones?limit=100')).body.data.map(
      (zone: { name: string; area: unknown; priority: number; isActive: boolean }) => [
        zone.name,
        zone.priority,
        zone.isActive,
        JSON.stringify(zone.area),
      ],
    );
  const start = await state();
  for (const [name, { lines, status }] of Object.entries(CHANGES)) {
    const outcomes = new Set<string>();
    for (const zones of permutationsOf(lines)) {
      const preview = await service.operator('POST', '/zones/changes?preview=true', { zones });
      const applied = await service.operator('POST', '/zones/changes', { zones });
      assert.equal(applied.status, status, `${name}: ${applied.text}`);
      const isOverlap = applied.body.error?.details.reason === 'ZONES_OVERLAP';
      assert.equal(preview.status, isOverlap ? 200 : status, name);
      outcomes.add(JSON.stringify(await state()));
      if (status !== 200) {
        assert.deepEqual(await state(), start, `${name}: nothing is kept`);
        continue;
      }
      const shown = applied.body.data.zones.map((zone: { name: string }) => zone.name);
      assert.deepEqual(
        shown,
        zones.map((line, index) => (line.name as string | undefined)?.trim() ?? shown[index]),
        'in the order of the lines',
      );
      for (const zone of applied.body.data.zones)
        if (![a, b, c].includes(zone.id)) await service.operator('DELETE', `/zones/${zone.id}`);
      const back = ([a, b, c] as const).map((id, index) => {
        const letter = (['a', 'b', 'c'] as const)[index]!;
        return { id, name: `Zone ${letter}`, area: area(AT[letter]), priority: 100 };
      });
      assert.equal((await service.operator('POST', '/zones/changes', { zones: back })).status, 200);
      assert.deepEqual(await state(), start);
    }
    assert.equal(outcomes.size, 1, name);
  }
});

test('two simultaneous swaps are serialized', async (t) => {
  const service = await startTestService(t);
  const one = await made(service, { name: 'One', area: area(10) });
  const two = await made(service, { name: 'Two', area: area(20) });
  const swap = (first: string, second: string) =>
    service.operator('POST', '/zones/changes', {
      zones: [
        { id: one.id, name: first },
        { id: two.id, name: second },
      ],
    });
  const answers = await Promise.all([swap('Two', 'One'), swap('One', 'Two'), swap('Two', 'One')]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  const names = (await service.operator('GET', '/zones')).body.data.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['One', 'Two']);
});

test('an overlap of equal priority is refused with its addresses and appointments, unless confirmed', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { zone: { name: 'M' } });
  assert.equal((await world.book({ date: WORLD_DATE })).status, 200);
  const over = squareAround(world.latitude, world.longitude);
  const refused = async (method: string, path: string, body: object, overlaps: object[]) => {
    const answer = await service.operator(method, path, body);
    assert.equal(answer.status, 409, `${JSON.stringify(body).slice(0, 80)}: ${answer.text}`);
    const { code, details } = answer.body.error;
    const { overlaps: named, hints } = details;
    assert.deepEqual(details, documented(code, { reason: 'ZONES_OVERLAP', overlaps: named, hints }));
    const found = named.map((one: Record<string, { name: string }>) => {
      const pair = [one.zone!, one.other!] as unknown as { id: string; name: string }[];
      const covers = pair.find(({ id }) => id === (one.coveredBy as unknown as string))!.name;
      return {
        pair: pair.map(({ name }) => name).sort(),
        covers,
        addresses: one.addresses,
        appointments: one.appointments,
      };
    });
    assert.deepEqual(found, overlaps);
  };
  const ok = async (method: string, path: string, body: object) => {
    const answer = await service.operator(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const pair = (name: string, covers: string, addresses = 1, appointments = 1) => ({
    pair: ['M', name].sort(),
    covers,
    addresses,
    appointments,
  });

  // Creation.
  await refused('POST', '/zones', { name: 'A', area: over }, [pair('A', 'A')]);
  await refused('POST', '/zones', { name: 'Z', area: over }, [pair('Z', 'M')]);
  const nearby = squareAround(world.latitude + 0.15, world.longitude);
  await refused('POST', '/zones', { name: 'Z', area: nearby }, [pair('Z', 'M', 0, 0)]);
  await refused('POST', '/zones/changes', { zones: [{ name: 'Z', area: over }] }, [pair('Z', 'M')]);
  assert.equal((await service.operator('GET', '/zones')).body.meta.total, 1, 'nothing is kept');
  const preview = await ok('POST', '/zones/changes?preview=true', { zones: [{ name: 'Z', area: over }] });
  assert.deepEqual([preview.isApplied, preview.overlaps.length], [false, 1]);

  // Not: another priority, inactive, side by side, sharing a corner.
  const other = await ok('POST', '/zones', { name: 'Other priority', area: over, priority: 99 });
  const off = await ok('POST', '/zones', { name: 'Off', area: over, isActive: false });
  const beside = squareAround(world.latitude, world.longitude + 0.2);
  const side = await ok('POST', '/zones', { name: 'Side', area: beside });
  await ok('POST', '/zones', {
    name: 'Corner',
    area: squareAround(world.latitude - 0.2, world.longitude - 0.2),
  });

  // Changes that make one.
  await refused('PATCH', `/zones/${other.id}`, { priority: 100 }, [pair('Other priority', 'M')]);
  await refused('PATCH', `/zones/${off.id}`, { isActive: true }, [pair('Off', 'M')]);
  await refused('PATCH', `/zones/${side.id}`, { area: over }, [pair('Side', 'M')]);
  await ok('PATCH', `/zones/${off.id}`, { name: 'Still off', priority: 7 });

  // An existing overlap stays: only creating or altering one needs confirmation.
  const kept = await ok('POST', '/zones', { name: 'Z', area: over, confirmOverlap: true });
  const path = `/zones/${kept.id}`;
  await ok('PATCH', path, { slotGridMinutes: 60, serviceIds: [world.serviceId] });
  await ok('PATCH', path, { name: 'Y' });
  await ok('PATCH', path, { area: over, priority: 100, isActive: true });
  await refused('PATCH', path, { name: 'B' }, [pair('B', 'B')]);
  await refused('PATCH', path, { area: nearby }, [pair('Y', 'M', 0, 0)]);
  await ok('PATCH', path, { name: 'B', confirmOverlap: true });
  await ok('PATCH', path, { isActive: false });
  await refused('PATCH', path, { isActive: true }, [pair('B', 'B')]);
  const together = [
    { id: kept.id, isActive: true },
    { id: world.zoneId, priority: 50 },
  ];
  await ok('POST', '/zones/changes', { zones: together });
  const back = { zones: [{ id: world.zoneId, priority: 100 }], confirmOverlap: true };
  assert.equal((await ok('POST', '/zones/changes', back)).overlaps.length, 1);
  const line = await service.operator('POST', '/zones/changes', {
    zones: [{ id: kept.id, confirmOverlap: true }],
  });
  assert.equal(line.status, 400, 'it is of the request, not of a line');
});

test('a confirmed overlap is stored with both zones', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { zone: { name: 'M', nameAr: 'وسط' } });
  const area = squareAround(world.latitude, world.longitude, 0.1);
  const ok = async (method: string, path: string, body?: object) => {
    const answer = await service.operator(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const confirmed = async (id: string) => (await ok('GET', `/zones/${id}`)).confirmedOverlaps;
  const apart = squareAround(world.latitude + 1, world.longitude);
  const over = await ok('POST', '/zones', { name: 'Over', area, confirmOverlap: true });
  assert.deepEqual(over.confirmedOverlaps, [world.zoneId]);
  assert.deepEqual(await confirmed(world.zoneId), [over.id]);
  const [entry] = await ok('GET', '/audit?action=zone-overlap.confirm');
  assert.equal(entry.target, `zone:${over.id}`);
  assert.deepEqual(entry.after, {
    name: 'Over',
    nameAr: null,
    other: { id: world.zoneId, name: 'M', nameAr: 'وسط' },
  });

  // Of an overlap from before answers were stored, without another change.
  await service.deps.db.rows({ text: 'delete from zone_overlaps' });
  assert.deepEqual(await confirmed(over.id), []);
  const kept = await ok('PATCH', `/zones/${over.id}`, { confirmOverlap: true });
  assert.deepEqual([kept.confirmedOverlaps, kept.version], [[world.zoneId], over.version]);

  // Together, and none without the word.
  const body = { zones: [{ name: 'Third', area }] };
  assert.equal((await service.operator('POST', '/zones/changes', body)).status, 409);
  const preview = await ok('POST', '/zones/changes?preview=true', { ...body, confirmOverlap: true });
  assert.equal(preview.zones[0].confirmedOverlaps.length, 2);
  assert.deepEqual(await confirmed(over.id), [world.zoneId], 'a preview stores nothing');
  const { zones } = await ok('POST', '/zones/changes', { ...body, confirmOverlap: true });
  assert.deepEqual(zones[0].confirmedOverlaps, [world.zoneId, over.id].sort());

  // Apart and back again is another overlap, which is asked about again; a removed zone takes its answers along.
  await ok('PATCH', `/zones/${over.id}`, { area: apart });
  assert.equal((await service.operator('PATCH', `/zones/${over.id}`, { area })).status, 409);
  await ok('DELETE', `/zones/${zones[0].id}`);
  assert.deepEqual(await confirmed(over.id), [world.zoneId]);
});

test('areas overlap when they have more in common than a border that rounding has moved', () => {
  const ring = (...corners: [number, number][]) => ({
    type: 'Polygon' as const,
    coordinates: [[...corners, corners[0]!]],
  });
  const base = ring([46, 24], [46.1, 24], [46.1, 24.1], [46, 24.1]);
  const CASES: [name: string, other: typeof base, overlaps: boolean][] = [
    ['itself', base, true],
    ['within', ring([46.02, 24.02], [46.03, 24.02], [46.03, 24.03]), true],
    [
      'a square metre',
      ring([46.09999, 24.05], [46.11, 24.05], [46.11, 24.05001], [46.09999, 24.05001]),
      true,
    ],
    ['a strip of a metre', ring([46.09999, 24], [46.2, 24], [46.2, 24.1], [46.09999, 24.1]), true],
    ['a cross', ring([46.04, 23.9], [46.06, 23.9], [46.06, 24.2], [46.04, 24.2]), true],
    ['a border', ring([46.1, 24], [46.2, 24], [46.2, 24.1], [46.1, 24.1]), false],
    ['half a border', ring([46.1, 24.05], [46.2, 24.05], [46.2, 24.2], [46.1, 24.2]), false],
    [
      'a corner of the border that was rounded',
      ring([46.1, 24], [46.2, 24], [46.1, 24.1], [46.099999, 24.05]),
      false,
    ],
    ['a corner', ring([46.1, 24.1], [46.2, 24.1], [46.2, 24.2], [46.1, 24.2]), false],
    ['apart', ring([47, 24], [47.1, 24], [47.1, 24.1]), false],
    [
      'around it, without it',
      ring(
        [45.9, 23.9],
        [46.2, 23.9],
        [46.2, 24],
        [46, 24],
        [46, 24.1],
        [46.2, 24.1],
        [46.2, 24.2],
        [45.9, 24.2],
      ),
      false,
    ],
  ];
  for (const [name, other, overlaps] of CASES) {
    assert.equal(doOverlap(base, other), overlaps, name);
    assert.equal(doOverlap(other, base), overlaps, name);
  }
});
