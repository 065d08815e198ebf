import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { data, reasonOf, withPolicy } from './fee-fixtures.ts';
import { createWorld } from './fixtures.ts';

const skip = withoutChromium;

const TEXTS = {
  en: {
    close: 'Close the booking…',
    revisit: 'Plan another visit…',
    fee: /fee .*120\.00.*refund .*0\.00/,
    reason: /^Reason/,
    closeNow: 'Close the booking',
    revisitNow: 'Plan the visit',
    other: 'Other plans',
    closed: 'The booking is closed.',
    date: 'Date',
    revisited: 'Another visit is planned.',
    why: 'Nobody was there',
  },
  ar: {
    close: 'إغلاق الحجز…',
    revisit: 'تحديد زيارة أخرى…',
    fee: /الرسم .*120\.00.*المبلغ المعاد .*0\.00/,
    reason: /^السبب/,
    closeNow: 'إغلاق الحجز',
    revisitNow: 'تحديد الزيارة',
    other: 'خطط أخرى',
    closed: 'أُغلق الحجز.',
    date: 'التاريخ',
    revisited: 'حُددت زيارة أخرى.',
    why: 'لم يكن أحد في الموقع',
  },
} as const;

test('a visit that could not be done is closed with its fee, or planned once more', { skip }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service, { teams: 6 });
  await withPolicy({ service, world });
  await reasonOf({ service });
  const notDone = async (): Promise<string> => {
    const { bookingId, appointmentId } = data(await world.book());
    for (const change of [
      { status: 'In The Way' },
      { status: 'Cannot Complete', outcome: 'CUSTOMER_ABSENT' },
    ])
      data(await service.operator('PATCH', `/appointments/${appointmentId}`, change));
    return bookingId;
  };
  const read = async (id: string) => data(await service.operator('GET', `/bookings/${id}`));

  for (const language of LANGUAGES) {
    await t.test(`in ${language}`, async () => {
      const texts = TEXTS[language];
      const [closed, visited] = [await notDone(), await notDone()];
      const tab = await openTab(console, language);
      const { page, open } = tab;
      const dialog = page.getByRole('dialog');

      await open(`/bookings/${closed}`);
      await page.getByText(texts.why).waitFor();
      await page.getByRole('button', { name: texts.close }).click();
      await dialog.getByText(texts.fee).waitFor();
      await inspect(tab, `close-booking-${language}`);
      await dialog.getByLabel(texts.reason).selectOption({ label: texts.other });
      await dialog.getByRole('button', { name: texts.closeNow, exact: true }).click();
      await page.getByText(texts.closed).waitFor();
      assert.equal((await read(closed)).cancellation.fee, 120);

      await open(`/bookings/${visited}`);
      await page.getByRole('button', { name: texts.revisit }).click();
      await dialog.getByLabel(texts.date).fill('2026-11-26');
      await inspect(tab, `revisit-booking-${language}`);
      await dialog.getByRole('button', { name: texts.revisitNow }).click();
      await page.getByText(texts.revisited).waitFor();
      const { appointment, date } = await read(visited);
      assert.deepEqual([appointment.status, date.slice(0, 10)], ['Scheduled', '2026-11-26']);
    });
  }
});
