import type { Locator, Page } from 'playwright-core';

/** Dragging on the console's board, as a hand does it. */

/** Where the block of a visit would be, had it another start and team: the middle of that place. */
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

/** Drags a visit to a team, and by some minutes. */
export async function drag(page: Page, visit: Locator, teamId: string, minutes = 0): Promise<void> {
  // Known to be somebody who may.
  await page.locator('.lane .away').first().waitFor({ state: 'attached' });
  const { from, to } = await placeOn(page, visit, teamId, minutes);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.locator('.marker').waitFor({ state: 'visible' });
  // The rows say what they can do before anything is dropped.
  await page.locator('.verdict[data-is="free"], .verdict[data-is="refused"]').first().waitFor();
  await page.mouse.move(to.x, to.y);
}
