import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import en from '../console/crew/texts/en.json' with { type: 'json' };
import { booked, patched, shown } from './appointment-fixtures.ts';
import { launchChromium, settles, withoutChromium } from './browser.ts';
import {
  becomes,
  keepsPage,
  linkTo,
  type Mode,
  networkTo,
  own,
  take,
  telephone,
  telephoneOnDisk,
  visitToday,
} from './crew-browser.ts';
import { makeCrewLink } from './crew-fixtures.ts';
import { startTestService } from './harness.ts';

/** The crew's page on networks that answer nothing, or something else, and with links beside a running session. */

const HOUR = 3_600_000;
const skip = withoutChromium;

test('the kept day opens by link and by bookmark, whatever the network answers', { skip }, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { booking, teamId } = await visitToday(service);
  const network = await networkTo(t, service);
  const { page } = await telephone(browser);
  const link = (await linkTo(service, teamId)).replace(service.url, network.url);
  await page.goto(link);
  await page.getByText(en['is.Scheduled']).waitFor();
  await keepsPage(page);
  for (const mode of ['hung', 'cut', 'broken', 'portal'] satisfies Mode[]) {
    network.mode = mode;
    for (const address of [link, `${network.url}/crew`]) {
      await page.goto('about:blank');
      // It is an old list by then.
      await page.clock.fastForward(60_000);
      await page.goto(address);
      await page.getByText(en['is.Scheduled']).waitFor();
      await page
        .getByText(/^List of .* 22 November|22 November$/)
        .first()
        .waitFor();
    }
  }
  await take(page, en['do.In The Way']);
  await page.clock.fastForward(20_000);
  network.mode = 'open';
  await becomes(service, booking, 'In The Way');
});

test('a link is tried beside the running session: dead ones change nothing, other teams ask', {
  skip,
}, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { world, booking, teamId } = await visitToday(service);
  const other = world.teamIds.find((id) => id !== teamId)!;
  const { page } = await telephone(browser);
  const dead = await makeCrewLink(service, teamId);
  await service.operator('DELETE', `/crew-links/${dead.id}`);
  const opens = async (address: string): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(address);
  };
  await opens(await linkTo(service, teamId));
  await page.getByText(en['is.Scheduled']).waitFor();
  const answered = page.waitForResponse(/crew\/api\/me/);
  await opens(`${service.url}/crew#link=${dead.token}`);
  await answered;
  await page.getByText(en['is.Scheduled']).waitFor();
  await settles(() => page.getByText(en.wrongLink).count(), 0);

  const theirs = await linkTo(service, other, { pin: '4711' });
  await opens(theirs);
  await page.getByText(en.otherTeam).waitFor();
  await page.getByText(en['is.Scheduled']).waitFor();
  await page.getByRole('button', { name: en.back }).click();
  await settles(() => page.getByText(en.otherTeam).count(), 0);
  await take(page, en['do.In The Way']);
  await opens(theirs);
  await page.getByRole('button', { name: en.changeTeam }).click();
  await page.getByLabel(en.pin, { exact: true }).fill('4711');
  await page.getByText(en['is.In The Way']).waitFor();
  await page.getByRole('button', { name: en.open }).click();
  await page.getByText(en.none).first().waitFor();
  // The step of the team before was sent by that team's session.
  assert.equal((await shown(service, booking)).status, 'In The Way');
});

test('a session that has ended beside a link that could not be tried yet: the link opens the next one', {
  skip,
}, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { booking, teamId } = await visitToday(service);
  const { page } = await telephone(browser);
  const link = await linkTo(service, teamId);
  await page.goto(link);
  await page.getByText(en['is.Scheduled']).waitFor();
  await page.context().setOffline(true);
  await take(page, en['do.In The Way']);
  await page.goto('about:blank');
  await page.context().clearCookies();
  // The network comes back between the two requests of the start.
  let tries = 0;
  await page.route('**/crew/api/sessions', (route) => (tries++ < 2 ? route.abort() : route.continue()));
  await page.context().setOffline(false);
  const refused = page.waitForResponse((response) => response.status() === 401);
  const opened = page.waitForResponse(
    (response) => response.url().endsWith('/crew/api/sessions') && response.ok(),
  );
  await page.goto(link);
  await refused;
  await page.getByText(en['is.In The Way']).waitFor();
  // The step may have been sent when the page was left: what counts is that the link is tried again, and opens.
  await page.clock.fastForward(20_000);
  await opened;
  await becomes(service, booking, 'In The Way');
  assert.equal(tries, 3);
});

test("tomorrow's list, read today, is worked without a network as today's", { skip }, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { world, booking, teamId } = await visitToday(service);
  const next = await booked(world, '08:00');
  await patched(service, next, { teamId });
  const { page } = await telephone(browser);
  await page.goto(await linkTo(service, teamId));
  const today = page.locator('section').filter({ hasText: /Today · Sunday,? 22 November/ });
  await today.getByText('10:00').waitFor();
  await settles(() => today.locator('.visit').count(), 1);
  await keepsPage(page);
  await page.context().setOffline(true);
  await page.clock.fastForward(23 * HOUR);
  await page.reload();
  const monday = page.locator('section').filter({ hasText: /Today · Monday,? 23 November/ });
  await monday.getByText('08:00').waitFor();
  await monday.getByRole('button', { name: en['do.In The Way'] }).first().waitFor();
  // Yesterday's, which was not over, stays before it.
  await settles(() => monday.locator('.visit').count(), 2);
  assert.equal((await shown(service, booking)).status, 'Scheduled');
});

test('a step that is tapped is on the disk before the button says so', { skip }, async (t) => {
  const service = await startTestService(t);
  const { booking, teamId } = await visitToday(service);
  const network = await networkTo(t, service);
  const address = (await linkTo(service, teamId)).replace(service.url, network.url);
  const profile = mkdtempSync(join(tmpdir(), 'pbs-crew-'));
  t.after(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
  const first = await telephoneOnDisk(t, profile);
  await first.page.goto(address);
  await first.page.getByText(en['is.Scheduled']).waitFor();
  await keepsPage(first.page);
  network.mode = 'cut';
  await take(first.page, en['do.In The Way']);
  await first.page.locator('.unsent').waitFor();
  await first.kill();
  const second = await telephoneOnDisk(t, profile);
  // Chromium writes cookies later than steps: the crew taps its link again.
  await second.page.goto(address);
  await second.page.locator('.unsent').waitFor();
  network.mode = 'open';
  await becomes(service, booking, 'In The Way');
});

test('storage that is full or refused: steps are sent at once, and the page says so', { skip }, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const refusals = {
    full: `IDBObjectStore.prototype.put = function () { this.transaction.abort(); }`,
    refused: `for (const name of ['indexedDB', 'localStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('refused', 'SecurityError'); } });`,
  };
  for (const [why, script] of Object.entries(refusals)) {
    const { booking, teamId } = await visitToday(service);
    const { page, faults } = await telephone(browser);
    await page.addInitScript(script);
    await page.goto(await linkTo(service, teamId));
    await page.getByText(en.keepsNothing).waitFor();
    await take(page, en['do.In The Way']);
    // No undo: nothing would send it after the page is closed.
    await becomes(service, booking, 'In The Way');
    await page.locator('.unsent').waitFor({ state: 'detached' });
    assert.deepEqual(own(faults), [], why);
  }
});

test('steps that an earlier build kept are taken over', { skip }, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { booking, teamId } = await visitToday(service);
  const { page } = await telephone(browser);
  const { startsAt } = await shown(service, booking);
  const at = Date.now();
  const step = {
    key: randomUUID(),
    teamId,
    visitId: booking.appointmentId,
    visitName: 'SA',
    to: 'In The Way',
  };
  const kept = JSON.stringify([{ ...step, startsAt, happenedAt: at, sendAt: at }]);
  await page.goto(`${service.url}/crew`);
  await page.evaluate(`localStorage.setItem('crew.queue', ${JSON.stringify(kept)})`);
  await page.goto('about:blank');
  await page.goto(await linkTo(service, teamId));
  await becomes(service, booking, 'In The Way');
  await settles(() => page.evaluate(`localStorage.getItem('crew.queue')`), null);
});

test('one thumb: the button is on the first screen, a hold cannot undo itself, a slip says what to do', {
  skip,
}, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { booking, teamId } = await visitToday(service, '10:00', {
    notes: 'Ring twice',
    accessCode: '4711#',
  });
  const { page } = await telephone(browser);
  await page.goto(await linkTo(service, teamId));
  const go = page.getByRole('button', { name: en['do.In The Way'] });
  const bottom = (): Promise<number> =>
    go.evaluate((button) => Math.ceil(button.getBoundingClientRect().bottom));
  for (const size of [
    { width: 360, height: 640 },
    { width: 412, height: 915 },
  ]) {
    await page.setViewportSize(size);
    await page.getByRole('link', { name: en.map }).waitFor();
    assert.ok((await bottom()) <= size.height, `${await bottom()} of ${size.height}`);
    assert.equal(await page.evaluate('scrollY'), 0);
  }
  await page.setViewportSize({ width: 360, height: 640 });
  const { x, y } = await go.evaluate((button) => {
    const { left, top } = button.getBoundingClientRect();
    return { x: left + 100, y: top + 30 };
  });
  // Without Chromium's own long press, as with a long delay of Touch & hold: the release is a click.
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.getByText(en.slipped).waitFor();
  await page.mouse.up();
  await settles(() => page.locator('.unsent').count(), 0);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.locator('.unsent').waitFor();
  const undo = page.getByRole('button', { name: en.undo });
  await undo.waitFor();
  // The finger is on the undo button now, and goes up.
  await undo.evaluate((button) => (button as HTMLButtonElement).click());
  await page.mouse.up();
  await page.locator('.unsent').waitFor();
  await undo.click();
  await settles(() => page.locator('.unsent').count(), 0);
  assert.equal((await shown(service, booking)).status, 'Scheduled');
});

test('a browser of 2020, which refuses keepalive with a body, signs in and works', { skip }, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { booking, teamId } = await visitToday(service);
  const { page } = await telephone(browser);
  await page.addInitScript(`
    const plain = fetch;
    window.fetch = (address, init = {}) =>
      init.keepalive && init.body !== undefined ? Promise.reject(new TypeError('keepalive')) : plain(address, init);
    delete crypto.randomUUID; delete navigator.storage; delete Array.prototype.at; delete String.prototype.replaceAll;`);
  await page.goto(await linkTo(service, teamId));
  await take(page, en['do.In The Way']);
  await page.clock.fastForward(20_000);
  await becomes(service, booking, 'In The Way');
});
