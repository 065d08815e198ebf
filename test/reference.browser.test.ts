import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { GUIDES } from '../src/developer-docs/guides.ts';
import { launchChromium, openPage, settles, withoutChromium } from './browser.ts';
import { createWorld } from './fixtures.ts';
import { OPERATOR_TOKEN, startTestService } from './harness.ts';

/** The pages for developers in a real browser. TEST_SCREENSHOTS names a folder to put pictures of them. */
const skip = withoutChromium;

async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_SCREENSHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `reference-${name}.png`) });
}

/** Requests that left the service. Data and blob URLs reach no host. */
const outside = (requests: readonly string[], url: string): string[] =>
  requests.filter((address) => !address.startsWith(`${url}/`) && !/^(?:data|blob):/.test(address));

const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate('document.scrollingElement.scrollWidth > document.scrollingElement.clientWidth');

/** Summaries of the document's operations. */
function summaries(): string[] {
  const { paths } = JSON.parse(readFileSync(new URL('../openapi/partner.json', import.meta.url), 'utf8'));
  return Object.values(paths as Record<string, Record<string, { summary?: string }>>).flatMap((item) =>
    Object.values(item).flatMap(({ summary }) => summary ?? []),
  );
}

test('the reference shows every operation, uses no other host, and can send a request', {
  skip,
}, async (t) => {
  const service = await startTestService(t);
  // With allowed domains: the page's is none of them.
  const { key } = await createWorld(service, { partner: { allowedDomains: ['partner.example'] } });
  const browser = await launchChromium(t);
  const { page, faults, requests } = await openPage(browser, { viewport: { width: 1280, height: 900 } });
  await page.goto(`${service.url}/docs`);
  await page.getByRole('heading', { name: 'Partner Booking Service' }).waitFor();
  await photograph(page, 'top');
  // Sections are drawn when they come into sight; the list beside them has all.
  const closed = page.getByRole('button', { name: /^Open Group/ });
  while ((await closed.count()) > 0) await closed.first().click();
  const listed = await page.getByRole('complementary').allInnerTexts();
  const missing = summaries().filter((summary) => !listed.some((text) => text.includes(summary)));
  assert.deepEqual(missing, []);
  assert.ok(summaries().length >= 15);

  await page.getByRole('link', { name: 'List cancellation reasons' }).first().click();
  await page
    .getByRole('button', { name: /test request.*cancellation-reasons/i })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('region', { name: /^Authentication/ })
    .getByRole('textbox')
    .fill(key);
  const answered = page.waitForResponse(`${service.url}/v1/partners/bookings/cancellation-reasons`);
  await dialog.getByRole('button', { name: /^Send/ }).first().click();
  const answer = await answered;
  assert.equal(answer.status(), 200);
  const sent = await answer.request().allHeaders();
  assert.equal(sent['x-api-key'], key);
  assert.equal(sent.referer, `${service.url}/docs`, 'what the domain check goes by');
  await dialog.getByText('200 OK').first().waitFor();
  await photograph(page, 'try');

  const kept = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  assert.ok(!String(kept).includes(key), 'the key is kept beyond the page');
  assert.deepEqual(outside(requests, service.url), []);
  assert.deepEqual(faults, []);
});

test('a request sent unchanged lists everything, without request id and domain', {
  skip,
}, async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  assert.equal((await world.book()).status, 200);
  const { page } = await openPage(await launchChromium(t), { viewport: { width: 1280, height: 900 } });
  await page.goto(`${service.url}/docs`);
  const closed = page.getByRole('button', { name: /^Open Group/ });
  await page.getByRole('heading', { name: 'Partner Booking Service' }).waitFor();
  while ((await closed.count()) > 0) await closed.first().click();
  await page
    .getByRole('link', { name: /^List bookings/ })
    .first()
    .click();
  await page
    .getByRole('button', { name: /test request.*get \/partners\/bookings\b/i })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('region', { name: /^Authentication/ })
    .getByRole('textbox')
    .fill(world.key);
  const answered = page.waitForResponse((response) => response.url().includes('/v1/partners/bookings'));
  await dialog.getByRole('button', { name: /^Send/ }).first().click();
  const answer = await answered;
  assert.equal(answer.status(), 200);
  const { searchParams } = new URL(answer.url());
  const DEFAULTS = { page: '1', limit: '20', sortBy: 'createdAt', sortOrder: 'DESC' };
  assert.deepEqual({ ...DEFAULTS, ...Object.fromEntries(searchParams) }, DEFAULTS);
  assert.equal((await answer.json()).data.length, 1);
  const sent = await answer.request().allHeaders();
  assert.equal(sent['x-request-id'], undefined);
  assert.equal(sent['x-partner-domain'], undefined);
});

test('webhooks are found by the names of their events', { skip }, async (t) => {
  const { url } = await startTestService(t);
  const { page } = await openPage(await launchChromium(t), { viewport: { width: 1280, height: 900 } });
  await page.goto(`${url}/docs`);
  await page.getByRole('heading', { name: 'Partner Booking Service' }).waitFor();
  await page
    .getByRole('button', { name: /search/i })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('combobox').fill('booking.payment_failed');
  const first = page.getByRole('dialog').getByRole('option').first();
  await first.filter({ hasText: 'booking.payment_failed' }).waitFor();
});

test("the operator's reference uses no other host, and can send a request", {
  skip,
}, async (t) => {
  const service = await startTestService(t, { env: { OPERATOR_PORT: '0' } });
  const { page, faults, requests } = await openPage(await launchChromium(t), {
    viewport: { width: 1280, height: 900 },
  });
  const base = service.operatorUrl!;
  await page.goto(`${base}/operator/docs`);
  await page.getByRole('heading', { name: 'Partner Booking Service: operator' }).waitFor();
  await photograph(page, 'operator');
  await page.getByRole('button', { name: 'Open Group - Pricing' }).click();
  await page
    .getByRole('link', { name: /^List pricing tiers/ })
    .first()
    .click();
  await page
    .getByRole('button', { name: /test request.*get \/pricing-tiers/i })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('region', { name: /^Authentication/ })
    .getByRole('textbox')
    .fill(OPERATOR_TOKEN);
  const answered = page.waitForResponse((response) => response.url().includes('/operator/pricing-tiers'));
  await dialog.getByRole('button', { name: /^Send/ }).first().click();
  assert.equal((await answered).status(), 200);
  assert.deepEqual(outside(requests, base), []);
  assert.deepEqual(faults, []);
});

test('settings that let Scalar fetch its fonts are found', { skip }, async (t) => {
  const { url } = await startTestService(t);
  const { page, requests } = await openPage(await launchChromium(t));
  await page.route(`${url}/docs`, async (route) => {
    const answer = await route.fetch();
    const { 'content-security-policy': _policy, ...headers } = answer.headers();
    const html = (await answer.text()).replace('"withDefaultFonts":false', '"withDefaultFonts":true');
    await route.fulfill({ status: 200, headers, body: html });
  });
  await page.goto(`${url}/docs`);
  await page.getByRole('heading', { name: 'Partner Booking Service' }).waitFor();
  await page.waitForLoadState('networkidle');
  assert.ok(outside(requests, url).length > 0);
});

test('the policy alone blocks other hosts', { skip }, async (t) => {
  const { url } = await startTestService(t);
  const { page, faults, requests } = await openPage(await launchChromium(t));
  await page.goto(`${url}/docs`);
  const refused = await page.evaluate(
    `fetch('https://elsewhere.example/').then(() => 'sent', (error) => error.name)`,
  );
  assert.equal(refused, 'TypeError');
  assert.match(faults.join(), /Content Security Policy/);
  assert.deepEqual(outside(requests, url), []);
});

test('guides are readable in both languages, wide and narrow, light and dark', { skip }, async (t) => {
  const { url } = await startTestService(t);
  const browser = await launchChromium(t);
  for (const { width, colorScheme } of [
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'light' },
    { width: 360, colorScheme: 'dark' },
  ] as const) {
    const { page, faults, requests } = await openPage(browser, {
      viewport: { width, height: 900 },
      colorScheme,
    });
    for (const { name, language } of GUIDES) {
      await page.goto(`${url}/docs/${name}`);
      await photograph(page, `${name.replaceAll('/', '-')}-${width}`);
      const direction = await page.evaluate(`getComputedStyle(document.querySelector('main p')).direction`);
      assert.equal(direction, language === 'ar' ? 'rtl' : 'ltr', name);
      assert.equal(await page.evaluate('document.documentElement.lang'), language);
      assert.equal(await scrollsSideways(page), false, `${name} at ${width}`);
      const current = await page.locator('[aria-current=page]').allInnerTexts();
      assert.ok(current.length <= 1, name);
    }
    assert.deepEqual(outside(requests, url), []);
    assert.deepEqual(faults, []);
  }
});

/** As much of the browser's types as is used there. */
type BoxedElement = {
  textContent: string;
  getBoundingClientRect(): { left: number; right: number; top: number; height: number };
  ownerDocument: {
    defaultView: { innerWidth: number; document: { elementFromPoint(x: number, y: number): unknown } };
  };
};

test('the navigation is in the language of the page, fits every window and leads to the other language', {
  skip,
}, async (t) => {
  const { url } = await startTestService(t);
  const browser = await launchChromium(t);
  for (const width of [390, 1280]) {
    const { page, faults } = await openPage(browser, { viewport: { width, height: 800 } });
    for (const path of ['/docs', '/docs/webhooks', '/docs/webhooks.ar', '/docs/sdk']) {
      await page.goto(url + path);
      const language = path.endsWith('.ar') ? 'ar' : 'en';
      const bar = page.getByRole('navigation').first();
      await bar.locator('summary').click();
      const links = bar.getByRole('link');
      const menu = GUIDES.filter((guide) => guide.about !== null && guide.language === language);
      const [reference, ...rest] = await links.allInnerTexts();
      assert.equal(reference, language === 'ar' ? 'المرجع' : 'Reference');
      assert.deepEqual(
        rest.slice(0, -2),
        menu.map(({ title }) => title),
        path,
      );
      // Whole, and with nothing above it.
      const hidden = await links.evaluateAll((elements) =>
        (elements as unknown as BoxedElement[])
          .filter((element) => {
            const { left, right, top, height } = element.getBoundingClientRect();
            const { document, innerWidth } = element.ownerDocument.defaultView;
            const seen = document.elementFromPoint((left + right) / 2, top + height / 2);
            return left < 0 || right > innerWidth || seen !== element;
          })
          .map(({ textContent }) => textContent),
      );
      assert.deepEqual(hidden, [], `${path} at ${width}`);
      await photograph(page, `menu-${path.slice(1).replaceAll('/', '-')}-${width}`);
      await page.keyboard.press('Escape');
      const other = bar.getByRole('link', { name: language === 'ar' ? 'English' : 'العربية' });
      const target = await other.getAttribute('href');
      const twin = path.endsWith('.ar') ? path.slice(0, -3) : `${path}.ar`;
      const hasTwin = GUIDES.some(({ name }) => `/docs/${name}` === twin);
      assert.equal(target, hasTwin ? twin : '/docs/introduction.ar', path);
    }
    await page.goto(`${url}/docs/webhooks`);
    await page.getByRole('link', { name: 'العربية' }).click();
    await page.waitForURL(`${url}/docs/webhooks.ar`);
    assert.equal(await page.evaluate('getComputedStyle(document.body).direction'), 'rtl');
    assert.deepEqual(faults, []);
  }
});

test('references do not scroll sideways on a telephone', { skip }, async (t) => {
  const { url } = await startTestService(t);
  const { page } = await openPage(await launchChromium(t), { viewport: { width: 390, height: 900 } });
  for (const path of ['/docs', '/operator/docs']) {
    await page.goto(url + path);
    await page.getByRole('heading', { name: /^Partner Booking Service/ }).waitFor();
    await photograph(page, `${path.slice(1).replaceAll('/', '-')}-390`);
    assert.equal(await scrollsSideways(page), false, path);
  }
});

test('guides have contents, a search over all of them, and code that can be copied', { skip }, async (t) => {
  const { url } = await startTestService(t);
  const browser = await launchChromium(t);
  for (const width of [390, 1280]) {
    const { page, faults, requests } = await openPage(browser, {
      viewport: { width, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${url}/docs/webhooks`);
    const contents = page.locator('.contents');
    assert.equal(
      await contents.evaluate((element) => (element as unknown as { open: boolean }).open),
      width > 1200,
    );
    if (width < 1200) await contents.locator('summary').click();
    await contents.getByRole('link', { name: 'Verify' }).click();
    assert.equal(new URL(page.url()).hash, '#verify');

    const block = page.locator('.code').first();
    assert.ok((await block.locator('[class^=hljs-]').count()) > 0, 'is highlighted');
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    assert.equal(copied, await block.locator('code').textContent());

    await page.keyboard.press('/');
    await page.keyboard.type('already used');
    const found = page.getByRole('search').getByRole('link');
    await found.filter({ hasText: 'DUPLICATE_EXTERNAL_REFERENCE' }).first().waitFor();
    await photograph(page, `search-${width}`);
    assert.equal(await scrollsSideways(page), false);
    await page.keyboard.press('Escape');
    await settles(() => found.first().isVisible(), false);
    await page.getByRole('searchbox').fill('DUPLICATE_EXTERNAL_REFERENCE');
    await found.first().click();
    await page.waitForURL(`${url}/docs/errors#*`);
    assert.deepEqual(outside(requests, url), []);
    assert.deepEqual(faults, []);
  }
});

test('the search treats the content of guides as text', { skip }, async (t) => {
  const { url } = await startTestService(t);
  const { page, faults } = await openPage(await launchChromium(t));
  await page.route(`${url}/docs/search.json`, (route) =>
    route.fulfill({
      json: [
        {
          id: '/docs/errors',
          guide: 'G',
          title: '<img src=x id=made>',
          text: 'needle <b id=made>',
          language: 'en',
        },
      ],
    }),
  );
  await page.goto(`${url}/docs/errors`);
  await page.getByRole('searchbox').fill('needle');
  await page.getByRole('search').getByRole('link').filter({ hasText: '<img src=x id=made>' }).waitFor();
  await settles(() => page.locator('#made').count(), 0);
  assert.deepEqual(faults, []);
});

test('in the Arabic introduction code is left to right', { skip }, async (t) => {
  const { url } = await startTestService(t);
  const { page } = await openPage(await launchChromium(t), { viewport: { width: 1280, height: 900 } });
  await page.goto(`${url}/docs/introduction.ar`);
  // The first and the last character of each piece of code on one line, in pixels from the left.
  const edges = await page.evaluate(`[...document.querySelectorAll('main p code')].flatMap((code) => {
    if (code.getClientRects().length > 1) return [];
    const text = code.firstChild;
    const left = (at) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    };
    return [[left(0), left(text.length - 1)]];
  })`);
  assert.ok((edges as number[][]).length > 10);
  for (const [first, last] of edges as number[][]) assert.ok(first! < last!);
});

test('a link to an error leads to its section, below the bar', { skip }, async (t) => {
  const { url } = await startTestService(t);
  const { page } = await openPage(await launchChromium(t), { viewport: { width: 1280, height: 900 } });
  await page.goto(`${url}/docs/errors#conflict`);
  const heading = page.getByRole('heading', { name: /^CONFLICT/ });
  const [bar, box] = [await page.getByRole('navigation').boundingBox(), await heading.boundingBox()];
  assert.ok(box!.y >= bar!.y + bar!.height && box!.y < 900, `${box!.y}`);
});
