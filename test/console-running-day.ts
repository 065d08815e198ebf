import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type Console, inspect, type Language, openTab, SIDEWAYS, settled } from './console-browser.ts';

/** Assertions on the running day of the console: on the board, on Today, and on a telephone. */

/** The zoom widens the hours and outlasts a reload. */
export async function zoomIsKept(page: Page): Promise<void> {
  const widthOfHours = async () => (await page.locator('.axis .track').boundingBox())!.width;
  const fits = await widthOfHours();
  await page.getByRole('button', { name: 'View' }).click();
  for (let press = 0; press < 3; press++) await page.getByRole('button', { name: 'Zoom in' }).click();
  const level = page.locator('#board-view').getByText(/^.?300.? %$/);
  await level.waitFor();
  const wide = await widthOfHours();
  assert.ok(wide > 2.5 * fits, `${wide} of ${fits}`);
  await page.reload();
  await settled(page);
  await level.waitFor({ state: 'attached' });
  assert.equal(await widthOfHours(), wide);
}

/** On the zoomed board the line of the present passes under the sticky names. */
export async function nowLineIsUnderNames(page: Page, team: string): Promise<void> {
  const lane = page.locator(`.lane[data-team="${team}"]`);
  const label = (await lane.locator('.lane-label').boundingBox())!;
  const at = `parseFloat(getComputedStyle(document.querySelector('.lane .track'), '::after').insetInlineStart)`;
  const scrollTo = (left: string) =>
    page.evaluate(`document.querySelector('.board-scroll').scrollLeft = ${left}`);
  // By a rule of its own: the page sets the line's attribute again with each tick of its clock.
  const showLine = (isShown: boolean) =>
    page.evaluate(
      isShown
        ? `document.styleSheets[0].deleteRule(0)`
        : `document.styleSheets[0].insertRule('.lane .track::after { visibility: hidden }', 0)`,
    );
  /** Whether the line changes the part of the page. */
  const isSeen = async (clip: { x: number; y: number; width: number; height: number }) => {
    const shown = await page.screenshot({ clip });
    await showLine(false);
    const hidden = await page.screenshot({ clip });
    await showLine(true);
    return !shown.equals(hidden);
  };
  await page.locator('.board[data-now]').waitFor();
  const half = label.width / 2;
  const line = Number(await page.evaluate(at));
  await scrollTo(String(line + half));
  assert.equal(await isSeen(label), false);
  // A control: beside the names it is seen.
  await scrollTo(String(line - half));
  assert.equal(await isSeen({ ...label, x: label.x + label.width }), true);
}

/** Late and overrun visits come first, with their minutes. One visit is 40 minutes over, one 2 h 40 late. */
export async function todayIsByUrgency(console: Console): Promise<void> {
  const { page, open } = await openTab(console, 'en');
  await open('/');
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: /^Now and/ }) });
  const rows = section.locator('tbody tr');
  await rows.filter({ hasText: /40.? min.? over/ }).waitFor();
  const isLate = (await rows.allInnerTexts()).map((row) => / (?:late|over)$/m.test(row));
  assert.ok(isLate.includes(true) && isLate.includes(false), 'both kinds');
  assert.ok(isLate.lastIndexOf(true) < isLate.indexOf(false), 'late ones first');
  // It has never begun, and its planned end is over.
  await rows
    .first()
    .getByText(/^Not begun, .{0,2}2.? h .?40.? min.? late$/)
    .waitFor();
  await page.context().close();
}

/** Below the width of the board the day is a list for each team, with the dialog of the board. */
export async function phoneHasLists(
  console: Console,
  language: Language,
  {
    address,
    team,
    running,
    next,
  }: { address: string; team: string; running: string; next: { id: string; name: string } },
): Promise<void> {
  const tab = await openTab(console, language, { width: 390, isTouched: true });
  const { page } = tab;
  await tab.open(address);
  const section = page.locator(`.team-day[data-team="${team}"]`);
  await section.locator(`#visit-${running}.is-late`).waitFor();
  await page.locator('.team-day .held-slot').waitFor();
  assert.equal(await page.locator('.board-scroll').count(), 0);
  assert.equal(await page.evaluate(SIDEWAYS), false);
  // By start.
  const starts = (await section.locator('.visit').allInnerTexts()).map((row) => /\d\d:\d\d/.exec(row)?.[0]);
  assert.deepEqual(starts, ['09:00', '13:00']);
  // A search leaves its hits.
  await page.getByRole('searchbox').fill(next.name);
  await page.locator(`#visit-${running}`).waitFor({ state: 'detached' });
  await section.locator(`#visit-${next.id}`).tap();
  const dialog = page.getByRole('dialog', { name: next.name });
  await dialog.getByRole('button', { name: language === 'ar' ? 'تأكيد' : 'Confirm', exact: true }).waitFor();
  await dialog.locator('.place').first().waitFor();
  await inspect(tab, `board-phone-dialog-${language}`);
  await page.context().close();
}
