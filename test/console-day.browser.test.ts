import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { TEXTS } from '../console/texts.ts';
import { settles, withoutChromium } from './browser.ts';
import { type Console, chooseAct, inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { drag } from './console-drag.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { startTestService } from './harness.ts';
import { linkOf, use } from './payment-flows.ts';
import { openTcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

const skip = withoutChromium;

/** Milliseconds between two loads of a page without a stream. */
const POLL = 15_000;
/** The longest pause between two attempts to open the stream. */
const PAUSE = 30_000;

const isLive = (page: Page): Promise<void> => page.locator('.live[data-state=live]').waitFor();

test('a day at the console', { skip }, async (t) => {
  const direct = await startConsole(t);
  const { service } = direct;
  // The network between the browser and the service.
  const proxy = await openTcpProxy(service.operatorUrl!);
  t.after(() => proxy.close());
  const console: Console = {
    ...direct,
    service: { ...service, operatorUrl: proxy.through(service.operatorUrl!).replace(/\/$/, '') },
  };
  const world = await createWorld(service, {
    teams: 3,
    partner: { paymentResponsibility: 'PLATFORM' },
    service: { name: 'Deep cleaning', nameAr: 'تنظيف عميق' },
  });
  const [one, two, three] = world.teamIds as [string, string, string];
  await service.operator('POST', '/cancellation-reasons', { nameEn: 'Ill', nameAr: 'مريض' });
  const book = async (startAt: string, endAt: string, teamId = one) => {
    const { body, text } = await world.book({ timeslot: { startAt, endAt } });
    assert.equal(body.success, true, text);
    const { bookingId } = body.data;
    const { data } = (await service.operator('GET', `/bookings/${bookingId}`)).body;
    await service.operator('PATCH', `/appointments/${data.appointmentId}`, { teamId });
    return {
      bookingId: bookingId as string,
      id: data.appointmentId as string,
      name: data.trackingReference as string,
      phone: data.contact.phone as string,
    };
  };

  await t.test('a dispatcher finds, drags, forces, undoes, reassigns, and cancels', async () => {
    const [first, second] = [await book('10:00', '12:00'), await book('14:00', '16:00')];
    const stateOf = async ({ id }: { id: string }) => {
      const { data } = (await service.operator('GET', `/appointments/${id}`)).body;
      return { team: data.team.id as string, startAt: data.timeslot.startAt as string };
    };
    const becomes = (visit: { id: string }, team: string, startAt: string) =>
      until(async () => {
        const found = await stateOf(visit);
        return found.team === team && found.startAt === startAt;
      });
    await service.operator('POST', `/teams/${two}/time-off`, {
      startsAt: `${WORLD_DATE}T09:00:00+03:00`,
      endsAt: `${WORLD_DATE}T13:00:00+03:00`,
      reason: 'Training',
    });

    // Found by its reference, and from there to the board.
    const { page, open } = await openTab(console, 'en');
    await open('/');
    await page.keyboard.press('Control+k');
    const find = page.getByRole('combobox', { name: 'Find anything' });
    await find.fill(first.name);
    await page.getByRole('option', { name: first.name }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: first.name, level: 1 }).waitFor();
    await page.getByText('Waiting for payment').first().waitFor();
    const arabic = await openTab(console, 'ar');
    await arabic.open(`/bookings/${first.bookingId}`);
    await arabic.page.getByText('تنظيف عميق').waitFor();
    await page.getByRole('link', { name: 'Show on the board' }).click();
    await page.getByText(/^Found: .?1.?$/).waitFor();
    const visit = page.locator(`#visit-${first.id}`);

    // Dragged to another team, an hour later.
    await drag(page, visit, three, 60);
    await page.mouse.up();
    await becomes(first, three, '11:00');
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.click();
    await becomes(first, one, '10:00');

    // Refused, with the reason and alternatives; forced with a reason; undone.
    await page.locator(`.lane[data-team="${one}"] #visit-${first.id}`).waitFor();
    await drag(page, visit, two);
    await page.mouse.up();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Time off').waitFor();
    await dialog.getByRole('button', { name: /^★/ }).waitFor();
    await dialog.getByRole('button', { name: 'Move it all the same' }).click();
    await page.getByLabel('Reason').fill('The training ends early');
    await dialog.last().getByRole('button', { name: 'Move it all the same' }).click();
    await becomes(first, two, '10:00');
    await undo.click();
    await becomes(first, one, '10:00');
    await page.locator(`.lane[data-team="${one}"] #visit-${first.id}`).waitFor();
    // Refused again; this time an alternative is chosen.
    await drag(page, visit, two);
    await page.mouse.up();
    await dialog.getByRole('button', { name: /^★/ }).click();
    await until(
      async () => JSON.stringify(await stateOf(first)) !== JSON.stringify({ team: one, startAt: '10:00' }),
    );
    await dialog.waitFor({ state: 'detached' });

    // The first team is ill: its appointments are reassigned.
    await service.operator('PATCH', `/appointments/${first.id}`, {
      teamId: one,
      date: WORLD_DATE,
      timeslot: { startAt: '10:00', endAt: '12:00' },
    });
    await page.locator(`.lane[data-team="${one}"] #visit-${first.id}`).waitFor();
    await page
      .locator(`.lane[data-team="${one}"]`)
      .getByRole('link', { name: /^Mark away/ })
      .click();
    const placeOf = ({ name }: { name: string }) =>
      page.getByRole('combobox', { name: `New place: ${name}` });
    await placeOf(first).waitFor();
    await placeOf(second).waitFor();
    // Another team has time off at 10:00: the difference is shown.
    const place = placeOf(first);
    await place.selectOption({ index: 1 });
    await page
      .locator('tr')
      .filter({ has: place })
      .getByText(/^.?\+.* h/)
      .waitFor();
    await place.selectOption({ index: 0 });
    // Those that would get another time are moved only when their customers agree.
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    await page.getByRole('button', { name: /^Mark as away and move: .?2/ }).click();
    await page.getByText(/Moved: .?2.? of .?2.?$/).waitFor();
    await page.getByText('The team is marked as away in this time.').waitFor();
    await settles(() => page.locator('table .badge.good').getByText('Moved').count(), 2);
    for (const moved of [first, second]) assert.notEqual((await stateOf(moved)).team, one);

    // The customer pays meanwhile, and the open page shows it.
    await page.getByRole('link', { name: first.name }).click();
    await page.getByRole('heading', { name: first.name, level: 1 }).waitFor();
    await isLive(page);
    await use({ service, world }, await linkOf({ service, world }, first.bookingId), 'paid');
    await page.locator('.about').getByText('Scheduled', { exact: true }).waitFor();

    await chooseAct(page, 'Cancel the booking');
    await dialog.getByLabel('Reason').selectOption({ label: 'Ill' });
    await dialog.getByRole('button', { name: 'Cancel the booking' }).click();
    await page.getByText('The booking is cancelled.').waitFor();
    // The refund happens without further action.
    await page.getByText('Refunded', { exact: true }).first().waitFor();
    const { data } = (await service.operator('GET', `/bookings/${first.bookingId}`)).body;
    assert.deepEqual([data.status, data.paymentStatus], ['canceled', 'CANCELLED']);
    await arabic.page.getByText('مريض', { exact: true }).waitFor();

    // The other one is not paid: it is failed with a reason, and becomes read-only.
    await open(`/bookings/${second.bookingId}`);
    await chooseAct(page, 'Mark as failed');
    await dialog.getByLabel('Reason').fill('The card was stolen');
    await dialog.getByRole('button', { name: 'Mark as failed' }).click();
    await page.getByText('The booking is marked as failed.').waitFor();
    await settles(() => page.locator('.step-menu').getByText('Mark as failed').count(), 0);
    await settles(() => page.getByRole('button', { name: 'Move' }).count(), 0);
    const failed = (await service.operator('GET', `/bookings/${second.bookingId}`)).body.data;
    assert.deepEqual([failed.status, failed.paymentStatus], ['failed', 'FAILED']);
    const { data: entries } = (
      await service.operator('GET', `/audit?target=appointment:${first.id}&limit=100`)
    ).body;
    assert.ok(
      entries.some(
        ({ after }: { after: { forcedBecause?: string } }) =>
          after?.forcedBecause === 'The training ends early',
      ),
    );
  });

  await t.test('a visit cannot be done: reason, what next, undo, correction', async () => {
    const own = await createWorld(service, { teams: 2 });
    const steps = async (...statuses: string[]) => {
      const { bookingId } = (await own.book()).body.data;
      const { data } = (await service.operator('GET', `/bookings/${bookingId}`)).body;
      for (const status of statuses)
        await service.operator('PATCH', `/appointments/${data.appointmentId}`, { status });
      return { bookingId: bookingId as string, id: data.appointmentId as string };
    };
    const statusOf = async ({ id }: { id: string }): Promise<string> =>
      (await service.operator('GET', `/appointments/${id}`)).body.data.status;
    const visit = await steps('Confirmed', 'In The Way');
    for (const language of LANGUAGES) {
      const tab = await openTab(console, language);
      const { page } = tab;
      const [others, cannot] =
        language === 'en' ? ['More actions', /^Could not be done/] : ['إجراءات أخرى', /^تعذّر التنفيذ/];
      await tab.open(`/bookings/${visit.bookingId}`);
      await page.getByRole('button', { name: others }).click();
      await inspect(tab, `steps-${language}`);
      await page.keyboard.press('Escape');
      // By keyboard alone.
      await page.getByRole('button', { name: others }).focus();
      await page.keyboard.press('Enter');
      await page.locator('.step-menu button:focus').waitFor();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: language === 'en' ? /could not be done/ : /تعذّر/ });
      await dialog.getByRole('button', { name: cannot }).click();
      await dialog.locator('[aria-invalid=true]').waitFor();
      await inspect(tab, `cannot-complete-${language}`);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: others }).click();
      await page.getByRole('button', { name: TEXTS['step.correct'][language] }).click();
      await page.getByRole('dialog', { name: language === 'en' ? /^Correct/ : /^تصحيح/ }).waitFor();
      await inspect(tab, `correct-status-${language}`);
    }
    // A visit that has not begun is moved.
    const early = await steps();
    for (const language of LANGUAGES) {
      const tab = await openTab(console, language);
      await tab.open(`/bookings/${early.bookingId}`);
      await tab.page.getByRole('button', { name: TEXTS['board.move'][language], exact: true }).click();
      await tab.page.getByRole('dialog').locator('.place').first().waitFor();
      await inspect(tab, `move-${language}`);
    }
    const { page, open } = await openTab(console, 'en');
    await page.clock.install();
    await open(`/bookings/${visit.bookingId}`);
    const say = async () => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('button', { name: /^Could not be done/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').selectOption({ label: 'Nobody at home' });
      await dialog.getByLabel('Notes').fill('Rang three times');
      return dialog;
    };
    await (await say()).getByRole('button', { name: 'Could not be done' }).click();
    const about = page.locator('.about');
    await about.getByText('Could not be done').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await about.getByText('On the way').waitFor();
    await page.clock.fastForward(10_000);
    assert.equal(await statusOf(visit), 'In The Way');

    // Somebody else changes it meanwhile; the service is away as the step is due, and comes back.
    await (await say()).getByRole('button', { name: 'Could not be done' }).click();
    await page.getByRole('button', { name: 'Decide later' }).click();
    await proxy.refuse();
    await page.clock.fastForward(8_000);
    await page.getByRole('alert').getByText('is not sent yet').waitFor();
    await proxy.restore();
    await page.clock.fastForward(3_000);
    await page.getByRole('alert').getByText('is not sent yet').waitFor({ state: 'detached' });
    await until(async () => (await statusOf(visit)) === 'Cannot Complete');
    await page.getByText('Rang three times').first().waitFor();

    // An administrator corrects it.
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Correct the status…' }).click();
    const correct = page.getByRole('dialog', { name: /^Correct the status/ });
    await correct.getByLabel('Status').selectOption('In The location');
    await correct.getByLabel('Reason').fill('They did open');
    await correct.getByRole('button', { name: 'Correct', exact: true }).click();
    await page.clock.fastForward(8_000);
    await until(async () => (await statusOf(visit)) === 'In The location');
    await page.locator('.timeline').getByText('They did open').first().waitFor();

    // It is ended at once: the step is sent before, the partner is told, nothing was paid.
    await (await say()).getByRole('button', { name: 'Could not be done' }).click();
    const next = page.getByRole('dialog', { name: /^What next for/ });
    await next.getByRole('radio', { name: /^End the booking/ }).check();
    await next.getByText(/is told at once/).waitFor();
    await next.getByLabel('Reason').selectOption({ label: 'Ill' });
    await next.getByRole('button', { name: 'End the booking' }).click();
    await page.getByText('The booking has ended.').waitFor();
    const { history } = (await service.operator('GET', `/bookings/${visit.bookingId}`)).body.data;
    assert.deepEqual(
      history.flatMap(({ reason }: { reason: string | null }) => reason ?? []),
      ['CUSTOMER_ABSENT', 'CORRECTED', 'CUSTOMER_ABSENT'],
    );
  });

  await t.test('changes of others appear by themselves, without a stream by polling', async () => {
    const { page, open } = await openTab(console, 'en');
    await page.clock.install();
    await open('/visits?view=all');
    await isLive(page);
    const rows = page.locator('tbody tr');
    const shown = await rows.count();
    await book('16:30', '18:30', two);
    await until(async () => (await rows.count()) === shown + 1);

    // The stream alone is cut, as by a proxy that does not know of streams.
    await page.route('**/operator/stream', (route) => route.abort());
    proxy.injectFault('reset');
    const since = page.getByText(/^No live changes since .?08:0\d.?\./);
    await since.waitFor();
    await book('16:30', '18:30', three);
    await page.clock.fastForward(POLL);
    await until(async () => (await rows.count()) === shown + 2);
    await since.waitFor();
    await page.unroute('**/operator/stream');
    await page.clock.fastForward(PAUSE);
    await isLive(page);
    await since.waitFor({ state: 'detached' });

    // An outage: the data stays. After it, changes made meanwhile are shown.
    await proxy.refuse();
    await since.waitFor();
    await page.clock.fastForward(POLL);
    await page.getByRole('alert').getByText('The service did not respond').waitFor();
    await settles(() => rows.count(), shown + 2);
    const { data } = (await service.operator('GET', '/bookings?status=waiting%20payment&limit=1')).body;
    const reasons = (await service.operator('GET', '/cancellation-reasons')).body.data;
    const path = `/bookings/${data[0].bookingId}`;
    await service.operator('POST', `${path}/cancel`, { reasonId: reasons[0].id });
    await proxy.restore();
    await page.clock.fastForward(PAUSE);
    await isLive(page);
    await page
      .getByRole('row', { name: data[0].trackingReference })
      .getByText('Cancelled', { exact: true })
      .first()
      .waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await since.waitFor({ state: 'detached' });
  });

  await t.test('the clock of a sandbox is moved forward and back', async () => {
    const sandbox = await startTestService(t, { sandboxClock: true });
    const aheadBy = async () => (await sandbox.operator('GET', '/clock')).body.data.offsetSeconds as number;
    for (const language of LANGUAGES) {
      const colorScheme = language === 'en' ? 'dark' : 'light';
      const tab = await openTab({ ...direct, service: sandbox }, language, { colorScheme });
      await tab.open('/clock');
      await inspect(tab, `clock-${language}`);
    }
    const { page, open } = await openTab({ ...direct, service: sandbox }, 'en');
    await open('/clock');
    await page.getByRole('button', { name: '1 day' }).click();
    await page.getByText(/86,400/).waitFor();
    await page.getByLabel('Minutes').fill('90');
    await page.getByRole('button', { name: 'Move forward' }).click();
    await page.getByText(/91,800/).waitFor();
    assert.equal(await aheadBy(), 91_800);
    await page.getByRole('button', { name: 'Back to real time' }).click();
    await until(async () => (await aheadBy()) === 0);
  });
});
