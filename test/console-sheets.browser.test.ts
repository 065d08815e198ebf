import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settles, withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { call } from './harness.ts';

/** What the set-up still lacks, the day on paper, and the audit log in sentences, in a real browser. */

const skip = withoutChromium;

const TITLES = {
  en: { nothing: 'Nothing can be booked yet', service: /^Still missing before it sells/ },
  ar: { nothing: 'لا يمكن حجز أي شيء بعد', service: /^ما ينقصها قبل أن تُباع/ },
};

test('what a set-up still lacks', { skip }, async (t) => {
  const console = await startConsole(t);
  const { operator } = console.service;

  for (const language of LANGUAGES) {
    await t.test(`Today of an empty service in ${language}`, async () => {
      const tab = await openTab(console, language);
      await tab.open('/');
      const list = tab.page.getByRole('list', { name: TITLES[language].nothing });
      await list.waitFor();
      const links = await list
        .getByRole('link')
        .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
      assert.deepEqual(links, [
        '/console/zones',
        '/console/teams',
        '/console/catalogue',
        '/console/partners',
      ]);
      await inspect(tab, `today-setup-${language}`);
      const [other, switchTo] =
        language === 'en' ? (['ar', 'العربية'] as const) : (['en', 'English'] as const);
      await tab.page.getByRole('button', { name: switchTo }).click();
      const texts = { en: 'There is no active zone', ar: 'لا توجد منطقة فعّالة' };
      await tab.page.getByRole('link', { name: texts[other] }).waitFor();
    });
  }

  const world = await createWorld(console.service, {
    service: { name: 'Deep cleaning', nameAr: 'تنظيف عميق' },
  });
  const { serviceId, zoneId, teamIds } = world;

  await t.test('Today of a service that can be booked lacks nothing', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/');
    const keys = page.waitForResponse(/\/keys\?/);
    await page.reload();
    await keys;
    await page.getByRole('region', { name: 'Needs attention' }).waitFor();
    await settles(() => page.locator('.gaps').count(), 0);
    // A revoked key books nothing.
    await operator('PATCH', `/keys/${world.keyId}`, { status: 'REVOKED' });
    await page.reload();
    await page
      .locator('.gaps')
      .getByRole('link', { name: 'There is no active partner with a valid key' })
      .waitFor();
  });

  await t.test('a service lists what it lacks until it is there', async () => {
    await operator('PATCH', `/services/${serviceId}`, { defaultPrice: 0, isActive: false });
    await operator('PATCH', `/zones/${zoneId}`, { serviceIds: [] });
    for (const language of LANGUAGES) {
      const tab = await openTab(console, language);
      await tab.open(`/catalogue/services/${serviceId}`);
      await tab.page.getByRole('list', { name: TITLES[language].service }).waitFor();
      await inspect(tab, `service-setup-${language}`);
    }
    const { page, open } = await openTab(console, 'en');
    await open(`/catalogue/services/${serviceId}`);
    const gaps = page.locator('.gaps');
    await gaps.waitFor();
    assert.deepEqual(
      (await gaps.getByRole('listitem').allInnerTexts()).map((text) => text.replace(/[\u2068\u2069]/g, '')),
      [
        'The default price is 0',
        'No pricing tier covers 120 minutes',
        'It is inactive, so partners do not see it',
        'No active zone offers it',
        'No active team with shifts in its zones can do it',
      ],
    );
    await gaps.getByRole('link', { name: 'No active zone offers it' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await gaps.getByText('No active team').waitFor({ state: 'detached' });
    await gaps.getByRole('link', { name: 'The default price is 0' }).click();
    await dialog.getByLabel('Default price').fill('120');
    await dialog.getByLabel('Active').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await gaps.getByText('The default price').waitFor({ state: 'detached' });
    await operator('POST', '/pricing-tiers', { minMinutes: 60, maxMinutes: 179, factor: 1 });
    await page.reload();
    await page.getByRole('heading', { name: 'Deep cleaning', level: 1 }).waitFor();
    await gaps.waitFor({ state: 'detached' });
  });

  await t.test('a zone lists what it lacks, and its dialog opens from there', async () => {
    await operator('PATCH', `/teams/${teamIds[0]}`, { shifts: [] });
    const { data: zone } = (await operator('GET', `/zones/${zoneId}`)).body;
    const { priority, area } = zone;
    const other = { name: 'Twin', priority, area, serviceIds: [], confirmOverlap: true };
    const made = await operator('POST', '/zones', other);
    assert.equal(made.status, 201, made.text);
    // As an overlap from before answers were stored.
    const forget = () => console.service.deps.db.rows({ text: 'delete from zone_overlaps' });
    await forget();
    for (const language of LANGUAGES) {
      const tab = await openTab(console, language);
      await tab.open('/zones');
      await tab.page.locator('.gaps').first().waitFor();
      await inspect(tab, `zones-setup-${language}`);
    }
    const { page, open } = await openTab(console, 'en');
    await open('/zones');
    const row = page
      .locator('.place-list > li')
      .filter({ hasText: 'Twin' })
      .filter({ hasText: 'It offers no active service' });
    await row.getByRole('link', { name: /^It overlaps/ }).waitFor();
    await row.getByRole('link', { name: 'No active team with shifts serves it' }).waitFor();
    await row.getByRole('link', { name: 'It offers no active service' }).click();
    const dialog = page.getByRole('dialog', { name: 'Twin' });
    await dialog.getByLabel('Priority').fill('7');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It overlaps').first().waitFor({ state: 'detached' });

    // An overlap that is wanted is listed no longer, on either zone and after a reload.
    const back = { priority, nameAr: 'التوأم', confirmOverlap: true };
    assert.equal((await operator('PATCH', `/zones/${made.body.data.id}`, back)).status, 200);
    await forget();
    for (const [language, keep, overlaps, twin] of [
      ['ar', 'أبقِ التداخل', /^تتداخل مع/, 'التوأم'],
      ['en', 'Keep the overlap', /^It overlaps/, 'Twin'],
    ] as const) {
      await forget();
      const tab = await openTab(console, language);
      await tab.open('/zones');
      await tab.page.getByRole('link', { name: overlaps }).nth(1).waitFor();
      await tab.page
        .locator('.place-list > li')
        .filter({ hasText: twin })
        .getByRole('link', { name: overlaps })
        .last()
        .click();
      const opened = tab.page.getByRole('dialog').first();
      await opened.getByRole('button', { name: keep }).click();
      await inspect(tab, `zones-keep-${language}`);
      await tab.page.getByRole('dialog').last().getByRole('button', { name: keep }).click();
      await tab.page.getByText(overlaps).first().waitFor({ state: 'detached' });
      await tab.open('/zones');
      await tab.page.locator('.gaps').first().waitFor();
      await settles(() => tab.page.getByText(overlaps).count(), 0);
    }
  });
});

const PRINTED = {
  en: {
    print: 'Print',
    link: 'Print day sheets',
    service: 'Deep cleaning',
    notes: 'Special notes',
    range: (start: string, end: string) => `${start}–${end}`,
  },
  ar: {
    print: 'طباعة',
    link: 'طباعة كشوف اليوم',
    service: 'تنظيف عميق',
    notes: 'ملاحظات خاصة',
    // From right to left.
    range: (start: string, end: string) => `\u2067${start} – ${end}\u2069`,
  },
};

test('the day on paper', { skip }, async (t) => {
  const console = await startConsole(t);
  const { operator } = console.service;
  const world = await createWorld(console.service, {
    teams: 3,
    service: { name: 'Deep cleaning', nameAr: 'تنظيف عميق' },
  });
  const [one, two, three] = world.teamIds as [string, string, string];
  const names = new Map<string, string>();
  for (const id of world.teamIds) names.set(id, (await operator('GET', `/teams/${id}`)).body.data.name);
  const place = { districtName: 'Al Olaya', streetName: 'Olaya Street' };
  const { id: contactId, addressId } = (await world.contact(place)).body.data;
  const book = async (startAt: string, endAt: string, teamId: string) => {
    const customer = { contactId, addressId, notes: 'Ring twice' };
    const { body, text } = await world.book({ timeslot: { startAt, endAt }, ...customer });
    assert.equal(body.success, true, text);
    const { data } = (await operator('GET', `/bookings/${body.data.bookingId}`)).body;
    const moved = await operator('PATCH', `/appointments/${data.appointmentId}`, { teamId });
    assert.equal(moved.status, 200, moved.text);
    return data.trackingReference as string;
  };
  const late = await book('16:00', '18:00', one);
  const early = await book('10:00', '12:00', one);
  const other = await book('13:00', '15:00', two);
  const address = `/sheets?date=${WORLD_DATE}`;

  for (const language of LANGUAGES) {
    await t.test(`one sheet for each team in ${language}`, async () => {
      const tab = await openTab(console, language);
      const { page, open } = tab;
      const texts = PRINTED[language];
      await open(`/board?date=${WORLD_DATE}`);
      await page.locator('.view-button').click();
      await page.getByRole('link', { name: texts.link }).click();
      const sheets = page.locator('.sheet');
      await sheets.first().waitFor();
      await settles(() => sheets.locator('h2').allInnerTexts(), [names.get(one), names.get(two)]);
      const titles = await sheets.locator('h3').allInnerTexts();
      for (const [index, [start, end, reference]] of [
        ['10:00', '12:00', early],
        ['16:00', '18:00', late],
        ['13:00', '15:00', other],
      ].entries())
        assert.equal(titles[index], `${texts.range(start!, end!)} · ${reference}`);
      const text = await page.locator('.sheets').innerText();
      for (const part of [
        texts.service,
        texts.notes,
        'Ring twice',
        'Olaya Street',
        'Al Olaya',
        '+966',
        'https://maps.google.com/?q=',
      ])
        assert.ok(text.includes(part), part);
      assert.doesNotMatch(text, /SAR|ر\.س|150/, 'a sheet has no prices');
      assert.equal(await page.evaluate('document.documentElement.dir'), language === 'ar' ? 'rtl' : 'ltr');
      await inspect(tab, `sheets-${language}`);

      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      for (const frame of ['.bar', '.side', '.page > .heading', '.filters'])
        await settles(() => page.locator(frame).first().isVisible(), false, `${frame} is not printed`);
      const colours = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('.sheet dd')))`;
      assert.deepEqual(await page.evaluate(colours), ['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
      const folder = process.env.TEST_SCREENSHOTS;
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/console-sheets-print-${language}.png`, fullPage: true });
      const pdf = await page.pdf({ preferCSSPageSize: true });
      const pages = pdf.toString('latin1');
      assert.equal(pages.match(/\/Type\s*\/Page\b/g)?.length, 2, 'each team begins a page');
      assert.match(pages, /\/MediaBox \[0 0 59[45][.\d]* 84[12]/, 'A4');
    });
  }

  await t.test('the sheet of one team, and of a team without visits', async () => {
    const { page, open } = await openTab(console, 'en');
    await open(`/teams/${two}`);
    await page.getByRole('link', { name: 'Print day sheets' }).click();
    await page.getByRole('heading', { name: 'Day sheets', level: 1 }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('teamId'), two);
    await open(`${address}&teamId=${two}`);
    await settles(() => page.locator('.sheet h2').allInnerTexts(), [names.get(two)]);
    await open(`${address}&teamId=${three}`);
    await page.getByText('No visits start on this day.').waitFor();
    await page.evaluate(`window.print = () => { document.title = 'printed'; }`);
    await page.getByRole('button', { name: 'Print' }).click();
    assert.equal(await page.title(), 'printed');
  });
});

test('the audit log in sentences', { skip }, async (t) => {
  const console = await startConsole(t);
  const { operator, operatorUrl } = console.service;
  const world = await createWorld(console.service, { teams: 2 });
  const [one, two] = world.teamIds as [string, string];
  const nameOf = async (id: string): Promise<string> =>
    (await operator('GET', `/teams/${id}`)).body.data.name;
  const { bookingId } = (await world.book()).body.data;
  const { data } = (await operator('GET', `/bookings/${bookingId}`)).body;
  const { appointmentId, trackingReference: reference } = data;
  await operator('PATCH', `/appointments/${appointmentId}`, { teamId: one });
  const noura = (await operator('POST', '/tokens', { name: 'Noura', role: 'dispatcher' })).body.data;
  const moved = await call(
    `${operatorUrl}/operator`,
    'PATCH',
    `/appointments/${appointmentId}`,
    { teamId: two, timeslot: { startAt: '14:00', endAt: '16:00' } },
    { authorization: `Bearer ${noura.token}` },
  );
  assert.equal(moved.status, 200, moved.text);
  const ok = async (...request: Parameters<typeof operator>): Promise<string> => {
    const answer = await operator(...request);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data?.id;
  };
  const reasonId = await ok('POST', '/cancellation-reasons', { nameEn: 'Ill', nameAr: 'مريض' });
  await ok('POST', `/bookings/${bookingId}/cancel`, { reasonId });
  await ok('PATCH', `/zones/${world.zoneId}`, { isActive: false });
  const [startsAt, endsAt] = ['2026-11-29T09:00:00+03:00', '2026-11-29T12:00:00+03:00'];
  await ok('POST', `/teams/${two}/time-off`, { startsAt, endsAt, reason: 'Training' });
  const partnerId = await ok('POST', '/partners', { name: 'Home Deals' });
  const keyId = await ok('POST', `/partners/${partnerId}/keys`, {
    name: 'Server',
    permissions: ['partner_services_read'],
  });
  await ok('PATCH', `/keys/${keyId}`, { status: 'REVOKED' });
  await ok('PATCH', `/partners/${partnerId}`, { status: 'SUSPENDED' });
  const [from, to] = [await nameOf(one), await nameOf(two)];

  const sentences = {
    en: `Noura moved ${reference} from ${from} to ${to}, 10:00 → 14:00`,
    ar: `Noura: نقل ${reference} من ${from} إلى ${to}، 10:00 ← 14:00`,
  };
  for (const language of LANGUAGES) {
    await t.test(`in ${language}`, async () => {
      const tab = await openTab(console, language);
      const { page, open } = tab;
      await open('/audit');
      const row = page.locator('tbody tr').filter({ hasText: sentences[language] });
      await row.waitFor();
      const links = await row
        .locator('a')
        .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
      assert.deepEqual(links, [
        `/console/audit?actor=operator-token%3A${noura.id}`,
        `/console/bookings/${bookingId}`,
        `/console/teams/${one}`,
        `/console/teams/${two}`,
      ]);
      assert.doesNotMatch(await page.locator('table.list').innerText(), /undefined|null|\[object/);
      await inspect(tab, `audit-sentences-${language}`);
      // The raw states are a click away.
      await row.getByRole('button').click();
      const dialog = page.getByRole('dialog', { name: 'appointment.update' });
      await dialog.getByText(`appointment:${appointmentId}`).waitFor();
      await dialog.getByRole('row', { name: /^startsAt/ }).waitFor();
    });
  }
  await t.test('each entry names what it is about', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/audit');
    await page.getByRole('link', { name: 'Home Deals' }).first().waitFor();
    await page.getByRole('link', { name: 'Noura' }).first().waitFor();
    for (const sentence of [
      `OPERATOR_TOKEN cancelled booking ${reference}`,
      `OPERATOR_TOKEN gave ${to} time off, 29 Nov 2026, 09:00 – 29 Nov 2026, 12:00`,
      'OPERATOR_TOKEN added partner Home Deals',
      'OPERATOR_TOKEN created key Server for Home Deals',
      'OPERATOR_TOKEN revoked key Server of Home Deals',
      'OPERATOR_TOKEN suspended partner Home Deals',
      'OPERATOR_TOKEN added cancellation reason Ill',
      'OPERATOR_TOKEN gave access to Noura',
    ])
      await page.locator('tbody tr').filter({ hasText: sentence }).waitFor();
  });

  await t.test('a zone is opened from its sentence, which says that it is inactive', async () => {
    const { page, open } = await openTab(console, 'en');
    await open(`/audit?target=zone:${world.zoneId}&search=zone.update`);
    const row = page.getByRole('row', { name: /changed zone .* now inactive/ });
    await row.getByRole('link', { name: /^Zone/ }).click();
    await page.getByRole('dialog', { name: /^Zone/ }).waitFor();
  });
});
