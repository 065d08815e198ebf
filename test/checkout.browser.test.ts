import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { HOUR } from '../src/base/clock.ts';
import { launchChromium, openPage, settles, withoutChromium } from './browser.ts';
import { becomes, book, cancel, linkOf, startPlatform, statusOf } from './payment-flows.ts';

/** A customer with a real browser at a running service: from the link of the message to the end. */

const LANGUAGES = {
  en: {
    locale: 'en-GB',
    direction: 'ltr',
    open: 'Pay for your booking',
    amount: '150.00 SAR',
    decline: 'Decline this try',
    declined: 'The last try was declined.',
    pay: 'Pay 150.00 SAR',
    fail: 'Fail for good',
    paid: 'Paid',
    failed: 'Payment failed',
    expired: 'This link has expired',
    canceled: 'Booking canceled',
    unknown: 'Payment link not found',
  },
  ar: {
    locale: 'ar-SA',
    direction: 'rtl',
    open: 'ادفع قيمة حجزك',
    amount: '150.00 ر.س',
    decline: 'رفض المحاولة',
    declined: 'رُفضت المحاولة الأخيرة.',
    pay: 'ادفع 150.00 ر.س',
    fail: 'فشل نهائي',
    paid: 'تم الدفع',
    failed: 'فشل الدفع',
    expired: 'انتهت صلاحية الرابط',
    canceled: 'أُلغي الحجز',
    unknown: 'رابط الدفع غير موجود',
  },
};

const heading = (page: Page): Promise<string> => page.locator('h1').innerText();
const press = async (page: Page, label: string): Promise<void> => {
  await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: label }).click()]);
};

test('from the link to the result, in both languages', { skip: withoutChromium }, async (t) => {
  const browser = await launchChromium(t);
  const it = await startPlatform(t, {}, { teams: 4 });
  for (const [language, texts] of Object.entries(LANGUAGES)) {
    await t.test(language, async () => {
      const { page, faults, requests } = await openPage(browser, { locale: texts.locale });
      const open = async (path: string, status: number, title: string): Promise<void> => {
        const answer = await page.goto(it.service.url + path);
        assert.deepEqual([answer!.status(), await heading(page)], [status, title]);
        await settles(() => page.getByRole('button').count(), status === 200 && title === texts.open ? 3 : 0);
      };

      const paying = await book(it);
      const path = await linkOf(it, paying);
      await open(path, 200, texts.open);
      await settles(() => page.locator('html').getAttribute('lang'), language);
      await settles(() => page.locator('html').getAttribute('dir'), texts.direction);
      assert.ok((await page.locator('dl').innerText()).includes(texts.amount));

      await press(page, texts.decline);
      assert.equal(await heading(page), texts.open);
      assert.ok((await page.getByRole('alert').innerText()).includes(texts.declined));
      assert.deepEqual(await statusOf(it, paying), ['waiting payment', 'PENDING']);

      await press(page, texts.pay);
      assert.equal(await heading(page), texts.paid);
      assert.deepEqual(await statusOf(it, paying), ['in progress', 'PAID']);
      // Reloading the response posts the form again, which must change nothing.
      await page.reload();
      assert.equal(await heading(page), texts.paid);
      await open(path, 200, texts.paid);
      assert.equal(faults.join(), '');

      const failing = await book(it);
      await open(await linkOf(it, failing), 200, texts.open);
      await press(page, texts.fail);
      assert.equal(await heading(page), texts.failed);
      assert.deepEqual(await statusOf(it, failing), ['failed', 'FAILED']);

      const canceled = await book(it);
      const pathOfCanceled = await linkOf(it, canceled);
      await open(pathOfCanceled, 200, texts.open);
      await cancel(it, canceled);
      await press(page, texts.pay); // on the page that was opened before
      assert.equal(await heading(page), texts.canceled);
      await open(pathOfCanceled, 410, texts.canceled);

      const slow = await book(it, { date: '2026-11-27' });
      const pathOfSlow = await linkOf(it, slow);
      await open(pathOfSlow, 200, texts.open);
      it.service.clock.advance(24 * HOUR);
      await press(page, texts.pay);
      assert.equal(await heading(page), texts.expired);
      await becomes(it, slow, ['failed', 'FAILED']);
      await open(pathOfSlow, 410, texts.expired);
      it.service.clock.advance(-24 * HOUR);

      await open('/checkout/nobody-was-ever-sent-this-link', 404, texts.unknown);
      // The other language, by its link.
      const other = language === 'en' ? 'ar' : 'en';
      await page.locator('header a').click();
      assert.equal(await heading(page), LANGUAGES[other].unknown);
      assert.ok(
        requests.every((url) => url.startsWith(it.service.url)),
        'nothing from elsewhere',
      );
    });
  }
});
