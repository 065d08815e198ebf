import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR } from '../src/base/clock.ts';
import { settles, withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, settled, startConsole } from './console-browser.ts';
import { createWorld } from './fixtures.ts';
import { TEST_NOW } from './harness.ts';

const skip = withoutChromium;

const TEXTS = {
  en: {
    save: 'Save',
    isActive: 'Can be booked',
    lost: 'These need another team',
    reason: 'Not active',
    all: 'All of them',
    addTimeOff: 'Add time off',
    add: 'Add',
    tiles: [
      '1 Past the end, not finished',
      '1 The team cannot do it',
      '1 Could not be done, undecided',
      '1 Cancelled, booking is not',
      '1 Finished, not completed',
    ],
  },
  ar: {
    save: 'حفظ',
    isActive: 'يمكن حجزه',
    lost: 'مواعيد تحتاج إلى فريق آخر',
    reason: 'غير فعّال',
    all: 'كل هذه المواعيد',
    addTimeOff: 'أضف إجازة',
    add: 'إضافة',
    tiles: [
      '1 انقضى وقتها ولم تنتهِ',
      '1 لا يستطيع الفريق تنفيذها',
      '1 تعذّر تنفيذها وبلا قرار',
      '1 أُلغيت وحجزها قائم',
      '1 انتهى العمل ولم تكتمل',
    ],
  },
} as const;

test('lost visits are shown where they are caused, and on the page Today', {
  skip,
}, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service, { teams: 6, service: { minimumNoticeMinutes: 0 } });
  const made = async (overrides = {}) => {
    const answer = await world.book(overrides);
    assert.equal(answer.status, 200, answer.text);
    return (await service.operator('GET', `/bookings/${answer.body.data.bookingId}`)).body.data;
  };
  const become = async (booking: { appointmentId: string }, ...statuses: string[]) => {
    for (const status of statuses) {
      const answer = await service.operator('PATCH', `/appointments/${booking.appointmentId}`, { status });
      assert.equal(answer.status, 200, answer.text);
    }
  };
  const work = ['In The Way', 'In The location', 'In Progress'];
  await become(await made(), ...work);
  await become(await made(), ...work, 'Finished');
  await become(await made(), 'In The Way', 'Cannot Complete');
  await become(await made(), 'Cancelled');
  const lost = await made({ date: '2026-11-26' });
  service.clock.set(TEST_NOW + 2 * DAY + HOUR);

  for (const language of LANGUAGES) {
    for (const width of [1280, 360]) {
      await t.test(`in ${language}, ${width} wide`, async () => {
        const texts = TEXTS[language];
        const tab = await openTab(console, language, { width });
        const { page, open } = tab;
        await service.operator('PATCH', `/teams/${lost.team.id}`, { isActive: true });

        await open(`/teams/${lost.team.id}`);
        const facts = page.locator('form').filter({ has: page.getByLabel(texts.isActive) });
        await facts.getByLabel(texts.isActive).uncheck();
        await facts.getByRole('button', { name: texts.save }).click();
        const dialog = page.getByRole('dialog', { name: texts.lost });
        await dialog.getByText(texts.reason).waitFor();
        await inspect(tab, `lost-visits-${language}-${width}`);
        await page.setViewportSize({ width, height: 900 });
        await dialog.getByRole('link', { name: lost.trackingReference }).click();
        await page.getByText(lost.trackingReference).first().waitFor();
        assert.ok(page.url().includes(`/bookings/${lost.bookingId}`));

        await open('/');
        for (const tile of texts.tiles)
          await page
            .locator('a.tile')
            .filter({ hasText: new RegExp(`^\\D*\\d+${tile.slice(2)}$`) })
            .waitFor();
        await inspect(tab, `today-lost-${language}-${width}`);
        await page.setViewportSize({ width, height: 900 });
        await page
          .locator('a.tile')
          .filter({ hasText: texts.tiles[1].slice(2) })
          .click();
        await settled(page);
        await page.getByRole('link', { name: lost.trackingReference }).waitFor();
        assert.equal(new URL(page.url()).searchParams.get('attention'), 'team-away');
      });
    }
  }

  await t.test('time off lists the appointments in it', async () => {
    const { page, open } = await openTab(console, 'en');
    await service.operator('PATCH', `/teams/${lost.team.id}`, { isActive: true });
    await open(`/teams/${lost.team.id}`);
    await page.getByRole('button', { name: TEXTS.en.addTimeOff }).click();
    const form = page.getByRole('dialog', { name: TEXTS.en.addTimeOff });
    await form.getByLabel('From').fill('2026-11-26T00:00');
    await form.getByLabel('To').fill('2026-11-27T00:00');
    await form.getByRole('button', { name: TEXTS.en.add, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: TEXTS.en.lost });
    await dialog.getByRole('link', { name: lost.trackingReference }).waitFor();
    await dialog.getByRole('link', { name: TEXTS.en.all }).click();
    await page.getByRole('link', { name: lost.trackingReference }).waitFor();
    assert.ok(page.url().endsWith(`/outside?teamId=${lost.team.id}`));
  });

  const ofTeam = async () =>
    (await service.operator('GET', `/appointments/${lost.appointmentId}`)).body.data.team.id;
  for (const language of LANGUAGES) {
    await t.test(`visits that a closed day left are moved together in ${language}`, async () => {
      const { data: schedules } = (await service.operator('GET', '/schedules')).body;
      for (const { id } of schedules) await service.operator('DELETE', `/schedules/${id}`);
      const before = await ofTeam();
      const { status } = await service.operator('POST', '/schedules', {
        nameEn: 'Closed',
        nameAr: 'مغلق',
        from: '2026-11-26',
        to: '2026-11-26',
        teamIds: [before],
        closed: true,
      });
      assert.equal(status, 200);
      const tab = await openTab(console, language);
      const { page, open } = tab;
      await open('/away');
      await page.locator('main a[href$="/outside"]').click();
      const box = page.getByRole('checkbox', { name: lost.trackingReference });
      await box.waitFor();
      // A wider filter after one without visits.
      const none = page.getByText(language === 'ar' ? 'كل الزيارات ضمن' : 'Every visit lies');
      await open(`/outside?teamId=${world.teamIds.find((id) => id !== before)}`);
      await none.waitFor();
      await page.locator('search select').last().selectOption('');
      await box.waitFor();
      await settles(() => box.isChecked(), true, 'another team at its time');
      await inspect(tab, `outside-${language}`);
      await page.getByRole('button', { name: language === 'ar' ? /^انقل: .?1/ : /^Move: .?1/ }).click();
      await page
        .locator('td .badge.good')
        .getByText(language === 'ar' ? 'نُقل' : 'Moved')
        .waitFor();
      assert.notEqual(await ofTeam(), before);
      await page.getByRole('button', { name: language === 'ar' ? 'تراجع' : 'Undo' }).click();
      await page.getByText(language === 'ar' ? /^تم التراجع/ : /^Undone. Moved back: .?1/).waitFor();
      assert.equal(await ofTeam(), before);
      await page.getByRole('button', { name: language === 'ar' ? /^انقل: .?1/ : /^Move: .?1/ }).click();
      await page
        .locator('td .badge.good')
        .getByText(language === 'ar' ? 'نُقل' : 'Moved')
        .waitFor();
      await open('/outside');
      await none.waitFor();
    });
  }
});
