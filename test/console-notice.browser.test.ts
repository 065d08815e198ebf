import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutChromium } from './browser.ts';
import { chooseAct, openTab, startConsole } from './console-browser.ts';
import { createWorld } from './fixtures.ts';

test('a time inside the minimum notice is booked with a reason, after a question', {
  skip: withoutChromium,
}, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const { contactId, addressId, serviceId } = await createWorld(service);
  const { page, open } = await openTab(console, 'en');
  const chosen = new URLSearchParams({ contactId, addressId, serviceId, date: '2026-11-22' });
  await open(`/bookings/new?${chosen}`);
  const soon = page.getByRole('group', { name: 'Inside the minimum notice' });
  await soon.getByRole('button', { name: '09:00–11:00' }).click();
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Book inside the minimum notice?' });
  await question.waitFor();
  await question.getByLabel('Reason').fill('The customer is at the door');
  await question.getByRole('button', { name: 'Book', exact: true }).click();
  await page.waitForURL(/\/bookings\/[0-9a-f-]{36}$/);
  const { data } = (await service.operator('GET', '/audit?action=booking.create')).body;
  assert.deepEqual(
    [data[0].after.forced, data[0].after.forcedBecause],
    [true, 'The customer is at the door'],
  );

  // The page of the booking leads to its changes, its visit's too, which read with its reference.
  const { appointmentId, trackingReference } = data[0].after;
  const confirmed = await service.operator('PATCH', `/appointments/${appointmentId}`, {
    status: 'Confirmed',
  });
  assert.equal(confirmed.status, 200, confirmed.text);
  await chooseAct(page, 'Changes');
  await page.getByRole('row').nth(2).waitFor();
  assert.equal(await page.getByRole('row').getByRole('link', { name: trackingReference }).count(), 2);
  await page.getByLabel('About', { exact: true }).fill(trackingReference);
  await page.waitForURL(`**/audit?target=${trackingReference}`);
  await page.getByRole('row').nth(2).waitFor();
});
