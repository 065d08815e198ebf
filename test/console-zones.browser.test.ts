import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settles, withoutChromium } from './browser.ts';
import { holdBack, inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { createWorld } from './fixtures.ts';
import { receive } from './receivers.ts';
import { until } from './until.ts';

/** Zones on the console's map in a real browser, and how much teams are booked. */

const skip = withoutChromium;

const area = (west: number, east: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, 24.5],
      [east, 24.5],
      [east, 24.9],
      [west, 24.9],
      [west, 24.5],
    ],
  ],
});

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==',
  'base64',
);

/** How much lighter or darker than the ground of the map each colour of outlines is, as WCAG has it. */
const CONTRASTS = `(() => {
  const map = document.querySelector('.map');
  const brightness = (colour) => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ground = brightness(getComputedStyle(map).backgroundColor);
  const probe = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  map.querySelector('svg').append(probe);
  const named = ['--overlap', ...Array.from({ length: 8 }, (_none, index) => '--zone-' + index)];
  const strokes = named.map((name) => {
    probe.setAttribute('stroke', 'var(' + name + ')');
    return getComputedStyle(probe).stroke;
  });
  probe.remove();
  for (const path of map.querySelectorAll('path')) strokes.push(getComputedStyle(path).stroke);
  return strokes.map((stroke) => {
    const [low, high] = [brightness(stroke), ground].sort((one, other) => one - other);
    return (high + 0.05) / (low + 0.05);
  });
})()`;

test('the page of zones', { skip }, async (t) => {
  const tiles: string[] = [];
  // A server of map tiles: each is one blue pixel.
  const tileServer = await receive(t, ({ url = '' }, response) => {
    tiles.push(url);
    response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
  });
  const console = await startConsole(t, {
    env: {
      CONSOLE_TILES_URL: `http://127.0.0.1:${tileServer.port}/{z}/{x}/{y}.png`,
      CONSOLE_TILES_ATTRIBUTION: '© Tiles of the test',
    },
  });
  const { service } = console;
  const world = await createWorld(service);
  assert.equal((await world.book()).status, 200);
  await service.operator('PATCH', `/zones/${world.zoneId}`, { name: 'West', area: area(46.4, 46.6) });
  const created = await service.operator('POST', '/zones', { name: 'East', area: area(46.6, 46.9) });
  const ids = { west: world.zoneId, east: created.body.data.id as string };
  const ringOf = async (id: string): Promise<number[][]> =>
    (await service.operator('GET', `/zones/${id}`)).body.data.area.coordinates[0];

  for (const language of LANGUAGES) {
    await t.test(`has a map and a list in ${language}`, async () => {
      const tab = await openTab(console, language, { colorScheme: language === 'en' ? 'dark' : 'light' });
      await tab.open('/zones');
      await tab.page.locator('.map path').nth(1).waitFor();
      await inspect(tab, `zones-${language}`);
    });
  }

  await t.test('a shared corner moves in both zones, and no outline crosses itself', async () => {
    const tab = await openTab(console, 'en');
    const { page, open } = tab;
    await open('/zones');
    await page.getByRole('button', { name: 'Edit outlines' }).click();
    const handles = page.locator('.map .marker-icon:not(.marker-icon-middle)');
    await until(async () => (await handles.count()) === 8);
    // Two lie at the corner in the north of the border: the one above is taken.
    const boxes = await Promise.all((await handles.all()).map((handle) => handle.boundingBox()));
    const middles = boxes.map((box) => ({ x: box!.x + box!.width / 2, y: box!.y + box!.height / 2 }));
    const columns = [...new Set(middles.map(({ x }) => Math.round(x)))].sort((a, b) => a - b);
    const border = columns[1]!;
    const top = Math.min(...middles.map(({ y }) => y));
    const move = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await page.mouse.up();
    };
    await move({ x: border, y: top }, { x: border + 40, y: top + 30 });
    await page.getByText(/^Changed: .?East, West.?$/).waitFor();
    await inspect(tab, 'zones-edited');
    // No address and no visit is hit: it is saved at once.
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Changed: /).waitFor({ state: 'detached' });
    const [west, east] = [await ringOf(ids.west), await ringOf(ids.east)];
    const moved = west.filter((corner) => !east.some((other) => String(other) === String(corner)));
    assert.equal(moved.length, west.length - 2, 'two corners are still shared');
    assert.ok(
      west.every(([x, y]) => !(x === 46.6 && y === 24.9)),
      'the corner has moved',
    );
    // Across its own border to the other side: refused, and as before.
    const boxesNow = await Promise.all((await handles.all()).map((handle) => handle.boundingBox()));
    const corner = boxesNow
      .map((box) => ({ x: box!.x + box!.width / 2, y: box!.y + box!.height / 2 }))
      .sort((a, b) => Math.round(a.x) - Math.round(b.x) || b.y - a.y)[0]!;
    await move(corner, { x: corner.x + 30, y: corner.y - (corner.y - top) * 1.3 });
    await page.getByText('An outline must not cross itself.').waitFor();
    assert.deepEqual(await ringOf(ids.west), west);
  });

  await t.test('an overlap is shown, and corners can be typed', async () => {
    const wider = { area: area(46.4, 46.7), confirmOverlap: true };
    assert.equal((await service.operator('PATCH', `/zones/${ids.west}`, wider)).status, 200);
    const { page, open } = await openTab(console, 'en');
    await open('/zones');
    await page.getByText(/^Overlaps: /).waitFor();
    await page.getByRole('button', { name: /^Edit .*West/ }).click();
    const corners = page.getByLabel('Corners');
    await corners.fill('24.5, 46.4\n24.9, 46.6\n24.9, 46.4\n24.5, 46.6');
    await page.getByRole('dialog').getByText('An outline must not cross itself.').waitFor();
    await corners.fill('24.5, 46.4\n24.5, 46.5\n24.9, 46.5\n24.9, 46.4');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Changed: .?West.?$/).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await until(async () => (await ringOf(ids.west)).some(([x]) => x === 46.5));
    await page.getByText(/^Overlaps: /).waitFor({ state: 'detached' });
  });

  for (const [language, width] of [
    ['en', 1280],
    ['ar', 360],
  ] as const) {
    await t.test(`an overlap of equal priority is saved after confirmation, in ${language}`, async () => {
      const WORDS = {
        en: { edit: /^Edit .*West/, corners: 'Corners', save: 'Save', close: 'Back' },
        ar: { edit: /^تعديل .*West/, corners: 'الزوايا', save: 'حفظ', close: 'رجوع' },
      }[language];
      const ASKED = {
        en: { title: 'What saving changes', save: 'Save all the same', about: /East.? covers what/ },
        ar: { title: 'ما يغيّره الحفظ', save: 'احفظ على أي حال', about: /وتغطي .*East/ },
      }[language];
      const before = await ringOf(ids.west);
      const tab = await openTab(console, language, { width });
      const { page, open } = tab;
      await open('/zones');
      await page.getByRole('button', { name: WORDS.edit }).click();
      const dialog = page.getByRole('dialog', { name: 'West' });
      await dialog.getByLabel(WORDS.corners).fill('24.5, 46.4\n24.5, 46.8\n24.9, 46.8\n24.9, 46.4');
      await dialog.getByRole('button', { name: WORDS.save }).click();
      const save = page.getByRole('button', { name: WORDS.save, exact: true });
      await save.click();
      const question = page.getByRole('dialog', { name: ASKED.title });
      await question.getByText(ASKED.about).waitFor();
      await inspect(tab, `zones-overlap-${language}`);
      await page.setViewportSize({ width, height: 900 });
      await question.getByRole('button', { name: WORDS.close }).last().click();
      await question.waitFor({ state: 'detached' });
      assert.deepEqual(await ringOf(ids.west), before, 'not without a yes');
      await save.click();
      await question.getByRole('button', { name: ASKED.save }).click();
      await until(async () => (await ringOf(ids.west)).some(([x]) => x === 46.8));
      const back = { area: { type: 'Polygon', coordinates: [before] } };
      assert.equal((await service.operator('PATCH', `/zones/${ids.west}`, back)).status, 200);
    });
  }

  await t.test(
    'a zone is drawn with the mouse, on a map with tiles, and saved with a changed outline',
    async () => {
      const { page, open, faults } = await openTab(console, 'en');
      await open('/zones');
      await page.getByText('© Tiles of the test').waitFor();
      // From the server that is configured, and shown: the policy of content admits them.
      await page.locator('.leaflet-tile-loaded').first().waitFor();
      assert.match(tiles[0] ?? '', /^\/\d+\/\d+\/\d+\.png$/);
      await page.getByRole('button', { name: 'Draw a zone' }).click();
      const map = (await page.locator('.map').boundingBox())!;
      const at = (x: number, y: number) => ({ x: map.x + x * map.width, y: map.y + y * map.height });
      // Over the customer's address, which another zone has.
      const corners = [at(0.25, 0.3), at(0.85, 0.3), at(0.85, 0.7), at(0.25, 0.7)];
      const click = async ({ x, y }: { x: number; y: number }) => {
        await page.mouse.move(x, y, { steps: 3 });
        await page.mouse.click(x, y);
      };
      const dialog = page.getByRole('dialog', { name: 'New zone' });
      for (const corner of corners) await click(corner);
      // Across the first edge: no corner is added, with a message.
      await click(at(0.5, 0.15));
      await page.getByText('An outline must not cross itself.').waitFor();
      await settles(
        () => page.locator('.map .marker-icon:not(.marker-icon-middle)').count(),
        corners.length + 1,
      );
      await click(corners[0]!);
      await dialog.getByLabel('English name').fill('North');
      const drawn = await dialog.getByLabel('Corners').inputValue();
      assert.equal(drawn.trim().split('\n').length, 4, drawn);
      await dialog.getByLabel('Priority').fill('1');
      await dialog.getByLabel('Minutes between').fill('0');
      await dialog.getByRole('button', { name: 'Add' }).click();
      await dialog
        .getByText(/^(?:Not less|A multiple|Choose)/)
        .first()
        .waitFor();
      await dialog.getByLabel('Minutes between').fill('30');
      await dialog.getByRole('button', { name: 'Add' }).click();
      await page.getByText(/^New: .?North.?$/).waitFor();
      // With it, an outline is changed: one preview of both, one request that saves both.
      await page.getByRole('button', { name: /^Edit .*East/ }).click();
      const east = page.getByRole('dialog', { name: 'East' });
      const written = await east.getByLabel('Corners').inputValue();
      await east.getByLabel('Corners').fill(`${written}\n24.7, 46.61`);
      await east.getByRole('button', { name: 'Save' }).click();
      await page.getByText(/^Changed: .?East.?$/).waitFor();
      const sent: { preview: string | null; zones: number }[] = [];
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (request.method() !== 'POST' || !url.pathname.endsWith('/zones/changes')) return;
        sent.push({ preview: url.searchParams.get('preview'), zones: request.postDataJSON().zones.length });
      });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const preview = page.getByRole('dialog', { name: 'What saving changes' });
      await preview.getByText('Addresses that change zone: 1').waitFor();
      await preview.getByText(/North/).first().waitFor();
      assert.equal((await service.operator('GET', '/zones?search=North')).body.meta.total, 0);
      assert.ok(!(await ringOf(ids.east)).some(([x]) => x === 46.61));
      await preview.getByRole('button', { name: 'Save' }).click();
      await page
        .getByText(/^(New|Changed): /)
        .first()
        .waitFor({ state: 'detached' });
      await page.getByRole('listitem').filter({ hasText: 'North' }).first().waitFor();
      assert.deepEqual(sent, [
        { preview: 'true', zones: 2 },
        { preview: 'false', zones: 2 },
      ]);
      assert.ok((await ringOf(ids.east)).some(([x]) => x === 46.61));
      const { data } = (await service.operator('GET', '/zones?search=North')).body;
      const ring: number[][] = data[0].area.coordinates[0];
      assert.equal(ring.length, 5);
      // A fifth stream is refused by the service, which is no error of the page.
      assert.deepEqual(
        faults.filter((fault) => !fault.startsWith('Failed to load resource')),
        [],
      );
      // Under another name it is the same zone, no longer a draft.
      await service.operator('PATCH', `/zones/${data[0].id}`, { name: 'Uptown', isActive: false });
      await page.getByRole('listitem').filter({ hasText: 'Uptown' }).waitFor();
      await settles(() => page.getByRole('listitem').filter({ hasText: 'North' }).count(), 0);
      // An inactive zone is dashed, also a new one.
      await page.locator('.map path[stroke-dasharray="6 6"]').waitFor();
      assert.equal((await service.operator('DELETE', `/zones/${data[0].id}`)).status, 200);
    },
  );

  await t.test("another user's change is a conflict, and can then be overwritten", async () => {
    const tab = await openTab(console, 'en');
    const { page, open } = tab;
    await open('/zones');
    const row = page.getByRole('listitem').filter({ hasText: 'West' });
    const dialog = page.getByRole('dialog', { name: 'West' });
    const stale = page.getByText('Somebody else changed this in the meantime.');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await page.getByRole('button', { name: /^Edit .*West/ }).click();
    await dialog.getByLabel('Minutes between').fill('60');
    await service.operator('PATCH', `/zones/${ids.west}`, { priority: 55, area: area(46.4, 46.55) });
    await row.getByText(/Priority.*55/).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await stale.waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = (await service.operator('GET', `/zones/${ids.west}`)).body;
    assert.deepEqual([data.priority, data.slotGridMinutes], [55, 60]);
    await settles(() => page.getByText(/^Changed: /).count(), 0, 'their outline is not one of ours');

    // The same of an outline; another's change of something else does not matter to it.
    await page.getByRole('button', { name: /^Edit .*West/ }).click();
    await dialog.getByLabel('Corners').fill('24.5, 46.4\n24.5, 46.5\n24.9, 46.5\n24.9, 46.4');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Changed: .?West.?$/).waitFor();
    await service.operator('PATCH', `/zones/${ids.west}`, { priority: 56, area: area(46.4, 46.45) });
    await row.getByText(/Priority.*56/).waitFor();
    await save.click();
    await stale.waitFor();
    assert.ok((await ringOf(ids.west)).some(([x]) => x === 46.45));
    // Theirs is dotted beside mine, which goes over it once that is decided.
    const theirs = page.locator('.map path.theirs');
    await theirs.waitFor();
    await inspect(tab, 'zones-contested-en');
    await page.getByRole('button', { name: /^Keep mine .*West/ }).click();
    await theirs.waitFor({ state: 'detached' });
    await stale.waitFor({ state: 'detached' });
    await save.click();
    await page.getByText(/^Changed: /).waitFor({ state: 'detached' });
    assert.ok((await ringOf(ids.west)).some(([x]) => x === 46.5));

    // A conflict is shown before saving, too; other drafts stay after taking theirs.
    await page.getByRole('button', { name: /^Edit .*West/ }).click();
    await dialog.getByLabel('Corners').fill('24.5, 46.4\n24.5, 46.52\n24.9, 46.52\n24.9, 46.4');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Changed: .?West.?$/).waitFor();
    await page.getByRole('button', { name: /^Edit .*East/ }).click();
    const east = page.getByRole('dialog', { name: 'East' });
    await east.getByLabel('Corners').fill('24.5, 46.6\n24.5, 46.8\n24.9, 46.8\n24.9, 46.6');
    await east.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Changed: .?West, East.?$/).waitFor();
    await service.operator('PATCH', `/zones/${ids.west}`, { area: area(46.4, 46.45) });
    await page.getByRole('button', { name: /^Take theirs .*West/ }).click();
    await page.getByText(/^Changed: .?East.?$/).waitFor();
    await theirs.waitFor({ state: 'detached' });
    await save.click();
    await page.getByText(/^Changed: /).waitFor({ state: 'detached' });
    assert.ok((await ringOf(ids.west)).some(([x]) => x === 46.45));
    assert.ok((await ringOf(ids.east)).some(([x]) => x === 46.8));

    // A change made before the zones are reloaded replaces the one just saved.
    await page.route('**/operator/zones?*', () => {});
    for (const east of [46.56, 46.57]) {
      await page.getByRole('button', { name: /^Edit .*West/ }).click();
      await dialog.getByLabel('Corners').fill(`24.5, 46.4\n24.5, ${east}\n24.9, ${east}\n24.9, 46.4`);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText(/^Changed: .?West.?$/).waitFor();
      await save.click();
      await page.getByText(/^Changed: /).waitFor({ state: 'detached' });
    }
    assert.ok((await ringOf(ids.west)).some(([x]) => x === 46.57));
    await page.unroute('**/operator/zones?*');
    await open('/zones');

    // The latest of repeated changes counts; another user's change of another field does not matter.
    await page.getByRole('button', { name: /^Edit .*West/ }).click();
    await dialog.getByLabel('Corners').fill('24.5, 46.4\n24.5, 46.5\n24.9, 46.5\n24.9, 46.4');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Changed: .?West.?$/).waitFor();
    await service.operator('PATCH', `/zones/${ids.west}`, { priority: 100 });
    await row.getByText(/Priority.*100/).waitFor();
    await save.click();
    await page.getByText(/^Changed: /).waitFor({ state: 'detached' });
    assert.ok((await ringOf(ids.west)).some(([x]) => x === 46.5));
  });

  await t.test('a drawn outline stays when another user removes the zone', async () => {
    const addSouth = async (): Promise<string> =>
      (await service.operator('POST', '/zones', { name: 'South', area: area(47, 47.2) })).body.data.id;
    const [south, corners] = [await addSouth(), '24.5, 47\n24.5, 47.3\n24.9, 47.3\n24.9, 47'];
    const tab = await openTab(console, 'en');
    const { page, open } = tab;
    const changed = page.getByText(/^Changed: .?South.?$/);
    const removed = page.getByText(/^Somebody else has removed .?South.?\./);
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const edit = page.getByRole('button', { name: /^Edit .*South/ });
    const dialog = page.getByRole('dialog', { name: 'South' });
    await open('/zones');
    // While it is open, typed values stay.
    await edit.click();
    await dialog.getByLabel('Corners').fill(corners);
    await service.operator('DELETE', `/zones/${south}`);
    await edit.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await removed.waitFor();
    await settles(() => save.isDisabled(), true);
    await until(async () => (await page.locator('.map .zone-label').getByText('South').count()) === 1);
    await inspect(tab, 'zones-removed-en');
    await page.getByRole('button', { name: /^Add it as a new zone .*South/ }).click();
    await removed.waitFor({ state: 'detached' });
    await page.getByText(/^New: .?South.?$/).waitFor();
    await save.click();
    await page.getByText(/^New: /).waitFor({ state: 'detached' });
    const { data } = (await service.operator('GET', '/zones?search=South')).body;
    assert.ok((data[0].area.coordinates[0] as number[][]).some(([x]) => x === 47.3));

    // Without an event, saving reveals it.
    await page.route('**/operator/stream', (route) => route.abort());
    await open('/zones');
    await edit.click();
    await dialog.getByLabel('Corners').fill(corners.replaceAll('47.3', '47.25'));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await changed.waitFor();
    // Without a stream the page polls: until it saves, no response arrives.
    const saving = Promise.withResolvers<void>();
    await page.route(/\/operator\/zones(?:\?|$)/, async (route) => {
      if (route.request().method() === 'GET') await saving.promise;
      await route.continue();
    });
    await service.operator('DELETE', `/zones/${data[0].id}`);
    await save.click();
    saving.resolve();
    await removed.waitFor();
    await page.getByRole('button', { name: /^Discard the changes .*South/ }).click();
    await removed.waitFor({ state: 'detached' });
    await until(async () => (await page.locator('.map .zone-label').getByText('South').count()) === 0);

    // A zone removed by the user is gone.
    const last = await addSouth();
    await open('/zones');
    await edit.click();
    await dialog.getByLabel('Corners').fill(corners);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await changed.waitFor();
    await edit.click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page
      .getByRole('dialog', { name: /^Remove the zone / })
      .getByRole('button', { name: 'Remove' })
      .click();
    await edit.waitFor({ state: 'detached' });
    await settles(() => removed.count(), 0);
    assert.equal((await service.operator('GET', `/zones/${last}`)).status, 404);
  });

  await t.test('drawing is disabled while earlier changes are being saved', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/zones');
    await page.getByRole('button', { name: /^Edit .*West/ }).click();
    const dialog = page.getByRole('dialog', { name: 'West' });
    await dialog.getByLabel('Corners').fill('24.5, 46.4\n24.5, 46.51\n24.9, 46.51\n24.9, 46.4');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Changed: .?West.?$/).waitFor();
    const saving = await holdBack(page, '**/zones/changes?*');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await saving.sent();
    await page.locator('.zone-page[inert]').waitFor();
    saving.release();
    await page.getByText(/^Changed: /).waitFor({ state: 'detached' });
    await page.locator('.zone-page:not([inert])').waitFor();
    assert.ok((await ringOf(ids.west)).some(([x]) => x === 46.51));
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    await t.test(`outlines have contrast with the map, ${colorScheme}`, async () => {
      const { page, open } = await openTab(console, 'en', { colorScheme });
      await open('/zones');
      await page.locator('.map path').nth(1).waitFor();
      const contrasts = (await page.evaluate(CONTRASTS)) as number[];
      assert.ok(contrasts.length >= 10, 'each colour of zones, the outlines that are drawn');
      for (const contrast of contrasts) assert.ok(contrast >= 4.5, `${contrasts.join(', ')}`);
    });
  }

  await t.test('scale and attribution of the map follow the theme', async () => {
    const { page, open } = await openTab(console, 'en', { colorScheme: 'dark' });
    await open('/zones');
    await page.locator('.map path').nth(1).waitFor();
    const [buttons, ...parts] = (await page.evaluate(`
      ['.leaflet-bar a', '.leaflet-control-scale-line', '.leaflet-control-attribution'].map(
        (part) => getComputedStyle(document.querySelector('.map ' + part)).backgroundColor,
      )`)) as string[];
    assert.match(buttons ?? '', /^rgb\(/);
    assert.deepEqual(parts, [buttons, buttons]);
    await page.close();
  });

  await t.test('labels of zones never overlap, at any width', async () => {
    const strip = (index: number) => area(47 + index / 20, 47.05 + index / 20);
    const strips = await Promise.all(
      Array.from({ length: 5 }, async (_none, index) => {
        const zone = { name: `A district with a long name ${index}`, area: strip(index) };
        return (await service.operator('POST', '/zones', zone)).body.data.id as string;
      }),
    );
    const { page, open } = await openTab(console, 'en', { width: 390 });
    await open('/zones');
    await page.locator('.map path').nth(6).waitFor();
    const shown = page.locator('.map .zone-label:visible');
    const boxes = async () => Promise.all((await shown.all()).map((label) => label.boundingBox()));
    const overlapping = async () => {
      const all = (await boxes()).map((box) => box!);
      return all.flatMap((one, index) =>
        all
          .slice(index + 1)
          .filter(
            (other) =>
              one.x < other.x + other.width &&
              other.x < one.x + one.width &&
              one.y < other.y + other.height &&
              other.y < one.y + one.height,
          ),
      ).length;
    };
    await until(async () => (await shown.count()) > 0 && (await overlapping()) === 0);
    assert.ok((await shown.count()) < 7);
    // The selected zone is announced, whatever overlaps it.
    await page.getByRole('button', { name: 'A district with a long name 3', exact: true }).click();
    await shown.getByText('A district with a long name 3').waitFor();
    assert.equal(await overlapping(), 0);
    for (const id of strips) await service.operator('DELETE', `/zones/${id}`);
    await page.close();
  });

  await t.test('an emptied number is refused at its field', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/zones');
    await page.getByRole('button', { name: /^Edit .*West/ }).click();
    const dialog = page.getByRole('dialog', { name: 'West' });
    await dialog.getByLabel('Priority').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog
      .locator('.field')
      .getByText(/^(?:Enter a|Not )/)
      .first()
      .waitFor();
    assert.equal((await service.operator('GET', `/zones/${ids.west}`)).body.data.priority, 100);
  });

  await t.test('a role without permission to change zones reads them', async () => {
    const { body } = await service.operator('POST', '/tokens', { name: 'A viewer', role: 'viewer' });
    const tab = await openTab(console, 'en', { token: body.data.token });
    await tab.open('/zones');
    await tab.page.getByRole('button', { name: /^Details .*West/ }).click();
    const dialog = tab.page.getByRole('dialog', { name: 'West' });
    const { data } = (await service.operator('GET', `/services/${world.serviceId}`)).body;
    await dialog.getByRole('listitem').filter({ hasText: data.nameEn }).waitFor();
    await dialog.getByRole('definition').filter({ hasText: /^60$/ }).waitFor();
    await dialog.getByRole('definition').filter({ hasText: /^Yes$/ }).waitFor();
    await inspect(tab, 'zone-details-en');
  });

  await t.test('unsaved changes of the map are not left without a question', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/teams');
    await page.getByRole('link', { name: 'Zones', exact: true }).click();
    await page.getByRole('button', { name: /^Edit .*West/ }).click();
    const dialog = page.getByRole('dialog', { name: 'West' });
    await dialog.getByLabel('Corners').fill('24.5, 46.4\n24.5, 46.48\n24.9, 46.5\n24.9, 46.4');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const changed = page.getByText(/^Changed: .?West.?$/);
    await changed.waitFor();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    const leaving = [
      () => page.getByRole('link', { name: 'Teams', exact: true }).click(),
      () => page.goBack(),
    ];
    for (const leave of leaving) {
      await leave();
      await question.getByRole('button', { name: 'Back' }).last().click();
      await changed.waitFor();
      assert.match(page.url(), /\/zones$/);
    }
    const asked = page.waitForEvent('dialog');
    // `page.reload` would wait for the load that never comes.
    await page.evaluate('setTimeout(() => location.reload())');
    const native = await asked;
    assert.equal(native.type(), 'beforeunload');
    await native.dismiss();
    await changed.waitFor();
    await page.getByRole('link', { name: 'Teams', exact: true }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor();
  });

  for (const language of LANGUAGES) {
    await t.test(`utilisation by zone and day, and by team in ${language}`, async () => {
      const tab = await openTab(console, language);
      const { page, open } = tab;
      await open(`/utilisation?from=2026-11-22&to=2026-11-28`);
      await inspect(tab, `utilisation-${language}`);
      // The last row has all zones together, by day.
      const totals = await page.locator('.heat tr').last().locator('td').allInnerTexts();
      assert.deepEqual(
        totals.map((total) => Number(total.replaceAll(/\D/g, ''))),
        [0, 17, 0, 0, 0, 0, 0, 2],
      );
      // Two of twelve hours.
      await page.locator('.heat td a').getByText('17').first().click();
      await page.locator('.heat a[aria-current]').waitFor();
      await until(async () => (await page.locator('table.list').count()) === 2);
      assert.equal(new URL(page.url()).searchParams.get('day'), '2026-11-23');
      await inspect(tab, `utilisation-day-${language}`);
    });
  }
});
