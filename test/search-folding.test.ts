import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldedText } from '../src/base/text.ts';
import { guessPhone } from '../src/contacts/rules.ts';
import { searchTermsOf } from '../src/dispatch/search-rules.ts';
import { createWorld } from './fixtures.ts';
import { startTestService, type TestService } from './harness.ts';

/** Stored and typed texts are folded alike. */

/** One name each, as different people and telephones write it. */
const SPELLINGS: string[][] = [
  ['عبد الله القحطاني', 'عبدالله القحطانى', 'عَبْدُ اللَّه القحطاني', 'عبد  الله القحطانی', 'عبدﷲ القحطاني'],
  ['علي كريم', 'علی کریم', 'ﻋﻠﻲ ﻛﺮﻳﻢ', 'على كريم', 'عـلـي كـريـم'],
  ['أحمد سامي', 'احمد سامي', 'أحمد سامي', 'أحمد\u200f سامي', 'أحمد سامى'],
  ['فاطمة الزهراء', 'فاطمه الزهرا', 'فاطمۃ الزهراء', 'فاطمة الزهراء'],
  ['مؤمن رائد', 'مومن رايد', 'مؤمن رائد'],
  ['أبو بكر الصديق', 'ابوبكر الصديق'],
  ['شقة ٤٥٦ هند', 'شقة 456 هند', 'شقة ۴۵۶ هند', 'شقه ４５６ هند'],
  ['José Álvarez', 'Jose Alvarez', 'JOSÉ ÁLVAREZ'],
  ['Noura Al-Qahtani', 'noura al qahtani', 'Noura Alqahtani', 'NOURA AL–QAHTANI'],
  ["Siobhan O'Brien", 'Siobhan O’Brien', 'siobhan obrien'],
];

const keysOf = async (
  service: TestService,
  path: string,
  of: (item: never) => string[],
): Promise<string[]> => {
  const answer = await service.operator('GET', path);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.flatMap(of);
};
const found = (service: TestService, kind: string, q: string): Promise<string[]> =>
  keysOf(service, `/search?limit=20&q=${encodeURIComponent(q)}`, (group: never) => {
    const { kind: itemKind, items } = group as { kind: string; items: { id: string }[] };
    return itemKind === kind ? items.map(({ id }) => id) : [];
  });

test('program and database fold every letter alike, and again to the same', async (t) => {
  const service = await startTestService(t);
  const letters: string[] = [];
  for (const [from, to] of [
    [0x20, 0x52f],
    [0x600, 0x6ff],
    [0x1e00, 0x1eff],
    [0x200b, 0x2069],
    [0xfb50, 0xfdfb],
    [0xfe70, 0xff5e],
  ] as const)
    for (let code = from; code <= to; code++) letters.push(`a${String.fromCharCode(code)}b`);
  const texts = [...letters, ...SPELLINGS.flat(), ' عبد ال رحمن ', 'al abd allah'].filter(
    (text) => !text.includes('\0'),
  );
  const rows = await service.deps.db.rows<{ given: string; folded: string }>({
    text: 'select given, search_fold(given) as folded from unnest($1::text[]) as given',
    values: [texts],
  });
  assert.equal(rows.length, texts.length);
  for (const { given, folded } of rows) {
    assert.equal(foldedText(given), folded, `${given}`);
    assert.equal(foldedText(folded), folded, given);
  }
});

test('customers, teams and partners are found by each spelling of their names', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  for (const [place, spellings] of SPELLINGS.entries()) {
    for (const [number, name] of spellings.entries()) {
      const phone = `+9665099${String(place).padStart(2, '0')}${String(number).padStart(3, '0')}`;
      const made = await world.contact({ phone, name });
      assert.equal(made.status, 200, made.text);
    }
    const team = await service.operator('POST', '/teams', { name: spellings[0], shifts: [] });
    assert.equal(team.status, 201, team.text);
    for (const typed of spellings) {
      const customers = (await found(service, 'customer', typed)).filter((id) => id !== world.contactId);
      assert.equal(customers.length, spellings.length, typed);
      assert.deepEqual(await found(service, 'team', typed), [team.body.data.id], typed);
      const listed = await keysOf(service, `/teams?search=${encodeURIComponent(typed)}`, ({ id }) => [id]);
      assert.deepEqual(listed, [team.body.data.id], typed);
    }
  }
  // A part of a name that may be joined is found apart, too.
  assert.ok((await found(service, 'customer', 'القحطاني')).length >= 5);
  assert.ok((await found(service, 'customer', 'عبد')).length >= 5);
});

test('references are found as they were written, and with the digits of each script', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  for (const [date, reference] of [
    ['2026-12-01', 'طلب-٩٨٧٦٥'],
    ['2026-12-02', 'طلب-98761'],
    ['2026-12-03', 'Order-۹۸۷۶۲'],
  ] as const) {
    const made = await world.book({ date, externalReference: reference });
    assert.equal(made.status, 200, made.text);
    const digits = reference
      .normalize('NFKC')
      .replaceAll(/\p{Nd}/gu, (digit) => String(digit.charCodeAt(0) & 0xf));
    for (const typed of [reference, digits, digits.slice(2)]) {
      const { bookingId } = made.body.data;
      assert.deepEqual(await found(service, 'booking', typed), [bookingId], typed);
      const path = `/bookings?search=${encodeURIComponent(typed)}`;
      assert.deepEqual(await keysOf(service, path, ({ bookingId: id }) => [id]), [bookingId], typed);
    }
  }
});

test('phones are found and guessed with invisible marks, full widths and tel:', () => {
  for (const typed of [
    '\u202a+966 50 123 4567\u202c',
    'tel:+966501234567',
    'TEL: 0501234567',
    '\u200e٠٥٠١٢٣٤٥٦٧',
    '０５０１２３４５６７',
    '050\u00ad123\u200b4567',
  ]) {
    assert.equal(searchTermsOf(typed).phone?.whole, '+966501234567', typed);
    assert.equal(guessPhone(typed), '+966501234567', typed);
  }
});

test('bookings and customers are found by the short address, with blanks, dashes and other digits', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const customer = await world.contact({ phone: '+966559870001', shortAddress: 'rrrd2929' });
  assert.equal(customer.status, 200, customer.text);
  const { id: contactId, addressId } = customer.body.data;
  const made = await world.book({ contactId, addressId });
  const others = await world.book({ date: '2026-12-01' });
  assert.deepEqual([made.status, others.status], [200, 200]);
  for (const typed of [
    'RRRD2929',
    'rrrd 2929',
    'RRRD-2929',
    'RRRD–٢٩٢٩',
    'ＲＲＲＤ۲۹۲۹',
    '\u2066RRRD2929\u2069',
  ]) {
    const { bookingId } = made.body.data;
    assert.deepEqual(await found(service, 'customer', typed), [contactId], typed);
    assert.deepEqual(await found(service, 'booking', typed), [bookingId], typed);
    const path = `/bookings?search=${encodeURIComponent(typed)}`;
    assert.deepEqual(await keysOf(service, path, ({ bookingId: id }) => [id]), [bookingId], typed);
  }
  assert.deepEqual(await found(service, 'customer', 'RRRD2928'), []);
});
