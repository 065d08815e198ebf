import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXTS } from '../console/texts.ts';
import { settles, withoutChromium } from './browser.ts';
import { LANGUAGES, openTab, settled, startConsole } from './console-browser.ts';
import { createWorld } from './fixtures.ts';

test('what is there is found: the menu, the customers, the palette', { skip: withoutChromium }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service);
  await world.contact({ name: 'Huda Al-Otaibi', phone: '+966551112222' });
  const { trackingReference: reference } = (await world.book({ externalReference: 'ORDER-1' })).body.data;
  const newToken = async (role: string): Promise<string> =>
    (await service.operator('POST', '/tokens', { name: `A ${role}`, role })).body.data.token;

  await t.test('the menu has what the role works with, and folds the rest', async () => {
    const day = ['Today', 'Board', 'Visits', 'New booking', 'Customers'];
    const rest = ['Money', 'Outgoing', 'Reports', 'Partners', 'Set-up', 'Administration'];
    for (const [role, shown, folded] of [
      ['viewer', day.filter((name) => name !== 'New booking'), rest],
      ['dispatcher', day, rest],
      ['admin', ['Today', 'Board', ...rest], ['Visits', 'New booking', 'Customers']],
    ] as const) {
      const { page, open } = await openTab(console, 'en', { token: await newToken(role) });
      await open('/');
      const menu = page.getByRole('navigation', { name: 'Sections' });
      await menu.getByRole('link', { name: 'Board' }).waitFor();
      await page.getByRole('button', { name: `A ${role}` }).waitFor();
      await settles(async () => (await menu.getByRole('link').allInnerTexts()).join(), shown.join());
      await menu.getByText('More', { exact: true }).click();
      await settles(
        async () => (await menu.getByRole('link').allInnerTexts()).join(),
        [...shown, ...folded].join(),
      );
      if (role === 'admin') continue;
      // The pages of an entry are its tabs, by what the role may see; on one of them the rest is unfolded.
      await menu.getByRole('link', { name: 'Administration' }).click();
      await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
      const tabs = page.getByRole('navigation', { name: 'Administration' }).getByRole('link');
      await settles(
        async () => (await tabs.allInnerTexts()).join(),
        ['Audit log', ...(role === 'viewer' ? [] : ['Privacy requests']), 'Sandbox clock'].join(),
      );
      await page.reload();
      await settled(page);
      assert.equal(await menu.locator('details').getAttribute('open'), '');
      const current = menu.locator('a[aria-current=page]');
      assert.deepEqual(await current.allInnerTexts(), ['Administration']);
    }
  });

  await t.test('customers are listed, the latest first, and found by name, phone and reference', async () => {
    const { page, open } = await openTab(console, 'en', { token: await newToken('dispatcher') });
    await open('/');
    await page.getByRole('link', { name: 'Customers' }).first().click();
    const customer = (await service.operator('GET', `/contacts/${world.contactId}`)).body.data;
    const rows = page.locator('main tbody tr');
    await rows.nth(1).waitFor();
    const all = await rows.count();
    for (const typed of [customer.name, customer.phone, reference, 'order-1']) {
      await page.getByRole('searchbox').fill(typed);
      await settles(() => rows.count(), 1, typed);
      await page.getByRole('searchbox').fill('');
      await settles(() => rows.count(), all);
    }
    await page.getByRole('searchbox').fill('nobody');
    await page.getByText('No customer matches.').waitFor();
    await page.getByRole('searchbox').fill(reference);
    await page.getByRole('link', { name: customer.name }).click();
    await page.getByRole('heading', { name: customer.name, level: 1 }).waitFor();
  });

  await t.test(
    'the palette finds pages and acts by the words that people use, in both languages',
    async () => {
      for (const language of LANGUAGES) {
        const { page, open } = await openTab(console, language);
        await open('/');
        await page.keyboard.press('Control+k');
        const find = page.getByRole('combobox');
        const first = page.locator('.hits [role=option]').first();
        for (const [typed, key] of [
          ['ramadan', 'nav.schedules'],
          ['رمضان', 'nav.schedules'],
          ['refund', 'find.refunds'],
          ['استرجاع', 'find.refunds'],
          ['utilization', 'nav.utilisation'],
          ['sick team', 'nav.away'],
          ['فريق مريض', 'nav.away'],
          ['New booking', 'nav.newBooking'],
          ['invite', 'tokens.invite'],
          ['موظف', 'nav.teams'],
        ] as const) {
          await find.fill(typed);
          await settles(async () => (await first.innerText()).includes(TEXTS[key][language]), true, typed);
        }
        await find.fill('refund');
        await page.keyboard.press('Enter');
        await page.waitForURL('**/console/payments?refundStatus=TO_DECIDE');
      }
      // Nothing that the role may not open.
      const { page, open } = await openTab(console, 'en', { token: await newToken('viewer') });
      await open('/');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('invite');
      await page.getByText('Nothing found for').waitFor();
    },
  );
});
