import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import ar from '../console/crew/texts/ar.json' with { type: 'json' };
import bn from '../console/crew/texts/bn.json' with { type: 'json' };
import en from '../console/crew/texts/en.json' with { type: 'json' };
import fil from '../console/crew/texts/fil.json' with { type: 'json' };
import hi from '../console/crew/texts/hi.json' with { type: 'json' };
import ur from '../console/crew/texts/ur.json' with { type: 'json' };
import { booked, patched, shown, traces } from './appointment-fixtures.ts';
import { launchChromium, settles, withoutChromium } from './browser.ts';
import { SIDEWAYS, violations } from './console-browser.ts';
import { becomes, keepsPage, linkTo, own, take, telephone, visitToday } from './crew-browser.ts';
import { makeCrewLink, TODAY } from './crew-fixtures.ts';
import { createPostgresDatabase, onPostgres, startTestService } from './harness.ts';

/** The crew's page on a telephone: 360 px, networks that come and go, several languages. */

const LANGUAGES = { en, ar, ur, hi, bn, fil };
const UNDO = 10_000;
/** A second, and what a page takes to notice. */
const HELD = 1_300;

test('a day: the link, a held button, undo, the order of steps', { skip: withoutChromium }, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { booking, teamId } = await visitToday(service, '10:00', { notes: 'Gate code 4711' });
  const { page, faults } = await telephone(browser);
  await page.goto(await linkTo(service, teamId));
  await page.getByText(en.more).click();
  await page.getByText('Gate code 4711').waitFor();
  assert.equal(new URL(page.url()).hash, '', 'the token is out of the address');
  await settles(
    () => page.getByRole('link', { name: en.map }).getAttribute('href'),
    'geo:24.7,46.7?q=24.7,46.7',
  );
  await settles(() => page.getByRole('link', { name: en.call }).count(), 0, 'two hours before');
  assert.equal(await page.evaluate('document.cookie'), '', 'no script reads the session');

  // A button that is let go does nothing, and undo takes a step back before it is sent.
  const go = page.getByRole('button', { name: en['do.In The Way'] });
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await go.dispatchEvent('pointerdown', { button: 0 });
  await page.clock.runFor(500);
  await go.dispatchEvent('pointerup');
  await page.clock.runFor(1_000);
  await settles(() => page.getByRole('button', { name: en.undo }).count(), 0);
  await go.dispatchEvent('pointerdown', { button: 0 });
  await page.clock.runFor(HELD);
  await page.getByRole('button', { name: en.undo }).click();
  await settles(() => page.locator('.unsent').count(), 0);
  await page.clock.runFor(UNDO);
  assert.equal((await shown(service, booking)).status, 'Scheduled');

  await go.dispatchEvent('pointerdown', { button: 0 });
  await page.clock.runFor(HELD);
  await page.locator('.unsent').waitFor();
  await page.clock.runFor(UNDO - 1_500);
  assert.equal((await shown(service, booking)).status, 'Scheduled');
  await page.clock.runFor(1_500);
  await becomes(service, booking, 'In The Way');
  await page.clock.resume();

  // The next step sends the one before it at once.
  service.clock.advance(90 * 60_000);
  await take(page, en['do.In The location']);
  await page.getByRole('link', { name: en.call }).waitFor();
  await take(page, en['do.In Progress']);
  await becomes(service, booking, 'In The location');
  await page.clock.fastForward(UNDO);
  await becomes(service, booking, 'In Progress');
  await take(page, en['do.Finished']);
  await page.clock.fastForward(UNDO);
  await becomes(service, booking, 'Finished');
  const { events } = await traces(service, booking);
  assert.deepEqual(
    events.slice(1).map(({ payload }) => payload.appointmentStatusChange.to),
    ['In The Way', 'In The location', 'In Progress', 'Finished'],
  );
  assert.deepEqual(own(faults), []);
});

test('the office and the street see the same within two reads', { skip: withoutChromium }, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { world, booking, teamId } = await visitToday(service);
  const { page } = await telephone(browser);
  await page.goto(await linkTo(service, teamId));
  await page.getByText(en['is.Scheduled']).waitFor();
  await patched(service, booking, { status: 'In The Way' });
  await page.getByText(en['is.In The Way']).waitFor();
  const { id: reasonId } = (
    await service.operator('POST', '/cancellation-reasons', { nameEn: 'Rain', nameAr: 'مطر' })
  ).body.data;
  await service.operator('POST', `/bookings/${booking.bookingId}/cancel`, { reasonId });
  await page.locator('.visit .status').getByText(en['is.Cancelled']).waitFor();
  const second = await booked(world, '15:00', { date: TODAY });
  await patched(service, second, { teamId });
  await page.locator('.visit').getByText('15:00').waitFor();
});

test('a cut network: steps are kept with their times and sent once, in order', {
  skip: withoutChromium,
}, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { booking, teamId } = await visitToday(service);
  const { page } = await telephone(browser);
  await page.goto(await linkTo(service, teamId));
  await page.getByText(en['is.Scheduled']).waitFor();
  await page.context().setOffline(true);
  await take(page, en['do.In The Way']);
  await page.clock.fastForward(20 * 60_000);
  await take(page, en['do.In The location']);
  await page.clock.fastForward(30 * 60_000);
  await page.getByText(en.offline).waitFor();
  await page.getByText(en.unsent.replace('{count}', '\u20682\u2069')).waitFor();
  service.clock.advance(50 * 60_000);
  assert.equal((await shown(service, booking)).status, 'Scheduled');
  await page.context().setOffline(false);
  await becomes(service, booking, 'In The location');
  await page.locator('.unsent').waitFor({ state: 'detached' });
  const { events } = await traces(service, booking);
  const [first, second] = events
    .slice(1)
    .map(({ payload }) => Date.parse(payload.appointmentStatusChange.changedAt));
  const minutes = (from: number, to: number): number => Math.round((to - from) / 60_000);
  assert.equal(minutes(first!, second!), 20, 'between the taps');
  assert.ok(minutes(second!, service.clock.now()) >= 30, 'since the last one');
});

test('a step that does not fit any more is shown with what is so, once seen it is gone', {
  skip: withoutChromium,
}, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { world, booking, teamId } = await visitToday(service);
  const { page } = await telephone(browser);
  await page.goto(await linkTo(service, teamId));
  await page.getByText(en['is.Scheduled']).waitFor();
  await page.context().setOffline(true);
  await take(page, en['do.In The Way']);
  await patched(service, booking, { teamId: world.teamIds.find((id) => id !== teamId) });
  await page.clock.fastForward(UNDO);
  await page.context().setOffline(false);
  const alert = page.getByRole('alert');
  await alert.getByText(en['refused.OTHER_TEAM']).waitFor();
  await page.getByText(en.none).first().waitFor();
  assert.equal((await shown(service, booking)).status, 'Scheduled');
  await page.locator('.refused').getByRole('button', { name: en.seen }).click();
  await settles(() => alert.getByText(en['refused.OTHER_TEAM']).count(), 0);
  // The plan has changed, too.
  await page.locator('.changed').getByText(en['change.gone']).waitFor();
});

test('a revoked link: the list is gone, steps are not lost, a new link goes on', {
  skip: withoutChromium,
}, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { booking, teamId } = await visitToday(service);
  const link = await makeCrewLink(service, teamId);
  const { page } = await telephone(browser);
  await page.goto(`${service.url}/crew#link=${link.token}`);
  await page.getByText(en['is.Scheduled']).waitFor();
  await page.context().setOffline(true);
  await take(page, en['do.In The Way']);
  await page.clock.fastForward(UNDO);
  await service.operator('DELETE', `/crew-links/${link.id}`);
  await page.context().setOffline(false);
  await page.getByText(en.ended).waitFor();
  await page.getByText(en['refused.LINK_ENDED']).waitFor();
  assert.doesNotMatch(String(await page.evaluate('JSON.stringify(localStorage)')), /Noura/);
  const { history } = (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data;
  assert.equal(history.at(-1).reason, 'LINK_ENDED');
  await page.goto('about:blank');
  await page.goto(await linkTo(service, teamId));
  await page.getByText(en['is.Scheduled']).waitFor();
});

test('a PIN is asked for, wrong ones are refused, and links that open nothing say so', {
  skip: withoutChromium,
}, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { teamId } = await visitToday(service);
  const { page, faults } = await telephone(browser);
  await page.goto(await linkTo(service, teamId, { pin: '4711' }));
  const pin = page.getByLabel(en.pin, { exact: true });
  await pin.fill('1234');
  await page.getByRole('button', { name: en.open }).click();
  await page.getByText(en.pinWrong).waitFor();
  // An Arabic keyboard's digits.
  await pin.fill('٤٧١١');
  await page.getByRole('button', { name: en.open }).click();
  await page.getByText(en['is.Scheduled']).waitFor();
  assert.deepEqual(own(faults), []);
  const stranger = await telephone(browser);
  await stranger.page.goto(`${service.url}/crew#link=pbs_crew_nothing`);
  await stranger.page.getByText(en.wrongLink).waitFor();
  await stranger.page.goto('about:blank');
  await stranger.page.goto(`${service.url}/crew`);
  await stranger.page.getByText(en.openLink).waitFor();
});

test('without the service the page opens from the telephone, and goes on when it is back', {
  skip: withoutChromium || (!onPostgres && 'a service that starts again needs PostgreSQL'),
}, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const first = await startTestService(t, { databaseUrl });
  const browser = await launchChromium(t);
  const { booking, teamId } = await visitToday(first);
  const { page } = await telephone(browser);
  await page.goto(await linkTo(first, teamId));
  await page.getByText(en['is.Scheduled']).waitFor();
  await keepsPage(page);
  const { port } = new URL(first.url);
  await first.close();
  await page.reload();
  await page.getByText(en['is.Scheduled']).waitFor();
  await page.getByText(en.offline).waitFor();
  await take(page, en['do.In The Way']);
  await page.reload();
  await page.locator('.unsent').waitFor();
  const second = await startTestService(t, { databaseUrl, env: { PORT: port } });
  await becomes(second, booking, 'In The Way');
  await page.locator('.unsent').waitFor({ state: 'detached' });
});

/** The width of the narrowest and of a wide telephone or desktop. */
const WIDTHS = [360, 390, 1280];

test('each language fits a narrow screen, reads in its direction, and has no findings of axe', {
  skip: withoutChromium,
}, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { world, booking, teamId } = await visitToday(service, '10:00', { notes: 'Gate code 4711' });
  for (const startAt of ['13:00', '16:00']) {
    const more = await booked(world, startAt, { date: TODAY });
    await patched(service, more, { teamId });
  }
  service.clock.advance(75 * 60_000);
  await patched(service, booking, { status: 'In The Way' });
  const link = await linkTo(service, teamId, { lasts: 'UNTIL_REVOKED' });
  const folder = process.env.TEST_SCREENSHOTS;
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  for (const [language, texts] of Object.entries(LANGUAGES)) {
    await t.test(language, async () => {
      const { page, faults } = await telephone(browser, language === 'fil' ? 'tl-PH' : language);
      await page.goto(link);
      await page.getByRole('button', { name: texts['do.Cannot Complete'] }).click();
      await page.getByText(texts['why.CUSTOMER_ABSENT']).waitFor();
      await page.locator('.why').getByRole('button', { name: texts.back }).click();
      await page.context().setOffline(true);
      await page.getByText(texts.offline).waitFor();
      await page.context().setOffline(false);
      await page.getByText(texts.offline).waitFor({ state: 'detached' });
      assert.deepEqual(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]'), [
        language,
        ['ar', 'ur'].includes(language) ? 'rtl' : 'ltr',
      ]);
      const shots = async (name: string): Promise<void> => {
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          assert.equal(await page.evaluate(SIDEWAYS), false, `${language} ${name} at ${width}`);
          if (folder !== undefined)
            await page.screenshot({
              path: join(folder, `crew-${name}-${language}-${width}.png`),
              fullPage: true,
            });
        }
        assert.deepEqual(await violations(page), [], `${language} ${name}`);
      };
      await shots('day');
      await page.getByRole('button', { name: texts['do.Cannot Complete'] }).click();
      await shots('why');
      assert.deepEqual(own(faults), []);
    });
  }
});

test('targets are 72 px high and the bundle is small', { skip: withoutChromium }, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { teamId } = await visitToday(service);
  const { page, requests } = await telephone(browser);
  await page.goto(await linkTo(service, teamId));
  await page.getByText(en['is.Scheduled']).waitFor();
  const heights = (await page
    .locator('.big, summary')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))) as number[];
  assert.ok(heights.length > 2 && heights.every((height) => height >= 72), heights.join(', '));
  const script = requests.find((address) => /\/crew\/assets\/.*\.js$/.test(address))!;
  const { byteLength } = await (await fetch(script)).arrayBuffer();
  assert.ok(byteLength < 80_000, `${byteLength} bytes`);
  assert.ok(requests.every((address) => new URL(address).origin === service.url));
});

test('each language has its own words for every text', () => {
  for (const [language, texts] of Object.entries(LANGUAGES)) {
    if (language === 'en') continue;
    const same = Object.entries(texts).filter(([key, text]) => text === en[key as keyof typeof en]);
    assert.ok(same.length <= 2, `${language}: ${same.map(([key]) => key).join(', ')}`);
    for (const [key, text] of Object.entries(texts)) {
      const gaps = (of: string) => (of.match(/\{\w+\}/g) ?? []).sort();
      assert.deepEqual(gaps(text), gaps(en[key as keyof typeof en]), `${language} ${key}`);
    }
  }
});
