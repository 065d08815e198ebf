import { test } from 'node:test';
import { TEXTS } from '../console/texts.ts';
import { booked, shown } from './appointment-fixtures.ts';
import { withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { TODAY } from './crew-fixtures.ts';
import { createWorld } from './fixtures.ts';

/** Unreported visits and failed messages, in both languages. */

test('Today leads to late visits without a report, and to messages that were not sent', {
  skip: withoutChromium,
}, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service);
  const booking = await booked(world, '10:00', { date: TODAY });
  const { db, clock } = service.deps;
  await db.rows({
    text: `insert into customer_messages
        (id, booking_id, kind, version, starts_at, status, reason, due_at, created_at, finished_at)
      select gen_random_uuid(), $1, m.kind, 1, now(), m.status, m.reason, $2, $2, $2
      from (values ('BOOKED', 'FAILED', 'Unifonic answered 200, ER-02'), ('ON_THE_WAY', 'DROPPED', 'QUIET_HOURS'))
        as m (kind, status, reason)`,
    values: [booking.bookingId, new Date(clock.now()).toISOString()],
  });
  service.clock.set(Date.parse(`${TODAY}T10:16:00+03:00`));
  const { name: trackingReference } = await shown(service, booking);

  for (const language of LANGUAGES) {
    const say = (key: keyof typeof TEXTS): string => TEXTS[key][language];
    await t.test(`in ${language}`, async () => {
      const tab = await openTab(console, language);
      const { page, open } = tab;
      await open('/');
      await page.getByRole('button', { name: say('strip.unreported') }).waitFor();
      await inspect(tab, `today-unreported-${language}`);
      await page.getByRole('button', { name: say('strip.unreported') }).click();
      await page.locator('.trouble-now a').last().click();
      await page.getByRole('link', { name: trackingReference }).waitFor();
      await open('/');
      await page.getByRole('button', { name: say('strip.messagesFailed') }).click();
      await page.locator('.trouble-now a').last().click();
      await page.getByText('Unifonic answered 200, ER-02').waitFor();
      await inspect(tab, `messages-failed-${language}`);
      await open('/messages');
      await page.getByRole('cell', { name: say('customers.not.QUIET_HOURS') }).waitFor();
      await inspect(tab, `messages-${language}`);
      await page.getByRole('link', { name: trackingReference }).first().click();
      await page.getByText(say('customers.ON_THE_WAY')).first().waitFor();
    });
  }
});
