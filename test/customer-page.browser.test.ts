import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { DAY } from '../src/base/clock.ts';
import { reportLateness } from '../src/bookings/late-queries.ts';
import { booked, patched } from './appointment-fixtures.ts';
import { launchChromium, openPage, withoutChromium } from './browser.ts';
import { inspect as inspectConsole, openTab, SIDEWAYS, startConsole, violations } from './console-browser.ts';
import { withPolicy } from './fee-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { startTestService } from './harness.ts';
import { cancel, linkOf } from './payment-flows.ts';
import { until } from './until.ts';

/** The customer's page in a browser of a telephone. TEST_SCREENSHOTS names a folder to put pictures of it. */

const LANGUAGES = {
  en: {
    locale: 'en-GB',
    booked: 'Your visit is booked',
    onTheWay: 'The team is on the way',
    gone: 'This page is not available',
  },
  ar: {
    locale: 'ar-SA',
    booked: 'تم حجز موعدك',
    onTheWay: 'الفريق في الطريق إليك',
    gone: 'هذه الصفحة غير متاحة',
  },
} as const;

const PARTNER = {
  trackingPage: true,
  pageColour: '#ffd400',
  contactTextEn: 'Sunday to Thursday, 9 to 5',
  contactTextAr: 'من الأحد إلى الخميس، من 9 إلى 5',
  contactNumber: '+966112345678',
} as const;

const heading = (page: Page): Promise<string> => page.locator('h1').innerText();

async function inspect(page: Page, name: string): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const folder = process.env.TEST_SCREENSHOTS;
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `customer-${name}-${width}.png`), fullPage: true });
    }
    assert.equal(await page.evaluate(SIDEWAYS), false, `${name} at ${width}`);
  }
}

test('a customer follows the visit, with a script and without', { skip: withoutChromium }, async (t) => {
  const browser = await launchChromium(t);
  for (const [language, texts] of Object.entries(LANGUAGES)) {
    await t.test(language, async (t) => {
      const service = await startTestService(t);
      const world = await createWorld(service, {
        partner: PARTNER,
        service: { name: 'Deep cleaning, 2 hours', nameAr: 'تنظيف عميق، ساعتان' },
        team: { name: 'Team Noor' },
      });
      const booking = await booked(world);
      const url: string = booking.trackingUrl;
      const plain = await openPage(browser, { locale: texts.locale, javaScriptEnabled: false });
      await plain.page.goto(url);
      assert.equal(await heading(plain.page), texts.booked);
      const { page, faults, requests } = await openPage(browser, { locale: texts.locale, bypassCSP: false });
      await page.goto(url);
      await inspect(page, `booked-${language}`);

      service.clock.set(Date.parse('2026-11-23T09:40:00+03:00'));
      await patched(service, booking, { status: 'Confirmed' });
      await patched(service, booking, { status: 'In The Way' });
      // By itself; without a script when it is opened again.
      await until(
        async () => (await heading(page)) === texts.onTheWay,
        () => `no ${texts.onTheWay}`,
      );
      assert.match(await page.locator('.since').innerText(), /09:40/);
      await inspect(page, `on-the-way-${language}`);
      assert.equal(await heading(plain.page), texts.booked);
      await plain.page.reload();
      assert.equal(await heading(plain.page), texts.onTheWay);
      await inspect(plain.page, `no-script-${language}`);

      await page.context().setOffline(true);
      await page.locator('#offline').waitFor({ state: 'visible' });
      await page.context().setOffline(false);
      await page.locator('#offline').waitFor({ state: 'hidden' });
      service.clock.advance(9 * DAY);
      await until(
        async () => (await heading(page)) === texts.gone,
        () => `no ${texts.gone}`,
      );
      await inspect(page, `gone-${language}`);
      assert.ok(
        requests.every((request) => request.startsWith(url)),
        'nothing from elsewhere',
      );
      assert.deepEqual(
        faults.filter((fault) => !fault.startsWith('Failed to load resource')),
        [],
      );
    });
  }
});

test('every state is readable for everyone', { skip: withoutChromium }, async (t) => {
  const browser = await launchChromium(t);
  const service = await startTestService(t);
  const world = await createWorld(service, {
    partner: { ...PARTNER, paymentResponsibility: 'PLATFORM', customerMessages: ['BOOKED'] },
    service: { name: 'Deep cleaning, 2 hours', nameAr: 'تنظيف عميق، ساعتان' },
    teams: 3,
  });
  await withPolicy({ service, world });
  const waiting = await booked(world);
  await linkOf({ service, world }, waiting.bookingId);
  const canceled = await booked(world, '14:00');
  await cancel({ service, world }, canceled.bookingId);
  const moved = await booked(world, '16:00');
  await service.v1(world.key, 'PATCH', `/partners/bookings/${moved.bookingId}`, { date: '2026-11-25' });
  await service.operator('PATCH', `/partners/${world.partnerId}`, { paymentResponsibility: 'PARTNER' });
  const late = await booked(world, '12:00', { date: '2026-11-26' });
  await reportLateness(service.deps.db, late.bookingId, 40, service.clock.now());
  for (const [language, { locale }] of Object.entries(LANGUAGES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      // The checker is no script of the page.
      const { page } = await openPage(browser, { locale, colorScheme, bypassCSP: true });
      for (const [name, { trackingUrl }] of Object.entries({ waiting, canceled, moved, late })) {
        await page.goto(trackingUrl);
        await inspect(page, `${name}-${language}-${colorScheme}`);
        assert.deepEqual(await violations(page), [], `${name} ${language} ${colorScheme}`);
      }
      await page.goto(`${service.url}/t/nonsense`);
      assert.deepEqual(await violations(page), []);
    }
  }
});

test('a customer stops messages on the page, and has them again', { skip: withoutChromium }, async (t) => {
  const browser = await launchChromium(t);
  const service = await startTestService(t);
  const world = await createWorld(service, { partner: { ...PARTNER, customerMessages: ['BOOKED'] } });
  const booking = await booked(world);
  const stopped = async () =>
    (await service.operator('GET', `/contacts/${world.contactId}`)).body.data.messagesStopped;
  service.clock.set(Date.parse('2026-11-23T10:20:00+03:00'));
  const buttons = {
    en: { stop: 'Stop messages', notMe: 'This is not my visit', again: 'Send messages again' },
    ar: { stop: 'أوقف الرسائل', notMe: 'هذا الموعد ليس لي', again: 'أرسل الرسائل من جديد' },
  };
  for (const [language, { locale }] of Object.entries(LANGUAGES))
    for (const javaScriptEnabled of [true, false]) {
      const { stop, notMe, again } = buttons[language as 'en' | 'ar'];
      const { page } = await openPage(browser, { locale, javaScriptEnabled, bypassCSP: false });
      await page.goto(booking.trackingUrl);
      await inspect(page, `unreported-${language}`);
      for (const [choice, reason] of [
        [stop, 'STOP'],
        [notMe, 'NOT_ME'],
      ] as const) {
        await page.getByRole('button', { name: choice }).click();
        await page.getByRole('button', { name: again }).waitFor();
        assert.equal(await stopped(), reason);
        await inspect(page, `${reason}-${language}`);
        await page.getByRole('button', { name: again }).click();
        await page.getByRole('button', { name: stop }).waitFor();
        assert.equal(await stopped(), null);
      }
    }
});

test('the console sets pages and messages, and leads to the page', { skip: withoutChromium }, async (t) => {
  const it = await startConsole(t);
  const { service } = it;
  service.clock.set(Date.parse('2026-11-22T10:00:00+03:00'));
  const world = await createWorld(service);
  for (const language of ['en', 'ar'] as const) {
    const tab = await openTab(it, language);
    const { page } = tab;
    await tab.open(`/partners/${world.partnerId}`);
    const texts = {
      en: {
        edit: 'Edit settings',
        page: 'Customers have a page for each booking',
        colour: 'Colour of the page',
        booked: 'Booked',
        save: 'Save',
      },
      ar: {
        edit: 'تعديل الإعدادات',
        page: 'للعملاء صفحة لكل حجز',
        colour: 'لون الصفحة',
        booked: 'تأكيد الحجز',
        save: 'حفظ',
      },
    }[language];
    await page.getByRole('button', { name: texts.edit }).click();
    await page.getByLabel(texts.page).setChecked(true);
    await page.getByLabel(texts.booked).setChecked(true);
    await page.getByLabel(texts.colour).fill('#0B6B46');
    await inspectConsole(tab, `customers-settings-${language}`);
    await page.getByRole('button', { name: texts.save, exact: true }).click();
    await until(async () => {
      const { data } = (await service.operator('GET', `/partners/${world.partnerId}`)).body;
      return data.trackingPage && data.pageColour === '#0b6b46' && data.customerMessages[0] === 'BOOKED';
    });
    const booking = await booked(world, language === 'en' ? '10:00' : '14:00', { date: '2026-11-24' });
    await until(async () => {
      const { data } = (await service.operator('GET', `/bookings/${booking.bookingId}/messages`)).body;
      return data.messages[0]?.status === 'SENT';
    });
    await tab.open(`/bookings/${booking.bookingId}`);
    await page.locator(`a[href="${booking.trackingUrl}"]`).waitFor();
    await page.getByText(language === 'en' ? 'Message to the customer' : 'رسالة إلى العميل').waitFor();
    await inspectConsole(tab, `customers-booking-${language}`);
    await page.context().close();
  }
});
