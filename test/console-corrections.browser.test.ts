import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settles, withoutChromium } from './browser.ts';
import { chooseAct, inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { booked, data } from './fee-fixtures.ts';
import { createWorld } from './fixtures.ts';

/** A sold booking is corrected, and a new address gets its place, in the office. */

test('a sold booking is corrected from its page and from the board', { skip: withoutChromium }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service);
  const scene = { service, world };
  const id = await booked(scene, { notes: 'Ring', accessCode: '1' });
  const read = async () => data(await service.operator('GET', `/bookings/${id}`));
  const { phone, name } = data(await service.operator('GET', `/contacts/${world.contactId}`));
  const near = { latitude: String(world.latitude + 0.01), longitude: String(world.longitude) };
  const { addressId } = data(await world.contact({ phone, name, ...near, districtName: 'Al Malqa' }));

  const tab = await openTab(console, 'en');
  const { page, open } = tab;
  await open(`/bookings/${id}`);
  await chooseAct(page, 'Edit');
  const dialog = page.getByRole('dialog', { name: 'Correct the booking' });
  await dialog.getByLabel('Notes').fill('Bring a ladder');
  await dialog.getByLabel('Access code').fill('4412');
  await dialog.getByText('Correct door or place').click();
  await dialog.getByLabel('Unit').fill('12');
  await dialog.getByLabel('Location').fill('46.7, 24.701');
  await dialog.getByRole('button', { name: 'Yes, exchange them' }).click();
  await dialog.locator('.map-pin').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Bring a ladder').first().waitFor();
  const after = await read();
  assert.deepEqual(
    [after.notes, after.address.unit, after.address.latitude, after.address.longitude],
    ['Bring a ladder', '12', '24.701', '46.7'],
  );

  // From the board: another address of the customer.
  await open(`/board?date=${after.date.slice(0, 10)}&q=${after.trackingReference}`);
  await page
    .locator('.visit', { hasText: /SA-|Noura/ })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog.getByLabel('Address', { exact: true }).selectOption(addressId);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await read()).address.id, addressId);

  for (const language of LANGUAGES) {
    const seen = await openTab(console, language);
    await seen.open(`/bookings/${id}`);
    await chooseAct(seen.page, language === 'en' ? 'Edit' : 'تعديل');
    await seen.page.getByRole('dialog').locator('summary').click();
    await seen.page.locator('.map path').first().waitFor();
    await inspect(seen, `correct-booking-${language}`);
  }
});

test('a new address has its place from a pin, without map tiles', { skip: withoutChromium }, async (t) => {
  const console = await startConsole(t);
  await createWorld(console.service);
  for (const language of LANGUAGES) {
    const tab = await openTab(console, language);
    const { page, open } = tab;
    await open('/bookings/new?customer=new');
    const location = page.locator('input[dir="ltr"][aria-required="true"]').nth(1);
    await page.locator('.map path').first().waitFor();
    await page.locator('.map').click({ position: { x: 120, y: 120 } });
    await page.locator('.map-pin').waitFor();
    const clicked = await location.inputValue();
    assert.match(clicked, /^\d+\.\d+, \d+\.\d+$/);
    // By keyboard: the map is moved with the arrows, the button puts the pin.
    await page.locator('.map').focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('.map + p button').press('Enter');
    assert.notEqual(await location.inputValue(), clicked);
    await location.fill('RRRD2929');
    await page.getByRole('button', { name: /RRRD2929/ }).click();
    await page.locator('[role="status"] .fault').first().waitFor();
    await location.fill('25.2, 55.9');
    await page.locator('[role="status"] .fault').first().waitFor();
    await inspect(tab, `new-booking-place-${language}`);
  }
});

test("a customer's last address comes first, and is chosen", { skip: withoutChromium }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service);
  await booked({ service, world }, { timeslot: { startAt: '10:00', endAt: '12:00' } });
  const { phone, name } = data(await service.operator('GET', `/contacts/${world.contactId}`));
  const near = { latitude: String(world.latitude + 0.01), longitude: String(world.longitude) };
  const { addressId } = data(await world.contact({ phone, name, ...near, districtName: 'Al Malqa' }));
  const { page, open } = await openTab(console, 'en');
  const chosen = async () => {
    await open(`/bookings/new?contactId=${world.contactId}`);
    return page.locator('label', { has: page.locator('input[type=radio]:checked') }).first();
  };
  const first = async () => page.locator('label', { has: page.locator('input[type=radio]') }).first();
  await (await chosen()).waitFor();
  assert.doesNotMatch(await (await first()).innerText(), /Al Malqa/);
  const later = { timeslot: { startAt: '14:00', endAt: '16:00' }, addressId };
  await booked({ service, world }, later);
  const last = await chosen();
  await settles(async () => (await last.innerText()).includes('Al Malqa'), true);
  assert.match(await (await first()).innerText(), /Al Malqa/);
});
