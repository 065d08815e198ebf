import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { settles, withoutChromium as skip } from './browser.ts';
import { inspect, LANGUAGES, openTab, settled, startConsole, type Tab } from './console-browser.ts';
import type { TestService } from './harness.ts';
import { until } from './until.ts';

/** People of the office in the console: links, PINs, and how an administrator ends both. */

const HOUR = 3_600_000;
const PIN = '407193';

async function linkOf(service: TestService, id: string, addsBrowser = false): Promise<string> {
  const answer = await service.operator('POST', `/tokens/${id}/sign-in-links`, { addsBrowser });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.url;
}

async function person(service: TestService, name: string, role = 'dispatcher'): Promise<string> {
  return (await service.operator('POST', '/tokens', { name, role })).body.data.id;
}

async function enrol({ page }: Tab, service: TestService, url: string): Promise<void> {
  await page.goto(`${service.url}${url}`);
  await page.getByLabel('New PIN').fill(PIN);
  await page.keyboard.press('Enter');
  await page.locator('.account-button').getByText('Huda').waitFor();
}

const enterPin = async (page: Page, pin = PIN): Promise<void> => {
  await page.getByLabel('PIN', { exact: true }).fill(pin);
  await page.keyboard.press('Enter');
};

test('the people of the office', { skip }, async (t) => {
  const console = await startConsole(t, { maxAuthFailures: 1000 });
  const { service } = console;
  const id = await person(service, 'Huda');

  await t.test('eight mornings: she signs in with her PIN, and a form keeps what she typed', async () => {
    const tab = await openTab(console, 'en', { token: null });
    const { page, open } = tab;
    await page.goto(`${service.url}${await linkOf(service, id)}`);
    await page.getByLabel('New PIN').fill('123456');
    await page.keyboard.press('Enter');
    await page.getByText('This PIN is easy to guess.').waitFor();
    await page.getByLabel('New PIN').fill(PIN);
    await page.keyboard.press('Enter');
    await page.locator('.account-button').getByText('Huda').waitFor();

    await open('/bookings/new?customer=new');
    await page.getByLabel('Full name').fill('Maha Al-Otaibi');
    for (let morning = 1; morning <= 8; morning++) {
      await page.keyboard.press('Control+k');
      const find = page.getByRole('combobox', { name: 'Find anything' });
      await find.and(page.locator(':focus')).waitFor();
      service.clock.advance(24 * HOUR);
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      // What asks first finds that the session has ended: the stream, or this search. No key, which would go to the PIN.
      await find.evaluate((field: HTMLInputElement, text) => {
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }, `Maha ${morning}`);
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await dialog.getByText(/Huda.?, enter your PIN/).waitFor();
      await dialog.locator('input:focus').waitFor();
      await settles(() => page.locator('#token').count(), 0);
      await page.keyboard.type(morning === 2 ? '٤٠٧١٩٣' : PIN);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await settles(() => page.getByLabel('Full name').inputValue(), 'Maha Al-Otaibi');
      await page.locator('.account-button').getByText('Huda').waitFor();
    }
    const who = (await service.operator('GET', '/sessions')).body.data;
    assert.deepEqual(
      who.map(({ name }: { name: string }) => name),
      ['Huda'],
    );
    // A reload, the browser closed meanwhile: the page asks for the PIN, not for a token.
    service.clock.advance(24 * HOUR);
    await page.reload();
    await page.getByText(/Huda.?, enter your PIN/).waitFor();
    await enterPin(page);
    await settled(page);
    assert.doesNotMatch(
      await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })'),
      /pbs_|407193/,
    );
  });

  await t.test('five wrong PINs end the browser; another browser of hers goes on', async () => {
    const home = await openTab(console, 'en', { token: null });
    const office = await openTab(console, 'en', { token: null });
    await enrol(home, service, await linkOf(service, id));
    await enrol(office, service, await linkOf(service, id, true));
    const { page } = office;
    await page.locator('.account-button').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    for (const left of [4, 3, 2, 1]) {
      await enterPin(page, '918273');
      await page.getByText(new RegExp(`Tries left: .?${left}`)).waitFor();
    }
    await enterPin(page, '918273');
    await page.getByText('The PIN no longer signs in here').waitFor();
    await page.locator('#token').waitFor();
    await home.open('/visits');
    await home.page.locator('.account-button').getByText('Huda').waitFor();
  });

  await t.test('she changes her PIN with the old one', async () => {
    const tab = await openTab(console, 'en', { token: null });
    const { page } = tab;
    await enrol(tab, service, await linkOf(service, id));
    const change = async (pin: string, newPin: string): Promise<void> => {
      await page.getByLabel('PIN', { exact: true }).fill(pin);
      await page.getByLabel('New PIN').fill(newPin);
      await page.keyboard.press('Enter');
    };
    await page.locator('.account-button').click();
    await page.getByRole('button', { name: 'Change the PIN' }).click();
    await inspect(tab, 'pin-change-en');
    await change('918273', '570138');
    await page.getByText(/Tries left: .?4/).waitFor();
    await change(PIN, '570138');
    await page.getByText('The PIN of this browser is changed.').waitFor();
    await page.locator('.account-button').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await enterPin(page, '570138');
    await page.locator('.account-button').getByText('Huda').waitFor();
  });

  await t.test('an administrator invites, names another one, and ends all at once', async () => {
    const admin = await openTab(console, 'en');
    const { page, open } = admin;
    const huda = await openTab(console, 'en', { token: null });
    await enrol(huda, service, await linkOf(service, id));
    await settles(() => huda.page.getByRole('link', { name: 'People' }).count(), 0);

    await open('/tokens');
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByLabel("Person's name").fill('Reem');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    assert.match(await page.locator('.secret code').innerText(), /#link=pbs_signin_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('table', { name: 'People' }).getByRole('row', { name: /Huda/ });
    await row.getByRole('button', { name: 'Make administrator' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make administrator' }).click();
    await row.getByText('admin', { exact: true }).waitFor();
    await huda.open('/tokens');
    await huda.page.getByRole('button', { name: 'Invite a person' }).waitFor();

    await row.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Signed out everywhere.').waitFor();
    await huda.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await enterPin(huda.page);
    await huda.page.getByText('The PIN no longer signs in here').waitFor();
    await until(async () => (await service.operator('GET', '/sessions')).body.meta.total === 1);

    await open('/audit');
    for (const sentence of [
      'OPERATOR_TOKEN signed Huda out everywhere',
      'OPERATOR_TOKEN changed the access of Huda',
      'OPERATOR_TOKEN created a sign-in link for Reem',
      'Huda changed the PIN of a browser',
    ])
      await page.locator('tbody tr').filter({ hasText: sentence }).first().waitFor();
    await open('/audit?actor=operator_token&action=token.sign_out');
    await page.getByRole('row', { name: /signed Huda out/ }).waitFor();
  });

  for (const language of LANGUAGES) {
    await t.test(`the pages in ${language}`, async () => {
      await service.operator('POST', '/tokens', { name: `ERP ${language}`, role: 'viewer' });
      const tab = await openTab(console, language, { token: null });
      await tab.page.goto(`${service.url}${await linkOf(service, id)}`);
      await tab.page.locator('h1').waitFor();
      await inspect(tab, `link-${language}`);
      await tab.page.locator('main input').fill(PIN);
      await tab.page.keyboard.press('Enter');
      await tab.page.locator('.account-button').getByText('Huda').waitFor();
      await tab.open('/tokens');
      await inspect(tab, `people-${language}`);
      await tab.page.locator('.account-button').click();
      await inspect(tab, `account-${language}`);
      await tab.page.locator('#account button').last().click();
      await tab.page.locator('main input').waitFor();
      await inspect(tab, `pin-${language}`);
    });
  }
});
