import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';

/** Dated schedules in the console, in a real browser. */

const skip = withoutChromium;

const WORDS = {
  en: {
    fromTemplate: 'From a template',
    use: /^Use.*Eid al-Fitr 1448/,
    add: 'New schedule',
    from: /^From/,
    to: /^To/,
    preview: 'Preview',
    previewTitle: 'What saving changes',
    fallOut: /^Sold visits outside of working hours: 1$/,
    save: 'Save',
    close: 'Close',
    savedTitle: 'Saved: visits to move',
    reassign: 'Reassign this day',
    together: 'Move them together',
    eid: /Eid al-Fitr 1448/,
    later: 'A day later',
    remove: 'Remove',
    next: 'Next',
    none: 'There are no schedules yet.',
  },
  ar: {
    fromTemplate: 'من قالب',
    use: /^استخدام.*عيد الفطر 1448/,
    add: 'موسم جديد',
    from: /^من/,
    to: /^إلى/,
    preview: 'معاينة',
    previewTitle: 'ما يغيّره الحفظ',
    fallOut: /^زيارات مباعة تخرج عن ساعات العمل: 1$/,
    save: 'حفظ',
    close: 'إغلاق',
    savedTitle: 'تم الحفظ: زيارات يلزم نقلها',
    reassign: 'إعادة إسناد هذا اليوم',
    together: 'انقلها معًا',
    eid: /عيد الفطر 1448/,
    later: 'تأخير يومًا',
    remove: 'حذف',
    next: 'التالي',
    none: 'لا توجد مواسم بعد.',
  },
};

test('the page of schedules', { skip }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service);
  assert.equal((await world.book()).status, 200);
  const read = async (path: string) => (await service.operator('GET', path)).body.data;
  const slotsOn = async (date: string): Promise<number> => {
    const query = `addressId=${world.addressId}&serviceId=${world.serviceId}&date=${date}`;
    const answer = await service.v1(world.key, 'GET', `/partners/timeslots/available?${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.slots.length;
  };

  for (const language of LANGUAGES) {
    const words = WORDS[language];
    await t.test(
      `a template is previewed with a sold visit, saved, moved and removed, in ${language}`,
      async () => {
        const tab = await openTab(console, language);
        const { page, open } = tab;
        await open('/schedules');
        await page.getByText(words.none).waitFor();
        await page.getByRole('button', { name: words.fromTemplate }).click();
        const choice = page.getByRole('dialog', { name: words.fromTemplate });
        await choice.getByRole('button', { name: words.use }).waitFor();
        await inspect(tab, `schedules-templates-${language}`);
        await choice.getByRole('button', { name: words.use }).click();

        const form = page.getByRole('dialog', { name: words.add });
        await form.getByLabel(words.from).fill(WORLD_DATE);
        await form.getByLabel(words.to).fill(WORLD_DATE);
        await form.getByText(/1448/).first().waitFor();
        await inspect(tab, `schedules-form-${language}`);
        await form.getByRole('button', { name: words.preview }).click();

        const preview = page.getByRole('dialog', { name: words.previewTitle });
        await preview.getByText(words.fallOut).waitFor();
        await preview.getByRole('link', { name: /^\+966/ }).waitFor();
        await inspect(tab, `schedules-preview-${language}`);
        assert.deepEqual(await read('/schedules'), [], 'a preview saves nothing');
        assert.ok((await slotsOn(WORLD_DATE)) > 0);
        await preview.getByRole('button', { name: words.save }).click();
        const saved = page.getByRole('dialog', { name: words.savedTitle });
        const link = await saved.getByRole('link', { name: words.reassign }).getAttribute('href');
        assert.match(link!, new RegExp(`/away\\?teamId=${world.teamIds[0]}&date=${WORLD_DATE}$`));
        const all = await saved.getByRole('link', { name: words.together }).getAttribute('href');
        assert.match(all!, new RegExp(`/outside\\?fromDate=${WORLD_DATE}&toDate=${WORLD_DATE}$`));
        assert.equal(await slotsOn(WORLD_DATE), 0);
        await saved.getByRole('button', { name: words.close }).last().click();
        await form.waitFor({ state: 'detached' });

        const actions = page.getByRole('group', { name: words.eid });
        await actions.waitFor();
        await inspect(tab, `schedules-${language}`);
        await actions.getByRole('button', { name: words.later }).click();
        await preview.getByRole('button', { name: words.save }).click();
        await preview.waitFor({ state: 'detached' });
        const [moved] = await read('/schedules');
        assert.deepEqual([moved.from, moved.to], ['2026-11-24', '2026-11-24']);
        assert.ok((await slotsOn(WORLD_DATE)) > 0);

        await actions.getByRole('button', { name: words.remove }).click();
        const question = page.getByRole('dialog', { name: words.eid });
        await question.getByRole('button', { name: words.remove }).click();
        await page.getByText(words.none).waitFor();
        assert.deepEqual(await read('/schedules'), []);
      },
    );
  }

  await t.test('dragging over days of the year starts a schedule', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/schedules?year=2027');
    const day = (date: string) => page.locator(`[data-date="${date}"]`);
    await day('2027-01-12').scrollIntoViewIfNeeded();
    await day('2027-01-12').hover();
    await page.mouse.down();
    await day('2027-01-11').hover();
    await day('2027-01-10').hover();
    await page.mouse.up();
    const form = page.getByRole('dialog', { name: 'New schedule' });
    assert.equal(await form.getByLabel(/^From/).inputValue(), '2027-01-10');
    assert.equal(await form.getByLabel(/^To/).inputValue(), '2027-01-12');
  });

  for (const language of LANGUAGES) {
    await t.test(`the month has bands and is chosen from by keyboard, in ${language}`, async () => {
      const body = { nameEn: 'Ramadan', nameAr: 'رمضان', from: '2027-02-08', to: '2027-03-08', closed: true };
      const created = await service.operator('POST', '/schedules', body);
      assert.equal(created.status, 200, created.text);
      const tab = await openTab(console, language);
      const { page, open } = tab;
      await open('/schedules?year=2027');
      await page.locator('[data-date="2027-02-08"] .band').waitFor();
      await inspect(tab, `schedules-year-${language}`);
      await page.locator('h3 a[href$="month=2027-02"]').click();
      const day = (date: string) => page.locator(`.season-month [data-date="${date}"]`);
      await day('2027-02-08').waitFor();
      const label = await day('2027-02-08').locator('.unseen').textContent();
      assert.match(label!, language === 'en' ? /1 Ramadan 1448.*, Ramadan$/ : /1 رمضان 1448.*, رمضان$/);
      assert.equal(await day('2027-02-07').locator('.band').count(), 0);
      await inspect(tab, `schedules-month-${language}`);

      await day('2027-02-01').focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.press(language === 'ar' ? 'ArrowLeft' : 'ArrowRight');
      await page.keyboard.press('Enter');
      const words = WORDS[language];
      const form = page.getByRole('dialog', { name: words.add });
      assert.equal(await form.getByLabel(words.from).inputValue(), '2027-02-08');
      assert.equal(await form.getByLabel(words.to).inputValue(), '2027-02-09');
      await form.getByRole('button', { name: words.close }).last().click();
      await page.getByRole('button', { name: words.next, exact: true }).click();
      await page.locator('[data-date="2027-03-08"] .band').waitFor();
      const removed = await service.operator('DELETE', `/schedules/${created.body.data.schedule.id}`);
      assert.equal(removed.status, 200, removed.text);
    });
  }

  for (const language of LANGUAGES) {
    await t.test(`the page of a team says whose hours hold on a date, in ${language}`, async () => {
      const body = {
        nameEn: 'Founding',
        nameAr: 'التأسيس',
        from: '2027-02-22',
        to: '2027-02-22',
        closed: true,
      };
      const created = await service.operator('POST', '/schedules', body);
      const tab = await openTab(console, language);
      await tab.open(`/teams/${world.teamIds[0]}`);
      const words = {
        en: { title: 'Hours on a date', date: 'Date', name: 'Founding', none: 'Does not work' },
        ar: { title: 'ساعات العمل في تاريخ', date: 'التاريخ', name: 'التأسيس', none: 'لا يعمل' },
      }[language];
      const section = tab.page.locator('section').filter({ hasText: words.title });
      await section.getByLabel(words.date).fill('2027-02-22');
      await section.getByText(words.name, { exact: true }).waitFor();
      await section.getByText(words.none).waitFor();
      await inspect(tab, `team-hours-${language}`);
      await service.operator('DELETE', `/schedules/${created.body.data.schedule.id}`);
    });
  }
});
