import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PORTAL_TEXTS } from '../console/portal/texts.ts';
import { TEXTS } from '../console/texts.ts';
import { withoutChromium } from './browser.ts';
import { type Console, inspect, type Language, openTab, startConsole, type Tab } from './console-browser.ts';
import { withPolicy } from './fee-fixtures.ts';
import { createPartnerKey, createWorld } from './fixtures.ts';
import { makeLink, signIn } from './portal-fixtures.ts';
import { clientOf, SUNDAY } from './series-fixtures.ts';

/** Series of visits in the console and the portal: what waits is chosen, changes are previewed. */

type Key = keyof typeof TEXTS;

/** A partner with one team. The second visit of the series cannot be booked: the team is sold then. */
async function openWorld({ service }: Console) {
  const options = { partner: { paymentResponsibility: 'PARTNER' as const, name: 'Home Deals' } };
  const world = await createWorld(service, { ...options, service: { bookingHorizonDays: 30 } });
  const client = await clientOf(service, world);
  /** A series of her own at a time of its own. */
  async function seriesOf(name: string, hour: number) {
    const { id: contactId, addressId } = client.ok(
      await world.contact({ name, phone: `+96650${hour}34567` }),
    );
    const [startAt, endAt] = [`${hour}:00`, `${hour + 2}:00`];
    client.ok(await world.book({ date: '2026-12-06', timeslot: { startAt, endAt } }));
    return client.ok(
      await client.create({ contactId, addressId, startAt, externalReference: `WEEKLY-${hour}` }),
    );
  }
  return { ...client, seriesOf };
}

/** Acts on a page of one series, and its inspection under a name. */
function actorOf(tab: Tab, language: Language) {
  const { page } = tab;
  const dialog = page.getByRole('dialog');
  const say = (key: Key): string => TEXTS[key][language];
  const row = (index: number) =>
    page
      .locator('main tbody tr')
      .filter({ has: page.getByText(`${index}`, { exact: true }) })
      .first();
  const press = (key: Key, within: { getByRole: typeof page.getByRole } = page) =>
    within.getByRole('button', { name: say(key), exact: true }).click();
  return {
    say,
    row,
    press,
    dialog,
    /** Confirms what is previewed, for a reason if `outcome` is a cancellation. */
    async confirm(act: Key, outcome: Key, name: string) {
      await dialog
        .getByRole('cell', { name: say(outcome) })
        .first()
        .waitFor();
      await inspect(tab, `${name}-${language}`);
      if (outcome === 'series.CANCELLED') {
        await press(act, dialog);
        await dialog.locator('select[aria-invalid=true]').waitFor();
        await dialog.getByLabel(say('field.reason')).selectOption({ index: 1 });
      }
      await press(act, dialog);
      await dialog.waitFor({ state: 'detached' });
    },
    /** Takes the first alternative to the visit. */
    async choose(index: number, name: string) {
      const free = row(index).locator('.buttons button');
      assert.equal(await free.count(), 3);
      await free.first().click();
      await dialog.getByText(say('series.choose').replace('{index}', `\u2068${index}\u2069`)).waitFor();
      await inspect(tab, `${name}-${language}`);
      await press('new.book', dialog);
      await page.getByText(say('new.booked')).first().waitFor();
      await row(index).getByRole('link', { name: /^SA-/ }).waitFor();
    },
  };
}

test('the console: a visit that waits, changes from here on, and signs on its visits', {
  skip: withoutChromium,
}, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const { seriesOf, read, ok } = await openWorld(console);
  const viewer = ok(await service.operator('POST', '/tokens', { name: 'Huda', role: 'viewer' })).token;

  for (const [language, hour] of [
    ['en', 10],
    ['ar', 14],
  ] as const) {
    await t.test(`in ${language}`, async () => {
      const name = language === 'en' ? 'Haifa' : 'هيفاء';
      const { seriesId } = await seriesOf(name, hour);
      const tab = await openTab(console, language, { colorScheme: language === 'ar' ? 'dark' : 'light' });
      const { page, open } = tab;
      const { say, row, press, confirm, choose, dialog } = actorOf(tab, language);
      const mark = (index: number): string => say('series.mark').replace('{index}', `\u2068${index}\u2069`);
      const stateOf = async (index: number) => (await read(seriesId)).dates[index - 1];

      await open('/');
      await page.getByRole('button', { name: say('strip.seriesUnplaced') }).click();
      await page.locator('.trouble-now a').last().click();
      await page.getByRole('link', { name: say('visits.weekly'), exact: true }).waitFor();
      await page.getByRole('row', { name }).getByText(say('series.ACTIVE')).waitFor();
      await inspect(tab, `series-list-${language}`);
      await page.getByRole('row', { name }).getByRole('link').first().click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await row(2).getByText(say('cannot.unavailable')).waitFor();
      await inspect(tab, `series-waiting-${language}`);

      await press('error.retry', row(2));
      await page.locator('main .failed').waitFor();
      await choose(2, 'series-choose');

      // Another page hears of it, and its reader has no buttons.
      const theirs = await openTab(console, language, { token: viewer });
      await theirs.open(`/series/${seriesId}`);
      await actorOf(theirs, language).row(2).getByRole('link', { name: /^SA-/ }).waitFor();
      assert.equal(await theirs.page.locator('main section button').count(), 0);
      await press('series.skipSeriesVisit', row(7));
      await confirm('series.skipSeriesVisit', 'series.SKIPPED', 'series-skip-planned');
      await actorOf(theirs, language).row(7).getByText(say('series.SKIPPED')).waitFor();

      await press('series.updateSeries');
      await dialog.getByLabel(say('series.from')).selectOption('3');
      await dialog.getByLabel(say('series.startAt')).fill(`${hour + 1}:30`);
      await inspect(tab, `series-change-${language}`);
      await press('schedules.preview', dialog);
      await confirm('series.updateSeries', 'series.MOVED', 'series-preview');
      await row(3)
        .getByText(`${hour + 1}:30`)
        .waitFor();
      assert.equal((await stateOf(1)).startAt, `${hour}:00`);
      assert.equal((await stateOf(4)).startAt, `${hour + 1}:30`);

      await press('series.skipSeriesVisit', row(3));
      await confirm('series.skipSeriesVisit', 'series.CANCELLED', 'series-skip');
      await row(3).getByText(say('series.SKIPPED')).waitFor();
      await press('series.pauseSeries');
      await press('schedules.preview', dialog);
      await dialog.locator('input[aria-invalid=true]').first().waitFor();
      await dialog.getByLabel(say('filter.from')).fill('2026-12-19');
      await dialog.getByLabel(say('filter.to')).fill('2026-12-21');
      await press('schedules.preview', dialog);
      await confirm('series.pauseSeries', 'series.CANCELLED', 'series-pause');
      await page.getByText(say('series.pauses')).waitFor();
      assert.equal((await stateOf(4)).state, 'SKIPPED');

      const { trackingReference, bookingId } = await stateOf(1);
      await open(`/visits?view=all&search=${trackingReference}`);
      await inspect(tab, `series-visits-${language}`);
      await page.getByRole('link', { name: mark(1) }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await open(`/bookings/${bookingId}`);
      assert.equal(
        await page.getByRole('link', { name: mark(1) }).getAttribute('href'),
        `/console/series/${seriesId}`,
      );
      await open(`/board?date=${SUNDAY}`);
      const block = page.locator('.visit').filter({ hasText: name }).first();
      assert.ok((await block.getAttribute('title'))!.includes(mark(1)));
      await inspect(tab, `series-board-${language}`);
      await block.click();
      await dialog.getByRole('link', { name: mark(1) }).waitFor();
      await inspect(tab, `series-on-board-${language}`);

      await open(`/series/${seriesId}`);
      await press('series.endSeries');
      await dialog.getByLabel(say('series.from')).selectOption('2');
      await press('schedules.preview', dialog);
      await confirm('series.endSeries', 'series.CANCELLED', 'series-end');
      await page.getByText(say('series.why.ENDED')).waitFor();
      await page
        .getByRole('button', { name: say('series.endSeries'), exact: true })
        .waitFor({ state: 'detached' });
      await inspect(tab, `series-ended-${language}`);
      await open('/audit');
      await page.locator(`main a[href$="/series/${seriesId}"]`).first().waitFor();
    });
  }
});

test('the portal: the same of the partner’s own, as the session may', {
  skip: withoutChromium,
}, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const { seriesOf, read, booking, world } = await openWorld(console);
  const hoursBefore = 700;
  await withPolicy(
    { service, world },
    { graceMinutes: 0, cancel: [{ hoursBefore, percent: 20 }], reschedule: [{ hoursBefore, amount: 20 }] },
  );
  const link = async (readOnly: boolean): Promise<string> =>
    signIn(service, { link: (await makeLink(service, world.partnerId, { readOnly })).token });

  for (const [language, hour] of [
    ['en', 10],
    ['ar', 14],
  ] as const) {
    await t.test(`in ${language}`, async () => {
      const { seriesId } = await seriesOf('Haifa', hour);
      const tab = await openTab(console, language, { token: await link(false), base: '/portal' });
      const { page, open } = tab;
      const { say, row, press, confirm, choose, dialog } = actorOf(tab, language);

      await open('/');
      await page
        .getByRole('navigation')
        .getByRole('link', { name: PORTAL_TEXTS['nav.series'][language] })
        .first()
        .click();
      await page.getByRole('row', { name: `WEEKLY-${hour}` }).waitFor();
      await inspect(tab, `portal-series-list-${language}`);
      await page
        .getByRole('row', { name: `WEEKLY-${hour}` })
        .getByRole('link')
        .first()
        .click();
      await row(2).getByText(say('cannot.unavailable')).waitFor();
      await inspect(tab, `portal-series-${language}`);
      await choose(2, 'portal-series-choose');
      await press('series.updateSeries');
      await dialog.getByLabel(say('series.startAt')).fill(`${hour + 1}:00`);
      await press('schedules.preview', dialog);
      // It was chosen at another time than the series has.
      await dialog.getByRole('cell', { name: say('series.movedAlone') }).waitFor();
      await confirm('series.updateSeries', 'series.MOVED', 'portal-series-preview');
      await row(3)
        .getByText(`${hour + 1}:00`)
        .waitFor();
      await press('series.skipSeriesVisit', row(3));
      await dialog.getByRole('cell', { name: /30\.00/ }).waitFor();
      await confirm('series.skipSeriesVisit', 'series.CANCELLED', 'portal-series-skip');
      await row(3).getByText(say('series.SKIPPED')).waitFor();
      await press('series.pauseSeries');
      await dialog.getByLabel(say('filter.from')).fill('2026-12-19');
      await dialog.getByLabel(say('filter.to')).fill('2026-12-21');
      await press('schedules.preview', dialog);
      await confirm('series.pauseSeries', 'series.CANCELLED', 'portal-series-pause');
      await row(1).getByRole('link', { name: /^SA-/ }).click();
      await page.getByRole('link', { name: say('series.mark').replace('{index}', '\u20681\u2069') }).click();
      await press('series.endSeries');
      await press('schedules.preview', dialog);
      await confirm('series.endSeries', 'series.CANCELLED', 'portal-series-end');
      await page.getByText(say('series.why.ENDED')).waitFor();
      const { status, dates } = await read(seriesId);
      const { fees } = await booking(dates[2].bookingId);
      assert.deepEqual(
        fees.map(({ action, amount }: { action: string; amount: number }) => [action, amount]),
        [
          ['reschedule', 20],
          ['cancel', 30],
        ],
      );
      assert.deepEqual(
        [status, dates.some(({ state }: { state: string }) => state === 'PLACED')],
        ['ENDED', false],
      );
    });
  }

  await t.test('without buttons for a session that may only read, or lacks the permission', async () => {
    const { seriesId } = await seriesOf('Noura', 17);
    const { key } = await createPartnerKey(service, world.partnerId, [
      'partner_bookings_read',
      'partner_bookings_update',
    ]);
    for (const [token, acts] of [
      [await link(true), []],
      [await signIn(service, { key }), [TEXTS['series.updateSeries'].en]],
    ] as const) {
      const { page, open } = await openTab(console, 'en', { token, base: '/portal' });
      await open(`/series/${seriesId}`);
      await page.getByText(TEXTS['cannot.unavailable'].en).waitFor();
      assert.deepEqual(await page.locator('main section button').allInnerTexts(), [...acts]);
    }
  });
});
