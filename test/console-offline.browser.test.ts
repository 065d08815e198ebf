import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOLD_MS } from '../console/parts/step-queue.ts';
import { withoutChromium } from './browser.ts';
import { openTab, startConsole } from './console-browser.ts';
import { drag } from './console-drag.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { until } from './until.ts';

/** What the console says while it cannot send, or has sent already. */

const skip = withoutChromium;

test('the console says what is sent, what waits, and that it is offline', { skip }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service, { teams: 2 });
  const { bookingId } = (await world.book()).body.data;
  const { appointmentId: id } = (await service.operator('GET', `/bookings/${bookingId}`)).body.data;
  const [one, two] = world.teamIds as [string, string];
  await service.operator('PATCH', `/appointments/${id}`, { teamId: one });
  const visitOf = async () => (await service.operator('GET', `/appointments/${id}`)).body.data;

  await t.test('a step that is sent because the page is hidden offers no Undo', async () => {
    const { page, open } = await openTab(console, 'en');
    // The time to undo never ends by itself, nor does the message about it.
    await page.addInitScript(`{
      const { setTimeout } = window;
      window.setTimeout = (run, wait, ...rest) => (wait === ${HOLD_MS} ? 0 : setTimeout(run, wait, ...rest));
    }`);
    await open(`/bookings/${bookingId}`);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    assert.equal((await visitOf()).status, 'Scheduled');
    await page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      delete document.visibilityState;`);
    await undo.waitFor({ state: 'detached' });
    await until(async () => (await visitOf()).status === 'Confirmed');
  });

  await t.test('offline it is not live, and a move waits', async () => {
    const { page, open } = await openTab(console, 'en');
    await open(`/board?date=${WORLD_DATE}`);
    const live = page.getByText('Live', { exact: true });
    await live.waitFor();
    const visit = page.locator(`#visit-${id}`);
    await visit.waitFor();
    await drag(page, visit, two);
    await page.context().setOffline(true);
    await page.getByText(/^No live changes since/).waitFor();
    assert.equal(await live.count(), 0);
    await page.mouse.up();
    const waiting = page.getByText(/is not moved yet: there is no network/);
    await waiting.waitFor();
    assert.equal((await visitOf()).team.id, one);
    await page.context().setOffline(false);
    await until(async () => (await visitOf()).team.id === two);
    await waiting.waitFor({ state: 'detached' });
    await live.waitFor();

    await drag(page, visit, one);
    await page.context().setOffline(true);
    await page.getByText(/^No live changes since/).waitFor();
    await page.mouse.up();
    await page.getByRole('button', { name: 'Do not send it' }).click();
    await page
      .getByRole('dialog')
      .getByText(/stays where it was/)
      .first()
      .waitFor();
    await page.context().setOffline(false);
    await live.waitFor();
    assert.equal((await visitOf()).team.id, two);
  });

  await t.test('the page of utilisation says how a team of several zones counts', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/utilisation');
    await page.getByText(/shared equally between them/).waitFor();
  });
});
