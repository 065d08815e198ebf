import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { PORTAL_TEXTS } from '../console/portal/texts.ts';
import { TEXTS } from '../console/texts.ts';
import { settles, withoutChromium } from './browser.ts';
import { holdBack, inspect, LANGUAGES, openTab, SIDEWAYS, settled, startConsole } from './console-browser.ts';
import { createWorld } from './fixtures.ts';
import { OPERATOR_TOKEN } from './harness.ts';
import { makeLink, signIn } from './portal-fixtures.ts';
import { until } from './until.ts';

/** Navigation between pages: dates, menus, links and Back. */

const waysBack = (page: Page): Promise<number> => page.evaluate<number>('history.length');
const headingHasFocus = 'document.activeElement === document.querySelector("main h1")';

test('navigation in the console and the portal', { skip: withoutChromium }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const { partnerId, key, book } = await createWorld(service);
  const { body } = await service.operator('GET', '/teams');
  const teamId: string = body.data[0].id;

  await t.test('a typed date: an incomplete one is not applied, and Back takes one step', async () => {
    const { page, open, requests } = await openTab(console, 'en');
    const param = (name: string) => new URL(page.url()).searchParams.get(name);
    await open('/board?date=2026-10-15');
    await page.getByLabel('Date').focus();
    await page.keyboard.type('09');
    await until(async () => param('date') === '2026-09-15');
    await settles(() => page.getByLabel('Date').inputValue(), '2026-09-15');
    await page.goBack();
    await page.locator('p.about').getByText('Thu, 15 Oct 2026').waitFor();

    await open('/board');
    const before = await waysBack(page);
    await page.getByLabel('Date').focus();
    await page.keyboard.type('12252026');
    await page.locator('p.about').getByText('Fri, 25 Dec 2026').waitFor();
    assert.equal((await waysBack(page)) - before, 1);

    await open('/bookings/new?customer=new&date=2026-12-15');
    await page.getByLabel('Date').focus();
    await page.keyboard.type('01');
    await until(async () => param('date') === '2026-01-15');
    await settles(() => page.getByLabel('Date').inputValue(), '2026-01-15');

    await open('/visits?view=all');
    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByLabel('From', { exact: true }).focus();
    await page.keyboard.type('12252026');
    await until(async () => param('fromDate') === '2026-12-25');
    // An incomplete date on blur: the field shows the list's date.
    await page.getByLabel('From', { exact: true }).focus();
    await page.keyboard.press('Backspace');
    await page.getByLabel('Search').focus();
    await settles(() => page.getByLabel('From', { exact: true }).inputValue(), '2026-12-25');
    assert.equal(param('fromDate'), '2026-12-25');
    await page.getByLabel('From', { exact: true }).fill('');
    await until(async () => param('fromDate') === null);
    const asked = requests.filter((url) => /[dD]ate=0/.test(url));
    assert.deepEqual(asked, []);
  });

  await t.test('an invalid date in the address is replaced by today; a year has four digits', async () => {
    const { page, open } = await openTab(console, 'en');
    const inputs = 'input[type=date], input[type=datetime-local]';
    for (const path of [
      '/board?date=abc',
      '/utilisation?from=2026-02-31&to=x',
      '/bookings/new?customer=new&date=122520265-01-01',
      '/away?date=2026-13-45',
      '/away?from=x&to=y',
      `/teams/${teamId}?month=foo`,
    ]) {
      await open(path);
      await settled(page);
      await settles(() => page.locator('.failed').count(), 0, path);
      for (const input of await page.locator(inputs).all()) {
        assert.match((await input.getAttribute('min')) ?? '', /^20/, path);
        assert.match((await input.getAttribute('max')) ?? '', /^2099-12-31/, path);
      }
    }
    await open('/board');
    await page.getByLabel('Date').focus();
    await page.keyboard.type('122520265');
    await page
      .getByText(/^\w+, 25 Dec \d{4}/)
      .first()
      .waitFor();
    await settles(() => page.locator('.failed').count(), 0);
  });

  await t.test('a failed page can be left by every link, also to itself', async () => {
    const { page } = await openTab(console, 'en');
    await page.route('**/operator/board*', (route) => route.fulfill({ json: { data: {} } }));
    await page.goto(`${service.url}/console/board?date=2026-10-15`);
    await page.locator('main .failed').waitFor();
    await page.unroute('**/operator/board*');
    await page.getByRole('link', { name: 'Board', exact: true }).click();
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor();
    await settled(page);
    await settles(() => page.locator('main .failed').count(), 0);
  });

  for (const base of ['/console', '/portal'] as const) {
    await t.test(`the menu of ${base} closes, and the heading of the new page has the focus`, async () => {
      const tab = await openTab(console, 'en', { base, token: base === '/console' ? OPERATOR_TOKEN : null });
      const { page, open } = tab;
      await page.setViewportSize({ width: 390, height: 800 });
      if (base === '/console') await open('');
      else await open(`#link=${(await makeLink(service, partnerId)).token}`);
      await page.locator('main h1').waitFor();
      assert.equal(await page.evaluate(headingHasFocus), false);
      await page.getByRole('button', { name: 'Menu' }).click();
      const name = base === '/console' ? 'Board' : 'Bookings';
      await page.locator('#menu').getByRole('link', { name }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await page.locator('#menu').waitFor({ state: 'hidden' });
      await until(async () => page.evaluate<boolean>(headingHasFocus));
      await page.setViewportSize({ width: 1280, height: 800 });
      if (base === '/portal') return;
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find anything' }).fill('zones');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Zones', level: 1 }).waitFor();
      await until(async () => page.evaluate<boolean>(headingHasFocus));
    });
  }

  await t.test('a link in the address of an open tab signs in and leaves the address', async () => {
    const portal = await openTab(console, 'en', { token: null, base: '/portal' });
    for (const url of [`${service.url}/portal`, `${service.url}/console`]) {
      const { page } = portal;
      await page.goto(url);
      await page.locator('input[type=password]').waitFor();
      const fragment = url.endsWith('portal')
        ? `link=${(await makeLink(service, partnerId)).token}`
        : `token=${OPERATOR_TOKEN}`;
      await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
      await page.locator('input[type=password]').waitFor({ state: 'detached' });
      await settled(page);
      assert.equal(page.url(), url);
    }
  });

  await t.test('entering a token again restores its name, and ignores older responses', async () => {
    const { page, open } = await openTab(console, 'en');
    const asked = page.waitForRequest('**/operator/me');
    let isFirst = true;
    await page.route('**/operator/me', async (route) => {
      // The first is never answered.
      if (!isFirst) await route.continue();
      isFirst = false;
    });
    await open('/visits?view=all');
    const first = await asked;
    const given = page.waitForEvent('requestfailed', (request) => request === first);
    await page.evaluate(`location.hash = 'token=${OPERATOR_TOKEN}'`);
    await given;
    await page.locator('.account-button').getByText('OPERATOR_TOKEN').waitFor();
  });

  await t.test('texts without spaces wrap where needed, and words do not', async () => {
    const long = 'Wolfeschlegelsteinhausenberger'.repeat(3);
    await service.operator('PATCH', `/partners/${partnerId}`, { name: long });
    await book({ externalReference: 'R'.repeat(68) });
    await service.deps.db.rows({ text: 'update contacts set name = $1', values: [long] });
    // A refusal that names all events.
    await service.v1(key, 'POST', '/partners/webhooks/subscriptions', {
      url: 'https://hooks.example.sa',
      events: ['booking.created', 'none'],
    });
    for (const [base, paths] of [
      ['/console', ['/visits?view=all', '/partners', `/partners/${partnerId}`, '/catalogue', '/teams']],
      ['/portal', ['', '/requests', '/bookings']],
    ] as const) {
      const token = base === '/console' ? OPERATOR_TOKEN : await signIn(service, { key });
      for (const language of LANGUAGES) {
        const { page, open } = await openTab(console, language, { base, token });
        for (const path of paths) {
          await open(path);
          for (const width of [1440, 1024, 720, 390]) {
            await page.setViewportSize({ width, height: 900 });
            assert.equal(await page.evaluate(SIDEWAYS), false, `${base}${path} ${language} at ${width}`);
          }
        }
      }
    }
  });

  await t.test('a test that holds back a request that never comes fails with a message', async () => {
    const { page, open } = await openTab(console, 'en');
    const never = await holdBack(page, '**/never', 'POST');
    await open('/visits?view=all');
    await assert.rejects(never.sent(1), /The page has sent no POST to \*\*\/never\./);
  });

  await t.test('on narrow screens filters are behind a button with their count', async () => {
    const { page, open } = await openTab(console, 'en', { width: 390 });
    const fold = page.getByRole('button', { name: /^Filters/ });
    const status = page.getByLabel('Status');
    await open('/bookings?status=pending&sortBy=date&page=1');
    assert.match(await fold.innerText(), /^Filters\s+1$/);
    await settles(() => status.isVisible(), false);
    await page.getByRole('link', { name: 'Clear filters' }).waitFor();
    await fold.press('Enter');
    await settles(() => fold.getAttribute('aria-expanded'), 'true');
    await page.getByLabel('Booking', { exact: true }).selectOption('canceled');
    await page.getByLabel('From', { exact: true }).fill('2026-12-01');
    await fold.getByText('2', { exact: true }).waitFor();
    await fold.click();
    await status.waitFor({ state: 'hidden' });
    // A few filters need no button, nor do some on wide screens.
    await open('/partners');
    await status.waitFor();
    await settles(() => fold.count(), 0);
    await page.setViewportSize({ width: 1280, height: 900 });
    await open('/audit');
    await page.getByLabel('Who').waitFor();
    await settles(() => fold.isVisible(), false);
  });

  await t.test(
    'many filters are behind a button beside the search, those in use are removed with a press',
    async () => {
      for (const language of LANGUAGES) {
        const tab = await openTab(console, language);
        const { page, open } = tab;
        const say = (key: keyof typeof TEXTS) => TEXTS[key][language];
        const fold = page.getByRole('button', { name: new RegExp(`^${say('filter.title')}`) });
        const chips = page.locator('.fold > button:not([aria-expanded])');
        await open('/visits?view=all');
        await page.getByRole('searchbox').waitFor();
        await settles(() => page.getByLabel(say('field.status'), { exact: true }).isVisible(), false);
        await fold.click();
        await page.getByLabel(say('field.status'), { exact: true }).selectOption('Confirmed');
        await page.getByLabel(say('filter.from'), { exact: true }).fill('2026-12-01');
        await fold.getByText('2', { exact: true }).waitFor();
        await fold.click();
        await settles(() => chips.count(), 2);
        await inspect(tab, `visits-filtered-${language}`);
        await chips.filter({ hasText: say('work.confirmed') }).click();
        await settles(async () => new URL(page.url()).searchParams.get('appointmentStatus'), null);
        await chips.click();
        await settles(async () => new URL(page.url()).search, '?view=all');
        await settles(() => chips.count(), 0);
      }
    },
  );

  await t.test('links lead somewhere', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/bookings?page=2');
    await settles(() => page.getByRole('link', { name: 'Clear filters' }).count(), 0);
    await open('/utilisation?from=2026-12-10&to=2026-12-01');
    const address = await page.locator('a[rel=next]').getAttribute('href');
    assert.equal(address, '/console/utilisation?from=2026-12-13&to=2026-12-19');
    const made = await service.operator('POST', '/tokens', { name: 'A viewer', role: 'viewer' });
    const viewer = await openTab(console, 'en', { token: made.body.data.token });
    await viewer.open('/tokens');
    await viewer.page.locator('.failed').waitFor();
    await settles(() => viewer.page.getByRole('button', { name: 'Try again' }).count(), 0);
  });

  await t.test('in Arabic, prefixes of secrets and lists have the right direction', () => {
    assert.match(PORTAL_TEXTS['sign.how'].ar, /\u2066whsec_\u2069/);
    assert.match(TEXTS['new.locationHint'].ar, /\u206624\.7136,\u00a046\.6753\u2069/);
  });
});
