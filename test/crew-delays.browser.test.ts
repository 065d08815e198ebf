import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import ar from '../console/crew/texts/ar.json' with { type: 'json' };
import bn from '../console/crew/texts/bn.json' with { type: 'json' };
import en from '../console/crew/texts/en.json' with { type: 'json' };
import fil from '../console/crew/texts/fil.json' with { type: 'json' };
import hi from '../console/crew/texts/hi.json' with { type: 'json' };
import ur from '../console/crew/texts/ur.json' with { type: 'json' };
import { patched, shown } from './appointment-fixtures.ts';
import { launchChromium, settles, withoutChromium } from './browser.ts';
import { SIDEWAYS, violations } from './console-browser.ts';
import {
  becomes,
  keepsPage,
  linkTo,
  type Mode,
  networkTo,
  own,
  take,
  telephone,
  telephoneOnDisk,
  visitToday,
} from './crew-browser.ts';
import { startTestService } from './harness.ts';
import { until } from './until.ts';

/** Crews that run late, and notes with what is finished, on telephones and their networks. */

const skip = withoutChromium;
const LANGUAGES = { en, ar, ur, hi, bn, fil };
const inText = (text: string, gap: string, value: string | number): string =>
  text.replace(gap, `\u2068${value}\u2069`);
const minutes = (count: number): string => inText(en.minutes, '{minutes}', count);
const late = (count: number): string => inText(en.late, '{minutes}', count);
const tap = (page: Page, count: number) =>
  page.getByRole('button', { name: minutes(count), exact: true }).click();

test('running late in one tap: undone, told, said again, over once the team is there', {
  skip,
}, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { booking, teamId } = await visitToday(service);
  const { page, faults } = await telephone(browser);
  await page.goto(await linkTo(service, teamId));
  const said = async () => (await shown(service, booking)).lateMinutes;
  await tap(page, 45);
  await page.getByText(late(45)).waitFor();
  await page.getByRole('button', { name: en.undo }).click();
  await page.getByText(late(45)).waitFor({ state: 'detached' });
  await tap(page, 30);
  await page.clock.fastForward(11_000);
  await until(async () => (await said()) === 30);
  await page.getByText(late(30)).waitFor();
  await page.getByRole('button', { name: en.onTime }).click();
  await page.getByText(late(30)).waitFor({ state: 'detached' });
  await page.clock.fastForward(11_000);
  await until(async () => (await said()) === null);
  // Before a step: in order with it.
  await tap(page, 15);
  await take(page, en['do.In The Way']);
  await page.getByText(late(15)).waitFor();
  await page.clock.fastForward(11_000);
  await becomes(service, booking, 'In The Way');
  assert.equal(await said(), 15);
  await take(page, en['do.In The location']);
  await settles(() => page.getByText(en['do.Late']).count(), 0);
  await page.clock.fastForward(11_000);
  await becomes(service, booking, 'In The location');
  assert.deepEqual(own(faults), []);
});

test('a delay and a note are kept on any network, and told when they are refused', { skip }, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  for (const mode of ['cut', 'hung', 'broken', 'portal'] satisfies Mode[]) {
    const { booking, teamId } = await visitToday(service);
    const network = await networkTo(t, service);
    const { page } = await telephone(browser);
    await page.goto((await linkTo(service, teamId)).replace(service.url, network.url));
    await page.getByText(en['is.Scheduled']).waitFor();
    await keepsPage(page);
    network.mode = mode;
    await tap(page, 30);
    await page.getByText(late(30)).waitFor();
    for (const step of ['In The Way', 'In The location', 'In Progress'] as const)
      await take(page, en[`do.${step}`]);
    // The half of a character at the end, which a full field leaves behind.
    await page.getByLabel(en.note).fill(`Zq ${'x'.repeat(495)}😀`);
    await page.getByLabel(en.note).evaluate((input) => {
      const field = input as HTMLInputElement;
      field.value = field.value.slice(0, -1);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await take(page, en['do.Finished']);
    await page.reload();
    await page.getByText(inText(en.unsent, '{count}', 5)).waitFor();
    await page.clock.fastForward(20_000);
    network.mode = 'open';
    await becomes(service, booking, 'Finished');
    const { data } = (await service.operator('GET', `/crew-steps?appointmentId=${booking.appointmentId}`))
      .body;
    const said = data.map(({ to, notes, lateMinutes, refusal }: Record<string, unknown>) => [
      to,
      lateMinutes ?? notes,
      refusal,
    ]);
    assert.deepEqual(
      said.filter(([, words]: unknown[]) => words !== null).sort(),
      [
        ['Finished', `Zq ${'x'.repeat(495)}`, null],
        ['Late', 30, null],
      ],
      mode,
    );
    await page.context().close();
  }
  // Hours later: not told to the customer, and the crew reads why.
  const { booking, teamId } = await visitToday(service);
  const { page } = await telephone(browser);
  await page.goto(await linkTo(service, teamId));
  await page.getByText(en['is.Scheduled']).waitFor();
  await page.context().setOffline(true);
  await tap(page, 60);
  await page.locator('.unsent').waitFor();
  service.clock.advance(61 * 60_000);
  await page.clock.fastForward(61 * 60_000);
  await page.context().setOffline(false);
  await page.locator('.refused').getByText(`${en['do.Late']}: ${en['refused.TOO_OLD']}`).waitFor();
  assert.equal((await shown(service, booking)).lateMinutes, null);
});

test('a delay is on the disk before the page says so', { skip }, async (t) => {
  const service = await startTestService(t);
  const { booking, teamId } = await visitToday(service);
  const network = await networkTo(t, service);
  const address = (await linkTo(service, teamId)).replace(service.url, network.url);
  const profile = mkdtempSync(join(tmpdir(), 'pbs-crew-'));
  t.after(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
  const first = await telephoneOnDisk(t, profile);
  await first.page.goto(address);
  await first.page.getByText(en['is.Scheduled']).waitFor();
  await keepsPage(first.page);
  network.mode = 'cut';
  await tap(first.page, 30);
  await first.page.locator('.unsent').waitFor();
  await first.kill();
  const second = await telephoneOnDisk(t, profile);
  await second.page.goto(address);
  await second.page.getByText(late(30)).waitFor();
  network.mode = 'open';
  await until(async () => (await shown(service, booking)).lateMinutes === 30);
});

test('delays and notes in every language', { skip }, async (t) => {
  const service = await startTestService(t);
  const browser = await launchChromium(t);
  const { booking, teamId } = await visitToday(service);
  const { page } = await telephone(browser);
  await page.goto(await linkTo(service, teamId));
  const look = async (name: string): Promise<void> => {
    for (const [language, texts] of Object.entries(LANGUAGES)) {
      await page.getByRole('combobox').selectOption(language);
      await page.getByText(name === 'late' ? texts['do.Late'] : texts.note).waitFor();
      for (const [width, height] of [
        [360, 640],
        [412, 915],
      ] as const) {
        await page.setViewportSize({ width, height });
        assert.equal(await page.evaluate(SIDEWAYS), false, `${language} ${width}`);
        const button = page.locator('.thumb .go');
        const bottom = await button.evaluate((one) => Math.ceil(one.getBoundingClientRect().bottom));
        assert.ok(bottom <= height, `${language} ${width}: ${bottom}`);
        for (const small of await page.locator('.delay button').all())
          assert.ok(await small.evaluate((one) => one.clientHeight >= 48 && one.clientWidth >= 48));
        const folder = process.env.TEST_SCREENSHOTS;
        if (folder === undefined) continue;
        mkdirSync(folder, { recursive: true });
        await page.screenshot({
          path: join(folder, `crew-${name}-${language}-${width}.png`),
          fullPage: true,
        });
      }
      assert.deepEqual(await violations(page), [], language);
    }
    await page.getByRole('combobox').selectOption('en');
  };
  await tap(page, 30);
  await page.clock.fastForward(11_000);
  await until(async () => (await shown(service, booking)).lateMinutes === 30);
  await page.getByRole('button', { name: en.undo }).waitFor({ state: 'detached' });
  await look('late');
  for (const status of ['In The Way', 'In The location', 'In Progress'])
    await patched(service, booking, { status });
  await page.getByLabel(en.note).waitFor();
  await look('note');
});
