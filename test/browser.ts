import { existsSync } from 'node:fs';
import { after, type TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { until } from './until.ts';

/**
 * A real Chromium for the tests of pages: TEST_CHROMIUM, or that of the system; preferably the headless shell, which
 * takes less processor time.
 */
const chromiumPath =
  process.env.TEST_CHROMIUM ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)) ??
  '/usr/bin/chromium';

/** The reason to skip a test of a page, or false where there is a Chromium. */
export const withoutChromium =
  process.env.TEST_FULL === undefined
    ? 'tests of pages in Chromium: set TEST_FULL=on to run them'
    : !existsSync(chromiumPath) && `there is no Chromium at ${chromiumPath}`;

/** Time-out of pages: more than they take on a busy machine (milliseconds). */
export const HANGS = 120_000;

let launched: Promise<Browser> | null = null;
after(async () => (await launched)?.close());

/**
 * A Chromium that can only reach 127.0.0.1, shared by all tests of a process. Its contexts are closed after the test.
 */
export async function launchChromium(t: TestContext): Promise<Browser> {
  launched ??= launch();
  const browser = await launched;
  const others = new Set(browser.contexts());
  t.after(async () => {
    for (const context of browser.contexts()) if (!others.has(context)) await context.close();
  });
  return browser;
}

/** How Chromium is started: it can only reach 127.0.0.1. */
export const LAUNCH = {
  executablePath: chromiumPath,
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    // Parts of Chromium's own window, which each page would load.
    '--disable-features=PreloadTopChromeWebUI',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-proxy-server',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ],
};

const launch = (): Promise<Browser> => chromium.launch(LAUNCH);

export type OpenPage = {
  page: Page;
  /** Errors of the page so far: of its console (content refused by policy is one) and of scripts. */
  faults: string[];
  /** The address of every request so far, the page's own included. */
  requests: string[];
};

/** A page in a separate context (cookies, language, size, colour scheme). Closed after the test. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(HANGS);
  const page = await context.newPage();
  const faults: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  context.on('request', (request) => requests.push(request.url()));
  return { page, faults, requests };
}

/**
 * Waits until a page's state equals the expected one: a page draws some moments after the event that a test waited for.
 * Throws with the last state after the time-out.
 */
export async function settles<T>(look: () => Promise<T>, expected: T, message = 'the page'): Promise<void> {
  let last: T | undefined;
  await until(
    async () => {
      last = await look();
      return isDeepStrictEqual(last, expected);
    },
    () => `${message} is ${JSON.stringify(last)} instead of ${JSON.stringify(expected)}`,
  );
}
