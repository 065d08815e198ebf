import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCHEDULE_TEXTS } from '../console/texts-schedules.ts';
import { settles, withoutChromium } from './browser.ts';
import { holdBack, inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
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
    fallOut: /^Sold visits affected: 1$/,
    save: 'Save',
    close: 'Back',
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
    fallOut: /^زيارات مباعة تتأثر: 1$/,
    save: 'حفظ',
    close: 'رجوع',
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
        // The page still shows the version before its own change when the next one is decided.
        const reload = await holdBack(page, /\/operator\/schedules\?/, 'GET');
        await actions.getByRole('button', { name: words.later }).click();
        await preview.getByRole('button', { name: words.save }).click();
        await preview.waitFor({ state: 'detached' });
        const [moved] = await read('/schedules');
        assert.deepEqual([moved.from, moved.to], ['2026-11-24', '2026-11-24']);
        assert.ok((await slotsOn(WORLD_DATE)) > 0);

        await actions.getByRole('button', { name: words.remove }).click();
        const question = page.getByRole('dialog', { name: words.eid });
        await question.waitFor();
        reload.release();
        await question.getByRole('button', { name: words.remove }).click();
        await page.getByText(words.none).waitFor();
        assert.deepEqual(await read('/schedules'), []);
      },
    );
  }

  for (const language of LANGUAGES) {
    const text = (key: keyof typeof SCHEDULE_TEXTS, values: Record<string, string> = {}): string =>
      Object.entries(values).reduce(
        (words, [name, value]) => words.replace(`{${name}}`, `\u2068${value}\u2069`),
        SCHEDULE_TEXTS[key][language] as string,
      );
    const words = WORDS[language];
    const day = { en: 'Thursday', ar: 'الخميس' }[language];
    const start = { en: /^Start of shift/, ar: /^بداية المناوبة/ }[language];
    const end = { en: /^End of shift/, ar: /^نهاية المناوبة/ }[language];

    await t.test(`hours, breaks and scope of a schedule are edited, in ${language}`, async () => {
      const tab = await openTab(console, language);
      const { page, open } = tab;
      await open('/schedules');
      await page.getByRole('button', { name: words.add }).click();
      const form = page.getByRole('dialog', { name: words.add });
      await form.getByLabel({ en: 'English name', ar: 'الاسم الإنجليزي' }[language]).fill('Evenings');
      await form.getByLabel({ en: 'Arabic name', ar: 'الاسم العربي' }[language]).fill('أمسيات');
      await form.getByLabel(words.from).fill('2026-12-03');
      await form.getByLabel(words.to).fill('2026-12-10');
      await form.getByLabel(text('schedules.scope')).selectOption('zones');
      const zones = form.getByRole('group', { name: { en: 'Zones', ar: 'المناطق' }[language], exact: true });
      await zones.getByRole('checkbox').first().check();
      await form.getByLabel(text('schedules.hours')).selectOption('weekly');
      const hours = form.getByRole('group', { name: day, exact: true });
      await hours.getByRole('button', { name: new RegExp(day) }).click();
      await hours.getByLabel(start).fill('17:00');
      await hours.getByLabel(end).fill('01:00');
      await form.getByRole('button', { name: text('schedules.addBreak') }).click();
      const pause = form.getByRole('group', { name: text('schedules.break', { number: '1' }) });
      await pause.getByLabel(text('schedules.breakStart', { number: '1' })).fill('18:00');
      await pause.getByLabel(text('schedules.breakEnd', { number: '1' })).fill('18:30');
      await pause.getByLabel(day).check();
      await inspect(tab, `schedules-hours-${language}`);
      await form.getByRole('button', { name: words.preview }).click();
      const preview = page.getByRole('dialog', { name: words.previewTitle });
      await preview.getByRole('button', { name: words.save }).click();
      await form.waitFor({ state: 'detached' });
      const thursday = { weekday: 4, startAt: '17:00', endAt: '01:00' };
      const breaks = [{ weekdays: [4], startAt: '18:00', endAt: '18:30' }];
      const fields = ({ zoneIds, teamIds, closed, weekly, breaks }: Record<string, unknown>) => [
        zoneIds,
        teamIds,
        closed,
        weekly,
        breaks,
      ];
      const [made] = await read('/schedules');
      assert.deepEqual(fields(made), [[world.zoneId], null, false, [thursday], breaks]);

      // The zone's page has them, for each of its teams.
      await open(`/zones?zone=${world.zoneId}`);
      const zone = page.getByRole('region', { name: text('teams.hoursOn') });
      await zone.getByLabel(text('teams.hoursDate')).fill('2026-12-03');
      await zone.getByText({ en: 'Evenings', ar: 'أمسيات' }[language], { exact: true }).first().waitFor();
      await inspect(tab, `zone-hours-${language}`);

      // Another scope and no hours of its own; the break stays.
      await open('/schedules');
      const actions = page.getByRole('group', { name: /Evenings|أمسيات/ });
      await actions.getByRole('button', { name: { en: 'Edit', ar: 'تعديل' }[language] }).click();
      const edit = page.getByRole('dialog', { name: /Evenings|أمسيات/ });
      await edit.getByLabel(text('schedules.scope')).selectOption('teams');
      const teams = edit.getByRole('group', { name: { en: 'Teams', ar: 'الفرق' }[language], exact: true });
      await teams.getByRole('checkbox').first().check();
      await edit.getByLabel(text('schedules.hours')).selectOption('own');
      await edit.getByRole('button', { name: words.preview }).click();
      await preview.getByRole('button', { name: words.save }).click();
      await edit.waitFor({ state: 'detached' });
      const [changed] = await read('/schedules');
      assert.deepEqual(fields(changed), [null, [world.teamIds[0]], false, null, breaks]);

      // Somebody else changes it between look and removal: nothing is removed.
      const { name: team } = (await service.operator('GET', `/teams/${world.teamIds[0]}`)).body.data;
      await page.locator('tbody tr').filter({ has: actions }).getByText(team).waitFor();
      await actions.getByRole('button', { name: words.remove }).click();
      const question = page.getByRole('dialog', { name: /Evenings|أمسيات/ });
      await question.waitFor();
      await service.operator('PATCH', `/schedules/${changed.id}`, { priority: 7 });
      await question.getByRole('button', { name: words.remove }).click();
      await page.locator('main .failed').waitFor();
      await question.waitFor({ state: 'detached' });
      assert.equal((await read('/schedules')).length, 1);
      await service.operator('DELETE', `/schedules/${changed.id}`);
    });

    await t.test(`a viewer reads schedules without actions, in ${language}`, async () => {
      const { schedule } = (
        await service.operator('POST', '/schedules', {
          nameEn: 'Closed',
          nameAr: 'مغلق',
          from: '2026-12-03',
          to: '2026-12-03',
          closed: true,
        })
      ).body.data;
      const made = await service.operator('POST', '/tokens', { name: `Eyes ${language}`, role: 'viewer' });
      const tab = await openTab(console, language, { token: made.body.data.token });
      await tab.open('/schedules');
      await tab.page
        .getByRole('row', { name: /3 Dec 2026|3 ديسمبر 2026/ })
        .first()
        .waitFor();
      for (const name of [words.add, words.fromTemplate, words.remove, words.later])
        await settles(() => tab.page.getByRole('button', { name, exact: true }).count(), 0, name);
      await inspect(tab, `schedules-viewer-${language}`);
      await service.operator('DELETE', `/schedules/${schedule.id}`);
    });
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
    await settles(() => form.getByLabel(/^From/).inputValue(), '2027-01-10');
    await settles(() => form.getByLabel(/^To/).inputValue(), '2027-01-12');
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
      await settles(() => day('2027-02-07').locator('.band').count(), 0);
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
      await settles(() => form.getByLabel(words.from).inputValue(), '2027-02-08');
      await settles(() => form.getByLabel(words.to).inputValue(), '2027-02-09');
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
