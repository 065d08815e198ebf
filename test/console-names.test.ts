import assert from 'node:assert/strict';
import { test } from 'node:test';

// The language of the console is kept in the browser.
Object.defineProperty(globalThis, 'localStorage', { value: { getItem: () => 'en', setItem: () => {} } });
const { fromTo } = await import('../console/format.ts');
const { language, listed, nameById, nameOf } = await import('../console/language.ts');
const { coloursOf } = await import('../console/map/zone-colours.ts');

test('names are in the language of the page, and English where there is no Arabic one', () => {
  const team = { id: 'a', name: 'First', nameAr: 'الأول' };
  const plain = { id: 'b', name: 'Second', nameAr: null };
  const service = { name: 'Alias', nameEn: 'Deep cleaning', nameAr: 'تنظيف عميق' };
  language.value = 'en';
  assert.deepEqual([team, plain, service].map(nameOf), ['First', 'Second', 'Deep cleaning']);
  assert.equal(listed('a', 'b'), 'a, b');
  language.value = 'ar';
  assert.deepEqual([team, plain, service].map(nameOf), ['الأول', 'Second', 'تنظيف عميق']);
  assert.deepEqual(
    [nameById([team, plain], 'a'), nameById([team], 'x'), nameById([team], null)],
    ['الأول', '', ''],
  );
  assert.equal(listed('أ', 'ب'), 'أ، ب');
});

test('ranges of times run in the direction of the language', () => {
  language.value = 'en';
  assert.equal(fromTo('07:00', '13:00'), '07:00–13:00');
  assert.equal(fromTo('1 Dec, 07:00', '2 Dec, 13:00'), '1 Dec, 07:00 – 2 Dec, 13:00');
  language.value = 'ar';
  // Isolated from right to left: the first is at the right.
  assert.equal(fromTo('07:00', '13:00'), '\u206707:00 – 13:00\u2069');
});

test('the colour of a zone stays when others come, go or are sorted otherwise', () => {
  const ids = Array.from({ length: 8 }, (_none, index) => `0198c2a4-5d0e-4c5b-8f5e-6a1d2b3c4d0${index}`);
  const all = coloursOf(ids);
  assert.equal(new Set(all.values()).size, 8, 'while there are enough, each has its own');
  assert.deepEqual([...coloursOf(ids.toReversed())].sort(), [...all].sort(), 'the order of the list is none');
  const newest = '0198c2a4-5d0e-4c5b-8f5e-6a1d2b3c4d99';
  for (let count = 1; count < 8; count++) {
    const some = coloursOf(ids.slice(0, count));
    const more = coloursOf([newest, ...ids.slice(0, count)]);
    for (const [id, colour] of some) assert.equal(more.get(id), colour, 'a newer zone takes no colour away');
  }
  // Ten have eight colours.
  assert.equal(coloursOf([...ids, newest, `${newest.slice(0, -1)}8`]).size, 10);
});
