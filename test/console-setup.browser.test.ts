import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { audit } from '../src/db/audit.ts';
import { settles, withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, settled, startConsole } from './console-browser.ts';
import { TEST_NOW } from './harness.ts';
import { receive } from './receivers.ts';
import { until } from './until.ts';
import { createHookWorld, makeDeliveries, subscribe } from './webhook-fixtures.ts';

const skip = withoutChromium;

test('the pages of partners and the catalogue', { skip }, async (t) => {
  const receiver = await receive(t, (_request, response) => response.writeHead(410).end('Gone for good'));
  const console = await startConsole(t, { env: { WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${receiver.port}` } });
  const { service } = console;
  const { operator } = service;
  const world = await createHookWorld(service, {
    category: { nameEn: 'Homes', nameAr: 'المنازل' },
    service: { name: 'Deep cleaning', nameAr: 'تنظيف عميق' },
    partner: { name: 'Home Deals', requireHttpsWebhooks: false },
  });
  const { partnerId, serviceId, zoneId } = world;
  await subscribe(service, world.key, { url: `http://127.0.0.1:${receiver.port}/` });
  await operator('POST', '/pricing-tiers', { minMinutes: 60, maxMinutes: 179, factor: 1 });
  await operator('POST', '/cancellation-reasons', { nameEn: 'Changed their mind', nameAr: 'غيّر رأيه' });
  const statusWith = async (key: string): Promise<number> =>
    (await service.v1(key, 'GET', '/partners/pricing/tiers')).status;

  const pages: [name: string, path: string, dialog?: 'dialog'][] = [
    ['partners', '/partners', 'dialog'],
    ['partner', `/partners/${partnerId}`],
    ['partner-prices', `/partners/${partnerId}/prices`],
    ['partner-keys', `/partners/${partnerId}/keys`, 'dialog'],
    ['partner-webhooks', `/partners/${partnerId}/webhooks`],
    ['services', '/catalogue', 'dialog'],
    ['categories', '/catalogue/categories'],
    ['service', `/catalogue/services/${serviceId}`],
    ['tiers', '/catalogue/tiers'],
    ['reasons', '/catalogue/reasons'],
  ];
  for (const language of LANGUAGES) {
    await t.test(`every page in ${language}`, async () => {
      // One language by day and the other by night, so that the colours of both are checked.
      const colorScheme = language === 'ar' ? 'dark' : 'light';
      const tab = await openTab(console, language, { colorScheme });
      for (const [name, path, dialog] of pages) {
        await tab.open(path);
        await inspect(tab, `${name}-${language}`);
        if (dialog === undefined) continue;
        await tab.page.locator('main button.primary').click();
        await inspect(tab, `${name}-new-${language}`);
      }
    });
  }

  await t.test('a partner is added; messages stand at their fields, and its key is shown once', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/partners');
    await page.getByRole('button', { name: 'New partner' }).click();
    const partner = page.getByRole('dialog', { name: 'New partner' });
    await partner.getByLabel('Rate limit (per key, per minute)').fill('many');
    await partner.getByLabel('Allowed webhook domains').fill('https://example.sa');
    await partner.getByRole('button', { name: 'Add' }).click();
    const wrong = partner.locator('.field').filter({ has: page.locator('[aria-invalid="true"]') });
    await until(async () => (await wrong.count()) === 3);
    for (const [index, fault] of [/^Fill this in/, /^Enter a/, /^Line .?1.?: .?Enter a domain/].entries())
      assert.match(await wrong.nth(index).locator('.fault').innerText(), fault);
    await partner.getByLabel('Name', { exact: false }).first().fill('Nice Homes');
    await partner.getByLabel('Rate limit (per key, per minute)').fill('٦٠');
    await partner.getByLabel('Allowed webhook domains').fill('example.sa\nhooks.example.sa');
    await partner.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('heading', { name: 'Nice Homes', level: 1 }).waitFor();
    await page.getByText('The partner has no keys.').waitFor();
    const { body } = await operator('GET', '/partners?search=Nice');
    assert.equal(body.data[0].rateLimitPerMinute, 60);
    assert.deepEqual(body.data[0].allowedWebhookDomains, ['example.sa', 'hooks.example.sa']);

    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New key' });
    await dialog.getByLabel('Purpose').fill('Production server');
    await dialog.getByLabel('Addresses').fill('127.0.0.1\nthe office');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText(/^Line .?2.?: .?Enter an IP address or a CIDR/).waitFor();
    await dialog.getByLabel('Addresses').fill('127.0.0.1');
    // A fault of choices takes the focus as those of fields do, and is read with them.
    const choices = dialog.getByRole('group', { name: 'Permissions' });
    for (const choice of await choices.getByRole('checkbox').all()) await choice.uncheck();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await choices.locator('input:focus[aria-invalid="true"]').waitFor();
    const fault = await choices.getAttribute('aria-describedby');
    assert.match(await choices.locator(`[id="${fault}"]`).innerText(), /^At least .?1.? entries/);
    for (const choice of await choices.getByRole('checkbox').all()) await choice.check();
    await dialog.getByRole('button', { name: 'Add' }).click();
    const shown = page.getByRole('dialog', { name: /The key .Production server/ });
    await shown.getByText('Copy it now: it is shown once.').waitFor();
    const first = await shown.locator('.secret code').innerText();
    assert.equal(await statusWith(first), 200);
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await until(async () => !(await page.content()).includes(first));
    assert.match(await page.getByRole('row', { name: /Production server/ }).innerText(), /127\.0\.0\.1/);

    await page.getByRole('button', { name: 'Replace' }).click();
    const replace = page.getByRole('dialog', { name: /Replace the key .Production server/ });
    await replace.getByLabel('Minutes for which').fill('0');
    await replace.getByRole('button', { name: 'Replace' }).click();
    await shown.waitFor();
    const second = await shown.locator('.secret code').innerText();
    assert.deepEqual([await statusWith(first), await statusWith(second)], [401, 200]);
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByText('This cannot be undone.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key is revoked.').waitFor();
    assert.equal(await statusWith(second), 401);
    // A revoked key stays revoked: nothing can be done with it.
    await page.getByRole('button', { name: 'Replace' }).waitFor({ state: 'detached' });
  });

  await t.test("settings: another user's changes stay; a suspended partner is refused", async () => {
    const { page, open } = await openTab(console, 'en');
    await open(`/partners/${partnerId}`);
    await page.getByRole('button', { name: 'Edit settings' }).click();
    await operator('PATCH', `/partners/${partnerId}`, { language: 'ar' });
    await page.getByRole('dialog').getByLabel('Rate limit (per key, per minute)').fill('600');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    const { data } = (await operator('GET', `/partners/${partnerId}`)).body;
    assert.deepEqual([data.language, data.rateLimitPerMinute], ['ar', 600]);
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('The partner is suspended.').waitFor();
    assert.notEqual(await statusWith(world.key), 200);
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('The partner is active.').waitFor();
    assert.equal(await statusWith(world.key), 200);
  });

  await t.test('prices of a partner, with the message at its row', async () => {
    const { page, open } = await openTab(console, 'en');
    await open(`/partners/${partnerId}/prices`);
    await page.getByRole('button', { name: 'Edit services and prices' }).click();
    await page.getByLabel('Only the services ticked may be booked').check();
    await page.getByLabel(/Deep cleaning. may be booked/).check();
    const price = page.getByLabel(/Own price of .Deep cleaning/);
    await price.fill('99.999');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('cell')
      .getByText(/^Enter an amount from 0 to/)
      .waitFor();
    await settles(() => price.getAttribute('aria-invalid'), 'true');
    await price.fill('99.50');
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Back' }).last().click();
    await settles(() => price.inputValue(), '99.50');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('May book only the services listed.').waitFor();
    const { data } = (await operator('GET', `/partners/${partnerId}/services`)).body;
    assert.deepEqual(data, {
      version: data.version,
      restricted: true,
      services: [{ serviceId, price: 99.5, comingPrices: [] }],
    });

    // Another user changes the price while the form is open: refused, with the current price beside it.
    await page.getByRole('button', { name: 'Edit services and prices' }).click();
    await price.fill('120');
    const theirs = { restricted: true, services: [{ serviceId, price: 110 }] };
    assert.equal((await operator('PUT', `/partners/${partnerId}/services`, theirs)).status, 200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else changed this in the meantime.').waitFor();
    await page.getByText(/In the meantime: .?SAR.110\.00/).waitFor();
    await settles(() => price.inputValue(), '120');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('May book only the services listed.').waitFor();
    assert.equal((await operator('GET', `/partners/${partnerId}/services`)).body.data.services[0].price, 120);
    await operator('PUT', `/partners/${partnerId}/services`, { restricted: false, services: [] });
  });

  await t.test('webhooks of a partner are tested, and failed deliveries retried', async () => {
    const { bookingId } = (await world.book()).body.data;
    await makeDeliveries(service, bookingId, 2, { failedAt: TEST_NOW });
    const { page, open } = await openTab(console, 'en');
    await open(`/partners/${partnerId}/webhooks`);
    await page.getByRole('button', { name: 'Send a test' }).click();
    const result = page.getByRole('dialog', { name: 'Result of the test' });
    await result.getByText('The receiver did not accept it: status').waitFor();
    await result.getByText('Gone for good').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Send failed ones again' }).click();
    const recover = page.getByRole('dialog', { name: 'Send failed ones again' });
    await recover.getByLabel('Failed since').fill('');
    await recover.getByRole('button', { name: 'Send failed ones again' }).click();
    await recover.getByText('Enter a date and a time.').waitFor();
    await recover.getByLabel('Failed since').fill('2026-11-22T07:00');
    await recover.getByRole('button', { name: 'Send failed ones again' }).click();
    await page.getByText(/Webhooks that are sent again: .2/).waitFor();
  });

  await t.test('a service is added, offered in a zone, and not removed while it is', async () => {
    const { page, open } = await openTab(console, 'en');
    const dialog = page.getByRole('dialog');
    await open('/catalogue');
    await page.getByRole('button', { name: 'Add' }).click();
    await dialog.getByLabel('Minutes', { exact: false }).first().fill('0');
    await dialog.getByLabel('Default price').fill('10.001');
    await dialog.getByRole('button', { name: 'Add' }).click();
    for (const fault of [/^Fill this in/, /^Choose one/, /^Not less than/, /^At most .?2.? decimals/])
      await dialog.getByText(fault).first().waitFor();
    await dialog.getByLabel('English name').fill('Windows');
    await dialog.getByLabel('Category').selectOption({ label: 'Homes' });
    await dialog.getByLabel('Minutes', { exact: false }).first().fill('90');
    await dialog.getByLabel('Default price').fill('80.50');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('link', { name: 'Windows' }).click();
    await page.getByRole('heading', { name: 'Windows', level: 1 }).waitFor();
    const madeId = new URL(page.url()).pathname.split('/').at(-1);
    const none = page.getByText('It is offered in no zone');
    await none.waitFor();
    await page.getByRole('button', { name: 'Choose zones' }).click();
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await none.waitFor({ state: 'detached' });
    const offered = async (): Promise<string[]> =>
      (await operator('GET', `/zones/${zoneId}`)).body.data.serviceIds.sort();
    assert.deepEqual(await offered(), [serviceId, madeId].sort());
    await page.getByRole('button', { name: 'Edit' }).click();
    // Another user changes another field meanwhile.
    await operator('PATCH', `/services/${madeId}`, { durationMinutes: 60 });
    await dialog.getByLabel('Active').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.locator('.about').getByText('Inactive').waitFor();
    assert.equal((await operator('GET', `/services/${madeId}`)).body.data.durationMinutes, 60);
    const remove = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Remove' }).click();
      await dialog.getByRole('button', { name: 'Remove' }).click();
    };
    await remove();
    await page.getByRole('alert').getByText('It is in use').waitFor();
    await page.getByRole('button', { name: 'Choose zones' }).click();
    await dialog.getByRole('checkbox').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await none.waitFor();
    assert.deepEqual(await offered(), [serviceId]);
    await remove();
    await page.getByRole('heading', { name: 'Services', level: 1 }).waitFor();
    assert.equal((await operator('GET', `/services/${madeId}`)).status, 404);
  });

  await t.test('every valid link to the portal is listed, and can be revoked', async () => {
    for (let link = 0; link < 12; link++)
      assert.equal((await operator('POST', `/partners/${partnerId}/portal-links`, {})).status, 201);
    const { page, open } = await openTab(console, 'en');
    await open(`/partners/${partnerId}`);
    await page.getByRole('button', { name: 'Developer portal' }).click();
    const revoke = page.getByRole('dialog').getByRole('button', { name: 'Revoke' });
    await until(async () => (await revoke.count()) === 12);
    await revoke.last().click();
    await until(async () => (await revoke.count()) === 11);
  });

  await t.test('price tiers: an overlap is refused in the dialog', async () => {
    const { page, open } = await openTab(console, 'en');
    const dialog = page.getByRole('dialog');
    await open('/catalogue/tiers');
    await page.getByRole('button', { name: 'Add' }).click();
    await dialog.getByLabel('From, minutes').fill('120');
    await dialog.getByLabel('Factor').fill('0.9');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByRole('alert').getByText('The minutes overlap those of another tier.').waitFor();
    await dialog.getByLabel('From, minutes').fill('180');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('row', { name: /^180 No end 0\.9 SAR.90\.00/ }).waitFor();
  });

  await t.test('the audit log shows before and after, and groups the entries of a request', async () => {
    const groupId = randomUUID();
    await service.deps.db.transaction(async (tx) => {
      const entry = { actor: 'operator:first-token', action: 'thing.move' };
      await audit(tx, TEST_NOW, {
        ...entry,
        target: 'thing:1',
        before: { at: 9 },
        after: { at: 10 },
        groupId,
      });
      await audit(tx, TEST_NOW, { ...entry, target: 'thing:2' });
      await audit(tx, TEST_NOW, { ...entry, target: 'thing:3', groupId });
    });
    const tab = await openTab(console, 'en');
    const { page, open } = tab;
    await open('/audit?search=thing.move');
    const group = page.locator('tbody.group');
    await group.getByRole('rowheader', { name: /One request, entries: .2/ }).waitFor();
    await settles(
      () => group.locator('td code').filter({ hasText: 'thing:' }).allInnerTexts(),
      ['thing:3', 'thing:1'],
    );
    await settles(() => page.locator('tbody:not(.group) tr').count(), 1);
    await inspect(tab, 'audit-group-en');
    await group.getByRole('link', { name: 'Show only these' }).click();
    await until(async () => (await page.locator('tbody td[data-label=Change]').count()) === 2);
    assert.equal(new URL(page.url()).searchParams.get('groupId'), groupId);
    await page
      .getByRole('row', { name: /thing:1/ })
      .getByRole('button')
      .click();
    await page.getByRole('dialog').getByRole('row', { name: 'at 9 10' }).waitFor();
  });

  await t.test('production has no page for the clock', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/clock');
    await page.getByRole('heading', { name: 'Sandbox clock', level: 1 }).waitFor();
    await page.route('**/console/clock', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('deployment="sandbox"', 'deployment="production"');
      await route.fulfill({ response, body });
    });
    await open('/clock');
    await page.getByText('There is no page at this address.').waitFor();
    await settles(() => page.getByRole('link', { name: 'Sandbox clock' }).count(), 0);
  });

  await t.test('a viewer reads everything, without actions', async () => {
    const { token } = (await operator('POST', '/tokens', { name: 'Eyes', role: 'viewer' })).body.data;
    const { page, open } = await openTab(console, 'en', { token });
    for (const [name, path] of pages) {
      await open(path);
      await page.getByText('Eyes').first().waitFor({ state: 'attached' });
      await settled(page);
      const offered = await page.locator('main button:not(th button, search button)').allInnerTexts();
      assert.deepEqual(
        offered.filter((text) => !text.includes('Save as CSV')),
        [],
        name,
      );
    }
  });
});

test('empty pages without filters do not offer to clear filters', {
  skip,
}, async (t) => {
  const { page, open } = await openTab(await startConsole(t), 'en');
  const lists = ['appointments', 'bookings', 'payments', 'deliveries', 'partners', 'teams', 'catalogue'];
  for (const path of [...lists, 'board', 'zones', 'audit', 'tokens', 'utilisation']) {
    await open(`/${path}`);
    const empty = page.locator('main .empty').first();
    assert.doesNotMatch(await empty.innerText(), /filter|match/i, path);
  }
  await open('/teams');
  await page.getByText('There are no teams yet.').waitFor();
  await open('/teams?search=none');
  await page.getByText('No team matches.').waitFor();
});
