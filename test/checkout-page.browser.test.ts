import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { chooseLanguage } from '../src/http/bilingual-pages.ts';
import { type CheckoutView, checkoutPage } from '../src/payments/providers/checkout-page.ts';
import { launchChromium, openPage, settles, withoutChromium } from './browser.ts';

/** The pages of the checkout as a real browser shows them. TEST_SCREENSHOTS names a folder to put pictures of them. */
const BOOKED = {
  partner: 'Riyadh Homes',
  service: { en: 'Deep cleaning', ar: 'تنظيف عميق' },
  date: '2026-11-22',
  startAt: '22:00',
  endAt: '01:00',
  endsAtNextDay: true,
  amount: '1250.00',
  reference: 'SA-0042',
};
const inBoth = (name: string) => ({ en: name, ar: name });
const OPEN = {
  ...BOOKED,
  state: 'open',
  expiresAt: Date.parse('2026-11-22T06:00:00Z'),
  declined: false,
} as const;
const VIEWS: Record<string, CheckoutView> = {
  open: OPEN,
  declined: { ...OPEN, declined: true, service: inBoth('تنظيف عميق للمنزل'), partner: 'بيوت الرياض' },
  long: {
    ...OPEN,
    partner: 'Donaudampfschifffahrtsgesellschaft'.repeat(5),
    service: inBoth(`تنظيف شامل (Deep & careful) ${'Donaudampfschifffahrtsgesellschaft'.repeat(3)}`),
    amount: '9999999999.99',
    reference: '0b6d1c9e-3c55-4b0c-9a53-5f1f0e8f2a11',
  },
  hostile: {
    ...OPEN,
    service: inBoth('<script>alert(1)</script>\u202E\u2067 evil'),
    partner: '<b>\u202E bold',
    reference: '\u202ESA-0042',
  },
  paid: { ...BOOKED, state: 'paid' },
  failed: { ...BOOKED, state: 'failed' },
  expired: { ...BOOKED, state: 'expired' },
  canceled: { ...BOOKED, state: 'canceled' },
  unknown: { state: 'unknown' },
};
const LANGUAGES = ['ar', 'en'] as const;
const DIRECTIONS = { ar: 'rtl', en: 'ltr' };

type Site = { url: string; posts: { url: string; type: string | undefined; body: string }[] };

/** Serves `/checkout/<name of a view>` with the real page. A post is kept, and answered with the next page. */
async function serve(t: TestContext, change = (html: string): string => html): Promise<Site> {
  const posts: Site['posts'] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://127.0.0.1');
    let name = url.pathname.slice('/checkout/'.length);
    if (request.method === 'POST') {
      const body = await text(request);
      posts.push({ url: request.url!, type: request.headers['content-type'], body });
      name = new URLSearchParams(body).get('outcome') ?? 'unknown';
    }
    const language = chooseLanguage(
      url.searchParams.get('lang') ?? undefined,
      request.headers['accept-language'],
    );
    const { status, html, headers } = checkoutPage(VIEWS[name] ?? { state: 'unknown' }, language);
    response.writeHead(status, headers).end(change(html));
  }).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/checkout`, posts };
}

/** Does anything stick out to the side? */
const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate('document.scrollingElement.scrollWidth > document.scrollingElement.clientWidth');

/** Where each character of a text of the details stands, in pixels from the left; empty when it is not there. */
const leftEdges = (page: Page, value: string): Promise<number[]> =>
  page.evaluate(`((value) => {
    const walker = document.createTreeWalker(document.querySelector('dl'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const at = node.data.indexOf(value);
      if (at < 0) continue;
      return Array.from(value, (_, index) => {
        const range = document.createRange();
        range.setStart(node, at + index);
        range.setEnd(node, at + index + 1);
        return range.getBoundingClientRect().left;
      });
    }
    return [];
  })(${JSON.stringify(value)})`);

async function readsFromLeftToRight(page: Page, values: string[]): Promise<void> {
  for (const value of values) {
    const edges = await leftEdges(page, value);
    assert.equal(edges.length, value.length, value);
    const ascending = [...edges].sort((a, b) => a - b);
    assert.deepEqual(edges, ascending, value);
  }
}

/** The lowest contrast between a text and its background (WCAG 2), and the text. */
const lowestContrast = (page: Page): Promise<{ ratio: number; text: string }> =>
  page.evaluate(`(() => {
    const parse = (color) => color.match(/[\\d.]+/g).map(Number);
    const luminance = ([r, g, b]) =>
      [r, g, b]
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    const behind = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const color = parse(getComputedStyle(at).backgroundColor);
        if (color[3] !== 0) return color;
      }
      return [255, 255, 255];
    };
    let lowest = { ratio: Infinity, text: '' };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.data.trim();
      if (text === '') continue;
      const element = walker.currentNode.parentElement;
      const pair = [parse(getComputedStyle(element).color), behind(element)].map(luminance).sort((a, b) => b - a);
      const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
      if (ratio < lowest.ratio) lowest = { ratio, text };
    }
    return lowest;
  })()`);

test('the checkout page in Chromium', { skip: withoutChromium }, async (t) => {
  const browser = await launchChromium(t);

  for (const language of LANGUAGES) {
    for (const [name, view] of Object.entries(VIEWS)) {
      await t.test(`${name}, ${language}: readable on a small phone, by day and by night`, async (t) => {
        const site = await serve(t);
        for (const colorScheme of ['light', 'dark'] as const) {
          const size = { width: 320, height: 640 };
          const { page, faults, requests } = await openPage(browser, { colorScheme, viewport: size });
          const answer = await page.goto(`${site.url}/${name}?lang=${language}`);
          const { status, html } = checkoutPage(view, language);
          assert.equal(answer?.status(), status);
          assert.equal(await page.title(), /<title>(.*)<\/title>/.exec(html)![1]);
          assert.equal(
            await page.evaluate('getComputedStyle(document.body).direction'),
            DIRECTIONS[language],
          );
          await settles(() => page.getByRole('main').getByRole('heading', { level: 1 }).count(), 1);
          assert.equal(await scrollsSideways(page), false);
          const contrast = await lowestContrast(page);
          assert.ok(contrast.ratio >= 4.5, `${colorScheme}: ${contrast.ratio} for ${contrast.text}`);
          for (const target of await page.locator('a, button').all()) {
            const box = await target.boundingBox();
            assert.ok(box !== null && box.height >= 44 && box.width >= 44, JSON.stringify(box));
          }
          // The console has an error for the status; nothing else is allowed.
          assert.deepEqual(
            faults.filter((fault) => !/^Failed to load resource: .* 4(?:04|10) /.test(fault)),
            [],
          );
          assert.deepEqual(requests, [`${site.url}/${name}?lang=${language}`]);
          await picture(page, `${name}-${language}-${colorScheme}`);
          await page.context().close();
        }
      });
    }

    await t.test(`${language}: each button sends its outcome to the same address`, async (t) => {
      const site = await serve(t);
      const { page, faults } = await openPage(browser);
      for (const outcome of ['paid', 'declined', 'failed']) {
        await page.goto(`${site.url}/open?lang=${language}`);
        await page.locator(`button[value=${outcome}]`).click();
        await page.waitForSelector(outcome === 'declined' ? 'main.open .note' : `main.${outcome}`);
        await settles(() => page.getAttribute('html', 'lang'), language);
        assert.deepEqual(site.posts.splice(0), [
          {
            url: `/checkout/open?lang=${language}`,
            type: 'application/x-www-form-urlencoded',
            body: `outcome=${outcome}`,
          },
        ]);
      }
      assert.deepEqual(
        faults.filter((fault) => !fault.startsWith('Failed to load resource')),
        [],
      );
      await page.context().close();
    });

    await t.test(`${language}: with the keyboard alone`, async (t) => {
      const site = await serve(t);
      const { page } = await openPage(browser, { viewport: { width: 320, height: 640 } });
      await page.goto(`${site.url}/open?lang=${language}`);
      const stops: string[] = [];
      for (let press = 0; press < 4; press += 1) {
        await page.keyboard.press('Tab');
        stops.push(
          await page.evaluate(
            'document.activeElement.value || document.activeElement.getAttribute("hreflang")',
          ),
        );
        const outline = await page.evaluate(
          '(({ outlineStyle, outlineWidth }) => outlineStyle + " " + outlineWidth)(getComputedStyle(document.activeElement))',
        );
        assert.equal(outline, 'solid 3px');
      }
      assert.deepEqual(stops, [language === 'ar' ? 'en' : 'ar', 'paid', 'declined', 'failed']);
      await picture(page, `focus-${language}-light`);
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await page.waitForSelector('main.open .note');
      assert.deepEqual(
        site.posts.map(({ body }) => body),
        ['outcome=declined'],
      );
      await page.context().close();
    });

    await t.test(`${language}: the accessibility tree`, async (t) => {
      const site = await serve(t);
      const { page } = await openPage(browser);
      await page.goto(`${site.url}/declined?lang=${language}`);
      const tree = await page.locator('body').ariaSnapshot();
      const expected = {
        ar: [
          'heading "ادفع قيمة حجزك" [level=1]',
          'alert: رُفضت المحاولة الأخيرة',
          'term: المبلغ',
          'group "اختر نتيجة الدفع التجريبي"',
          'button "ادفع 1250.00 ر.س يقبل البنك الدفع."',
          'button "رفض المحاولة',
          'button "فشل نهائي',
        ],
        en: [
          'heading "Pay for your booking" [level=1]',
          'alert: The last try was declined',
          'term: Amount',
          'group "Choose the outcome of this test payment"',
          'button "Pay 1250.00 SAR The bank accepts the payment."',
          'button "Decline this try',
          'button "Fail for good',
        ],
      }[language];
      for (const part of ['banner', 'main', ...expected])
        assert.ok(tree.includes(part), `${part} is not in\n${tree}`);
      await page.context().close();
    });
  }

  await t.test("the link to the other language, and the browser's language at first", async (t) => {
    const site = await serve(t);
    const { page } = await openPage(browser, { locale: 'en-GB' });
    await page.goto(`${site.url}/open`);
    await settles(() => page.getAttribute('html', 'lang'), 'en');
    await page.getByRole('link', { name: 'العربية' }).click();
    await page.waitForURL(`${site.url}/open?lang=ar`);
    await settles(() => page.getAttribute('html', 'dir'), 'rtl');
    await page.getByRole('link', { name: 'English' }).click();
    await page.waitForURL(`${site.url}/open?lang=en`);
    await settles(() => page.getAttribute('html', 'dir'), 'ltr');
    await page.context().close();
  });

  await t.test('a hostile name is shown as text, and does not change the direction', async (t) => {
    const site = await serve(t);
    const { page } = await openPage(browser);
    await page.goto(`${site.url}/hostile?lang=en`);
    await settles(() => page.locator('dd').nth(0).innerText(), '<b> bold');
    await settles(() => page.locator('dd').nth(1).innerText(), '<script>alert(1)</script> evil');
    await settles(() => page.locator('script').count(), 0);
    await readsFromLeftToRight(page, ['bold', 'evil', '22:00', 'SA-0042', '1250.00']);
    await page.context().close();
  });

  await t.test('amounts, times and references read from left to right in Arabic too', async (t) => {
    const site = await serve(t);
    const { page } = await openPage(browser);
    await page.goto(`${site.url}/open?lang=ar`);
    await readsFromLeftToRight(page, ['1250.00', '22:00', '01:00', 'SA-0042']);
    // The currency follows the amount, which in Arabic is to its left.
    const [amount, currency] = await Promise.all([leftEdges(page, '1250.00'), leftEdges(page, 'ر.س')]);
    assert.ok(currency[0]! < amount[0]!);
    await page.context().close();
  });

  await t.test('printed: the booking without buttons, dark on light', async (t) => {
    const site = await serve(t);
    const { page } = await openPage(browser, { colorScheme: 'dark' });
    await page.goto(`${site.url}/open?lang=ar`);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await settles(() => page.locator('dl').isVisible(), true);
    await settles(() => page.locator('form').isVisible(), false);
    await settles(() => page.locator('header a').isVisible(), false);
    assert.equal(
      await page.evaluate('getComputedStyle(document.querySelector("main")).backgroundColor'),
      'rgb(255, 255, 255)',
    );
    await page.context().close();
  });

  await t.test('scripts, images and other styles are blocked by the policy', async (t) => {
    const site = await serve(t, (html) =>
      html.replace(
        '</main>',
        '<script>document.title = "run"</script><img src="https://example.com/a.png"><style>h1{color:red}</style></main>',
      ),
    );
    const { page, faults } = await openPage(browser);
    await page.goto(`${site.url}/open?lang=en`);
    assert.equal(await page.title(), 'Pay for your booking');
    assert.equal(
      faults.filter((fault) => fault.includes('Content Security Policy')).length,
      3,
      faults.join('\n'),
    );
    await page.context().close();
  });

  await t.test('the checks catch a page that is too wide, too pale and bare', async (t) => {
    const site = await serve(t, (html) => html.replace(/<style>[\s\S]*<\/style>/, ''));
    const { page, faults } = await openPage(browser, { viewport: { width: 320, height: 640 } });
    await page.goto(`${site.url}/long?lang=en`);
    assert.equal(await scrollsSideways(page), true);
    await page.evaluate('document.querySelector("h1").style.color = "#999"');
    assert.ok((await lowestContrast(page)).ratio < 3);
    assert.deepEqual(faults, []);
    await page.context().close();
  });
});

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_SCREENSHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
