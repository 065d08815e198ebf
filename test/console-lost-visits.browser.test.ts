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
    lost: 'What saving changes',
    saved: 'Saved: visits to move',
    close: 'Back',
    reason: 'Not active',
    all: 'Move them together',
    addTimeOff: 'Add time off',
    add: 'Add',
    troubles: [
      'Past the end 1',
      'Team cannot do it 1',
      'Not done, undecided 1',
      'Cancelled, booking is not 1',
      'Not completed 1',
    ],
  },
  ar: {
    save: 'حفظ',
    isActive: 'يمكن حجزه',
    lost: 'ما يغيّره الحفظ',
    saved: 'تم الحفظ: زيارات يلزم نقلها',
    close: 'رجوع',
    reason: 'غير فعّال',
    all: 'انقلها معًا',
    addTimeOff: 'أضف إجازة',
    add: 'إضافة',
    troubles: [
      'انقضى وقتها 1',
      'لا يستطيعها الفريق 1',
      'لم تُنفَّذ وبلا قرار 1',
      'أُلغيت وحجزها قائم 1',
      'لم تُسجَّل مكتملة 1',
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
        const team = async () => (await service.operator('GET', `/teams/${lost.team.id}`)).body.data;
        await dialog.getByRole('button', { name: texts.close }).last().click();
        assert.equal((await team()).isActive, true, 'left: nothing is saved');
        await facts.getByRole('button', { name: texts.save }).click();
        await dialog.getByRole('button', { name: texts.save }).click();
        const saved = page.getByRole('dialog', { name: texts.saved });
        const link = saved.getByRole('link', { name: lost.trackingReference });
        assert.ok((await link.getAttribute('href'))!.endsWith(`/bookings/${lost.bookingId}`));
        assert.equal((await team()).isActive, false);

        await open('/');
        for (const trouble of texts.troubles)
          await page
            .locator('.trouble button')
            .filter({ hasText: new RegExp(`^${trouble.slice(0, -2)} \\D*\\d+$`) })
            .waitFor();
        await inspect(tab, `today-lost-${language}-${width}`);
        await page.setViewportSize({ width, height: 900 });
        await page
          .locator('.trouble button')
          .filter({ hasText: texts.troubles[1].slice(0, -2) })
          .click();
        await page.locator('.trouble-now a').last().click();
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
    const path = `/teams/${lost.team.id}/time-off`;
    assert.equal((await service.operator('GET', path)).body.meta.total, 0, 'before it is saved');
    await dialog.getByRole('button', { name: TEXTS.en.save }).click();
    const saved = page.getByRole('dialog', { name: TEXTS.en.saved });
    await saved.getByRole('link', { name: TEXTS.en.all }).click();
    await page.getByRole('link', { name: lost.trackingReference }).waitFor();
    assert.ok(page.url().endsWith('/outside?fromDate=2026-11-26&toDate=2026-11-26'));
    assert.equal((await service.operator('GET', path)).body.meta.total, 1);
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
