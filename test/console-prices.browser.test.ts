import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, dateOf, startOfDate } from '../src/base/clock.ts';
import { settles, withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { createWorld } from './fixtures.ts';
import { TEST_NOW } from './harness.ts';

const skip = withoutChromium;
const inDays = (days: number): string => addDays(dateOf(TEST_NOW), days);

test('prices from a day on are set, shown, changed and taken back', { skip }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service, {
    service: { name: 'Deep cleaning', nameAr: 'تنظيف عميق' },
    partner: { name: 'Home Deals' },
  });
  const { serviceId, partnerId } = world;
  const path = `/catalogue/services/${serviceId}`;
  const coming = async () =>
    (await service.operator('GET', `/services/${serviceId}`)).body.data.comingPrices as unknown;
  const own = async () =>
    (await service.operator('GET', `/partners/${partnerId}/services`)).body.data.services;

  await t.test(
    "of a service: today is refused at its field, and the service's page has what comes",
    async () => {
      const { page, open } = await openTab(console, 'en');
      await open(path);
      await page.getByRole('button', { name: 'Edit' }).click();
      const group = page.getByRole('group', { name: /Prices of .Deep cleaning. from a day on/ });
      await group.getByRole('button', { name: 'Price from a day…' }).click();
      await group.getByLabel('From').fill(inDays(0));
      await group.getByLabel('Price, SAR').fill('١٧٠');
      const save = page.getByRole('dialog').getByRole('button', { name: 'Save' });
      await save.click();
      await group.getByText('Choose a day after today.').waitFor();
      await group.getByLabel('From').fill(inDays(10));
      await group.getByRole('button', { name: 'Price from a day…' }).click();
      await group.getByLabel('From').nth(1).fill(inDays(3));
      await group.getByLabel('Price, SAR').nth(1).fill('160.5');
      await save.click();
      await page.getByText(/^From .*160\.50/).waitFor();
      assert.deepEqual(await coming(), [
        { from: inDays(3), price: 160.5 },
        { from: inDays(10), price: 170 },
      ]);
    },
  );

  await t.test('of a service: one is taken back, and another form leaves the rest as it is', async () => {
    const { page, open } = await openTab(console, 'en');
    await open(path);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).nth(1).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await settles(coming, [{ from: inDays(3), price: 160.5 }]);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Minutes', { exact: false }).first().fill('90');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(await coming(), [{ from: inDays(3), price: 160.5 }]);
  });

  await t.test('of a partner: its own from a day on, and from another the default again', async () => {
    const { page, open } = await openTab(console, 'en');
    await open(`/partners/${partnerId}/prices`);
    await page.getByRole('button', { name: 'Edit services and prices' }).click();
    const group = page.getByRole('group', { name: /Prices of .Deep cleaning. from a day on/ });
    for (const [index, [days, price]] of (
      [
        [2, '120'],
        [5, ''],
      ] as const
    ).entries()) {
      await group.getByRole('button', { name: 'Price from a day…' }).click();
      await group.getByLabel('From').nth(index).fill(inDays(days));
      await group.getByLabel('Price, SAR').nth(index).fill(price);
    }
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^From .*Default/).waitFor();
    const comingPrices = [
      { from: inDays(2), price: 120 },
      { from: inDays(5), price: null },
    ];
    assert.deepEqual(await own(), [{ serviceId, price: null, comingPrices }]);
  });

  for (const language of LANGUAGES)
    await t.test(`the pages in ${language}`, async () => {
      const tab = await openTab(console, language);
      await tab.open(path);
      await inspect(tab, `prices-service-${language}`);
      await tab.open(`${path}?edit=facts`);
      await tab.page.locator('dialog .coming-prices').waitFor();
      await inspect(tab, `prices-service-form-${language}`);
      await tab.open(`/partners/${partnerId}/prices`);
      await inspect(tab, `prices-partner-${language}`);
      await tab.page.locator('main .section button').first().click();
      await tab.page.locator('main .coming-prices').first().waitFor();
      await inspect(tab, `prices-partner-form-${language}`);
      await tab.page.close();
    });

  await t.test('after its midnight it is the price', async () => {
    // First: a session of the day before is over.
    service.clock.set(startOfDate(inDays(3)));
    const { page, open } = await openTab(console, 'en');
    await open(path);
    await page.getByText(/^SAR.160\.50/).waitFor();
  });
});
