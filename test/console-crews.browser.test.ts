import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXTS } from '../console/texts.ts';
import { booked, patched, shown, slot } from './appointment-fixtures.ts';
import { settles, withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { step, TODAY, telephone, telephoneOf } from './crew-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { until } from './until.ts';

/** Crews in the console, in both languages. */

test('links of crews, their steps and their punctuality', { skip: withoutChromium }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service, { teams: 2 });
  const teamId = world.teamIds[0]!;
  const punctual = await booked(world, '10:00', { date: TODAY });
  await patched(service, punctual, { teamId });
  const moved = await booked(world, '14:00', { date: TODAY });
  await patched(service, moved, { teamId });
  const phone = await telephoneOf(service, teamId);
  await patched(service, moved, { timeslot: slot('16:00', '18:00') });
  service.clock.advance(130 * 60_000);
  for (const to of ['In The Way', 'In The location', 'In Progress'])
    await step(service, phone, punctual, { to, minutesAgo: 5 });
  const yesterday = { to: 'In The Way', startsAt: '2026-11-21T13:00:00+03:00' };
  assert.equal((await step(service, phone, moved, yesterday)).refusal, 'RESCHEDULED');

  // The minutes of the first visit are over.
  service.clock.advance(10 * 60_000);

  for (const language of LANGUAGES) {
    const say = (key: keyof typeof TEXTS): string => TEXTS[key][language];
    await t.test(`a link is made, shown as a code, opened and revoked, in ${language}`, async () => {
      const tab = await openTab(console, language);
      const { page, open } = tab;
      await open(`/teams/${teamId}`);
      await page.getByRole('button', { name: say('crew.page') }).click();
      const dialog = page.getByRole('dialog');
      await dialog
        .getByRole('cell', { name: say('crew.ACTIVE') })
        .first()
        .waitFor();
      await inspect(tab, `crew-links-${language}`);
      await dialog.getByLabel(say('crew.lasts')).selectOption('UNTIL_REVOKED');
      await dialog.getByLabel(say('crew.pin')).fill('4711');
      await dialog.getByRole('button', { name: say('crew.make') }).click();
      await page.getByRole('img', { name: say('crew.qr') }).waitFor();
      await inspect(tab, `crew-code-${language}`);
      const url = await dialog.locator('code').innerText();
      const link = new URLSearchParams(new URL(url).hash.slice(1)).get('link')!;
      await telephone(service, { link, pin: '4711' });
      await page.getByRole('button', { name: say('secret.stored') }).click();
      const row = dialog
        .getByRole('row')
        .filter({ hasText: say('crew.hasPin') })
        .filter({
          has: page.getByRole('button', { name: say('keys.revoke') }),
        });
      await row.getByRole('button', { name: say('keys.revoke') }).click();
      await row.waitFor({ state: 'detached' });
      const links = (await service.operator('GET', `/teams/${teamId}/crew-links`)).body.data;
      assert.equal(links[0].status, 'REVOKED');
    });

    await t.test(
      `a refused step is on Today, in its list and in the visit's history, in ${language}`,
      async () => {
        const tab = await openTab(console, language);
        const { page, open } = tab;
        await open('/');
        await page.getByRole('button', { name: say('strip.stepsRefused') }).click();
        await page.locator('.trouble-now a').last().click();
        await page.getByText(say('statusReason.RESCHEDULED')).waitFor();
        await inspect(tab, `crew-steps-${language}`);
        await open(`/bookings/${moved.bookingId}`);
        await page.getByText(say('event.crew-step.refuse')).waitFor();
        await open(`/bookings/${punctual.bookingId}`);
        await page
          .getByText(say('event.happenedAt').replace('{time}', '\u206810:05\u2069'))
          .first()
          .waitFor();
        await open('/audit');
        await page.getByText(say('statusReason.RESCHEDULED')).first().waitFor({ state: 'detached' });
      },
    );

    await t.test(`punctuality by team, zone and partner, in ${language}`, async () => {
      const tab = await openTab(console, language);
      const { page, open } = tab;
      await open('/punctuality');
      await page.getByRole('heading', { name: say('punctuality.partners'), exact: true }).waitFor();
      await inspect(tab, `punctuality-${language}`);
      await open('/punctuality?minutes=5&from=2026-11-22&to=2026-11-22');
      await page.getByRole('heading', { name: say('punctuality.teams'), exact: true }).waitFor();
    });
  }

  await t.test('the office takes a refused step as reported', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/crew-steps?outcome=UNDECIDED');
    await page.getByRole('button', { name: TEXTS['steps.take'].en }).click();
    await page.getByText(TEXTS['steps.none'].en).waitFor();
    await open('/crew-steps?outcome=REFUSED');
    await page.getByText(TEXTS['steps.TAKEN'].en).waitFor();
    assert.equal((await shown(service, moved)).status, 'In The Way');
    await open(`/bookings/${moved.bookingId}`);
    await page.getByText(TEXTS['event.crew-step.take'].en).waitFor();
  });

  await t.test('the board leads to the links of a team', async () => {
    const { page, open } = await openTab(console, 'en');
    await open(`/board?date=${TODAY}`);
    await page
      .getByRole('link', { name: /^Crew page of/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText(TEXTS['crew.about'].en).waitFor();
  });

  await t.test('viewers see links and cannot make them', async () => {
    const { token } = (await service.operator('POST', '/tokens', { name: 'The viewer', role: 'viewer' })).body
      .data;
    const { page, open } = await openTab(console, 'en', { token });
    await open(`/teams/${teamId}?do=crew`);
    await until(async () => (await page.getByRole('dialog').getByRole('row').count()) > 1);
    for (const key of ['crew.make', 'keys.revoke'] as const)
      await settles(() => page.getByRole('button', { name: TEXTS[key].en }).count(), 0);
  });
  assert.equal((await shown(service, punctual)).status, 'In Progress');
});
