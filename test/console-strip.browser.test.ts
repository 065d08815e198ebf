import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { settles, withoutChromium } from './browser.ts';
import { LANGUAGES, openTab, SIDEWAYS, settled, startConsole, violations } from './console-browser.ts';
import { makeEvening } from './trouble-evening.ts';
import { until } from './until.ts';

/** The strip of Today and the board: who must act, seen without scrolling, and the way back. */

const skip = withoutChromium;

/** The rows of teams that the window shows whole, and what of the board is too small or cut. */
const LOOK = `(() => {
  const scroller = document.querySelector('.board-scroll').getBoundingClientRect();
  const axis = document.querySelector('.axis').getBoundingClientRect();
  const isSeen = ({ top, bottom }) => top >= axis.bottom - 1 && bottom <= Math.min(innerHeight, scroller.bottom) + 1;
  const lanes = [...document.querySelectorAll('.lane[data-team]')];
  const seen = lanes.filter((lane) => isSeen(lane.getBoundingClientRect()));
  const inRows = (selector) => seen.flatMap((lane) => [...lane.querySelectorAll(selector)]);
  const targets = [...inRows('button.visit, .team a, .acts-button'), ...document.querySelectorAll('.strip button')];
  const small = targets.filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    return one.checkVisibility() && (width < 23.9 || height < 23.9);
  });
  const cut = inRows('.visit-time').filter((time) => {
    const [inner, card] = [time, time.closest('.visit')].map((one) => one.getBoundingClientRect());
    return time.scrollWidth > time.clientWidth || inner.left < card.left || inner.right > card.right;
  });
  return {
    rows: seen.length,
    times: inRows('.visit-time').length,
    small: small.map((one) => one.outerHTML),
    cut: cut.map((one) => one.outerHTML),
  };
})()`;

type Look = { rows: number; times: number; small: string[]; cut: string[] };

const focusedId = (page: Page) => page.evaluate('document.activeElement.id') as Promise<string>;

test('an evening of trouble, from the strip', { skip }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const { troubles, lateNight } = await makeEvening(service);
  const counts = async () => (await service.operator('GET', '/attention')).body.data;
  await until(async () => (await counts()).droppedUnpaid.count === 1);
  const folder = process.env.TEST_SCREENSHOTS;
  if (folder !== undefined) mkdirSync(folder, { recursive: true });

  for (const language of LANGUAGES) {
    for (const [width, height, rows] of [
      [1920, 940, 30],
      [1280, 780, 20],
      [390, 844, 0],
    ] as const) {
      await t.test(`trouble is seen without scrolling in ${language}, ${width} wide`, async () => {
        const { page, open, faults } = await openTab(console, language, { width });
        await page.setViewportSize({ width, height });
        for (const path of ['/board', '/']) {
          await open(path);
          await page.locator('.trouble').first().waitFor();
          const shown = await page.locator('.trouble').last().boundingBox();
          assert.ok(shown!.y + shown!.height <= height, 'the strip is in the window');
          const name = path === '/' ? 'today' : 'board';
          if (folder !== undefined)
            await page.screenshot({ path: `${folder}/${name}-${language}-${width}.png` });
          assert.equal(await page.evaluate(SIDEWAYS), false);
          assert.deepEqual(await violations(page), []);
          if (path === '/' || rows === 0) continue;
          const look = (await page.evaluate(LOOK)) as Look;
          assert.ok(look.rows >= rows, `${look.rows} rows`);
          assert.ok(look.times > rows, `${look.times} times`);
          assert.deepEqual([look.small, look.cut], [[], []]);
          // A menu of the row has the rest.
          await page.locator('.acts-button').first().click();
          await page.locator('.lane-acts:popover-open .away').first().waitFor();
          assert.deepEqual(await violations(page), []);
        }
        assert.deepEqual(faults, []);
      });
    }
  }

  /** Steps through all visits of a concern; returns how many clicks it took. */
  async function stepThrough(page: Page, concern: string, all: readonly { id: string }[]): Promise<number> {
    const reached: string[] = [];
    for (let click = 0; click < all.length; click++) {
      const before = await focusedId(page);
      await page.locator(`#trouble-${concern}`).click();
      await until(async () => {
        const id = await focusedId(page);
        return /^visit-/.test(id) && id !== before;
      });
      const id = await focusedId(page);
      assert.ok(await page.locator(`#${id}`).evaluate((one) => one.checkVisibility()));
      const box = (await page.locator(`#${id}`).boundingBox())!;
      const { height } = page.viewportSize()!;
      assert.ok(box.y >= 0 && box.y + box.height <= height, `${concern} is in the window`);
      reached.push(id.slice('visit-'.length));
    }
    assert.deepEqual(reached.toSorted(), all.map(({ id }) => id).toSorted(), concern);
    return all.length;
  }

  await t.test('twelve troubles are reached from the board by clicks on the strip alone', async () => {
    const { page, open } = await openTab(console, 'en');
    await page.setViewportSize({ width: 1280, height: 780 });
    await open('/board');
    const { late, overdue, teamAway, unconfirmed, cannotComplete, notCompleted, paymentDue } = troubles;
    const onBoard = { late, overdue, teamAway, unconfirmed, cannotComplete, notCompleted, paymentDue };
    let clicks = 0;
    for (const [concern, visits] of Object.entries(onBoard))
      clicks += await stepThrough(page, concern, visits);
    const { cancelledAlone, droppedUnpaid, workCancelled } = troubles;
    // They stand on no board: the strip names them, and leads to their booking. Cancelled work is one of both concerns.
    const others = { droppedUnpaid, cancelledAlone: [...workCancelled, ...cancelledAlone] };
    for (const [concern, visits] of Object.entries(others)) {
      for (const { name, bookingId } of visits) {
        await page.locator(`#trouble-${concern}`).click();
        const link = page.locator('.trouble-now a').first();
        await link.getByText(name).waitFor();
        await settles(() => link.evaluate((one) => one === one.ownerDocument.activeElement), true);
        await link.click();
        await page.waitForURL(`**/bookings/${bookingId}`);
        await page.goBack();
        await page.locator(`#trouble-${concern}`).waitFor();
        clicks += 2;
      }
    }
    const all = Object.values(troubles).flat();
    assert.equal(all.length, 12);
    assert.equal(clicks, 12 + 3);
  });

  await t.test('a visit of another hour or another day is shown with its hours, on its day', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/board?date=2026-11-23');
    await page.locator('#trouble-late').click();
    // Both begin at one time.
    const late = troubles.late.map(({ id }) => id);
    await settles(async () => late.includes((await focusedId(page)).slice(6)), true);
    assert.equal(new URL(page.url()).searchParams.get('date'), '2026-11-22');
    // The visit of the night is outside the working hours, and at hand.
    const night = page.locator(`#visit-${lateNight.id}`);
    assert.equal(await night.count(), 0);
    await page
      .locator('.axis')
      .getByRole('button', { name: /outside/ })
      .click();
    await night.waitFor();
  });

  await t.test('the board is filtered, ordered and folded', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/board');
    const lanes = page.locator('.lane[data-team]');
    await lanes.first().waitFor();
    const all = await lanes.count();
    await page.getByRole('combobox', { name: 'Needs attention' }).selectOption('Late');
    await settles(() => lanes.count(), 2);
    await page.getByRole('combobox', { name: 'Needs attention' }).selectOption('');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('On the way');
    await settles(() => lanes.count(), 1);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('');
    await settles(() => lanes.count(), all);
    await page.getByRole('button', { name: 'View' }).click();
    await page.getByLabel('Rows with trouble first').check();
    const first = page.locator('.zone').first();
    await first.and(page.getByLabel('Rows with trouble first')).waitFor();
    await first.locator(`#visit-${troubles.late[0]!.id}`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Teams that are off: .?6/ }).click();
    await settles(() => lanes.count(), all + 6);
  });

  await t.test('focus and scroll position come back, after Escape and after Back', async () => {
    const { page, open } = await openTab(console, 'en');
    await page.setViewportSize({ width: 1280, height: 500 });
    await open('/board');
    const visit = page.locator(`#visit-${troubles.late[0]!.id}`);
    const id = `visit-${troubles.late[0]!.id}`;
    await visit.scrollIntoViewIfNeeded();
    await visit.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await settles(() => focusedId(page), id);
    const place = () =>
      page.evaluate(
        '[scrollY, document.querySelector(".board-scroll")?.scrollTop ?? -1].map(Math.round)',
      ) as Promise<number[]>;
    const before = await place();
    assert.ok(before[0]! + before[1]! > 0);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('link', { name: 'Open the booking' }).click();
    await page.waitForURL('**/bookings/*');
    await settled(page);
    assert.equal(await page.evaluate('scrollY'), 0);
    await page.goBack();
    await settles(() => focusedId(page), id);
    await settles(place, before);

    for (const path of ['/visits?view=all', '/visits?view=all&search=Noura', '/']) {
      await open(path);
      const link = page.locator('main tbody tr a[href*="/bookings/"]').last();
      await link.scrollIntoViewIfNeeded();
      assert.ok(Number(await page.evaluate('scrollY')) > 100, path);
      const address = (await link.getAttribute('href'))!;
      // Where she sees it: what is above may still grow, and the browser scrolls with it.
      const seenAt = () =>
        page
          .locator(`main tbody tr a[href="${address}"]`)
          .last()
          .evaluate((found) => Math.round(found.getBoundingClientRect().top));
      const top = await seenAt();
      await link.click();
      await page.waitForURL(`**${address}`);
      await settled(page);
      await page.goBack();
      await settles(seenAt, top, path);
      await settles(() => page.evaluate('document.activeElement.getAttribute("href")'), address, path);
    }
  });
});
