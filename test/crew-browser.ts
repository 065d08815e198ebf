import { spawnSync } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Booked, booked, shown } from './appointment-fixtures.ts';
import { HANGS, LAUNCH, type OpenPage, openPage } from './browser.ts';
import { makeCrewLink, TODAY } from './crew-fixtures.ts';
import { createWorld } from './fixtures.ts';
import type { TestService } from './harness.ts';
import { until } from './until.ts';

/** Fixtures of the tests of the crew's page: telephones, and the networks between them and the service. */

const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; SM-A105F) AppleWebKit/537.36 Chrome/124.0.0.0 Mobile Safari/537.36';

/** An old Android telephone, whose time the test moves. */
export async function telephone(browser: Browser, locale = 'en-GB'): Promise<OpenPage> {
  const opened = await openPage(browser, {
    locale,
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
    userAgent: ANDROID,
  });
  await opened.page.clock.install();
  return opened;
}

/** A telephone whose files stay; `kill` ends its browser without a warning, as an empty battery does. */
export async function telephoneOnDisk(
  t: TestContext,
  profile: string,
): Promise<{ page: Page; kill(): Promise<void> }> {
  const context = await chromium.launchPersistentContext(profile, { ...LAUNCH, userAgent: ANDROID });
  context.setDefaultTimeout(HANGS);
  const closed = new Promise<void>((resolve) => context.once('close', () => resolve()));
  const kill = async (): Promise<void> => {
    // Only its processes have the profile in their arguments.
    spawnSync('pkill', ['-KILL', '-f', profile]);
    await closed;
  };
  t.after(kill);
  return { page: await context.newPage(), kill };
}

export const linkTo = async (service: TestService, teamId: string, body: unknown = {}): Promise<string> =>
  `${service.url}/crew#link=${(await makeCrewLink(service, teamId, body)).token}`;

export async function visitToday(service: TestService, startAt = '10:00', overrides = {}) {
  const world = await createWorld(service, { teams: 2 });
  const booking = await booked(world, startAt, { date: TODAY, ...overrides });
  const teamId = (await shown(service, booking)).team.id as string;
  return { world, booking, teamId };
}

/** Taps the button and confirms, as a screen reader does; then waits until the step is kept. */
export async function take(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: label }).first().click();
  const confirms = page.getByRole('button', { name: /^Yes/ });
  await confirms.click();
  await confirms.waitFor({ state: 'detached' });
}

export const becomes = (service: TestService, booking: Booked, status: string) =>
  until(
    async () => (await shown(service, booking)).status === status,
    () => status,
  );

/** Errors of the page, without the browser's own reports of a network that is not there. */
export const own = (faults: readonly string[]): string[] =>
  faults.filter((fault) => !fault.startsWith('Failed to load resource'));

/** Waits until the telephone has the page for use without a network. */
export const keepsPage = (page: Page) =>
  until(() => page.evaluate(`caches.match('/crew').then((found) => found !== undefined)`));

/** `hung` answers nothing, `broken` as a proxy without its service, `portal` as a network that asks for a login. */
export type Mode = 'open' | 'cut' | 'hung' | 'broken' | 'portal';
export type Network = { url: string; mode: Mode; upstream(url: string, path: string): string };

/** A network between telephones and the service; `upstream` may choose another service for a path. */
export async function networkTo(t: TestContext, service: { url: string }): Promise<Network> {
  const server = createServer((incoming, outgoing) => {
    const { mode } = network;
    if (mode === 'cut') return void incoming.socket.destroy();
    if (mode === 'hung') return;
    if (mode === 'broken') return void outgoing.writeHead(502).end('<h1>502 Bad Gateway</h1>');
    if (mode === 'portal')
      return void outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Please log in</h1>');
    const { hostname, port } = new URL(network.upstream(service.url, incoming.url!));
    const { method, headers, url: path } = incoming;
    const passed = request({ hostname, port, method, headers, path }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => incoming.socket.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const network: Network = { url: `http://127.0.0.1:${port}`, mode: 'open', upstream: (url) => url };
  return network;
}
