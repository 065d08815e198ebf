import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PORTAL_TEXTS } from '../console/portal/texts.ts';
import { TEXTS } from '../console/texts.ts';
import { settles, withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, settled, startConsole } from './console-browser.ts';
import { createPartnerKey, createWorld } from './fixtures.ts';
import { makeLink, signIn } from './portal-fixtures.ts';

/** A partner's customers in the portal, in a real browser. */

test("a customer's page in the portal", { skip: withoutChromium }, async (t) => {
  const browser = await startConsole(t);
  const { service } = browser;
  const world = await createWorld(service);
  const link = async (readOnly: boolean): Promise<string> =>
    signIn(service, { link: (await makeLink(service, world.partnerId, { readOnly })).token });

  for (const language of LANGUAGES) {
    const p = (key: keyof typeof PORTAL_TEXTS) => PORTAL_TEXTS[key][language];
    const text = (key: keyof typeof TEXTS) => TEXTS[key][language];
    const phone = language === 'en' ? '+966501234567' : '+966501234568';
    const at = { latitude: String(world.latitude), longitude: String(world.longitude) };
    const door = { ...at, buildingNumber: '2929', unit: '12', floor: '3', directions: 'Blue gate' };
    const { id, addressId } = (await world.contact({ phone, ...door })).body.data;
    const slot = {
      startAt: language === 'en' ? '08:00' : '14:00',
      endAt: language === 'en' ? '10:00' : '16:00',
    };
    const booked = await world.book({ contactId: id, addressId, timeslot: slot });
    assert.equal(booked.status, 200, booked.text);
    const { bookingId, trackingReference } = booked.body.data;

    await t.test(`found by phone, corrected and copied, in ${language}`, async () => {
      const tab = await openTab(browser, language, { token: await link(false), base: '/portal' });
      const { page } = tab;
      await tab.open('/customers');
      await page.getByLabel(text('field.phone')).fill(phone.replace('+966', '0'));
      await page.getByRole('link', { name: 'Noura Al-Qahtani' }).waitFor();
      await inspect(tab, `portal-customers-${language}`);
      await page.getByRole('link', { name: 'Noura Al-Qahtani' }).click();
      await page.getByRole('link', { name: trackingReference }).waitFor();
      await page.locator(`a[href="tel:${phone}"]`).waitFor();
      await page.getByText('2929').waitFor();
      await inspect(tab, `portal-customer-${language}`);

      await page.getByRole('button', { name: text('address.correctName') }).click();
      await page.getByRole('dialog').getByRole('textbox').fill('Noora');
      await page.getByRole('button', { name: text('act.save') }).click();
      await page.getByRole('heading', { name: 'Noora', level: 1 }).waitFor();
      await page.getByRole('button', { name: text('act.edit') }).click();
      await page.getByRole('dialog').getByLabel(text('address.unitField')).fill('14');
      await page.getByRole('button', { name: text('act.save') }).click();
      await page.getByText(text('address.unit').replace('{unit}', '\u206814\u2069')).waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: text('address.copy') }).click();
      assert.equal((await download).suggestedFilename(), 'customer.json');

      await tab.open(`/bookings/${bookingId}`);
      await page.getByRole('link', { name: p('customers.stored') }).click();
      await page.getByRole('heading', { name: 'Noora', level: 1 }).waitFor();
    });

    await t.test(`without buttons for a session that may only read, in ${language}`, async () => {
      const { page, open } = await openTab(browser, language, { token: await link(true), base: '/portal' });
      await open(`/customers/${id}`);
      await page.getByRole('link', { name: trackingReference }).waitFor();
      assert.deepEqual(await page.locator('main .actions button').allInnerTexts(), [text('address.copy')]);
      assert.equal(await page.getByRole('button', { name: text('act.edit') }).count(), 0);
    });

    await t.test(`erased once no booking is open, in ${language}`, async () => {
      const tab = await openTab(browser, language, { token: await link(false), base: '/portal' });
      const { page } = tab;
      await tab.open(`/customers/${id}`);
      await page.getByRole('button', { name: text('erase.act') }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').fill('She asked for it');
      await dialog.getByRole('button', { name: text('erase.submit') }).click();
      const open = dialog.getByRole('link', { name: trackingReference });
      await open.waitFor();
      assert.equal(await open.getAttribute('href'), `/portal/bookings/${bookingId}`);
      await inspect(tab, `portal-customer-erase-${language}`);
      const reason = { nameEn: `Moved ${language}`, nameAr: `انتقل ${language}` };
      const reasonId = (await service.operator('POST', '/cancellation-reasons', reason)).body.data.id;
      const canceled = await service.operator('POST', `/bookings/${bookingId}/cancel`, { reasonId });
      assert.equal(canceled.status, 200, canceled.text);
      await dialog.getByRole('button', { name: text('erase.submit') }).click();
      // Back to the search, where her number finds nobody any more.
      await page.getByRole('heading', { name: p('nav.customers'), level: 1 }).waitFor();
      await page.getByLabel(text('field.phone')).fill(phone);
      await page.getByText(p('customers.none')).waitFor();
      await inspect(tab, `portal-customer-erased-${language}`);
    });
  }

  await t.test('a session without the permission has neither the page nor the links', async () => {
    const { key } = await createPartnerKey(service, world.partnerId, ['partner_bookings_read']);
    const { page, open } = await openTab(browser, 'en', {
      token: await signIn(service, { key }),
      base: '/portal',
    });
    await open('/bookings');
    await page.getByRole('link', { name: /^SA-/ }).first().click();
    await settled(page);
    await page.getByRole('heading', { name: TEXTS['hooks.events'].en }).waitFor();
    await settles(() => page.getByRole('link', { name: PORTAL_TEXTS['customers.stored'].en }).count(), 0);
    await settles(() => page.getByRole('link', { name: PORTAL_TEXTS['nav.customers'].en }).count(), 0);
  });
});
