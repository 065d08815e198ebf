import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutChromium } from './browser.ts';
import { chooseAct, inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { createWorld } from './fixtures.ts';
import { becomes, linkOf, use } from './payment-flows.ts';

const skip = withoutChromium;

test('refunds of cancellations, and decisions on refunds', { skip }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  await service.operator('POST', '/cancellation-reasons', { nameEn: 'Ill', nameAr: 'مريض' });
  const world = await createWorld(service, { teams: 2, partner: { paymentResponsibility: 'PLATFORM' } });
  const own = await createWorld(service);
  const paid = async () => {
    const { bookingId } = (await world.book()).body.data;
    await use({ service, world }, await linkOf({ service, world }, bookingId), 'paid');
    await becomes({ service, world }, bookingId, ['in progress', 'PAID']);
    const { data } = (await service.operator('GET', `/bookings/${bookingId}`)).body;
    return {
      bookingId: bookingId as string,
      payment: data.payment.id as string,
      appointment: data.appointmentId,
    };
  };
  const [planned, begun] = [await paid(), await paid()];
  for (const status of ['In The Way', 'In The location', 'In Progress'])
    await service.operator('PATCH', `/appointments/${begun.appointment}`, { status });
  const byPartner = (await own.book()).body.data.bookingId;
  const path = `/partners/bookings/${byPartner}/confirm-payment`;
  assert.equal((await service.v1(own.key, 'POST', path, {})).status, 200);

  await t.test('a cancellation names the amount, the recipient and the refunding party first', async () => {
    const { page, open } = await openTab(console, 'en');
    for (const [bookingId, text] of [
      [planned.bookingId, /150\.00.* goes back to .*; the service refunds it\./],
      [begun.bookingId, /The work has begun: .*150\.00/],
      [byPartner, /paid .*150\.00.* to .*, who refunds it\./],
    ] as const) {
      await open(`/bookings/${bookingId}`);
      await chooseAct(page, 'Cancel the booking');
      await page.getByRole('dialog').getByText(text).waitFor();
    }
    await open(`/bookings/${begun.bookingId}`);
    await chooseAct(page, 'Cancel the booking');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').selectOption({ label: 'Ill' });
    await dialog.getByRole('button', { name: 'Cancel the booking' }).click();
    await page.getByText('The booking is cancelled.').waitFor();
  });

  for (const language of LANGUAGES) {
    await t.test(`pending decisions are shown (${language})`, async () => {
      const tab = await openTab(console, language);
      await tab.open('/');
      const name = language === 'ar' ? 'مبالغ يُقرَّر ردّها' : 'Refunds';
      await tab.page.locator('.strip').getByRole('button', { name }).waitFor();
      await tab.open(`/payments/${begun.payment}`);
      await inspect(tab, `payment-to-decide-${language}`);
    });
  }

  await t.test('a partial refund', async () => {
    const { page, open } = await openTab(console, 'en');
    await open(`/payments/${begun.payment}`);
    await page.getByRole('table', { name: 'Payments by the link' }).getByText('paid').waitFor();
    await page.getByRole('button', { name: 'Refund…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount in SAR').fill('200');
    await dialog.getByLabel('Reason').fill('Half was done');
    await dialog.getByRole('button', { name: 'Refund…' }).click();
    await dialog.getByText(/^Not more than .?150\.00/).waitFor();
    await dialog.getByLabel('Amount in SAR').fill('50.5');
    await dialog.getByRole('button', { name: 'Refund…' }).click();
    await page.getByText('The refund is on its way.').waitFor();
    await page.getByText('Half was done').waitFor();
    await page.getByText('Refunded', { exact: true }).first().waitFor();
    const { data } = (await service.operator('GET', `/payments/${begun.payment}`)).body;
    assert.deepEqual([data.refundDecision.keptAmount, data.refund.amount], [99.5, 50.5]);
  });

  await t.test('no refund', async () => {
    for (const status of ['In The Way', 'In The location', 'In Progress'])
      await service.operator('PATCH', `/appointments/${planned.appointment}`, { status });
    const reason = (await service.operator('GET', '/cancellation-reasons')).body.data[0].id;
    await service.operator('POST', `/bookings/${planned.bookingId}/cancel`, { reasonId: reason });
    const { page, open } = await openTab(console, 'en');
    await open(`/payments/${planned.payment}`);
    await page.getByRole('button', { name: 'Refund nothing' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('All was done');
    await dialog.getByRole('button', { name: 'Refund nothing' }).click();
    await page.getByText('Not refunded').first().waitFor();
  });
});
