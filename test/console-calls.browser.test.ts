import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXTS } from '../console/texts.ts';
import { type Booked, booked, shown } from './appointment-fixtures.ts';
import { withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { TODAY } from './crew-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { until } from './until.ts';

/** Calls from where a visit is seen, and visits that are completed as their crews told by telephone. */

const PHONE = '+966509871234';

test('a dispatcher calls, keeps the answer, and completes by telephone', {
  skip: withoutChromium,
}, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service, {
    teams: 3,
    team: { phone: PHONE },
    service: { name: 'Deep cleaning', nameAr: 'تنظيف عميق', minimumNoticeMinutes: 60 },
  });
  const visits: Booked[] = [];
  for (let count = 0; count < 3; count++) visits.push(await booked(world, '10:00', { date: TODAY }));
  service.clock.set(Date.parse(`${TODAY}T13:00:00+03:00`));
  const { token } = (await service.operator('POST', '/tokens', { name: 'Huda', role: 'dispatcher' })).body
    .data;
  for (const language of LANGUAGES) {
    const tab = await openTab(console, language, { token });
    const { page } = tab;
    await tab.open('/');
    assert.equal(
      await page
        .locator(`a[href="https://wa.me/${PHONE.slice(1)}"]`)
        .first()
        .isVisible(),
      true,
    );
    await inspect(tab, `calls-today-${language}`);
    const answer = page.getByLabel(`${TEXTS['calls.answer'][language]}: ${visits[0]!.trackingReference}`);
    await answer.selectOption('CALL_BACK');
    await until(async () => (await shown(service, visits[0]!)).lastCall?.answer === 'CALL_BACK');
    await page.getByText('Huda').first().waitFor();
    await page.reload();
    await page.locator('.call .badge').first().waitFor();

    await tab.open('/calls?attention=overdue');
    await page.getByRole('table').waitFor();
    assert.equal(await page.getByRole('row').count(), 4);
    await inspect(tab, `calls-list-${language}`);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.getByRole('combobox').first().isVisible(), false, 'no fields on paper');
    await page.emulateMedia({ media: 'screen' });
  }

  const tab = await openTab(console, 'en', { token });
  const { page } = tab;
  await tab.open('/');
  for (const { trackingReference } of visits.slice(0, 2))
    await page.getByLabel(`Select: ${trackingReference}`).check();
  await page.getByRole('button', { name: /^Done, by telephone: .?2.?$/ }).click();
  const end = page.getByLabel(`Ended: ${visits[0]!.trackingReference}`);
  await end.fill(`${TODAY}T14:00`);
  await page.getByText('The end is in the future.').waitFor();
  await inspect(tab, 'calls-done-en');
  await end.fill(`${TODAY}T11:30`);
  await page
    .getByText(/Passes: .?Confirmed/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: /^Complete \(.?2.?\)$/ }).click();
  await page.getByText(/^Visits completed: .?2.?$/).waitFor();
  for (const visit of visits.slice(0, 2)) assert.equal((await shown(service, visit)).status, 'Completed');
});
