import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settles, withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { createWorld, everyDay, squareAround } from './fixtures.ts';

/** One preview before each change that hits sold visits, in a real browser. */

const skip = withoutChromium;

const WORDS = {
  en: {
    save: 'Save',
    close: 'Back',
    title: 'What saving changes',
    saved: 'Saved: visits to move',
    affected: (count: number) => `Sold visits affected: ${count}`,
    other: /^Other visits are affected by now/,
    from: 'From',
    week: 'Weekly shifts',
    takeBack: /^Take back/,
    remove: 'Remove',
    edit: 'Edit',
    editZone: /^Edit .*West/,
    active: 'Active',
    outside: 'Address outside of the zone',
    off: 'Service not offered any more',
    offShift: 'Off shift',
    corners: 'Corners',
  },
  ar: {
    save: 'حفظ',
    close: 'رجوع',
    title: 'ما يغيّره الحفظ',
    saved: 'تم الحفظ: زيارات يلزم نقلها',
    affected: (count: number) => `زيارات مباعة تتأثر: ${count}`,
    other: /^تغيّرت الزيارات المتأثرة/,
    from: 'من',
    week: 'المناوبات الأسبوعية',
    takeBack: /^إلغاء هذا التغيير/,
    remove: 'حذف',
    edit: 'تعديل',
    editZone: /^تعديل .*West/,
    active: 'فعّال',
    outside: 'العنوان خارج المنطقة',
    off: 'الخدمة لم تعد متاحة',
    offShift: 'خارج المناوبة',
    corners: 'الزوايا',
  },
} as const;

test('a change that hits sold visits is saved from its preview', { skip }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service, { zone: { name: 'West' } });
  const read = async (path: string) => (await service.operator('GET', path)).body.data;
  for (let day = 23; day < 30; day++)
    assert.equal((await world.book({ date: `2026-11-${day}` })).status, 200);
  const team = `/teams/${world.teamIds[0]}`;

  for (const [index, language] of LANGUAGES.entries()) {
    const words = WORDS[language];
    const width = language === 'en' ? 1280 : 390;

    await t.test(`weekly hours from a date, taken back, in ${language}`, async () => {
      const tab = await openTab(console, language, { width });
      const { page, open } = tab;
      await open(team);
      const week = page.locator('form:has(.week)');
      for (const day of [0, 1, 2, 3, 4, 5, 6])
        await week.locator('.day').nth(day).locator('input').nth(1).fill('11:00');
      await week.getByLabel(words.from, { exact: true }).fill('2026-11-26');
      await week.getByRole('button', { name: words.save }).click();
      const preview = page.getByRole('dialog', { name: words.title });
      await preview.getByText(words.affected(4)).waitFor();
      await preview.getByText(words.offShift).first().waitFor();
      await inspect(tab, `preview-hours-${language}`);
      await page.setViewportSize({ width, height: 500 });
      const save = preview.getByRole('button', { name: words.save });
      const [box, frame] = [await save.boundingBox(), await preview.boundingBox()];
      assert.ok(box!.y + box!.height <= frame!.y + frame!.height, 'the button stays in sight');
      await page.setViewportSize({ width, height: 900 });
      await preview.getByRole('button', { name: words.close }).last().click();
      assert.deepEqual(await read('/schedules'), [], 'left: nothing is saved');

      await week.getByRole('button', { name: words.save }).click();
      await save.click();
      const saved = page.getByRole('dialog', { name: words.saved });
      await saved.getByRole('button', { name: words.close }).last().click();
      const back = page.getByRole('button', { name: words.takeBack });
      await back.waitFor();
      await inspect(tab, `dated-hours-${language}`);
      await page.setViewportSize({ width, height: 900 });
      const [schedule] = await read('/schedules');
      assert.deepEqual(
        [schedule.from, schedule.to, schedule.teamIds, schedule.weekly.length],
        ['2026-11-26', null, [world.teamIds[0]], 7],
      );
      assert.deepEqual((await read(team)).shifts, everyDay('08:00', '20:00'), 'the hours until then stay');
      await back.click();
      await page.getByRole('dialog').getByRole('button', { name: words.remove }).click();
      await back.waitFor({ state: 'detached' });
      assert.deepEqual(await read('/schedules'), []);
    });

    await t.test(
      `a visit that is sold after the preview is shown before saving, in ${language}`,
      async () => {
        const tab = await openTab(console, language, { width });
        const { page, open } = tab;
        await open(`/catalogue/services/${world.serviceId}?edit=facts`);
        const form = page.getByRole('dialog').filter({ has: page.getByLabel(words.active) });
        await form.getByLabel(words.active).uncheck();
        await form.getByRole('button', { name: words.save }).click();
        const preview = page.getByRole('dialog', { name: words.title });
        const count = 7 + index;
        await preview.getByText(words.affected(count)).waitFor();
        await preview.getByText(words.off).first().waitFor();
        const timeslot = { startAt: '14:00', endAt: '16:00' };
        assert.equal((await world.book({ date: `2026-11-2${3 + index}`, timeslot })).status, 200);
        await preview.getByRole('button', { name: words.save }).click();
        await preview.getByText(words.other).waitFor();
        await preview.getByText(words.affected(count + 1)).waitFor();
        await inspect(tab, `preview-other-${language}`);
        await page.setViewportSize({ width, height: 900 });
        assert.equal((await read(`/services/${world.serviceId}`)).isActive, true);
        await preview.getByRole('button', { name: words.save }).click();
        await page.getByRole('dialog', { name: words.saved }).waitFor();
        assert.equal((await read(`/services/${world.serviceId}`)).isActive, false);
        await service.operator('PATCH', `/services/${world.serviceId}`, { isActive: true });
      },
    );

    await t.test(`an outline is not saved without its preview, in ${language}`, async () => {
      const tab = await openTab(console, language, { width });
      const { page, open } = tab;
      const before = (await read(`/zones/${world.zoneId}`)).area;
      await open('/zones');
      await page.getByRole('button', { name: words.editZone }).click();
      const ring = squareAround(world.latitude + 2, world.longitude).coordinates[0]!;
      const corners = ring.slice(0, -1).map((corner) => `${corner[1]}, ${corner[0]}`);
      const dialog = page.getByRole('dialog', { name: 'West' });
      await dialog.getByLabel(words.corners).fill(corners.join('\n'));
      await dialog.getByRole('button', { name: words.save }).click();
      await page.getByRole('button', { name: words.save, exact: true }).click();
      const preview = page.getByRole('dialog', { name: words.title });
      await preview.getByText(words.affected(8 + index)).waitFor();
      await preview.getByText(words.outside).first().waitFor();
      await inspect(tab, `preview-outline-${language}`);
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual((await read(`/zones/${world.zoneId}`)).area, before);
      await preview.getByRole('button', { name: words.save }).click();
      await page.getByRole('dialog', { name: words.saved }).waitFor();
      await settles(async () => (await read(`/zones/${world.zoneId}`)).area.coordinates[0].length, 5);
      assert.notDeepEqual((await read(`/zones/${world.zoneId}`)).area, before);
      await service.operator('PATCH', `/zones/${world.zoneId}`, { area: before });
    });
  }
});
