import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { TEXTS } from '../console/texts.ts';
import { withoutChromium } from './browser.ts';
import { type Console, inspect, LANGUAGES, type Language, openTab, startConsole } from './console-browser.ts';
import { booked, data, reasonOf } from './fee-fixtures.ts';
import { createPartnerKey, createWorld } from './fixtures.ts';
import { signIn } from './portal-fixtures.ts';
import { PARTY } from './statement-fixtures.ts';

/** Statements in the console and the portal: settings, draft, issue, files, paid, check. */

const WAY = ['In The Way', 'In The location', 'In Progress', 'Finished'];

/** A partner with a visit that was done in November. */
async function partnerOf({ service }: Console, language: Language) {
  const partner = { name: `Homes ${language}` };
  const world = await createWorld(service, { partner });
  const bookingId = await booked({ service, world }, { externalReference: `ORDER-${language}` });
  const { appointmentId } = data(await service.operator('GET', `/bookings/${bookingId}`));
  for (const status of WAY)
    data(await service.operator('PATCH', `/appointments/${appointmentId}`, { status }));
  const { key } = await createPartnerKey(service, world.partnerId, ['partner_statements_read']);
  const { key: without } = await createPartnerKey(service, world.partnerId, ['partner_bookings_read']);
  return { ...world, bookingId, name: partner.name, reading: key, without };
}

/** Saves the file of a click. */
async function saved(page: Page, click: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

test('statements from the draft to paid', { skip: withoutChromium }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const partners = { en: await partnerOf(console, 'en'), ar: await partnerOf(console, 'ar') };
  const dispatcher = data(await service.operator('POST', '/tokens', { name: 'Huda', role: 'dispatcher' }));
  service.clock.set(Date.parse('2026-12-02T12:00:00+03:00'));

  for (const language of LANGUAGES) {
    const { partnerId, name, bookingId, reading, without } = partners[language];
    const number = language === 'en' ? 'ST-2026-000001' : 'ST-2026-000002';
    const say = (key: keyof typeof TEXTS) => TEXTS[key][language];

    await t.test(`the console in ${language}`, async () => {
      const tab = await openTab(console, language);
      const { page, open } = tab;
      const dialog = page.getByRole('dialog');
      const press = (key: keyof typeof TEXTS, within: Page | typeof dialog = page) =>
        within.getByRole('button', { name: say(key), exact: true }).click();
      const fill = (key: keyof typeof TEXTS, text: string) => dialog.getByLabel(say(key)).first().fill(text);
      const fillParty = async () => {
        await fill('party.legalNameEn', PARTY.legalNameEn);
        await fill('party.legalNameAr', PARTY.legalNameAr);
        await fill('party.registrationNumber', '٧٠٠١٢٣٤٥٦٧');
        const { additionalNumber: _, ...address } = PARTY.address;
        for (const [field, text] of Object.entries(address))
          await fill(`party.address.${field as 'city'}`, text);
      };
      const makeDraft = async () => {
        await open(`/statements?partnerId=${partnerId}`);
        await press('statements.make');
        await press('act.add', dialog);
      };

      await makeDraft();
      await dialog.getByText(say('statements.noAccount')).waitFor();

      await open('/statements/settings');
      await press('act.edit');
      await fillParty();
      await fill('party.vatNumber', '123');
      await fill('statements.rates', '2020-07-01 15\n2020-07-01 16');
      await press('act.save', dialog);
      await dialog.locator('.fault').first().waitFor();
      await inspect(tab, `statement-settings-form-${language}`);
      await fill('party.vatNumber', PARTY.vatNumber);
      await press('act.save', dialog);
      await dialog.getByText(say('fault.twice')).waitFor();
      await fill('statements.rates', '2018-01-01 5\n2020-07-01 15');
      await press('act.save', dialog);
      await dialog.waitFor({ state: 'detached' });
      await inspect(tab, `statement-settings-${language}`);

      await open(`/partners/${partnerId}/statements`);
      await page.getByText(say('statements.noAccount')).waitFor();
      await press('act.edit');
      await fillParty();
      await fill('statements.openedOn', '2026-11-01');
      await press('act.save', dialog);
      await dialog.waitFor({ state: 'detached' });
      await page.getByText(PARTY[language === 'ar' ? 'legalNameAr' : 'legalNameEn']).waitFor();
      await inspect(tab, `statement-account-${language}`);

      await makeDraft();
      await page.getByRole('heading', { name: say('statements.DRAFT') }).waitFor();
      await page.getByRole('table', { name: say('statements.lines') }).waitFor();
      const draft = page.url();
      await inspect(tab, `statement-draft-${language}`);
      await press('statements.again');
      // That of the account may still be there.
      await page.getByText(say('act.saved')).last().waitFor();
      if (language === 'en') {
        const theirs = await openTab(console, language, { token: dispatcher.token });
        await theirs.page.goto(draft);
        await theirs.page.getByRole('button', { name: say('statements.again') }).waitFor();
        assert.equal(await theirs.page.getByRole('button', { name: say('statements.issue') }).count(), 0);
      }
      await press('statements.issue');
      await dialog.getByText(name).waitFor();
      await press('statements.issue', dialog);
      await page.getByRole('heading', { name: number }).waitFor();

      const link = (key: keyof typeof TEXTS) => page.getByRole('link', { name: say(key) });
      const csv = await saved(page, () => link('statements.lines.csv').click());
      assert.equal(csv.name, `${number}.csv`);
      assert.match(csv.text, new RegExp(`ORDER-${language},`));
      const json = await saved(page, () => link('statements.invoices.json').click());
      assert.equal(JSON.parse(json.text).documents[0].seller.registrationNumber, PARTY.registrationNumber);
      const [printed] = await Promise.all([
        page.waitForEvent('popup'),
        link('statements.print.html').click(),
      ]);
      await printed.getByRole('heading', { name: number }).waitFor();

      await press('statements.pay');
      await fill('payment.reference', 'SARIE 7');
      await press('act.save', dialog);
      await page.getByText('SARIE 7').waitFor();
      await press('statements.unpay');
      await press('statements.unpay', dialog);
      await page.getByText(say('statements.unpaid')).waitFor();
      await inspect(tab, `statement-issued-${language}`);
      await open('/statements?status=ISSUED&month=2026-11');
      await page.getByText(number).waitFor();
      await inspect(tab, `statements-${language}`);

      // Of a month that is issued already.
      await makeDraft();
      assert.match(
        await dialog.getByRole('alert').innerText(),
        language === 'en' ? /up to .*Nov/ : /حتى .*نوفمبر/,
      );

      const reasonId = await reasonOf({ service });
      data(await service.operator('POST', `/bookings/${bookingId}/cancel`, { reasonId }));
      await open('/statements/check');
      await page.getByText(say('statements.sound')).waitFor();
      await page.getByText(say('statements.next')).first().waitFor();
      await inspect(tab, `statements-check-${language}`);
      await page.locator(`a[href$="${bookingId}"]`).click();
      const lines = page.getByRole('table', { name: say('nav.statements') });
      await lines.getByText(number).waitFor();
      await inspect(tab, `booking-statement-lines-${language}`);
      await open(`/audit?action=statement.issue`);
      await page.getByRole('link', { name: number }).waitFor();
    });

    await t.test(`the portal in ${language}`, async () => {
      const token = await signIn(service, { key: reading });
      const tab = await openTab(console, language, { base: '/portal', token });
      const { page, open } = tab;
      await open('/');
      await page.getByRole('link', { name: say('nav.statements') }).click();
      await page.getByText(number).waitFor();
      await inspect(tab, `portal-statements-${language}`);
      await page.locator('main table a').click();
      await page.getByRole('heading', { name: number }).waitFor();
      await inspect(tab, `portal-statement-${language}`);
      for (const [key, end, has] of [
        ['statements.lines.csv', 'csv', `ORDER-${language},`],
        ['statements.invoices.json', 'json', '"typeCode":"388"'],
        ['statements.print.html', 'html', '<!doctype html>'],
      ] as const) {
        const file = await saved(page, () => page.getByRole('button', { name: say(key) }).click());
        assert.equal(file.name, `${number}.${end}`);
        assert.ok(file.text.includes(has), end);
      }
      const other = await openTab(console, language, {
        base: '/portal',
        token: await signIn(service, { key: without }),
      });
      await other.open('/');
      await other.page.getByRole('link', { name: TEXTS['nav.bookings'][language] }).waitFor();
      assert.equal(await other.page.getByRole('link', { name: say('nav.statements') }).count(), 0);
    });
  }
});
