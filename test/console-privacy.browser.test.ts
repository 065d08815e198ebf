import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { TEXTS } from '../console/texts.ts';
import { booked } from './appointment-fixtures.ts';
import { withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { createWorld, randomPhone } from './fixtures.ts';
import type { Answer } from './harness.ts';
import { until } from './until.ts';

/** The register of privacy requests in the console, in both languages. */

function succeeded({ status, body, text }: Answer, wanted = 200) {
  assert.equal(status, wanted, text);
  return body.data;
}

test('requests are entered, copied, refused, and an erasure is completed by an admin', {
  skip: withoutChromium,
}, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service, { teams: 2, partner: { name: 'Home Deals' } });
  const tokenOf = async (role: string): Promise<string> =>
    succeeded(await service.operator('POST', '/tokens', { name: role, role }), 201).token;
  const [viewer, dispatcher] = [await tokenOf('viewer'), await tokenOf('dispatcher')];
  const reason = { nameEn: 'Moved', nameAr: 'انتقل' };
  const { id: reasonId } = succeeded(await service.operator('POST', '/cancellation-reasons', reason), 201);
  const old = { kind: 'CORRECTION', phone: randomPhone(), receivedAt: '2026-10-01T09:00:00+03:00' };
  succeeded(await service.operator('POST', '/privacy-requests', old), 201);

  for (const language of LANGUAGES) {
    const say = (key: keyof typeof TEXTS): string => TEXTS[key][language];
    await t.test(`in ${language}`, async () => {
      const phone = randomPhone();
      const contact = succeeded(await world.contact({ phone, name: 'Haifa' }));
      const visit = await booked(world, '10:00', { contactId: contact.id, addressId: contact.addressId });
      const tab = await openTab(console, language, { colorScheme: language === 'ar' ? 'dark' : 'light' });
      const { page, open } = tab;
      const dialog = page.getByRole('dialog');
      const button = (key: keyof typeof TEXTS) => page.getByRole('button', { name: say(key), exact: true });

      await open('/');
      await inspect(tab, `today-privacy-${language}`);
      await page.getByRole('button', { name: say('strip.privacyRequestsDue') }).click();
      await page.locator('.trouble-now a').last().click();
      await page.getByRole('cell', { name: say('privacy.overdue') }).waitFor();
      await inspect(tab, `privacy-due-${language}`);

      const enter = async (kind: string, number: string) => {
        await open('/privacy-requests');
        await button('privacy.enter').click();
        // Nothing is chosen beforehand, least of all erasing.
        assert.equal(await dialog.getByLabel(say('privacy.kind')).inputValue(), '');
        await dialog.getByRole('button', { name: say('privacy.enter') }).click();
        await dialog.locator('select[aria-invalid=true]').waitFor();
        await dialog.getByLabel(say('privacy.kind')).selectOption(kind);
        await dialog.getByLabel(say('field.phone')).fill(number);
        await dialog.getByRole('button', { name: say('privacy.enter') }).click();
      };
      await enter('ACCESS', 'nobody');
      await dialog.locator('.fault').waitFor();
      await inspect(tab, `privacy-enter-${language}`);
      await enter('ACCESS', `0${phone.slice(4)}`);
      await page.getByRole('heading', { name: say('privacy.ACCESS') }).waitFor();
      await page.getByText(phone).waitFor();
      await page.getByRole('link', { name: 'Home Deals' }).waitFor();
      await inspect(tab, `privacy-access-${language}`);
      const saved = page.waitForEvent('download');
      await button('privacy.copy').click();
      const copy = JSON.parse(readFileSync(await (await saved).path(), 'utf8'));
      assert.equal(copy.data.customers[0].contact.id, contact.id);
      await button('privacy.complete').click();
      await dialog.getByRole('button', { name: say('privacy.complete') }).click();
      await page.getByText(say('privacy.completed')).waitFor();
      await page.getByText(say('privacy.forgotten')).waitFor();

      await enter('CORRECTION', phone);
      await button('privacy.refuse').click();
      await dialog.getByLabel(say('privacy.refuseReason')).fill('It is right');
      await dialog.getByRole('button', { name: say('privacy.refuse') }).click();
      await page.getByText(say('privacy.refused')).waitFor();
      await page.getByText('It is right').waitFor();
      await inspect(tab, `privacy-refused-${language}`);

      await enter('ERASURE', phone);
      await page.getByRole('heading', { name: say('privacy.ERASURE'), exact: true }).waitFor();
      const path = new URL(page.url()).pathname.replace('/console', '');
      const erase = async () => {
        await button('privacy.erase').click();
        await dialog.getByRole('button', { name: say('privacy.erase') }).click();
      };
      await erase();
      await page.getByText(say('conflict.OPEN_BOOKINGS')).waitFor();
      // Named by its reference, as soon as that is known.
      await page.locator(`main .plain-list a[href$="/bookings/${visit.bookingId}"]`).waitFor();
      await inspect(tab, `privacy-in-the-way-${language}`);
      const theirs = await openTab(console, language, { token: dispatcher });
      await theirs.open(path);
      await theirs.page.getByText(say('privacy.needsAdmin')).waitFor();
      assert.equal(await theirs.page.getByRole('button', { name: say('privacy.erase') }).count(), 0);
      succeeded(await service.operator('POST', `/bookings/${visit.bookingId}/cancel`, { reasonId }));
      await erase();
      await page.getByText(say('privacy.completed')).waitFor();
      await page.getByRole('heading', { name: say('privacy.erasedContacts') }).waitFor();
      await inspect(tab, `privacy-erased-${language}`);

      const seen = await openTab(console, language, { token: viewer });
      await seen.open('/privacy-requests?status=DONE');
      await seen.page
        .getByRole('cell', { name: say('privacy.ERASURE') })
        .first()
        .waitFor();
      assert.equal(await seen.page.locator('main td a').count(), 0);
      assert.equal(await seen.page.getByRole('button', { name: say('privacy.enter') }).count(), 0);
      await open('/privacy-requests');
      await page.getByLabel(say('field.phone')).fill(phone);
      await until(async () => (await page.locator('main tbody tr').count()) === 3);
      await inspect(tab, `privacy-found-${language}`);
      await open('/audit');
      await page
        .getByText(`privacy-request:${path.split('/').at(-1)}`)
        .first()
        .waitFor();
    });
  }
});
