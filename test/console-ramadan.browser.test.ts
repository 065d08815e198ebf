import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { createWorld, everyDay } from './fixtures.ts';

const skip = withoutChromium;

const WORDS = {
  en: {
    template: 'From a template',
    use: /^Use.*Ramadan 1448/,
    continue: 'Continue',
    preview: 'Preview',
    save: 'Save',
    long: /^More than six hours a day in Ramadan/,
  },
  ar: {
    template: 'من قالب',
    use: /^استخدام.*رمضان 1448/,
    continue: 'متابعة',
    preview: 'معاينة',
    save: 'حفظ',
    long: /^أكثر من ست ساعات في اليوم في رمضان/,
  },
};

test('Ramadan: teams by night, all others by day, and a warning over six hours', { skip }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const { teamIds } = await createWorld(service, { teams: 3 });
  const schedules = async () => (await service.operator('GET', '/schedules?sortBy=priority')).body.data;
  for (const language of LANGUAGES)
    await t.test(`from the template, in ${language}`, async () => {
      const words = WORDS[language];
      const tab = await openTab(console, language);
      const { page } = tab;
      await tab.open('/schedules');
      await page.getByRole('button', { name: words.template }).click();
      await page.getByRole('dialog').getByRole('combobox').selectOption('1448');
      await page.getByRole('button', { name: words.use }).click();
      const choices = page.getByRole('dialog').getByRole('checkbox');
      await choices.first().waitFor();
      await choices.nth(2).check();
      await inspect(tab, `ramadan-teams-${language}`);
      await page.getByRole('button', { name: words.continue }).click();
      // Theirs first, then that of all others.
      for (let saved = 1; saved <= 2; saved++) {
        await page.getByRole('button', { name: words.preview }).click();
        const save = page.getByRole('dialog').last().getByRole('button', { name: words.save });
        await save.waitFor();
        assert.equal(await page.getByText(words.long).count(), 0);
        await save.click();
        await save.waitFor({ state: 'detached' });
        assert.equal((await schedules()).length, saved);
      }
      await page.getByRole('dialog').first().waitFor({ state: 'detached' });
      const all = await schedules();
      assert.deepEqual(
        all.map(({ teamIds: of, weekly }: { teamIds: string[] | null; weekly: { startAt: string }[] }) => [
          of?.length ?? null,
          weekly[0]!.startAt,
        ]),
        [
          [1, '20:00'],
          [null, '10:00'],
        ],
      );
      for (const { id } of all) await service.operator('DELETE', `/schedules/${id}`);
    });

  const body = { nameEn: 'Season', nameAr: 'موسم', from: '2027-02-08', to: '2027-03-08', teamIds };
  const made = await service.operator('POST', '/schedules', { ...body, weekly: everyDay('09:00', '16:30') });
  assert.equal(made.body.data.longDays.length, 3);
  for (const language of LANGUAGES)
    await t.test(`by hand: a warning before it is saved, in ${language}`, async () => {
      const tab = await openTab(console, language);
      await tab.open('/schedules');
      await tab.page
        .getByRole('group', { name: language === 'en' ? 'Season' : 'موسم' })
        .getByRole('button')
        .first()
        .click();
      await tab.page.getByRole('button', { name: WORDS[language].preview }).click();
      await tab.page.getByText(WORDS[language].long).first().waitFor();
      await inspect(tab, `ramadan-warning-${language}`);
    });
});
