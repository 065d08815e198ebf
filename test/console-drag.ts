import type { Locator, Page } from 'playwright-core';

/** Dragging on the console's board with a real mouse. */

/** The position of a visit's block at another start and team: its centre. */
export async function placeOn(page: Page, visit: Locator, teamId: string, minutes: number) {
  await visit.waitFor();
  await visit.scrollIntoViewIfNeeded();
  const [box, lane, track] = await Promise.all([
    visit.boundingBox(),
    page.locator(`.lane[data-team="${teamId}"]`).boundingBox(),
    page.locator('.axis .track').boundingBox(),
  ]);
  const hours = await page.locator('.axis .hour').count();
  const isRtl = (await page.evaluate('document.documentElement.dir')) === 'rtl';
  const along = (minutes / 60 / hours) * track!.width;
  return {
    from: { x: box!.x + box!.width / 2, y: box!.y + box!.height / 2 },
    to: { x: box!.x + box!.width / 2 + (isRtl ? -along : along), y: lane!.y + lane!.height / 2 },
  };
}

/** Drags a visit to a team, and by a number of minutes. */
export async function drag(page: Page, visit: Locator, teamId: string, minutes = 0): Promise<void> {
  // The role is loaded.
  await page.locator('.lane .away').first().waitFor({ state: 'attached' });
  const { from, to } = await placeOn(page, visit, teamId, minutes);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.locator('.marker').waitFor({ state: 'visible' });
  // The rows show their verdicts before the drop.
  await page.locator('.verdict[data-is="free"], .verdict[data-is="refused"]').first().waitFor();
  await page.mouse.move(to.x, to.y);
}
