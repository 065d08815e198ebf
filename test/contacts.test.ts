import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { alsoOnServer, createEmptyDatabase, onServer, startTestService } from './harness.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('find or create a contact (4.1)', alsoOnServer, async (t) => {
  const service = await startTestService(t);
  const { key, partnerId } = await createWorld(service);
  const other = await createWorld(service);
  const post = (body: unknown, as = key) => service.v1(as, 'POST', '/partners/contacts', body);
  const noura = { phone: '+966501234567', name: 'Noura' };

  await t.test('creates, then finds without renaming', async () => {
    const created = await post({ ...noura, name: '  Noura  ' });
    assert.equal(created.status, 200);
    assert.deepEqual(Object.keys(created.body), ['success', 'data']);
    const { id, ...rest } = created.body.data;
    assert.match(id, UUID);
    assert.deepEqual(rest, { name: 'Noura', phone: '+966501234567', addressId: null, isNewContact: true });
    const found = await post({ phone: '+9660501234567', name: 'Somebody else' });
    assert.deepEqual(found.body.data, { ...created.body.data, isNewContact: false });
    const stored = await service.deps.db.first<{ utm_source: string; name: string }>({
      text: 'select c.utm_source, p.name from contacts c join partners p on p.id = c.partner_id where c.id = $1 and p.id = $2',
      values: [id, partnerId],
    });
    assert.equal(stored?.utm_source, stored?.name);
  });

  await t.test('a contact belongs to one partner', async () => {
    const mine = await post(noura);
    const theirs = await post(noura, other.key);
    assert.equal(theirs.body.data.isNewContact, true);
    assert.notEqual(theirs.body.data.id, mine.body.data.id);
    const read = await service.v1(other.key, 'GET', `/partners/contacts/${mine.body.data.id}`);
    assert.equal(read.status, 404);
    assert.equal(read.body.error.code, 'RESOURCE_NOT_FOUND');
  });

  await t.test('only Saudi numbers in international format', async () => {
    for (const phone of ['+966501234567', '+9660501234567', '+96600501234567', '+966112345678']) {
      const { status, body } = await post({ phone, name: 'N' });
      assert.equal(status, 200, phone);
      const again = await post({ phone: body.data.phone, name: 'N' });
      assert.deepEqual(
        [again.body.data.id, again.body.data.phone],
        [body.data.id, body.data.phone],
        'what was answered, sent again, is the same contact',
      );
    }
    assert.equal((await post({ phone: '+96600501234567', name: 'N' })).body.data.phone, '+966501234567');
    for (const phone of [
      '0501234567',
      '966501234567',
      '00966501234567',
      '+966 50 123 4567',
      '+966-501234567',
      '+96650',
      '+9665012345678901',
      // As long as a Saudi number, but not assigned.
      '+966601234567',
      '+966051234567',
      '+971501234567',
      '+966501234567;ext=5',
      '+966٥٠١٢٣٤٥٦٧',
      '+966abcdefghi',
      '',
      501234567,
      null,
    ]) {
      const { status, body } = await post({ phone, name: 'N' });
      assert.equal(status, 400, String(phone));
      assert.deepEqual(body.error.details.message, ['phone must be a valid phone number']);
    }
  });

  await t.test("every error at once, in the contract's wordings", async () => {
    const { status, body } = await post({
      phone: 1,
      latitude: 24.7,
      cityName: 'x'.repeat(201),
      utmSource: 'me',
      x: 1,
    });
    assert.equal(status, 400);
    assert.equal(body.error.code, 'VALIDATION_ERROR');
    assert.equal(body.error.details.statusCode, 400);
    assert.equal(body.error.details.error, 'Bad Request');
    assert.deepEqual(body.error.details.message.sort(), [
      'cityName must be shorter than or equal to 200 characters',
      'latitude must be a string',
      'name should not be empty',
      'phone must be a valid phone number',
      'property utmSource should not exist',
      'property x should not exist',
    ]);
  });

  await t.test('names are 1 to 200 code points after trimming', async () => {
    const message = async (name: unknown) => (await post({ ...noura, name })).body.error.details.message;
    // Spaces, no-break and ideographic spaces, zero width, joiners, direction marks, soft hyphen, word joiner, byte
    // order mark, Hangul and Mongolian fillers, variation selectors, tags, the blank of Braille.
    for (const invisible of [
      '   ',
      '\u00a0\u3000',
      '\u200b\u200c\u200d',
      '\u200e\u200f\u202e\u2066\u061c',
      '\u00ad',
      '\u2060\u2063',
      '\ufeff',
      '\u115f\u1160\u3164\uffa0',
      '\u180e\u17b4',
      '\ufe0f\u{e0100}',
      '\u{e0020}',
      '\u2800',
      '\u0001\u001f\u0085',
      '\u200b'.repeat(300),
    ])
      assert.deepEqual(await message(invisible), ['name should not be empty'], encodeURI(invisible));
    assert.equal((await post({ phone: '+966501110003', name: 'ن\u200cو' })).status, 200, 'a joiner inside');
    assert.deepEqual(await message(''), ['name should not be empty']);
    assert.deepEqual(await message(9), ['name must be a string']);
    assert.deepEqual(await message('x'.repeat(201)), [
      'name must be shorter than or equal to 200 characters',
    ]);
    const broom = '🧹';
    assert.equal(
      (await post({ phone: '+966501110001', name: ` ${broom.repeat(200)} ` })).body.data.name,
      broom.repeat(200),
    );
    assert.equal((await post({ phone: '+966501110002', name: broom.repeat(201) })).status, 400);
  });

  await t.test('addresses are matched by coordinates, else by texts', async () => {
    const phone = '+966502220001';
    const at = async (fields: object) => {
      const answer = await post({ phone, name: 'N', ...fields });
      assert.equal(answer.status, 200, answer.text);
      // So that the next one is younger.
      service.clock.advance(1_000);
      return answer.body.data.addressId;
    };
    const first = await at({ latitude: '24.7136', longitude: '46.6753' });
    assert.match(first, UUID);
    assert.equal(await at({ latitude: '24.71360', longitude: '+46.6753000' }), first);
    assert.equal(await at({ latitude: '24.7136004', longitude: '46.6753' }), first, 'equal to 6 decimals');
    assert.notEqual(await at({ latitude: '24.713601', longitude: '46.6753' }), first);
    const texts = await at({ cityName: 'Riyadh', districtName: ' Al Olaya ' });
    assert.notEqual(texts, first);
    assert.equal(await at({ cityName: ' RIYADH', districtName: 'al olaya', streetName: '  ' }), texts);
    assert.notEqual(await at({ cityName: 'Riyadh' }), texts);
    assert.equal(await at({}), null);
    assert.equal(await at({ latitude: '24.7136' }), null, 'a lone coordinate is ignored');
    assert.equal(await at({ longitude: 'nonsense' }), null, 'altogether');
    assert.equal(await at({ latitude: '1', cityName: 'Riyadh', districtName: 'Al Olaya' }), texts);

    // A match fills in empty texts, and changes nothing else; contradicting texts are another address.
    const point = { latitude: '24.7136', longitude: '46.6753' };
    assert.equal(await at({ ...point, cityName: 'Riyadh' }), first);
    assert.equal(await at({ ...point, cityName: ' RIYADH ', streetName: 'King Fahd' }), first);
    const jeddah = await at({ ...point, cityName: 'Jeddah', streetName: 'King Fahd' });
    assert.notEqual(jeddah, first);
    assert.equal(await at({ ...point, cityName: 'Jeddah' }), jeddah);
    assert.equal(await at(point), first);
    const { id } = (await post({ phone, name: 'N' })).body.data;
    const read = await service.v1(key, 'GET', `/partners/contacts/${id}`);
    assert.equal(read.status, 200);
    assert.deepEqual(Object.keys(read.body.data), [
      'id',
      'name',
      'phone',
      'language',
      'messagesStopped',
      'addresses',
      'createdAt',
    ]);
    assert.equal(read.body.data.createdAt, '2026-11-22T08:00:00+03:00');
    const matched = read.body.data.addresses.find((address: { id: string }) => address.id === first);
    assert.deepEqual(matched, {
      id: first,
      latitude: '24.7136',
      longitude: '46.6753',
      cityName: 'Riyadh',
      districtName: null,
      streetName: 'King Fahd',
      shortAddress: null,
      buildingNumber: null,
      unit: null,
      floor: null,
      postalCode: null,
      directions: null,
    });
    assert.equal(read.body.data.addresses.length, 5);
  });

  await t.test('building and unit tell addresses apart; what else finds the door is filled in', async () => {
    const phone = '+966502220002';
    const at = async (fields: object) => {
      const answer = await post({ phone, name: 'N', latitude: '24.7', longitude: '46.6', ...fields });
      assert.equal(answer.status, 200, answer.text);
      service.clock.advance(1_000);
      return answer.body.data.addressId;
    };
    const flat5 = await at({ buildingNumber: '2929', unit: '5', shortAddress: 'rrrd2929' });
    const flat7 = await at({ buildingNumber: '2929', unit: '7' });
    assert.notEqual(flat5, flat7);
    assert.notEqual(await at({ buildingNumber: '2931', unit: '5' }), flat5);
    assert.notEqual(await at({ shortAddress: 'RRRD2930', unit: '5' }), flat5);
    const more = { floor: '2', postalCode: ' 12214 ', directions: 'Blue gate', shortAddress: ' RRRD2929 ' };
    assert.equal(await at({ unit: ' 5 ', ...more }), flat5);
    assert.equal(await at({ unit: '5', floor: '3', directions: 'Red gate' }), flat5, 'floors do not count');
    const onlyShort = { latitude: undefined, longitude: undefined, shortAddress: 'ABCD1234' };
    const short = await at(onlyShort);
    assert.equal(await at({ ...onlyShort, shortAddress: 'abcd1234', floor: '1' }), short);
    assert.notEqual(await at({ ...onlyShort, shortAddress: 'ABCD1235' }), short);
    const { id } = (await post({ phone, name: 'N' })).body.data;
    const { addresses } = (await service.v1(key, 'GET', `/partners/contacts/${id}`)).body.data;
    assert.deepEqual(
      addresses.find((address: { id: string }) => address.id === flat5),
      {
        id: flat5,
        latitude: '24.7',
        longitude: '46.6',
        cityName: null,
        districtName: null,
        streetName: null,
        shortAddress: 'RRRD2929',
        buildingNumber: '2929',
        unit: '5',
        floor: '2',
        postalCode: '12214',
        directions: 'Blue gate',
      },
    );
    assert.equal(addresses.length, 5);
  });

  await t.test('the forms of short address, postal code and the other texts', async () => {
    const faults = async (fields: object) =>
      (await post({ ...noura, ...fields })).body.error?.details.message ?? [];
    for (const shortAddress of ['RRR2929', 'RRRD292', 'RRRD 2929', '2929RRRD', 'رررد2929'])
      assert.deepEqual(await faults({ shortAddress }), [
        'shortAddress must be four letters and four digits, such as RRRD2929',
      ]);
    const meant = async (shortAddress: string) =>
      (await post({ ...noura, shortAddress })).body.error?.details.hints;
    for (const shortAddress of ['RRRD 2929', 'rrrd-2929', 'RRRD٢٩٢٩', 'RRRD ۲۹۲۹', 'RRRD\u200e2929'])
      assert.deepEqual(await meant(shortAddress), ['shortAddress: did you mean RRRD2929?'], shortAddress);
    assert.equal(await meant('RRR2929'), undefined);
    for (const postalCode of ['1221', '12214-1234', '١٢٢١٤'])
      assert.deepEqual(await faults({ postalCode }), ['postalCode must be five digits']);
    assert.deepEqual(await faults({ shortAddress: ' ', postalCode: '', unit: ' ' }), []);
    const long = {
      buildingNumber: 'x'.repeat(21),
      unit: 'x'.repeat(21),
      floor: 5,
      directions: 'x'.repeat(501),
    };
    assert.deepEqual(await faults(long), [
      'buildingNumber must be shorter than or equal to 20 characters',
      'unit must be shorter than or equal to 20 characters',
      'floor must be a string',
      'directions must be shorter than or equal to 500 characters',
    ]);
    const broom = '🧹';
    const longest = {
      latitude: '24.123456',
      longitude: '46.123456',
      ...Object.fromEntries(
        ['cityName', 'districtName', 'streetName'].map((field) => [
          field,
          Array.from({ length: 200 }, () => String.fromCodePoint(0x1f300 + randomInt(700))).join(''),
        ]),
      ),
      buildingNumber: broom.repeat(20),
      unit: broom.repeat(20),
      directions: broom.repeat(500),
    };
    assert.deepEqual(await faults(longest), [], 'the index holds the longest texts');
  });

  await t.test('coordinates are decimal strings in range', async () => {
    const faults = async (latitude: unknown, longitude: unknown) =>
      (await post({ ...noura, latitude, longitude })).body.error?.details.message ?? [];
    assert.deepEqual(await faults('90', '-180'), []);
    assert.deepEqual(await faults('90.000001', '180.1'), [
      'latitude must be a latitude string',
      'longitude must be a longitude string',
    ]);
    for (const text of ['', ' 24', '24,7', '0x18', '2e1', 'NaN', '24.7.1', '--1', '1'.repeat(50)]) {
      assert.deepEqual(await faults(text, '46'), ['latitude must be a latitude string'], text);
    }
    assert.deepEqual(await faults(24, '46'), ['latitude must be a string']);
  });

  await t.test('simultaneous calls for several doors at one point create one address each', async () => {
    const point = { phone: '+966503330002', name: 'N', latitude: '24.5', longitude: '46.5' };
    const doors = ['flat 5', 'Flat 7', 'flat 9'];
    const streetOf = (nth: number) => (nth % 2 === 0 ? doors[nth % 3]! : doors[nth % 3]!.toUpperCase());
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, nth) => post({ ...point, streetName: streetOf(nth) })),
    );
    const idOf = new Map(answers.map(({ body }, nth) => [nth % 3, body.data.addressId]));
    assert.equal(new Set(idOf.values()).size, 3);
    answers.forEach(({ body }, nth) => {
      assert.equal(body.data.addressId, idOf.get(nth % 3));
    });
    const { id } = answers[0]!.body.data;
    const { addresses } = (await service.v1(key, 'GET', `/partners/contacts/${id}`)).body.data;
    assert.equal(addresses.length, 3);
    for (const { id: addressId, streetName } of addresses)
      assert.equal(
        idOf.get(doors.findIndex((door) => door.toLowerCase() === streetName.toLowerCase())),
        addressId,
      );
  });

  await t.test('simultaneous calls for one customer create one contact and one address', async () => {
    const body = { phone: '+966503330001', name: 'N', latitude: '24.5', longitude: '46.5' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(body)));
    assert.equal(new Set(answers.map((answer) => answer.body.data.id)).size, 1);
    assert.equal(new Set(answers.map((answer) => answer.body.data.addressId)).size, 1);
    assert.equal(answers.filter((answer) => answer.body.data.isNewContact).length, 1);
  });
});

const DOOR = ['cityName', 'streetName', 'shortAddress', 'buildingNumber', 'unit'] as const;
const FIELDS = [...DOOR, 'floor'] as const;
type Texts = { [Field in (typeof FIELDS)[number]]?: string };
type Known = Texts & { id: string; point: string | null };
const said = (text: string | null | undefined): string => (text ?? '').trim().toLowerCase();

const stored = (field: string, text: string | undefined): string | null =>
  (field === 'shortAddress' ? text?.toUpperCase() : text)?.trim() || null;

/** Which of the known addresses, oldest first, the decision says that a request means. */
function meant(known: readonly Known[], point: string | null, texts: Texts): Known | undefined {
  return known.find((address) =>
    point === null
      ? DOOR.every((field) => said(address[field]) === said(texts[field]))
      : address.point === point &&
        DOOR.every(
          (field) =>
            said(address[field]) === '' ||
            said(texts[field]) === '' ||
            said(address[field]) === said(texts[field]),
        ),
  );
}

test('addresses match a model, for any requests in any order', async (t) => {
  const service = await startTestService(t);
  const { key } = await createWorld(service);
  const pick = <T>(values: readonly T[]): T => values[randomInt(values.length)]!;
  const spelt = (text: string) => pick([text, text.toUpperCase(), ` ${text} `, text.toLowerCase()]);
  for (let round = 0; round < 4; round++) {
    const known: Known[] = [];
    const asked: { body: object; id: string }[] = [];
    const steps: object[] = [];
    const post = async (body: object) => {
      // So that one of them is the older.
      service.clock.advance(1_000);
      const answer = await service.v1(key, 'POST', '/partners/contacts', body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data;
    };
    const phone = `+96650444000${round}`;
    const { id: contactId } = await post({ phone, name: 'N' });
    for (let step = 0; step < 40; step++) {
      const point = pick([null, '24.7', '24.7', '24.8']);
      const texts: Texts = {};
      for (const [field, values] of [
        ['cityName', ['', 'Riyadh', 'École']],
        ['streetName', ['', 'King Fahd']],
        ['shortAddress', ['', 'RRRD2929']],
        ['buildingNumber', ['', '12', '12a']],
        ['unit', ['', '5', '7']],
        ['floor', ['', '1', '2']],
      ] as const) {
        const value = pick([undefined, ...values]);
        if (value !== undefined) texts[field] = spelt(value);
      }
      const place = point === null ? {} : { latitude: spelt(point).trim(), longitude: '46.6' };
      const body = { phone, name: 'N', ...place, ...texts };
      steps.push(body);
      const isEmpty = point === null && FIELDS.every((field) => said(texts[field]) === '');
      const found = meant(known, point, texts);
      const { addressId } = await post(body);
      const context = JSON.stringify(steps, null, 1);
      if (isEmpty) assert.equal(addressId, null, context);
      else if (found === undefined) {
        assert.ok(!known.some(({ id }) => id === addressId), context);
        known.push({ id: addressId, point, ...texts });
      } else {
        assert.equal(addressId, found.id, context);
        for (const field of FIELDS) if (said(found[field]) === '') found[field] = texts[field]!;
      }
      if (point !== null) asked.push({ body, id: addressId });
    }
    // Existing addresses keep their ids.
    for (const { body, id } of asked) assert.equal((await post(body)).addressId, id, JSON.stringify(steps));
    const { addresses } = (await service.v1(key, 'GET', `/partners/contacts/${contactId}`)).body.data;
    assert.deepEqual(
      addresses.map(({ id, latitude, ...texts }: Record<string, string | null>) => [
        id,
        latitude,
        ...FIELDS.map((field) => texts[field]),
      ]),
      known.map(({ id, point, ...texts }) => [
        id,
        point,
        ...FIELDS.map((field) => stored(field, texts[field])),
      ]),
      JSON.stringify(steps),
    );
  }
});

test(
  'case is ignored in every locale of the database',
  onServer('makes databases with other locales'),
  async (t) => {
    const databaseUrl = await createEmptyDatabase(t, "lc_collate 'C' lc_ctype 'C'");
    const service = await startTestService(t, { databaseUrl });
    const { key } = await createWorld(service);
    const at = async (cityName: string, streetName: string, point: object = {}) => {
      const body = { phone: '+966502220001', name: 'N', cityName, streetName, ...point };
      const { status, body: response, text } = await service.v1(key, 'POST', '/partners/contacts', body);
      assert.equal(status, 200, text);
      return response.data.addressId;
    };
    await at('Riyadh', 'King Fahd');
    const first = await at('Riyadh', "Rue de l'école");
    assert.equal(await at('RIYADH', "RUE DE L'ÉCOLE"), first);
    assert.notEqual(await at('Riyadh', "Rue de l'ecole"), first);
    const point = { latitude: '24.7', longitude: '46.7' };
    const door = await at('Riyadh', "12 rue de l'école", point);
    assert.equal(await at('Riyadh', "12 RUE DE L'ÉCOLE", point), door);
    assert.notEqual(await at('Riyadh', "12 rue de l'ecole", point), door);

    assert.equal((await service.operator('POST', '/teams', { name: 'ÉQUIPE' })).status, 201);
    const search = encodeURIComponent('équipe');
    assert.equal((await service.operator('GET', `/teams?search=${search}`)).body.data.length, 1);
  },
);

test('read a contact (4.14)', async (t) => {
  const service = await startTestService(t);
  const { key, contactId } = await createWorld(service);
  assert.equal(
    (await service.v1(key, 'GET', `/partners/contacts/${contactId.toUpperCase()}`)).body.data.id,
    contactId,
  );
  const missing = await service.v1(key, 'GET', '/partners/contacts/5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10');
  assert.equal(missing.status, 404);
  for (const id of ['nonsense', '5f0c6a6e-3c1b-1b5e-9a53-0d5a2f1c7b10', 'x'.repeat(200)]) {
    const { status, body } = await service.v1(key, 'GET', `/partners/contacts/${id}`);
    assert.equal(status, 400);
    assert.deepEqual(body.error.details.message, ['contactId must be a UUID']);
  }
});
