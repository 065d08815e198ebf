import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { TEXTS } from '../console/texts.ts';
import { settles, withoutChromium } from './browser.ts';
import {
  type Console,
  chooseAct,
  holdBack,
  inspect,
  LANGUAGES,
  openTab,
  settled,
  startConsole,
} from './console-browser.ts';
import { createWorld, type World } from './fixtures.ts';
import { OPERATOR_TOKEN, TEST_NOW } from './harness.ts';
import { until } from './until.ts';
import { createHookWorld, makeDeliveries, subscribe } from './webhook-fixtures.ts';

const skip = withoutChromium;

type Seeded = { world: World; bookingId: string; reference: string; paidId: string; deliveryId: string };

/** Bookings of a partner that pays itself, with a webhook that failed, and one of a partner that does not. */
async function seed({ service }: Console): Promise<Seeded> {
  const world = await createHookWorld(service, { teams: 2 });
  const platform = await createWorld(service, { partner: { paymentResponsibility: 'PLATFORM' } });
  await service.operator('POST', '/cancellation-reasons', {
    nameEn: 'Changed their mind',
    nameAr: 'غيّر رأيه',
  });
  await service.operator('POST', '/tokens', { name: 'Front desk', role: 'dispatcher' });
  await subscribe(service, world.key);
  const bookingId: string = (await world.book({ externalReference: 'ORDER-1' })).body.data.bookingId;
  await world.book({ timeslot: { startAt: '14:00', endAt: '16:00' } });
  const [deliveryId] = await makeDeliveries(service, bookingId, 1, { failedAt: TEST_NOW });
  const paidBooking: string = (await platform.book()).body.data.bookingId;
  // The worker creates the link.
  const paid = await until(async () => {
    const { body } = await service.operator('GET', `/payments?bookingId=${paidBooking}`);
    return body.data.find((payment: { status: string; sentAt: string | null }) => payment.sentAt !== null);
  });
  const { body } = await service.operator('GET', `/bookings/${bookingId}`);
  return {
    world,
    bookingId,
    reference: body.data.trackingReference,
    paidId: paid.id,
    deliveryId: deliveryId!,
  };
}

test('the console', { skip }, async (t) => {
  const console = await startConsole(t, { env: { IDEMPOTENCY: 'on', ALERT_PHONES: '+966501112233' } });
  const { service } = console;
  const { world, bookingId, reference, paidId, deliveryId } = await seed(console);
  const newToken = async (role: string): Promise<string> =>
    (await service.operator('POST', '/tokens', { name: `A ${role}`, role })).body.data.token;

  await t.test('signing in is a page, with a token or with a link that is confirmed', async () => {
    const { page, open } = await openTab(console, 'en', { token: null });
    await page.goto(`${service.url}/console/visits?status=success`);
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await settles(() => page.locator('nav, dialog').count(), 0);
    // With the keyboard alone: the field has the focus.
    await page.keyboard.type('not the right token');
    await page.keyboard.press('Enter');
    await page.getByText('The token is not accepted').waitFor();
    assert.ok(page.url().endsWith('/console/visits?status=success'), 'the page is kept');
    await page.getByLabel('Token', { exact: true }).fill(OPERATOR_TOKEN);
    await page.keyboard.press('Enter');
    await page.getByText('No visit matches.').waitFor();
    assert.doesNotMatch(
      await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })'),
      /pbs_|token/,
    );

    // Another tab is signed in, and signed out with this one.
    const second = await page.context().newPage();
    await second.goto(`${service.url}/console/bookings`);
    await settled(second);
    await page.getByRole('button', { name: 'OPERATOR_TOKEN' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await second.getByRole('dialog', { name: 'Sign in again' }).waitFor();

    await page.goto('about:blank');
    await open(`#token=${OPERATOR_TOKEN}`);
    assert.equal(page.url(), `${service.url}/console`);

    const { id } = (await service.operator('POST', '/tokens', { name: 'Noura', role: 'viewer' })).body.data;
    const { url } = (await service.operator('POST', `/tokens/${id}/sign-in-links`)).body.data;
    for (const language of LANGUAGES) {
      const person = await openTab(console, language, { token: null });
      await person.page.goto(`${service.url}${url}`);
      await person.page.locator('h1').waitFor();
      assert.equal(person.page.url(), `${service.url}/console`);
      await inspect(person, `sign-in-${language}`);
      if (language === 'ar') {
        await person.page.getByLabel('رقم سري جديد').fill('٤٠٧١٩٣');
        await person.page.getByRole('button', { name: 'تسجيل الدخول' }).click();
        await person.page.getByText('استُخدم هذا الرابط من قبل').waitFor();
      } else {
        await person.page.getByLabel('New PIN').fill('407193');
        await person.page.getByRole('button', { name: 'Sign in' }).click();
        await person.page.locator('.account-button').getByText('Noura').waitFor();
      }
    }
  });

  const pages: [name: string, path: string][] = [
    ['today', '/'],
    ['visits', '/visits?view=all'],
    ['customer', `/customers/${world.contactId}`],
    ['booking', `/bookings/${bookingId}`],
    ['new-booking', '/bookings/new'],
    ['new-customer', '/bookings/new?customer=new'],
    ['payments', '/payments'],
    ['payment', `/payments/${paidId}`],
    ['deliveries', '/deliveries'],
    ['delivery', `/deliveries/${deliveryId}`],
    ['audit', '/audit'],
    ['tokens', '/tokens'],
    ['alerts', '/alerts'],
    ['sessions', '/sessions'],
  ];
  for (const language of LANGUAGES) {
    await t.test(`every page in ${language}`, async () => {
      // One language in dark mode and the other in light; other files have them swapped.
      const colorScheme = language === 'en' ? 'dark' : 'light';
      const tab = await openTab(console, language, { colorScheme });
      for (const [name, path] of pages) {
        await tab.open(path);
        await inspect(tab, `${name}-${language}`);
      }
      const { dir, lang } = (await tab.page.evaluate(
        '({ dir: document.dir, lang: document.documentElement.lang })',
      )) as {
        dir: string;
        lang: string;
      };
      assert.deepEqual([lang, dir], [language, language === 'ar' ? 'rtl' : 'ltr']);
    });
  }

  await t.test('a filter is in the address, and applies during typing', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/visits?view=all');
    await settles(() => page.locator('tbody tr').count(), 3);
    await page.getByRole('button', { name: 'When' }).click();
    await page
      .getByRole('columnheader', { name: 'When' })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), {
      view: 'all',
      sortBy: 'startsAt',
      sortOrder: 'ASC',
    });
    // All rows that the filters match, for a spreadsheet.
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    assert.equal(file.suggestedFilename(), 'bookings.csv');
    const saved = (await text(await file.createReadStream())).trim().split('\r\n');
    assert.equal(saved.length, 4);
    assert.match(saved[0] ?? '', /bookingId/);
    await page.getByLabel('Search').pressSequentially(reference);
    await until(async () => (await page.locator('tbody tr').count()) === 1);
    assert.equal(new URL(page.url()).searchParams.get('search'), reference);
    await page.reload();
    await settled(page);
    await settles(() => page.locator('tbody tr').count(), 1);
    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByLabel('Booking', { exact: true }).selectOption('canceled');
    await page.getByText('No visit matches.').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: reference }).waitFor();
  });

  await t.test('visits have views, one search for everything, and their old addresses', async () => {
    const { page, open } = await openTab(console, 'en');
    const rows = page.locator('tbody tr');
    const tab = (name: string) => page.getByRole('link', { name, exact: true }).and(page.locator('.tab'));
    const current = () => page.locator('.tab[aria-current=page]').innerText();
    const { contact, date } = (await service.operator('GET', `/bookings/${bookingId}`)).body.data;
    await open('/visits');
    assert.equal(await current(), 'Today');
    await settles(() => rows.count(), 0, 'all are of tomorrow');
    await tab('Tomorrow').click();
    await until(async () => (await rows.count()) > 0);
    await tab('Unpaid').click();
    await until(async () => (await current()) === 'Unpaid');
    // From Today, a search is for visits of all days; a phone is typed as it is said.
    await tab('Today').click();
    await until(async () => (await current()) === 'Today');
    const national = contact.phone.replace('+966', '0');
    await page.getByLabel('Search').fill(`${national.slice(0, 3)} ${national.slice(3)}`);
    await page.getByRole('link', { name: reference }).waitFor();
    assert.equal(await current(), 'All');
    await page.getByRole('link', { name: contact.name }).first().click();
    await page.getByRole('heading', { name: contact.name, level: 1 }).waitFor();
    await page.getByRole('link', { name: reference }).waitFor();
    await page.locator('.leaflet-interactive').first().waitFor();

    for (const [old, wanted] of [
      ['/bookings', { view: 'all' }],
      ['/bookings?phone=0502000100&sortBy=date', { view: 'all', search: '0502000100', sortBy: 'startsAt' }],
      [
        `/appointments?date=${date.slice(0, 10)}&status=Scheduled`,
        {
          view: 'all',
          sortBy: 'startsAt',
          sortOrder: 'ASC',
          fromDate: date.slice(0, 10),
          toDate: date.slice(0, 10),
          appointmentStatus: 'Scheduled',
        },
      ],
      [
        '/appointments?attention=late&lateAfterMinutes=15',
        { view: 'all', sortBy: 'startsAt', sortOrder: 'ASC', attention: 'late', lateAfterMinutes: '15' },
      ],
    ] as const) {
      await open(old);
      await page.waitForURL('**/console/visits?*');
      assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), wanted, old);
      await settled(page);
      await settles(() => page.locator('.failed').count(), 0, old);
    }
  });

  await t.test('lists are sorted by their headings, also on narrow screens', async () => {
    for (const role of ['viewer', 'dispatcher']) await newToken(role);
    const { page, open } = await openTab(console, 'en');
    await open('/tokens');
    const table = page.getByRole('table', { name: 'Tokens of programs' });
    const first = table.locator('tbody tr').first();
    await table.locator('th[aria-sort=descending]').getByRole('button', { name: 'Created' }).waitFor();
    await table.getByRole('button', { name: 'Role' }).click();
    await table.locator('th[aria-sort=ascending]').getByRole('button', { name: 'Role' }).waitFor();
    await first.getByText('viewer', { exact: true }).waitFor();
    await page.setViewportSize({ width: 360, height: 800 });
    await table.getByRole('button', { name: 'Role' }).click();
    await until(async () => !(await first.innerText()).includes('viewer'));
    assert.equal(new URL(page.url()).searchParams.get('sortOrder'), 'DESC');
  });

  await t.test('concerns link to their lists', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/');
    await page.getByRole('button', { name: 'Webhooks 1' }).click();
    await page.getByRole('link', { name: /^All \(.?1.?\)$/ }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await until(async () => (await page.locator('tbody tr').count()) === 1);
    assert.equal(new URL(page.url()).searchParams.get('failingWithinHours'), '24');
  });

  await t.test(
    'a booking is moved, refused with alternatives, cancelled, and shows its history',
    async () => {
      const { page, open } = await openTab(console, 'en');
      await open(`/bookings/${bookingId}`);
      const other = await openTab(console, 'en');
      await other.open(`/bookings/${bookingId}`);
      await other.page.getByRole('button', { name: 'Move' }).click();
      const name = /^Move .?SA-/;
      const theirs = other.page.getByRole('dialog', { name });
      // Any team that is free then.
      const placeAt = (dialog: Locator, time: string) =>
        dialog.locator('li').filter({ hasText: time }).first();
      const choose = async (dialog: Locator, time: string) => {
        const team = await placeAt(dialog, time).locator('bdi').first().innerText();
        await dialog.getByLabel(`Start with \u2068${team}\u2069`).selectOption(time);
        return dialog.getByRole('button', { name: `Move ${team}` });
      };
      await placeAt(theirs, '12:30').waitFor();

      await page.getByRole('button', { name: 'Move' }).click();
      const dialog = page.getByRole('dialog', { name });
      const teams = dialog.locator('.place bdi');
      await placeAt(dialog, '17:00').waitFor();
      // Another team is the best meanwhile: none moves away under the pointer.
      const order = await teams.allInnerTexts();
      assert.ok(order.length > 1);
      await page.route('**/placements?**', async (route) => {
        const response = await route.fetch();
        const { data } = await response.json();
        const best = data.teams.findLast(({ rank }: { rank: number | null }) => rank !== null);
        best.usedMinutes = 7 * 60;
        const teams = data.teams.toSorted((a: unknown) => (a === best ? -1 : 0));
        await route.fulfill({ response, json: { data: { ...data, teams } } });
      });
      const { data: some } = (await service.operator('GET', '/teams')).body;
      await service.operator('POST', `/teams/${some[0].id}/time-off`, {
        startsAt: '2027-01-24T09:00:00+03:00',
        endsAt: '2027-01-24T13:00:00+03:00',
      });
      await dialog.getByText(/taken: .?7.? h/).waitFor();
      await settles(() => teams.allInnerTexts(), order);
      await page.unrouteAll();
      // Its own change is no conflict, also before the page has reloaded.
      const reloads = await holdBack(page, /\/(bookings|appointments)\/[0-9a-f-]{36}$/, 'GET');
      await (await choose(dialog, '16:30')).click();
      await page.getByText(/is now with .* at .?16:30/).waitFor();
      await page.getByRole('button', { name: 'Move' }).click();
      await (await choose(dialog, '17:00')).click();
      await page.getByText(/is now with .* at .?17:00/).waitFor();
      reloads.release();
      await page.getByText('17:00–19:00').waitFor();

      // A user who saw the earlier state is shown the current one, and decides again.
      await (await choose(theirs, '12:30')).click();
      await other.page.getByText('Somebody else changed it after you had loaded it.').waitFor();
      await other.page.getByRole('button', { name: 'Move it there now' }).click();
      await page.getByText('12:30–14:30').waitFor();

      // Meanwhile another user takes the last free team at 10:00.
      await page.getByRole('button', { name: 'Move' }).click();
      const move = await choose(dialog, '10:00');
      const reloaded = await holdBack(page, '**/placements?**');
      for (let team = 0; team < 2; team++) assert.equal((await world.book()).status, 200);
      await move.click();
      const refused = page.getByRole('dialog', { name: /stays where it was/ });
      await refused.getByText('Free instead:').waitFor();
      reloaded.release();
      await refused
        .getByRole('button', { name: / Nov 2026 .?\d\d:\d\d/ })
        .first()
        .click();
      await refused.waitFor({ state: 'detached' });
      await page
        .getByText(/is now with/)
        .first()
        .waitFor();

      // Against the rules only with a reason, which the audit log keeps.
      const { appointmentId } = (await service.operator('GET', `/bookings/${bookingId}`)).body.data;
      const team = (await service.operator('GET', `/appointments/${appointmentId}`)).body.data.team;
      await service.operator('POST', `/teams/${team.id}/time-off`, {
        startsAt: '2026-11-24T09:00:00+03:00',
        endsAt: '2026-11-24T13:00:00+03:00',
      });
      await page.getByRole('button', { name: 'Move' }).click();
      await dialog.getByLabel('Date').fill('2026-11-24');
      const start = dialog.getByLabel(`Start with \u2068${team.name}\u2069`);
      await start.waitFor();
      await settles(() => start.getByRole('option', { name: '10:00' }).count(), 0);
      await dialog.getByLabel('Show also what breaks the rules').check();
      await start.getByRole('option', { name: /^10:00 – Time off/ }).waitFor({ state: 'attached' });
      await start.selectOption('10:00');
      await dialog.getByRole('button', { name: `Move ${team.name}` }).click();
      const forced = page.getByRole('dialog', { name: 'Move it against the rules?' });
      await forced.getByLabel('Reason').fill('The team comes in for it');
      await forced.getByRole('button', { name: 'Move it all the same' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Tue, 24 Nov 2026').first().waitFor();
      await page.getByText('10:00–12:00').first().waitFor();
      const { data: entries } = (await service.operator('GET', `/audit?target=appointment:${appointmentId}`))
        .body;
      assert.equal(entries[0].after.forcedBecause, 'The team comes in for it');

      // Confirmed by another user: a decision on the earlier state is not applied.
      await page.getByRole('button', { name: 'Confirm', exact: true }).waitFor();
      await page.route('**/operator/stream', (route) => route.abort());
      await page.clock.install();
      await page.reload();
      await settled(page);
      await service.operator('PATCH', `/appointments/${appointmentId}`, { status: 'Confirmed' });
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('button', { name: 'On the way' }).click();
      await page.locator('.about').getByText('On the way').waitFor();
      await page.clock.fastForward(8_000);
      const alert = page.getByRole('alert');
      await alert.getByText(/Somebody else changed it in the meantime; it is now: .?Confirmed/).waitFor();
      await page.locator('.about').getByText('Confirmed').waitFor();
      assert.equal(
        (await service.operator('GET', `/appointments/${appointmentId}`)).body.data.status,
        'Confirmed',
      );
      // Undone, set again, and sent as the tab is left.
      await alert.getByRole('button', { name: 'Set it all the same' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.locator('.about').getByText('Confirmed').waitFor();
      await page.getByRole('button', { name: 'On the way' }).click();
      await page.keyboard.press('Control+z');
      await page
        .getByText(/stays: .?Confirmed/)
        .first()
        .waitFor();
      // Chromium would lose a request that the test intercepts as the page ends.
      await page.unrouteAll();
      await page.getByRole('button', { name: 'On the way' }).click();
      await page.goto('about:blank');
      await until(
        async () =>
          (await service.operator('GET', `/appointments/${appointmentId}`)).body.data.status === 'In The Way',
      );
      await page.goBack();
      await settled(page);

      await chooseAct(page, 'Cancel the booking');
      const cancel = page.getByRole('dialog', { name: 'Cancel the booking' });
      await cancel.getByRole('button', { name: 'Cancel the booking' }).click();
      // Nothing was chosen: the server's word stands at the field, which has the focus.
      await cancel.getByText('Choose one.').first().waitFor();
      await until(() => page.evaluate('document.activeElement?.getAttribute("aria-invalid") === "true"'));
      await cancel.getByLabel('Reason').selectOption({ label: 'Changed their mind' });
      await cancel.getByRole('button', { name: 'Cancel the booking' }).click();
      await page.getByText('The booking is cancelled.').waitFor();
      const timeline = page.locator('.timeline');
      await timeline.getByText('Cancelled', { exact: true }).first().waitFor();
      await timeline.getByText('Booked', { exact: true }).waitFor();
      await settles(
        () => page.getByRole('button', { name: 'Move' }).count(),
        0,
        'a closed booking is not moved',
      );
    },
  );

  await t.test('a role sees its actions, and which role others need', async () => {
    const { page, open } = await openTab(console, 'en', { token: await newToken('viewer') });
    await open(`/payments/${paidId}`);
    await page.getByRole('button', { name: 'A viewer' }).waitFor();
    await settles(() => page.getByRole('button', { name: 'Send the link again' }).count(), 0);
    await settles(() => page.getByRole('link', { name: 'People' }).count(), 0);
    await page.goto(`${service.url}/console/tokens`);
    await page.getByText('This needs the role ').waitFor();
    assert.match(await page.getByRole('alert').innerText(), /admin.*viewer/);

    const desk = await openTab(console, 'en', { token: await newToken('dispatcher') });
    await desk.open(`/payments/${paidId}`);
    await desk.page.getByRole('button', { name: 'Send the link again' }).click();
    await desk.page.getByText('The link is sent again.').waitFor();
    await desk.open(`/deliveries/${deliveryId}`);
    await desk.page.getByRole('button', { name: 'Send again' }).click();
    await desk.page.getByText('It is sent again.').waitFor();
  });

  await t.test("a dispatcher books for a partner's existing or new customer", async () => {
    const tab = await openTab(console, 'en', { token: await newToken('dispatcher') });
    const { page, open } = tab;
    const { serviceId, partnerId } = world;
    const day = '2026-11-25';
    const timeslot = { startAt: '10:00', endAt: '12:00' };
    const total = async () =>
      (await service.operator('GET', `/bookings?partnerId=${partnerId}`)).body.meta.total;
    const customer = (await service.operator('GET', `/contacts/${world.contactId}`)).body.data;
    const slot = (time: string) => page.getByRole('group', { name: /^Free times/ }).getByText(time);
    const book = page.getByRole('button', { name: 'Book', exact: true });

    await open('/');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).fill('new book');
    await page.keyboard.press('Enter');
    // A phone in national form.
    await page.getByLabel('Phone or name').fill(customer.phone.replace(/^\+966(..)/, '0$1 '));
    await page.getByRole('button', { name: customer.phone }).click();
    await page.getByLabel('Service').selectOption(serviceId);
    await page.getByLabel('Date').fill(day);
    await slot('10:00–12:00').click();
    await page.getByText(/^Chosen: .*10:00–12:00/).waitFor();
    await inspect(tab, 'new-booking-slots-en');
    const arabic = await openTab(console, 'ar');
    await arabic.page.goto(page.url());
    await arabic.page.locator('.slots button[aria-pressed=true]').waitFor();
    await inspect(arabic, 'new-booking-slots-ar');

    // Meanwhile both teams are taken: the reason, and alternatives.
    for (let team = 0; team < 2; team++)
      assert.equal((await world.book({ date: day, timeslot })).status, 200);
    const before = await total();
    await book.click();
    await page.getByText(/^It was not booked: .?No team is free/).waitFor();
    await inspect(tab, 'new-booking-refused-en');
    await page.locator('.lost').getByRole('button').first().click();
    await page.getByText(/^Chosen: /).waitFor();
    // Booked, but the response is lost: a retry finds that booking.
    await page.route('**/operator/bookings', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await book.click();
    await page.getByRole('alert').getByText('The service did not respond').waitFor();
    await page.unroute('**/operator/bookings');
    await book.click();
    await page.getByRole('heading', { name: /^Booking .?SA-/, level: 1 }).waitFor();
    assert.equal(await total(), before + 1);
    // Back does not lead to a form that books again.
    await page.goBack();
    await page.getByRole('combobox', { name: 'Service' }).or(page.getByLabel('Phone or name')).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('start'), null);
    await page.goForward();
    await page.getByRole('heading', { name: /^Booking .?SA-/, level: 1 }).waitFor();

    // The same customer again, from the booking, whose visit is done by then.
    const done = new URL(page.url()).pathname.split('/').at(-1);
    const { appointmentId } = (await service.operator('GET', `/bookings/${done}`)).body.data;
    for (const status of ['Confirmed', 'In The Way', 'In The location', 'In Progress', 'Finished'])
      await service.operator('PATCH', `/appointments/${appointmentId}`, { status });
    await chooseAct(page, 'Book again for this customer');
    await page.getByText(customer.phone).waitFor();
    await settles(() => page.getByLabel('Service').inputValue(), serviceId);
    // With the team of last time, notes for it, and the place on a map with its zone.
    const zoneName = (await service.operator('GET', `/zones/${world.zoneId}`)).body.data.name;
    await page.getByText(new RegExp(`^In the zone .?${zoneName}`)).waitFor();
    await page.locator('.leaflet-interactive').first().waitFor();
    const lastTeam = page.getByRole('checkbox', { name: /^The team of last time/ });
    await settles(() => lastTeam.isChecked(), true);
    await page.getByLabel('Notes').fill('Gate code 4711');
    await page.getByLabel('Date').fill('2026-11-26');
    await slot('10:00–12:00').click();
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/operator/bookings'),
    );
    await book.click();
    const { preferTeamOf, notes } = (await sent).postDataJSON();
    assert.deepEqual([preferTeamOf, notes], [done, 'Gate code 4711']);
    await page.getByText('Booked, with the team of last time.').waitFor();
    await page.getByText('Gate code 4711').first().waitFor();
    await chooseAct(page, 'Book again for this customer');
    await page.getByText(customer.phone).waitFor();

    // A new one: messages about missing fields stand at the fields.
    await page.getByRole('button', { name: 'Another customer' }).click();
    await page.getByLabel('Phone or name').fill('nobody at all');
    await page.getByText(/^No customer is found for /).waitFor();
    await page.getByRole('button', { name: 'New customer' }).click();
    await settles(() => page.getByLabel('Full name').inputValue(), 'nobody at all');
    await page.getByLabel('Full name').fill('');
    await page.getByLabel('Partner', { exact: false }).first().selectOption(partnerId);
    await book.click();
    await page.getByText(/no coordinates/).waitFor();
    // All of them at once.
    await page.getByText('Choose a service and a free time.').waitFor();
    for (const name of ['Phone', 'Full name'])
      await page.locator('[aria-invalid=true]').and(page.getByLabel(name)).waitFor();
    await page.getByLabel('Location').fill('https://maps.app.goo.gl/AbCdEf123');
    await page.getByText(TEXTS['place.short'].en).waitFor();
    await page.getByLabel('Location').fill(`https://maps.example/?q=${world.latitude},${world.longitude}`);
    await page.getByLabel('Service').selectOption(serviceId);
    await page.getByLabel('Date').fill(day);
    await slot('14:30–16:30').click();
    await page.getByLabel('Phone', { exact: false }).first().fill('12');
    await book.click();
    await page.getByText('Fill this in.').first().waitFor();
    await page
      .getByText(/^Enter a phone number/)
      .first()
      .waitFor();
    await page.getByLabel('Phone', { exact: false }).first().fill('٠٥٥ ١٢٣ ٤٥٦٧');
    await page.getByLabel('Full name').fill('Reem Al-Harbi');
    await book.click();
    await page.getByRole('heading', { name: /^Booking .?SA-/, level: 1 }).waitFor();
    await page.getByText('+966551234567').waitFor();

    const viewer = await openTab(console, 'en', { token: await newToken('viewer') });
    await viewer.open('/bookings/new');
    await viewer.page.getByText('This needs the role ').waitFor();
    await settles(() => viewer.page.getByRole('link', { name: 'New booking' }).count(), 0);
  });

  await t.test('an unsaved new booking is not left without a question', async () => {
    const { page, open } = await openTab(console, 'en');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    const name = page.getByLabel('Full name');
    const another = page.getByRole('button', { name: 'Another customer' });
    await open('/');
    await page.getByRole('navigation', { name: 'Sections' }).getByText('More').click();
    await page.getByRole('link', { name: 'New booking', exact: true }).first().click();
    await page.getByLabel('Phone or name').fill('Reem');
    await page.getByRole('button', { name: 'New customer' }).click();
    await name.fill('Reem Al-Harbi');
    const ways = [
      () => page.getByRole('link', { name: 'Visits', exact: true }).first().click(),
      () => another.click(),
      () => page.goBack(),
    ];
    for (const leave of ways) {
      await leave();
      await question.getByRole('button', { name: 'Back' }).last().click();
      await question.waitFor({ state: 'detached' });
      await settles(() => name.inputValue(), 'Reem Al-Harbi');
    }
    // A choice within the same booking leaves no unsaved state.
    await page.getByLabel('Date').fill('2026-11-26');
    await until(() => page.url().includes('date=2026-11-26'));
    await settles(() => question.count(), 0);
    await another.click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByLabel('Phone or name').waitFor();
    // Nor does the address of an existing customer.
    await page.goto(`${page.url().split('?')[0]}?contactId=${world.contactId}&addressId=new`);
    await page.getByLabel('Street').fill('Olaya Street');
    await another.click();
    await question.waitFor();
  });

  await t.test(
    'an answer that does not come leaves no rows of another question, but the reason and Retry',
    async () => {
      const { page, open } = await openTab(console, 'en');
      await open('/visits?view=all');
      await page.route('**/operator/bookings**', (route) => route.abort());
      await page.getByRole('button', { name: /^Filters/ }).click();
      await page.getByLabel('Booking', { exact: true }).selectOption('canceled');
      const alert = page.getByRole('alert');
      await alert.getByText('The service did not respond').waitFor();
      assert.equal(await page.locator('tbody tr').count(), 0, 'no rows of another question');
      await page.unroute('**/operator/bookings**');
      await alert.getByRole('button', { name: 'Try again' }).click();
      await alert.waitFor({ state: 'detached' });
      await settles(() => page.locator('tbody tr').count(), 1);
    },
  );

  await t.test('Ctrl K finds pages and bookings; the language changes without a reload', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/audit');
    await page
      .getByRole('row', { name: /gave access/ })
      .first()
      .getByRole('button')
      .click();
    await page
      .getByRole('dialog', { name: 'token.create' })
      .getByRole('row', { name: /^role .*(?:viewer|dispatcher)/ })
      .waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).fill('webh');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).fill(reference);
    const option = page.getByRole('option', { name: reference });
    await option.waitFor();
    // Results of an earlier text are not shown.
    const search = await holdBack(page, '**/operator/search?*');
    await page.getByRole('combobox', { name: 'Find anything' }).fill('zzzz');
    await option.waitFor({ state: 'detached' });
    await settles(() => page.getByText('Nothing found for').count(), 0);
    search.release();
    await page.getByText('Nothing found for').waitFor();
    await page.getByRole('combobox', { name: 'Find anything' }).fill(reference);
    await option.waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: reference, level: 1 }).waitFor();
    // A phone in national form.
    const { body } = await service.operator('GET', `/bookings/${bookingId}`);
    await page.keyboard.press('Control+k');
    await page
      .getByRole('combobox', { name: 'Find anything' })
      .fill(body.data.contact.phone.replace(/^\+966(..)(...)/, '0$1 $2 '));
    await page.getByRole('option', { name: /^Customer .?Noura Al-Qahtani/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'العربية' }).click();
    await page.getByRole('heading', { name: 'ما حدث' }).waitFor();
    assert.equal(await page.evaluate('document.dir'), 'rtl');
    assert.match(await page.title(), /حجوزات الشركاء/);
  });

  await t.test('a token is made, shown once, and revoked', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New token' });
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('Fill this in.').waitFor();
    await dialog.getByLabel('Name').fill('Night desk');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('Copy it now: it is shown once.').waitFor();
    const made = await dialog.locator('.secret code').innerText();
    assert.equal(
      (await fetch(`${service.url}/operator/me`, { headers: { authorization: `Bearer ${made}` } })).status,
      200,
    );
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('row', { name: /Night desk/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The access is revoked.').waitFor();
    assert.equal(
      (await fetch(`${service.url}/operator/me`, { headers: { authorization: `Bearer ${made}` } })).status,
      401,
    );
  });

  await t.test('a test alert is sent, and says what became of it', async () => {
    for (const [language, send, row] of [
      ['en', 'Send a test alert', /Message \+966••••••233 Taken/],
      ['ar', 'أرسل رسالة تجربة', /رسالة \+966••••••233 قُبلت/],
    ] as const) {
      const tab = await openTab(console, language);
      await tab.open('/alerts');
      await tab.page.getByText('ALERT_WEBHOOK_URL').waitFor();
      await tab.page.getByRole('button', { name: send }).click();
      await tab.page.getByRole('row', { name: row }).waitFor();
      await inspect(tab, `alerts-tested-${language}`);
    }
    const { page, open } = await openTab(console, 'en');
    await open('/alerts');
    await page.getByText("No watcher has read this process's figures since it began").waitFor();
    await fetch(`${service.url}/metrics`, { headers: { 'user-agent': 'partner-booking-watch' } });
    await page.reload();
    await page.getByText('This process is watched').waitFor();
    service.clock.advance(3_600_000);
    await page.reload();
    await page.getByText(/^No watcher has read this process's figures since .*08:00/).waitFor();
    await open('/audit');
    await page
      .getByText(/sent a test alert$/)
      .first()
      .waitFor();
  });

  await t.test('a dialog focuses its first field', async () => {
    const { page, open } = await openTab(console, 'en');
    const other = (await world.book({ date: '2026-11-26' })).body.data.bookingId;
    await open(`/bookings/${other}`);
    await page.keyboard.press('Control+k');
    await page.locator('dialog input[role=combobox]:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.locator('dialog input[type=radio]:focus').waitFor();
    await page.keyboard.press('Escape');
    await chooseAct(page, 'Cancel the booking');
    await page.locator('dialog input[type=radio]:focus').waitFor();
    await page.keyboard.press('Escape');
    await chooseAct(page, 'Mark as failed');
    const reason = page.locator('dialog textarea:focus');
    await reason.fill('   ');
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as failed' }).click();
    // Blanks are no reason: the question stays.
    await reason.fill(' Nobody was there ');
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as failed' }).click();
    await page.getByText('The booking is marked as failed').waitFor();
  });

  await t.test('keys do not close a secret that is shown once', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.locator('dialog input:focus').fill('Day desk');
    const making = await holdBack(page, '**/operator/tokens', 'POST');
    await page.keyboard.press('Enter');
    // Nor one that is not there yet.
    await making.sent();
    for (const key of ['Escape', 'Escape']) await page.keyboard.press(key);
    making.release();
    const secret = page.getByRole('dialog').locator('.secret');
    await secret.getByRole('button', { name: 'Copy' }).and(page.locator(':focus')).waitFor();
    // A second Escape closes a dialog by itself, unless its key is refused.
    for (const key of ['Enter', 'Escape', 'Escape']) await page.keyboard.press(key);
    await page.mouse.click(5, 5);
    await settles(() => secret.isVisible(), true);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await secret.waitFor({ state: 'detached' });
    // Neither does the question for a token go away.
    await page.locator('.account-button').click();
    await page.locator('#account').getByRole('button', { name: 'Sign out' }).click();
    await page.locator('#token:focus').waitFor();
    for (const key of ['Escape', 'Escape']) await page.keyboard.press(key);
    await settles(() => page.locator('#token').isVisible(), true);
  });

  await t.test('cleared filters stay clear during typing', async () => {
    const { page, open } = await openTab(console, 'en');
    await page.clock.install();
    // At once, before the effects of the rendered filters have run.
    await page.addInitScript(`new MutationObserver((_, observer) => {
      const clear = document.querySelector('search a.clear');
      if (clear === null) return;
      observer.disconnect();
      const field = document.querySelector('search input');
      field.value = 'night';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      clear.click();
    }).observe(document, { childList: true, subtree: true })`);
    await open('/tokens?status=ACTIVE');
    await until(() => !page.url().includes('?'));
    await page.clock.runFor(1000);
    assert.equal(new URL(page.url()).search, '');
    await settles(() => page.locator('search input').inputValue(), '');
  });

  await t.test('a typed filter stays on its page', async () => {
    const { page, open } = await openTab(console, 'en');
    await page.clock.install();
    await open('/tokens');
    const script = await holdBack(page, '**/*.js');
    await page.evaluate(`{
      const field = document.querySelector('search input');
      field.value = 'night';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      document.querySelector('nav.side a[href="/console/payments"]').click();
    }`);
    await until(() => page.url().includes('/payments'));
    await page.clock.runFor(1000);
    assert.match(page.url(), /\/payments$/);
    script.release();
    await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor();
    assert.match(page.url(), /\/payments$/);
  });

  await t.test('a browser that cannot copy says so', async () => {
    const { page, open } = await openTab(console, 'en');
    await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
    await open(`/bookings/${bookingId}`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Not copied' }).waitFor();
  });

  await t.test('the catalogue is extended and changed, and entries in use are not removed', async () => {
    const { page, open } = await openTab(console, 'en');
    const dialog = page.getByRole('dialog');
    await open('/catalogue/tiers');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('dialog', { name: 'New price tier' }).waitFor();
    await dialog.getByLabel('From, minutes').fill('0');
    await dialog.getByLabel('To, minutes').fill('120');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('row', { name: /^0 120 1/ }).waitFor();
    await page.getByRole('link', { name: 'Cancellation reasons' }).click();
    const row = page.getByRole('row', { name: /Changed their mind/ });
    await row.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog', { name: /^Edit .?Changed their mind/ }).waitFor();
    await dialog.getByLabel('English name').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Fill this in.').first().waitFor();
    await dialog.getByLabel('English name').fill('Moved house');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Moved house/ }).waitFor();
    await page
      .getByRole('row', { name: /Moved house/ })
      .getByRole('button', { name: 'Remove' })
      .click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    // A booking was cancelled for it.
    const alert = page.getByRole('alert');
    await alert.getByText("Couldn't remove the reason. It is in use: deactivate it instead.").waitFor();
    // What the service said is there for support.
    await settles(() => alert.getByText('CONFLICT').isVisible(), false);
    await alert.getByText('Details').click();
    await alert.getByText('CONFLICT').waitFor();
    await alert.getByText('Cancellation reason is in use: deactivate it instead').waitFor();
  });
});
