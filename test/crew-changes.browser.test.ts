import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import ar from '../console/crew/texts/ar.json' with { type: 'json' };
import bn from '../console/crew/texts/bn.json' with { type: 'json' };
import en from '../console/crew/texts/en.json' with { type: 'json' };
import fil from '../console/crew/texts/fil.json' with { type: 'json' };
import hi from '../console/crew/texts/hi.json' with { type: 'json' };
import ur from '../console/crew/texts/ur.json' with { type: 'json' };
import { booked, patched } from './appointment-fixtures.ts';
import { launchChromium, settles, withoutChromium } from './browser.ts';
import { SIDEWAYS, violations } from './console-browser.ts';
import { keepsPage, linkTo, own, take, telephone, visitToday } from './crew-browser.ts';
import { TODAY } from './crew-fixtures.ts';
import { startTestService } from './harness.ts';
import { until } from './until.ts';

/** Changes of the plan on the crew's page: a banner until it is seen, an alarm, a mark in the list. */

const skip = withoutChromium;
const LANGUAGES = { en, ar, ur, hi, bn, fil };

const told = (page: Page): Promise<string[]> =>
  page
    .locator('.changed li')
    .allTextContents()
    .then((texts) => texts.map((text) => text.replaceAll(/[\u2066-\u2069]/g, '')));

test('what the office changes is told until it is seen, with an alarm each, also after a reload and without a network', {
  skip,
}, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { world, booking, teamId } = await visitToday(service);
  const other = world.teamIds.find((id) => id !== teamId)!;
  const visits = [booking];
  for (const [startAt, date] of [
    ['13:00', TODAY],
    ['16:00', TODAY],
    ['08:00', '2026-11-23'],
  ] as const) {
    const more = await booked(world, startAt, { date });
    await patched(service, more, { teamId });
    visits.push(more);
  }
  const { page, faults } = await telephone(browser);
  let vibrations = 0;
  await page.exposeFunction('vibrated', () => void vibrations++);
  await page.addInitScript(`Object.defineProperty(navigator, 'vibrate', { value: () => window.vibrated() })`);
  await page.goto(await linkTo(service, teamId));
  await page.getByText(en['is.Scheduled']).first().waitFor();
  await keepsPage(page);
  const banner = page.locator('.changed');
  const seen = () => banner.getByRole('button', { name: en.seen }).click();

  // Own steps and those of the office on the way are no change of the plan.
  await take(page, en['do.In The Way']);
  await page.clock.fastForward(11_000);
  await page.locator('.unsent').waitFor({ state: 'detached' });
  await patched(service, booking, { status: 'In The location' });
  await page.getByText(en['is.In The location']).waitFor();
  await settles(() => banner.count(), 0);
  vibrations = 0;

  const [, second, third, tomorrow] = visits as [
    unknown,
    (typeof visits)[0],
    (typeof visits)[0],
    (typeof visits)[0],
  ];
  await patched(service, second, { timeslot: { startAt: '13:30', endAt: '15:30' } });
  await until(async () => (await told(page)).length === 1);
  await until(() => vibrations === 1);
  await patched(service, third, { teamId: other });
  const reasons = { nameEn: 'Rain', nameAr: 'مطر' };
  const { id: reasonId } = (await service.operator('POST', '/cancellation-reasons', reasons)).body.data;
  await service.operator('POST', `/bookings/${tomorrow.bookingId}/cancel`, { reasonId });
  const added = await booked(world, '18:00', { date: TODAY });
  await patched(service, added, { teamId });
  await until(async () => (await told(page)).length === 4);
  const all = [
    `13:30: ${en['change.moved'].replace('{before}', '13:00')}`,
    `16:00: ${en['change.gone']}`,
    `18:00: ${en['change.added']}`,
    `08:00: ${en['change.cancelled']}`,
  ];
  assert.deepEqual(await told(page), all);
  await settles(() => page.locator('.visit .mark').count(), 3);
  await until(() => vibrations >= 2);

  // Nobody has seen it yet.
  const alarms = vibrations;
  await page.context().setOffline(true);
  await page.reload();
  await banner.waitFor();
  assert.deepEqual(await told(page), all);
  await seen();
  await settles(() => banner.count(), 0);
  await page.reload();
  await page.getByText('13:30').first().waitFor();
  await settles(() => banner.count(), 0);
  await page.context().setOffline(false);

  // The address, of visits that are not over.
  const path = `/partners/addresses/${world.addressId}`;
  assert.equal((await service.v1(world.key, 'PATCH', path, { unit: '12' })).status, 200);
  await until(async () => (await told(page)).some((text) => text.endsWith(en['change.address'])));
  await seen();
  await settles(() => banner.count(), 0);
  await settles(() => page.locator('.visit .mark').count(), 0);
  assert.equal(vibrations, alarms + 1, 'no alarm of what was told');
  assert.deepEqual(own(faults), []);
});

test('the banner is on the first screen in every language, and readable', { skip }, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { world, booking, teamId } = await visitToday(service);
  const { page } = await telephone(browser);
  await page.goto(await linkTo(service, teamId));
  await page.getByText(en['is.Scheduled']).waitFor();
  await patched(service, booking, { date: '2026-11-23' });
  const added = await booked(world, '18:00', { date: TODAY });
  await patched(service, added, { teamId });
  await until(async () => (await told(page)).length === 2);
  for (const [language, texts] of Object.entries(LANGUAGES)) {
    await page.getByRole('combobox').selectOption(language);
    await page.locator('.changed').getByText(texts.planChanged).waitFor();
    for (const [width, height] of [
      [360, 640],
      [412, 915],
    ] as const) {
      await page.setViewportSize({ width, height });
      const bottom = await page
        .locator('.changed button')
        .evaluate((button) => button.getBoundingClientRect().bottom);
      assert.ok(bottom <= height, `${language} ${width}: ${bottom}`);
      assert.equal(await page.evaluate(SIDEWAYS), false, `${language} ${width}`);
      const folder = process.env.TEST_SCREENSHOTS;
      if (folder === undefined) continue;
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `crew-changes-${language}-${width}.png`) });
    }
    assert.deepEqual(await violations(page), [], language);
  }
});
