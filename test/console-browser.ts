import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { HANGS, launchChromium, type OpenPage, openPage } from './browser.ts';
import { call, OPERATOR_TOKEN, startTestService, type TestOptions, type TestService } from './harness.ts';
import { until } from './until.ts';

/** The console in a real browser: one service and one browser for the tests of a file. */

export const LANGUAGES = ['en', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A phone, a desktop, a large screen. */
const WIDTHS = [1280, 360, 2560] as const;

export type Console = { service: TestService; browser: Browser };

export async function startConsole(t: TestContext, options: TestOptions = {}): Promise<Console> {
  const service = await startTestService(t, options);
  const browser = await launchChromium(t);
  // Each token has a limited number of streams; a page without one polls.
  t.afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  return { service, browser };
}

export type Tab = OpenPage & {
  /** Opens a path below the base and waits until the page has loaded its data. */
  open(path: string): Promise<void>;
};

/**
 * A tab of the console or the portal in the language, in a browser with another time zone than Riyadh's, signed in
 * unless `token` is null.
 */
export async function openTab(
  { service, browser }: Console,
  language: Language,
  {
    token = OPERATOR_TOKEN,
    width = 1280,
    base = '/console',
    isTouched = false,
    colorScheme = 'light',
  }: {
    token?: string | null;
    width?: number;
    base?: '/console' | '/portal';
    /** Whether it has a touch screen. */
    isTouched?: boolean;
    colorScheme?: 'light' | 'dark';
  } = {},
): Promise<Tab> {
  const opened = await openPage(browser, {
    locale: language === 'ar' ? 'ar-SA' : 'en-US',
    timezoneId: 'America/New_York',
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
    hasTouch: isTouched,
    colorScheme,
  });
  const { page } = opened;
  if (token !== null && base === '/portal') {
    await page.addInitScript(
      `sessionStorage.getItem('portal.token') ?? sessionStorage.setItem('portal.token', ${JSON.stringify(token)})`,
    );
  } else if (token !== null) {
    const id = await openSession(service, page, token);
    await page.addInitScript(
      `localStorage.getItem('console.session') ?? localStorage.setItem('console.session', ${JSON.stringify(id)})`,
    );
  }
  return {
    ...opened,
    async open(path) {
      await page.goto(`${base === '/console' ? service.operatorUrl : service.url}${base}${path}`);
      await settled(page);
    },
  };
}

/** Gives the browser the cookie of a session of the token; returns the session's id. */
async function openSession(service: TestService, page: Page, token: string): Promise<string> {
  const answer = await call(`${service.operatorUrl}/operator`, 'POST', '/sessions', { token });
  assert.equal(answer.status, 201, answer.text);
  const [, name = '', value = ''] = /^(\w+)=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
  const url = `${service.operatorUrl}/operator`;
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
  return answer.body.data.id;
}

/** Waits until the page has loaded its data. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

/** The menu beside the next step, of a booking's page or a visit's dialog, opened. */
async function openActs(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^(?:More actions|إجراءات أخرى)$/ }).click();
  const menu = page.locator('.step-menu:popover-open');
  await menu.waitFor();
  return menu;
}

/** Chooses an act of that menu. */
export const chooseAct = async (page: Page, name: string | RegExp): Promise<void> =>
  (await openActs(page)).getByRole('button', { name }).click();

/** The names of the acts in that menu, which is closed again. */
export async function actsOf(page: Page): Promise<string[]> {
  const names = await (await openActs(page)).getByRole('button').allInnerTexts();
  await page.keyboard.press('Escape');
  return names;
}

export type Held = {
  /** The page has sent the request. Throws after the time-out (milliseconds). */
  sent: (within?: number) => Promise<void>;
  /** Lets it and later ones pass. */
  release: () => void;
  /** It and later ones never get a response. */
  lose: () => void;
};

/** Holds back requests of an address, until the test releases or loses them. */
export async function holdBack(page: Page, address: string | RegExp, method?: string): Promise<Held> {
  const asked = Promise.withResolvers<void>();
  const decided = Promise.withResolvers<'continue' | 'abort'>();
  await page.route(address, async (route) => {
    if (method !== undefined && route.request().method() !== method) return route.fallback();
    asked.resolve();
    await route[await decided.promise]();
  });
  await untilRouted(page);
  return {
    async sent(within = HANGS) {
      const timer = setTimeout(
        () => asked.reject(new Error(`The page has sent no ${method ?? 'request'} to ${address}.`)),
        within,
      );
      await asked.promise.finally(() => clearTimeout(timer));
    },
    release: () => decided.resolve('continue'),
    lose: () => decided.resolve('abort'),
  };
}

/** An open page sends requests past the first route for a moment, until Chromium has applied it. */
async function untilRouted(page: Page): Promise<void> {
  if (page.url() === 'about:blank') return;
  let isRouted = false;
  await page.route('**/livez', async (route) => {
    isRouted = true;
    await route.continue();
  });
  await until(async () => {
    await page.evaluate(`fetch('/livez')`);
    return isRouted;
  });
  await page.unroute('**/livez');
}

const AXE = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

type Violation = { id: string; help: string; nodes: { target: string[]; failureSummary: string }[] };

/** The findings of axe-core on the current page. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const found = (await page.evaluate(
    'axe.run(document).then(({ violations }) => violations)',
  )) as Violation[];
  return found.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`).join('; ')}`,
  );
}

export const SIDEWAYS = 'document.scrollingElement.scrollWidth > document.scrollingElement.clientWidth';

/**
 * Asserts that the current page fits at three widths, without findings of axe. TEST_SCREENSHOTS names a folder for
 * screenshots.
 */
export async function inspect({ page, faults }: Tab, name: string): Promise<void> {
  const folder = process.env.TEST_SCREENSHOTS;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width === 2560 ? 1440 : 900 });
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `console-${name}-${width}.png`), fullPage: width !== 2560 });
    }
    assert.equal(await page.evaluate(SIDEWAYS), false, `${name} at ${width} scrolls sideways`);
    // Above the first width the page does not change; at narrow ones both languages have the same layout.
    if (width === WIDTHS[0] || (width === 360 && name.endsWith('-en')))
      assert.deepEqual(await violations(page), [], `${name} at ${width}`);
  }
  await page.setViewportSize({ width: WIDTHS[0], height: 900 });
  // The browser reports an error response as a failure; the test checks how the page handles it.
  const own = faults.filter((fault) => !fault.startsWith('Failed to load resource'));
  assert.deepEqual(own, [], name);
}
