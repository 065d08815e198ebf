import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutChromium } from './browser.ts';
import { chooseAct, inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { data, MARKET, reasonOf, withPolicy } from './fee-fixtures.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { makeLink, signIn } from './portal-fixtures.ts';
import { until } from './until.ts';

const skip = withoutChromium;

const TEXTS = {
  en: {
    add: 'New policy',
    nameEn: /^English name/,
    nameAr: /^Arabic name/,
    cancelling: 'Fees of cancelling',
    moving: 'Fees of rescheduling',
    addStep: 'Add a step',
    hours: 'Hours before the start',
    fee: 'Fee',
    unit: 'Unit of the fee',
    wrong: /Enter a whole number/,
    save: 'Add',
    saved: 'Saved',
    english:
      /Cancelling: from 12 h before the start 25% of the price\. Rescheduling: from 6 h before the start 20\.00 SAR\./,
    arabic: /ابتداءً من 6 ساعات قبل الموعد 20\.00 ريال/,
    assign: 'Assign',
    partner: 'Partner',
    service: 'Service',
    assigned: 'The policy is assigned.',
    neither: 'choose a partner, a service or both',
    end: 'End',
    ended: 'The assignment has ended.',
    newVersion: 'New version',
    grace: /^Free after booking/,
    saveChanges: 'Save',
    unassigned: 'It is assigned to nothing: no booking is made under it.',
    cancel: 'Cancel the booking',
    move: 'Move',
    ownCancel: /^Ours .*No fee; fees of earlier changes are waived too/,
    theirCancel: /^For the customer, who asked Fee .*37\.50.*refund .*0\.00.*, until .*23 Nov 2026, 07:00/,
    ownMove: /^Ours .*No fee; later changes are free, too/,
    theirMove: /^For the customer, who asked Fee .*20\.00/,
    without: /^For the customer, who asked$/,
    moved: /is now with/,
    hers: /^For the customer/,
    canceled: /The booking is cancelled\. .*Fee: .*57\.50/,
    reason: /^Reason/,
    other: 'Other plans',
    portalPolicy: /If nobody is there: 60% of the price/,
    portalFee: /Cancelling: .*90\.00/,
    noAccess: 'No access',
  },
  ar: {
    add: 'سياسة جديدة',
    nameEn: /^الاسم الإنجليزي/,
    nameAr: /^الاسم العربي/,
    cancelling: 'رسوم الإلغاء',
    moving: 'رسوم تغيير الموعد',
    addStep: 'إضافة خطوة',
    hours: 'الساعات قبل الموعد',
    fee: 'الرسم',
    unit: 'وحدة الرسم',
    wrong: /أدخل عددًا صحيحًا/,
    save: 'إضافة',
    saved: 'تم الحفظ',
    english:
      /Cancelling: from 12 h before the start 25% of the price\. Rescheduling: from 6 h before the start 20\.00 SAR\./,
    arabic: /ابتداءً من 6 ساعات قبل الموعد 20\.00 ريال/,
    assign: 'تخصيص',
    partner: 'الشريك',
    service: 'الخدمة',
    assigned: 'خُصصت السياسة.',
    neither: 'اختر شريكاً أو خدمة أو كليهما',
    end: 'إنهاء',
    ended: 'انتهى التخصيص.',
    newVersion: 'نسخة جديدة',
    grace: /^مهلة مجانية بعد الحجز/,
    saveChanges: 'حفظ',
    unassigned: 'غير مخصصة لشيء، فلا تسري على أي حجز جديد.',
    cancel: 'إلغاء الحجز',
    move: 'نقل',
    ownCancel: /^قرارنا .*بلا رسم، وتسقط رسوم التغييرات السابقة/,
    theirCancel: /^بطلب من العميل الرسم .*37\.50.*والمبلغ المعاد .*0\.00.*، حتى .*23.*07:00/,
    ownMove: /^قرارنا .*بلا رسم، والتغييرات اللاحقة بلا رسم أيضًا/,
    theirMove: /^بطلب من العميل الرسم .*20\.00/,
    without: /^بطلب من العميل$/,
    moved: /أصبح .* لدى/,
    hers: /^بطلب من العميل/,
    canceled: /أُلغي الحجز\. .*الرسم: .*57\.50/,
    reason: /^السبب/,
    other: 'خطط أخرى',
    portalPolicy: /إذا لم يكن أحد في الموقع: 60% من السعر/,
    portalFee: /الإلغاء: .*90\.00/,
    noAccess: 'تعذّر الدخول',
  },
} as const;

test('policies of fees: written, assigned, given a new version and ended', { skip }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service, {
    partner: { name: 'Home Deals' },
    service: { name: 'Deep cleaning', nameAr: 'تنظيف عميق' },
  });
  const only = async (search: string) =>
    data(await service.operator('GET', `/policies?search=${encodeURIComponent(search)}`))[0];

  for (const language of LANGUAGES) {
    await t.test(`in ${language}`, async () => {
      const texts = TEXTS[language];
      const names = { en: `Half a day, ${language}`, ar: `نصف يوم ${language}` };
      const name = names[language];
      const tab = await openTab(console, language, { colorScheme: language === 'ar' ? 'dark' : 'light' });
      const { page, open } = tab;
      const dialog = page.getByRole('dialog');

      await open('/policies');
      await inspect(tab, `policies-${language}`);
      await page.getByRole('button', { name: texts.add }).click();
      await dialog.getByLabel(texts.nameEn).fill(names.en);
      await dialog.getByLabel(texts.nameAr).fill(names.ar);
      const steps = dialog.getByRole('group', { name: texts.cancelling, exact: true });
      await steps.getByRole('button', { name: texts.addStep }).click();
      await steps.getByLabel(texts.hours).fill('soon');
      await steps.getByLabel(texts.fee, { exact: true }).fill('25');
      const moves = dialog.getByRole('group', { name: texts.moving, exact: true });
      await moves.getByRole('button', { name: texts.addStep }).click();
      await moves.getByLabel(texts.hours).fill('6');
      await moves.getByLabel(texts.fee, { exact: true }).fill('20');
      await moves.getByLabel(texts.unit).selectOption('amount');
      await dialog.getByRole('button', { name: texts.save, exact: true }).click();
      await steps.locator('.fault').waitFor();
      assert.match(await steps.locator('.fault').innerText(), texts.wrong);
      await inspect(tab, `policy-new-${language}`);
      await steps.getByLabel(texts.hours).fill('12');
      await dialog.getByRole('button', { name: texts.save, exact: true }).click();
      await page.getByText(texts.saved).waitFor();

      await page.getByRole('link', { name }).click();
      await page.getByText(texts.english).first().waitFor();
      await page.getByText(texts.arabic).first().waitFor();
      await page.getByText(texts.unassigned).waitFor();
      await page.getByRole('button', { name: texts.assign, exact: true }).click();
      await dialog.getByRole('button', { name: texts.assign, exact: true }).click();
      await dialog.getByText(texts.neither).waitFor();
      await dialog.getByLabel(texts.partner).selectOption(world.partnerId);
      await dialog.getByLabel(texts.service).selectOption(world.serviceId);
      await inspect(tab, `policy-assign-${language}`);
      await dialog.getByRole('button', { name: texts.assign, exact: true }).click();
      await page.getByText(texts.assigned).waitFor();
      const assigned = [{ partnerId: world.partnerId, serviceId: world.serviceId }];
      assert.deepEqual((await only(names.en)).assignments, assigned);

      await page.getByRole('button', { name: texts.newVersion, exact: true }).click();
      await dialog.getByLabel(texts.grace).fill('15');
      await dialog.getByRole('button', { name: texts.saveChanges, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await until(async () => (await only(names.en)).graceMinutes === 15);
      const { version, cancel, assignments } = await only(names.en);
      assert.deepEqual([version, cancel], [3, [{ hoursBefore: 12, percent: 25 }]]);
      assert.deepEqual(assignments, assigned, 'the terms alone have changed');
      await page.locator('section').last().locator('tbody tr').nth(2).waitFor();
      await inspect(tab, `policy-${language}`);

      for (const path of [`/partners/${world.partnerId}`, `/catalogue/services/${world.serviceId}`]) {
        await open(path);
        await page.locator('main').getByRole('link', { name }).waitFor();
      }
      await inspect(tab, `service-policies-${language}`);
      await page.locator('main').getByRole('link', { name }).click();
      await page.getByRole('button', { name: texts.end, exact: true }).click();
      await dialog.getByRole('button', { name: texts.end, exact: true }).click();
      await page.getByText(texts.ended).waitFor();
      await page.getByText(texts.unassigned).waitFor();
    });
  }

  await t.test('a viewer reads policies and changes none', async () => {
    const { token } = data(await service.operator('POST', '/tokens', { name: 'Eyes', role: 'viewer' }));
    const { page, open } = await openTab(console, 'en', { token });
    await open('/policies');
    await page.getByRole('link', { name: 'Half a day, en' }).click();
    await page.getByRole('heading', { name: 'Half a day, en', level: 1 }).waitFor();
    await page.getByText(TEXTS.en.english).first().waitFor();
    const buttons = page.locator('main').getByRole('button');
    assert.deepEqual(await buttons.allInnerTexts(), []);
  });
});

test('whose decision a change is stands before it, with the fee that the customer would pay', {
  skip,
}, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service, { teams: 4 });
  const scene = { service, world };
  // 26 hours before the start.
  await withPolicy(scene, {
    cancel: [{ hoursBefore: 48, percent: 25 }, ...MARKET.cancel.slice(1)],
    reschedule: [{ hoursBefore: 48, amount: 20 }],
    graceMinutes: 0,
  });
  await reasonOf(scene);
  const { bookingId, appointmentId } = data(await world.book());
  const asked = { en: data(await world.book()), ar: data(await world.book()) };
  const detail = async (id: string) => data(await service.operator('GET', `/bookings/${id}`));
  const free = await createWorld(service);
  const without = data(await free.book()).bookingId;

  for (const language of LANGUAGES) {
    await t.test(`in ${language}`, async () => {
      const texts = TEXTS[language];
      const tab = await openTab(console, language);
      const { page, open } = tab;
      const dialog = page.getByRole('dialog');
      await open(`/bookings/${bookingId}`);
      await chooseAct(page, texts.cancel);
      await dialog.getByRole('radio', { name: texts.ownCancel, checked: true }).waitFor();
      await dialog.getByRole('radio', { name: texts.theirCancel }).waitFor();
      await inspect(tab, `cancel-quote-${language}`);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: texts.move, exact: true }).click();
      await dialog.getByRole('radio', { name: texts.ownMove, checked: true }).waitFor();
      await dialog.getByRole('radio', { name: texts.theirMove }).waitFor();
      await inspect(tab, `move-quote-${language}`);

      await open(`/board?date=${WORLD_DATE}`);
      await page.locator(`#visit-${appointmentId}`).click();
      await dialog.getByRole('radio', { name: texts.theirMove }).waitFor();

      // Nothing is said of fees where there is no policy.
      await open(`/bookings/${without}`);
      await chooseAct(page, texts.cancel);
      await dialog.getByRole('radio', { name: texts.without, disabled: false }).waitFor();

      // Moved and cancelled for her, it costs what was shown.
      const { bookingId: hers } = asked[language];
      await open(`/bookings/${hers}`);
      await page.getByRole('button', { name: texts.move, exact: true }).click();
      await dialog.getByRole('radio', { name: texts.theirMove }).check();
      await dialog.locator('.place select').first().selectOption({ index: 1 });
      const sent = page.waitForRequest((request) => request.method() === 'PATCH');
      await dialog.locator('.place button').first().click();
      const { onBehalfOf, maxFee } = (await sent).postDataJSON();
      assert.deepEqual([onBehalfOf, maxFee], ['CUSTOMER', 20]);
      await page.getByText(texts.moved).first().waitFor();
      assert.equal((await detail(hers)).feeHistory[0].change, 20);
      await open(`/bookings/${hers}`);
      await chooseAct(page, texts.cancel);
      await dialog.getByRole('radio', { name: texts.hers }).check();
      await dialog.getByLabel(texts.reason).selectOption({ label: texts.other });
      await dialog.getByRole('button', { name: texts.cancel }).click();
      await page.getByText(texts.canceled).waitFor();
      const { kept, onBehalfOf: whose } = (await detail(hers)).cancellation;
      assert.deepEqual([kept, whose], [57.5, 'CUSTOMER']);
    });
  }
});

test('the portal shows what changes of a booking cost, and what they did', { skip }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service);
  const scene = { service, world };
  await withPolicy(scene, { noShowPercent: 60 });
  const reasonId = await reasonOf(scene);
  const { bookingId, appointmentId } = data(await world.book());
  for (const change of [{ status: 'In The Way' }, { status: 'Cannot Complete', outcome: 'NO_ACCESS' }])
    data(await service.operator('PATCH', `/appointments/${appointmentId}`, change));
  data(await service.operator('POST', `/bookings/${bookingId}/close`, { reasonId }));
  const token = await signIn(service, { link: (await makeLink(service, world.partnerId)).token });
  for (const language of LANGUAGES) {
    const tab = await openTab(console, language, { token, base: '/portal' });
    await tab.open(`/bookings/${bookingId}`);
    const facts = tab.page.locator('.facts');
    await facts.getByText(TEXTS[language].portalPolicy).waitFor();
    await facts.getByText(TEXTS[language].portalFee).waitFor();
    await facts.getByText(TEXTS[language].noAccess).waitFor();
    await inspect(tab, `portal-booking-fees-${language}`);
  }
});
