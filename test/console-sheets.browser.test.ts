import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { createWorld } from './fixtures.ts';

/** What the set-up still lacks, in a real browser. */

const skip = withoutChromium;

const TITLES = {
  en: { nothing: 'Nothing can be booked yet', service: /^Still missing before it sells/ },
  ar: { nothing: 'لا يمكن حجز أي شيء بعد', service: /^ما ينقصها قبل أن تُباع/ },
};

test('what a set-up still lacks', { skip }, async (t) => {
  const console = await startConsole(t);
  const { operator } = console.service;

  for (const language of LANGUAGES) {
    await t.test(`Today of an empty service in ${language}`, async () => {
      const tab = await openTab(console, language);
      await tab.open('/');
      const list = tab.page.getByRole('list', { name: TITLES[language].nothing });
      await list.waitFor();
      const links = await list
        .getByRole('link')
        .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
      assert.deepEqual(links, [
        '/console/zones',
        '/console/teams',
        '/console/catalogue',
        '/console/partners',
      ]);
      await inspect(tab, `today-setup-${language}`);
    });
  }

  const world = await createWorld(console.service, {
    service: { name: 'Deep cleaning', nameAr: 'تنظيف عميق' },
  });
  const { serviceId, zoneId, teamIds } = world;

  await t.test('Today of a service that can be booked lacks nothing', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/');
    const keys = page.waitForResponse(/\/keys\?/);
    await page.reload();
    await keys;
    await page
      .getByRole('heading', { name: 'Needs attention' })
      .or(page.locator('.tiles').first())
      .first()
      .waitFor();
    assert.equal(await page.locator('.gaps').count(), 0);
    // A revoked key books nothing.
    await operator('PATCH', `/keys/${world.keyId}`, { status: 'REVOKED' });
    await page.reload();
    await page
      .locator('.gaps')
      .getByRole('link', { name: 'There is no active partner with a valid key' })
      .waitFor();
  });

  await t.test('a service lists what it lacks until it is there', async () => {
    await operator('PATCH', `/services/${serviceId}`, { defaultPrice: 0, isActive: false });
    await operator('PATCH', `/zones/${zoneId}`, { serviceIds: [] });
    for (const language of LANGUAGES) {
      const tab = await openTab(console, language);
      await tab.open(`/catalogue/services/${serviceId}`);
      await tab.page.getByRole('list', { name: TITLES[language].service }).waitFor();
      await inspect(tab, `service-setup-${language}`);
    }
    const { page, open } = await openTab(console, 'en');
    await open(`/catalogue/services/${serviceId}`);
    const gaps = page.locator('.gaps');
    await gaps.waitFor();
    assert.deepEqual(
      (await gaps.getByRole('listitem').allInnerTexts()).map((text) => text.replace(/[\u2068\u2069]/g, '')),
      [
        'The default price is 0',
        'No pricing tier covers 120 minutes',
        'It is inactive, so partners do not see it',
        'No active zone offers it',
        'No active team with shifts in its zones can do it',
      ],
    );
    await gaps.getByRole('link', { name: 'No active zone offers it' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await gaps.getByText('No active team').waitFor({ state: 'detached' });
    await gaps.getByRole('link', { name: 'The default price is 0' }).click();
    await dialog.getByLabel('Default price').fill('120');
    await dialog.getByLabel('Active').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await gaps.getByText('The default price').waitFor({ state: 'detached' });
    await operator('POST', '/pricing-tiers', { minMinutes: 60, maxMinutes: 179, factor: 1 });
    await page.reload();
    await page.getByRole('heading', { name: 'Deep cleaning', level: 1 }).waitFor();
    await gaps.waitFor({ state: 'detached' });
  });

  await t.test('a zone lists what it lacks, and its dialog opens from there', async () => {
    await operator('PATCH', `/teams/${teamIds[0]}`, { shifts: [] });
    const { data: zone } = (await operator('GET', `/zones/${zoneId}`)).body;
    const { priority, area } = zone;
    const other = { name: 'Twin', priority, area, serviceIds: [], confirmOverlap: true };
    const made = await operator('POST', '/zones', other);
    assert.equal(made.status, 201, made.text);
    for (const language of LANGUAGES) {
      const tab = await openTab(console, language);
      await tab.open('/zones');
      await tab.page.locator('.gaps').first().waitFor();
      await inspect(tab, `zones-setup-${language}`);
    }
    const { page, open } = await openTab(console, 'en');
    await open('/zones');
    const row = page
      .locator('.place-list > li')
      .filter({ hasText: 'Twin' })
      .filter({ hasText: 'It offers no active service' });
    await row.getByRole('link', { name: /^It overlaps/ }).waitFor();
    await row.getByRole('link', { name: 'No active team with shifts serves it' }).waitFor();
    await row.getByRole('link', { name: 'It offers no active service' }).click();
    const dialog = page.getByRole('dialog', { name: 'Twin' });
    await dialog.getByLabel('Priority').fill('7');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It overlaps').first().waitFor({ state: 'detached' });
  });
});
