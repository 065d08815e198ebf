import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXTS } from '../console/texts.ts';
import { maskedPhone } from '../src/contacts/rules.ts';
import { settles, withoutChromium } from './browser.ts';
import { actsOf, chooseAct, inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';

/** A customer's page and her phone, by role, in a real browser. */

const WORDS = {
  en: {
    show: 'Show',
    name: 'Correct the name',
    copy: 'Copy of the data',
    print: 'Copy of the data to print',
    edit: 'Edit',
    found: 'Found',
    erase: 'Erase',
    forGood: 'Erase for good',
    erased: 'Erased customer',
    close: 'Back',
  },
  ar: {
    show: 'إظهار',
    name: 'تصحيح الاسم',
    copy: 'نسخة من البيانات',
    print: 'نسخة من البيانات للطباعة',
    edit: 'تعديل',
    found: 'النتائج',
    erase: 'محو البيانات',
    forGood: 'محو نهائي',
    erased: 'عميل مُحيت بياناته',
    close: 'رجوع',
  },
};
const PHONE = '+966501234567';
const MASKED = maskedPhone(PHONE);
const DOOR = {
  cityName: 'Riyadh',
  districtName: 'Al Olaya',
  streetName: 'King Fahd Road',
  buildingNumber: '2929',
  unit: '12',
  floor: '3',
  postalCode: '12214',
  shortAddress: 'RRRD2929',
  directions: 'Blue gate beside the pharmacy, second entrance from the mosque, then left after the garden',
};

test("a customer's page by role", { skip: withoutChromium }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service);
  const customer = async (phone: string) => {
    const at = { latitude: String(world.latitude), longitude: String(world.longitude) };
    const { body } = await world.contact({ phone, ...at, ...DOOR });
    return { contactId: body.data.id as string, addressId: body.data.addressId as string };
  };
  const { contactId, addressId } = await customer(PHONE);
  const booked = await world.book({ contactId, addressId, notes: 'Please ring twice' });
  assert.equal(booked.status, 200, booked.text);
  const tokenOf = async (role: string): Promise<string> =>
    (await service.operator('POST', '/tokens', { name: role, role })).body.data.token;
  const viewer = await tokenOf('viewer');
  const dispatcher = await tokenOf('dispatcher');
  const revealed = async (): Promise<number> =>
    (await service.operator('GET', `/audit?action=contact.reveal&target=contact:${contactId}`)).body.meta
      .total;

  for (const language of LANGUAGES) {
    const words = WORDS[language];
    await t.test(`a viewer sees the phone after Show, and changes nothing, in ${language}`, async () => {
      const tab = await openTab(console, language, { token: viewer });
      await tab.open(`/customers/${contactId}`);
      const facts = tab.page.locator('dl.facts');
      await facts.getByText(MASKED).waitFor();
      await inspect(tab, `customer-viewer-${language}`);
      for (const name of [words.name, words.copy, words.edit, words.erase])
        assert.equal(await tab.page.getByText(name, { exact: true }).count(), 0, name);
      assert.equal(await tab.page.locator('a[href^="tel:"]').count(), 0);

      const before = await revealed();
      await facts.getByRole('button', { name: words.show }).click();
      await facts.getByRole('link', { name: PHONE }).waitFor();
      assert.equal(await facts.getByRole('link', { name: PHONE }).getAttribute('href'), `tel:${PHONE}`);
      assert.equal((await revealed()) - before, 1);
      assert.equal(await facts.evaluate((shown) => shown.contains(shown.ownerDocument.activeElement)), true);
    });

    await t.test(`a dispatcher sees it at once, corrects and copies, in ${language}`, async () => {
      const tab = await openTab(console, language, { token: dispatcher });
      const before = await revealed();
      await tab.open(`/customers/${contactId}`);
      await tab.page.locator(`a[href="tel:${PHONE}"]`).waitFor();
      await inspect(tab, `customer-dispatcher-${language}`);
      assert.equal(await tab.page.getByRole('button', { name: words.edit }).count(), 1);
      assert.deepEqual(await actsOf(tab.page), [words.name, words.print, words.copy]);
      const download = tab.page.waitForEvent('download');
      await chooseAct(tab.page, new RegExp(`^${words.copy}$`));
      assert.equal((await download).suggestedFilename(), 'customer.json');
      assert.equal(await revealed(), before);
    });

    await t.test(`the copy to print is in the language of the customer, read in ${language}`, async () => {
      const hers = language === 'en' ? 'ar' : 'en';
      const changed = await service.operator('PATCH', `/contacts/${contactId}`, { language: hers });
      assert.equal(changed.status, 200, changed.text);
      const tab = await openTab(console, language, { token: dispatcher });
      const { page } = tab;
      await tab.open(`/customers/${contactId}`);
      await chooseAct(page, words.print);
      await page.getByRole('heading', { name: TEXTS['customers.messages'][hers], level: 2 }).waitFor();
      assert.equal(await page.evaluate('document.documentElement.lang'), hers);
      for (const text of [PHONE, booked.body.data.trackingReference])
        await page.getByText(text).first().waitFor();
      await page.getByRole('button', { name: TEXTS['sheets.print'][hers] }).waitFor();
      await inspect(tab, `customer-copy-${hers}`);
      await page.emulateMedia({ media: 'print' });
      for (const frame of ['.bar', '.side', '.page .actions'])
        assert.equal(await page.locator(frame).isVisible(), false, frame);
      await page.emulateMedia({ media: 'screen' });
      // Elsewhere the reader's own language is back.
      await page.goBack();
      await page.getByRole('heading', { name: TEXTS['customer.visits'][language], level: 2 }).waitFor();
    });

    await t.test(`where else a viewer sees phones, in ${language}`, async () => {
      const tab = await openTab(console, language, { token: viewer });
      const { page } = tab;
      const shows = async (path: string): Promise<void> => {
        await tab.open(path);
        await page.getByText(MASKED).first().waitFor();
        await settles(() => page.getByText(PHONE).count(), 0, path);
        await page.getByRole('button', { name: words.show }).first().click();
        await page.getByText(PHONE).first().waitFor();
      };
      await shows(`/bookings/${booked.body.data.bookingId}`);
      await inspect(tab, `booking-viewer-${language}`);
      await shows('/visits?view=all&search=0501234567');
      await inspect(tab, `visits-viewer-${language}`);
      await shows(`/sheets?date=${WORLD_DATE}`);
      await inspect(tab, `sheets-viewer-${language}`);
      // The board is searched in the page, by the digits that it has.
      for (const [typed, count] of [
        ['0501234999', 0],
        ['0501234567', 1],
      ] as const) {
        await tab.open(`/board?date=${WORLD_DATE}&q=${typed}`);
        await page.getByText(new RegExp(`^${words.found}: \\W*${count}\\W*$`)).waitFor();
      }
      await page.locator('.visit').first().click();
      await page.getByRole('dialog').getByText(MASKED).waitFor();
      await inspect(tab, `board-viewer-${language}`);
      await page.getByRole('dialog').getByRole('button', { name: words.show }).click();
      await page.getByRole('dialog').locator(`a[href="tel:${PHONE}"]`).waitFor();
    });

    await t.test(`an administrator erases, once no booking is open, in ${language}`, async () => {
      const phone = language === 'en' ? '+966501234571' : '+966501234572';
      const timeslot =
        language === 'en' ? { startAt: '13:00', endAt: '15:00' } : { startAt: '16:00', endAt: '18:00' };
      const other = await customer(phone);
      const { bookingId, trackingReference } = (await world.book({ ...other, timeslot })).body.data;
      const tab = await openTab(console, language);
      const { page } = tab;
      await tab.open(`/customers/${other.contactId}`);
      await chooseAct(page, words.erase);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').fill('Call 0501234571 or 0501234572');
      await dialog.getByRole('button', { name: words.forGood }).click();
      await dialog.locator('.fault').waitFor();
      await dialog.getByRole('textbox').fill('She asked for it');
      await dialog.getByRole('button', { name: words.forGood }).click();
      // Open bookings come first, as links.
      const link = dialog.getByRole('link', { name: trackingReference });
      await link.waitFor();
      assert.equal(await link.getAttribute('href'), `/console/bookings/${bookingId}`);
      await inspect(tab, `customer-erase-${language}`);
      await page.getByRole('button', { name: words.close }).last().click();

      const reason = { nameEn: `Moved ${language}`, nameAr: `انتقل ${language}` };
      const reasonId = (await service.operator('POST', '/cancellation-reasons', reason)).body.data.id;
      const cancel = await service.operator('POST', `/bookings/${bookingId}/cancel`, { reasonId });
      assert.equal(cancel.status, 200, cancel.text);
      await chooseAct(page, words.erase);
      await dialog.getByRole('textbox').fill('She asked for it');
      await dialog.getByRole('button', { name: words.forGood }).click();
      await page.getByRole('heading', { name: words.erased, level: 1 }).waitFor();
      await page.getByRole('link', { name: trackingReference }).waitFor();
      await settles(() => page.locator('.page .actions button, .page .actions .button').count(), 0);
      assert.equal(await page.getByText(phone).count(), 0);
      await inspect(tab, `customer-erased-${language}`);
      // Elsewhere, too, her name is what happened to it.
      for (const path of [`/bookings/${bookingId}`, `/visits?view=all&search=${trackingReference}`]) {
        await tab.open(path);
        await page.getByRole('link', { name: words.erased }).waitFor();
      }
    });
  }
});
