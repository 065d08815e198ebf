import { existsSync } from 'node:fs';
import { after, type TestContext } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/**
 * A real Chromium for the tests of pages: the one TEST_CHROMIUM names, or that of the system; rather the one without a
 * window, which takes half of the processor time.
 */
export const chromiumPath =
  process.env.TEST_CHROMIUM ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)) ??
  '/usr/bin/chromium';

/** The reason to skip a test of a page, or false where there is a Chromium. */
export const withoutChromium =
  process.env.TEST_FULL === undefined
    ? 'tests of pages in Chromium: set TEST_FULL=on to run them'
    : !existsSync(chromiumPath) && `there is no Chromium at ${chromiumPath}`;

/** Until a page is given up: longer than it takes on a machine that is busy with everything else (milliseconds). */
export const HANGS = 120_000;

let launched: Promise<Browser> | null = null;
after(async () => (await launched)?.close());

/**
 * A Chromium that reaches 127.0.0.1 and nothing else, one for all tests of a process. What was opened in it is closed
 * after the test.
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

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      // Parts of its own window, loaded again for each page.
      '--disable-features=PreloadTopChromeWebUI',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-proxy-server',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}

export type OpenPage = {
  page: Page;
  /** What the page complained of so far: errors of its console (a content refused by policy is one) and of scripts. */
  faults: string[];
  /** The address of every request so far, the page's own included. */
  requests: string[];
};

/** A page in a context of its own (cookies, language, size, colour scheme). Closed after the test. */
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
