import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settles, withoutChromium } from './browser.ts';
import { holdBack, inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { drag, placeOn } from './console-drag.ts';
import { nowLineIsUnderNames, phoneHasLists, todayIsByUrgency, zoomIsKept } from './console-running-day.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { call, OPERATOR_TOKEN } from './harness.ts';
import { until } from './until.ts';

/** The dispatcher's board in a real browser: drawn, dragged on, refused, forced, undone. */

const skip = withoutChromium;

test('the board', { skip }, async (t) => {
  const console = await startConsole(t);
  const { service } = console;
  const world = await createWorld(service, { teams: 3, partner: { name: 'Home Deals' } as never });
  const book = async (startAt: string, endAt: string) => {
    const { body, text } = await world.book({ timeslot: { startAt, endAt } });
    const { data } = await service
      .operator('GET', `/bookings/${body.data.bookingId}`)
      .then((one) => one.body);
    assert.ok(data, text);
    return { id: data.appointmentId as string, name: data.trackingReference as string };
  };
  const [first, second] = [await book('10:00', '12:00'), await book('14:00', '16:00')];
  const [one, two, three] = world.teamIds as [string, string, string];
  for (const { id } of [first, second])
    await service.operator('PATCH', `/appointments/${id}`, { teamId: one });
  const { status } = await service.operator('POST', `/teams/${two}/time-off`, {
    startsAt: `${WORLD_DATE}T09:00:00+03:00`,
    endsAt: `${WORLD_DATE}T13:00:00+03:00`,
    reason: 'Training',
  });
  assert.equal(status, 201);
  const stateOf = async ({ id }: { id: string }) => {
    const { data } = (await service.operator('GET', `/appointments/${id}`)).body;
    return { team: data.team.id as string, startAt: data.timeslot.startAt as string };
  };
  const address = `/board?date=${WORLD_DATE}`;

  for (const language of LANGUAGES) {
    await t.test(`is rendered in ${language}, and dragged in reading direction`, async () => {
      const tab = await openTab(console, language, { colorScheme: language === 'en' ? 'dark' : 'light' });
      const { page, open } = tab;
      await open(address);
      const visit = page.locator(`#visit-${first.id}`);
      await visit.waitFor();
      await inspect(tab, `board-${language}`);
      // Away from the start of the day is to the right in English, to the left in Arabic.
      await drag(page, visit, three, 60);
      await page.mouse.up();
      await until(async () => (await stateOf(first)).team === three);
      assert.deepEqual(await stateOf(first), { team: three, startAt: '11:00' });
      await page.getByRole('button', { name: language === 'ar' ? 'تراجع' : 'Undo' }).click();
      await until(async () => (await stateOf(first)).team === one);
      assert.deepEqual(await stateOf(first), { team: one, startAt: '10:00' });
    });
  }

  await t.test('finds, refuses with the reason, forces with one, and undoes', async () => {
    const tab = await openTab(console, 'en');
    const { page, open } = tab;
    await open(address);
    await page.getByRole('searchbox').fill(first.name);
    await page.getByText(/^Found: .?1.?$/).waitFor();
    const visit = page.locator(`#visit-${first.id}`);
    await drag(page, visit, two);
    await page.locator(`.lane[data-team="${two}"] .verdict`).getByText('Time off').waitFor();
    await inspect(tab, 'board-dragging');
    await page.mouse.up();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Time off').waitFor();
    await dialog.getByRole('button', { name: /^★/ }).waitFor();
    assert.deepEqual(await stateOf(first), { team: one, startAt: '10:00' });
    await inspect({ ...tab, faults: [] }, 'board-refused');
    // With or without the day that is shown.
    const shownDay = /\w+, 23 Nov 2026,? /;
    const places = (await dialog.locator('.actions').first().getByRole('button').allInnerTexts()).map(
      (text) => text.replaceAll(/\p{Cf}|★ /gu, '').replace(shownDay, ''),
    );
    assert.ok(places.length > 2);
    assert.deepEqual(places, [...new Set(places)], 'no place is named twice');
    await dialog.getByRole('button', { name: 'Move it all the same' }).click();
    await page.getByLabel('Reason').fill('The training ends early');
    await page.getByRole('dialog').last().getByRole('button', { name: 'Move it all the same' }).click();
    await until(async () => (await stateOf(first)).team === two);
    const { data: entries } = (await service.operator('GET', `/audit?target=appointment:${first.id}`)).body;
    assert.equal(entries[0].after.forcedBecause, 'The training ends early');
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await stateOf(first)).team === one);
  });

  await t.test('the latest response with placements counts', async () => {
    const { page, open } = await openTab(console, 'en');
    await open(address);
    const asked = page.waitForRequest('**/placements?*');
    let isFirst = true;
    await page.route('**/placements?*', async (route) => {
      // The first is never answered.
      if (!isFirst) await route.continue();
      isFirst = false;
    });
    await page.locator(`#visit-${second.id}`).focus();
    await page.keyboard.press('ArrowDown');
    const first = await asked;
    const given = page.waitForEvent('requestfailed', (request) => request === first);
    await service.operator('PATCH', `/teams/${two}`, { travelBufferMinutes: 10 });
    await given;
    await page.locator('.marker-text[data-is="free"], .marker-text[data-is="refused"]').waitFor();
    await page.close();
  });

  await t.test('without teams it says what to do, without errors', async () => {
    const { page, open, faults } = await openTab(console, 'en');
    const area = {
      type: 'Polygon',
      coordinates: [
        [
          [40, 20],
          [41, 20],
          [41, 21],
          [40, 20],
        ],
      ],
    };
    const { body } = await service.operator('POST', '/zones', { name: 'Far away', area });
    await open(`${address}&zoneId=${body.data.id}`);
    await page.getByText('No team works here.').waitFor();
    const { data } = (await service.operator('GET', `/teams/${three}`)).body;
    await service.operator('PATCH', `/teams/${three}`, { zoneIds: [...data.zoneIds, body.data.id] });
    await page.locator(`.lane[data-team="${three}"]`).waitFor();
    await service.operator('PATCH', `/teams/${three}`, { zoneIds: data.zoneIds });
    await page.getByText('No team works here.').waitFor();
    assert.equal((await service.operator('DELETE', `/zones/${body.data.id}`)).status, 200);
    assert.deepEqual(faults, []);
    await page.close();
  });

  await t.test('is used with the keyboard alone', async () => {
    const { page, open } = await openTab(console, 'en');
    await open(address);
    const visit = page.locator(`#visit-${second.id}`);
    await visit.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    assert.deepEqual(await stateOf(second), { team: one, startAt: '14:00' });
    await page.keyboard.press('ArrowRight');
    await page.locator('.marker').getByText('14:30').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until(async () => (await stateOf(second)).team === three);
    assert.deepEqual(await stateOf(second), { team: three, startAt: '14:30' });
    await until(async () => (await page.evaluate('document.activeElement.id')) === `visit-${second.id}`);
  });

  await t.test('shows the current appointment after a version conflict, and the next steps', async () => {
    const [mine, theirs] = [await openTab(console, 'en'), await openTab(console, 'en')];
    for (const { open } of [mine, theirs]) await open(address);
    await mine.page.locator(`#visit-${second.id}`).focus();
    await mine.page.keyboard.press('ArrowUp');
    // The other one uses the dialog, as on a telephone.
    await theirs.page.locator(`#visit-${second.id}`).click();
    const places = theirs.page.getByRole('dialog');
    await places
      .getByRole('listitem')
      .filter({ hasText: / 1(?: |$)/ })
      .getByRole('button')
      .click();
    await until(async () => (await stateOf(second)).team === one);
    await mine.page.keyboard.press('Enter');
    const dialog = mine.page.getByRole('dialog');
    await dialog.getByText('Somebody else changed it').waitFor();
    await inspect({ ...mine, faults: [] }, 'board-stale');
    await dialog.getByRole('button', { name: 'Move it there now' }).click();
    await until(async () => (await stateOf(second)).team === two);
  });

  await t.test(
    'moves before the service has responded: each move continues from the one before',
    async () => {
      const place = { teamId: one, date: WORLD_DATE, timeslot: { startAt: '14:00', endAt: '16:00' } };
      await service.operator('PATCH', `/appointments/${second.id}`, place);
      const versionOf = async () =>
        (await service.operator('GET', `/appointments/${second.id}`)).body.data.version as number;
      const before = await versionOf();
      const { page, open } = await openTab(console, 'en');
      await open(address);
      const visit = page.locator(`#visit-${second.id}`);
      const move = async (...keys: string[]) => {
        await visit.focus();
        for (const key of keys) await page.keyboard.press(key);
        await page.locator('.marker').waitFor({ state: 'visible' });
        await page.keyboard.press('Enter');
      };
      const answers = await holdBack(page, '**/operator/appointments/*', 'PATCH');
      await move('ArrowRight');
      await answers.sent();
      await page
        .locator(`.lane[data-team="${one}"] #visit-${second.id}`)
        .getByText('14:30', { exact: true })
        .waitFor();
      await move('ArrowDown', 'ArrowDown');
      const there = page
        .locator(`.lane[data-team="${three}"] #visit-${second.id}`)
        .getByText('14:30', { exact: true });
      await there.waitFor();
      answers.release();
      const dialogs = page.getByRole('dialog');
      await until(async () => (await versionOf()) === before + 2 || (await dialogs.count()) > 0);
      await settles(() => dialogs.count(), 0);
      assert.deepEqual(await stateOf(second), { team: three, startAt: '14:30' });
      await there.waitFor();
      // Undo applies to the last move.
      await page.getByRole('button', { name: 'Undo' }).click();
      await until(async () => (await stateOf(second)).team === one);
      assert.deepEqual(await stateOf(second), { team: one, startAt: '14:30' });
      await page.unroute('**/operator/appointments/*');

      // The team is off at the first place: the second counts, and nothing is asked about the first.
      await service.operator('PATCH', `/appointments/${second.id}`, {
        ...place,
        timeslot: { startAt: '12:30', endAt: '14:30' },
      });
      await page
        .locator(`.lane[data-team="${one}"] #visit-${second.id}`)
        .getByText('12:30', { exact: true })
        .waitFor();
      const refused = await holdBack(page, '**/operator/appointments/*', 'PATCH');
      await move('ArrowDown');
      await refused.sent();
      await move('ArrowDown', 'ArrowRight', 'ArrowRight');
      refused.release();
      await until(async () => (await stateOf(second)).team === three || (await dialogs.count()) > 0);
      await settles(() => dialogs.count(), 0);
      assert.deepEqual(await stateOf(second), { team: three, startAt: '13:30' });
      await page.close();
    },
  );

  await t.test('by touch a visit is dragged after a long press', async () => {
    await service.operator('PATCH', `/appointments/${first.id}`, {
      teamId: one,
      date: WORLD_DATE,
      timeslot: { startAt: '10:00', endAt: '12:00' },
    });
    const { page, open } = await openTab(console, 'en', { isTouched: true });
    await open(address);
    const visit = page.locator(`.lane[data-team="${one}"] #visit-${first.id}`);
    const { from, to } = await placeOn(page, visit, three, 60);
    const touches = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      touches.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [at] });
    await touch('touchStart', from);
    await page.locator('.ghost').waitFor({ state: 'visible' });
    for (const part of [0.3, 0.6, 1]) {
      await touch('touchMove', {
        x: from.x + part * (to.x - from.x),
        y: from.y + part * (to.y - from.y),
      });
    }
    await page.locator('.ghost').getByText('11:00').waitFor();
    await touch('touchEnd');
    await until(async () => (await stateOf(first)).team === three);
    assert.deepEqual(await stateOf(first), { team: three, startAt: '11:00' });
  });

  await t.test('unassigned visits are dragged to a team, and a night runs into the next day', async () => {
    const everyNight = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      weekday,
      startAt: '20:00',
      endAt: '04:00',
    }));
    const nights = await createWorld(service, {
      teams: 2,
      service: { assignment: 'deferred' },
      team: { shifts: everyNight },
    });
    const booked = await nights.book({ timeslot: { startAt: '22:00', endAt: '00:00' } });
    const { bookingId } = booked.body.data;
    const { appointmentId: id } = (await service.operator('GET', `/bookings/${bookingId}`)).body.data;
    const team = nights.teamIds[1]!;
    const { page, open } = await openTab(console, 'ar', { colorScheme: 'dark' });
    await open(`/board?date=${WORLD_DATE}&zoneId=${nights.zoneId}`);
    await drag(page, page.locator(`.unassigned #visit-${id}`), team, 60);
    await page.mouse.up();
    await page.locator(`.lane[data-team="${team}"] #visit-${id}`).waitFor();
    // It is shown there before the service has answered.
    const data = await until(async () => {
      const found = (await service.operator('GET', `/appointments/${id}`)).body.data;
      return found.status === 'New' ? undefined : found;
    });
    assert.deepEqual(
      [data.team.id, data.status, data.date, data.timeslot],
      [team, 'Scheduled', WORLD_DATE, { startAt: '23:00', endAt: '01:00' }],
    );
    // Shown to its end on its own day, and the rest on the next.
    const box = async () => (await page.locator(`#visit-${id}`).boundingBox())!.width;
    const whole = await box();
    await page.getByRole('link', { name: /اليوم التالي/ }).click();
    // It is outside the working hours of that day.
    await page
      .locator('.axis')
      .getByRole('button', { name: /خارجها/ })
      .click();
    await page.locator(`#visit-${id}.from-before`).waitFor();
    assert.ok(whole > 0 && (await box()) > 0);
  });

  await t.test('the running day: lateness, a step by key, a hold, a team that runs late', async () => {
    const day = await createWorld(service, { teams: 2 });
    const [team] = day.teamIds as [string, string];
    const ids: string[] = [];
    for (const [startAt, endAt] of [
      ['09:00', '11:00'],
      ['13:00', '15:00'],
    ]) {
      const { body } = await day.book({ timeslot: { startAt, endAt } });
      const { data } = (await service.operator('GET', `/bookings/${body.data.bookingId}`)).body;
      ids.push(data.appointmentId);
      await service.operator('PATCH', `/appointments/${data.appointmentId}`, { teamId: team });
    }
    const [running, next] = ids as [string, string];
    for (const status of ['In The Way', 'In The location', 'In Progress'])
      await service.operator('PATCH', `/appointments/${running}`, { status });
    // Nobody begins it.
    const other = await createWorld(service);
    assert.equal((await other.book({ timeslot: { startAt: '09:00', endAt: '11:00' } })).status, 200);
    const before = service.clock.now();
    service.clock.set(Date.parse(`${WORLD_DATE}T11:40:00+03:00`));
    const held = await call(
      `${service.url}/v1/partners`,
      'POST',
      '/holds',
      {
        addressId: day.addressId,
        serviceId: day.serviceId,
        date: WORLD_DATE,
        timeslot: { startAt: '17:00', endAt: '19:00' },
      },
      { 'x-api-key': day.key },
    );
    assert.equal(held.status, 200, held.text);
    const tab = await openTab(console, 'en');
    const { page, open } = tab;
    await open(`/board?date=${WORLD_DATE}&zoneId=${day.zoneId}`);
    await page
      .locator(`#visit-${running}.is-working.is-late`)
      .getByText(/^.?40.? min$/)
      .waitFor();
    const width = async (id: string) => (await page.locator(`#visit-${id}`).boundingBox())!.width;
    assert.ok((await width(running)) > 1.3 * (await width(next)), 'it reaches to the present');
    await page.locator('button.held-slot').waitFor();
    await inspect(tab, 'board-running-en');

    await zoomIsKept(page);
    await nowLineIsUnderNames(page, team);
    await todayIsByUrgency(console);
    const { data: nextVisit } = (await service.operator('GET', `/appointments/${next}`)).body;
    const address = `/board?date=${WORLD_DATE}&zoneId=${day.zoneId}`;
    for (const language of LANGUAGES)
      await phoneHasLists(console, language, { address, team, running, next: nextVisit });

    const visit = page.locator(`#visit-${next}`);
    await visit.focus();
    await page.keyboard.press('x');
    await page.getByRole('region', { name: /^Chosen/ }).waitFor();
    await page.keyboard.press('s');
    await page.locator(`#visit-${next}.is-confirmed`).waitFor();
    await settles(() => page.getByRole('region', { name: /^Chosen/ }).count(), 0);
    // What is held back for an undo is sent when the browser is online again.
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    const stateOfNext = async () => {
      const { data } = (await service.operator('GET', `/appointments/${next}`)).body;
      return `${data.status} ${data.timeslot.startAt}`;
    };
    await until(async () => (await stateOfNext()) === 'Confirmed 13:00');

    await page.locator('button.held-slot').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Release the slot' }).click();
    await page.locator('button.held-slot').waitFor({ state: 'detached' });
    const holds = await service.operator('GET', `/holds?teamId=${team}`);
    assert.deepEqual(holds.body.data, []);

    await page.locator(`.lane[data-team="${team}"]`).getByRole('button', { name: /^Late/ }).click();
    await dialog.getByText('13:40').waitFor();
    await inspect(tab, 'board-delay-en');
    await dialog.getByRole('button', { name: /^Move/ }).click();
    await dialog.getByText('These customers have to be called').waitFor();
    assert.equal(await stateOfNext(), 'Scheduled 13:40');
    // The last message; the one of the step may still be there.
    await dialog.getByRole('button', { name: 'Undo' }).last().click();
    await until(async () => (await stateOfNext()) === 'Confirmed 13:00');
    await page.close();
    service.clock.set(before);
  });

  await t.test('all of tomorrow is confirmed at once, and the one that is refused is named', async () => {
    const many = await createWorld(service, { teams: 1 });
    const ids: string[] = [];
    for (const startAt of ['08:00', '11:00', '14:00']) {
      const endAt = `${Number(startAt.slice(0, 2)) + 2}:00`;
      const { body, text } = await many.book({ timeslot: { startAt, endAt } });
      assert.equal(body.success, true, text);
      const { data } = (await service.operator('GET', `/bookings/${body.data.bookingId}`)).body;
      ids.push(data.appointmentId);
    }
    const { page, open } = await openTab(console, 'en');
    await open(`/board?date=${WORLD_DATE}&zoneId=${many.zoneId}`);
    await page.getByLabel('Choose visits…').selectOption('Scheduled');
    const bar = page.getByRole('region', { name: /^Chosen: .?3/ });
    await bar.getByRole('button', { name: /^.?Confirmed.? \(.?3.?\)$/ }).click();
    await page.locator('.visit.is-confirmed').nth(2).waitFor();
    // Within the time of the undo somebody else cancels one of them.
    const [, refused] = ids;
    await service.operator('PATCH', `/appointments/${refused}`, { status: 'Cancelled' });
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    const { data } = (await service.operator('GET', `/appointments/${refused}`)).body;
    const alert = page.getByRole('alert').filter({ hasText: data.name });
    await alert.getByText(/it is now: .?Cancelled/).waitFor();
    await settles(() => page.getByRole('alert').count(), 1);
    const statusOf = async (id: string) =>
      (await service.operator('GET', `/appointments/${id}`)).body.data.status as string;
    await settles(() => Promise.all(ids.map(statusOf)), ['Confirmed', 'Cancelled', 'Confirmed']);
    await page.close();
  });

  await t.test('a search scrolls to its hit in both directions, Enter to the next one', async () => {
    const { page, open } = await openTab(console, 'en');
    await page.setViewportSize({ width: 900, height: 480 });
    await page.addInitScript(`localStorage.setItem('console.board.zoom', '4')`);
    const { data } = (await service.operator('GET', `/appointments?date=${WORLD_DATE}&limit=100`)).body;
    const customers = new Set(data.map(({ contact }: { contact: { name: string } }) => contact.name));
    assert.equal(customers.size, 1, 'the search finds all of them');
    const seen = `(() => {
      const hit = document.querySelector('[data-hit]');
      if (hit === null) return null;
      const [at, by] = [hit, document.querySelector('.board-scroll')].map((one) => one.getBoundingClientRect());
      const isWithin = (from, size) => at[from] >= Math.max(by[from], 0) - 1 &&
        at[from] + Math.min(at[size], by[size]) <= Math.min(by[from] + by[size], size === 'width' ? innerWidth : innerHeight) + 1;
      return isWithin('left', 'width') && isWithin('top', 'height') ? hit.dataset.visit : null;
    })()`;
    const shown = async () => (await page.evaluate(seen)) as string | null;
    // The board is drawn again before the effects of its first drawing.
    await page.addInitScript(`
      const { requestAnimationFrame, setTimeout } = window;
      let later = 500;
      window.requestAnimationFrame = (then) => setTimeout(() => requestAnimationFrame(then), later);
      window.setTimeout = (then, delay = 0) => setTimeout(then, delay + later);
      window.hasTime = () => void (later = 0);`);
    const attention = await holdBack(page, '**/operator/attention?*');
    const opened = open(`/board?date=${WORLD_DATE}&q=${encodeURIComponent([...customers][0] as string)}`);
    await page.locator('.board-scroll').waitFor();
    attention.release();
    await opened;
    await page.evaluate('hasTime()');
    const hits = new Set<string>();
    const places = new Set<string>();
    const count = await page.locator('.visit:not([data-dim])[data-visit]').count();
    for (let step = 0; step < count; step++) {
      const hit = await until(
        async () => {
          const now = await shown();
          return now !== null && !hits.has(now) ? now : undefined;
        },
        () => `${hits.size} of ${count} hits were shown`,
      );
      hits.add(hit);
      places.add(
        (await page.evaluate(
          `(({ scrollLeft, scrollTop }) => scrollLeft + ' ' + (scrollTop + scrollY))(document.querySelector('.board-scroll'))`,
        )) as string,
      );
      await page.getByRole('searchbox').press('Enter');
    }
    assert.equal(hits.size, count);
    // They lie far apart: the board was scrolled along the hours and down the rows.
    const [lefts, tops] = [0, 1].map((axis) => new Set([...places].map((place) => place.split(' ')[axis])));
    assert.ok(lefts!.size > 1 && tops!.size > 1, [...places].join(', '));
    await page.close();
  });

  await t.test(
    'a day with the keyboard alone: to the board, a step, a move, a team away, undone',
    async () => {
      const own = await createWorld(service, { teams: 2 });
      const [from, to] = own.teamIds as [string, string];
      const { body } = await own.book({ timeslot: { startAt: '10:00', endAt: '12:00' } });
      const { data } = (await service.operator('GET', `/bookings/${body.data.bookingId}`)).body;
      const visit = { id: data.appointmentId as string };
      await service.operator('PATCH', `/appointments/${visit.id}`, { teamId: from });
      const { page, open } = await openTab(console, 'en');
      /** Tabs on until the focused element matches; Shift and Tab to go back. */
      const tabTo = async (selector: string, key = 'Tab') => {
        for (let press = 0; press < 120; press++) {
          if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
          await page.keyboard.press(key);
        }
        assert.fail(`${selector} has no focus after 120 times ${key}`);
      };
      await open('/');
      // The palette takes the very next key: between the two no frame is drawn.
      const focused = await page.evaluate(`(async () => {
        dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
        for (let turn = 0; turn < 20; turn++) await null;
        return document.activeElement.matches('dialog input');
      })()`);
      assert.equal(focused, true);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.keyboard.type('board');
      await page.getByRole('option', { name: 'Board' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor();
      await open(`/board?date=${WORLD_DATE}&zoneId=${own.zoneId}`);
      await page.locator(`#visit-${visit.id}`).waitFor();

      // A step, and its dialog; Escape returns to the visit.
      await tabTo(`#visit-${visit.id}`);
      await page.keyboard.press('s');
      await page.locator(`#visit-${visit.id}.is-confirmed`).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await tabTo(`#visit-${visit.id}`);
      // A move; the step is sent before it.
      const isBelow = await page.evaluate(
        `document.querySelector('.lane[data-team="${from}"] ~ .lane[data-team="${to}"]') !== null`,
      );
      await page.keyboard.press(isBelow ? 'ArrowDown' : 'ArrowUp');
      await page.keyboard.press('Enter');
      await until(async () => (await stateOf(visit)).team === to);

      // Its new team is away: from its row to the plan, marked, and undone as one.
      await tabTo(`.lane[data-team="${to}"] a.away`, 'Shift+Tab');
      await page.keyboard.press('Enter');
      // The board has a checkbox as well.
      const planned = page.locator('main td input[type=checkbox]').first();
      await planned.waitFor();
      await tabTo('main td input[type=checkbox]');
      if (!(await planned.isChecked())) await page.keyboard.press('Space');
      await tabTo('main button.primary');
      await page.keyboard.press('Enter');
      await until(async () => (await stateOf(visit)).team === from);
      // Until then the last message is that of the move, with its own Undo.
      await page.locator('.toasts').getByText('The team is marked as away').waitFor();
      await tabTo('.toasts p:last-of-type button:first-of-type');
      await page.keyboard.press('Enter');
      await until(async () => (await stateOf(visit)).team === to);
      assert.equal((await service.operator('GET', `/teams/${to}/time-off`)).body.meta.total, 0);
      const { status } = (await service.operator('GET', `/appointments/${visit.id}`)).body.data;
      assert.equal(status, 'Confirmed');
      await page.close();
    },
  );

  await t.test('a viewer cannot drag', async () => {
    const { body } = await service.operator('POST', '/tokens', { name: 'Wall', role: 'viewer' });
    const { page, open } = await openTab(console, 'en', { token: body.data.token });
    await open(address);
    const visit = page.locator(`#visit-${first.id}`);
    const { from, to } = await placeOn(page, visit, three, 60);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 3 });
    await settles(() => page.locator('.marker').isVisible(), false);
    await page.mouse.up();
    await page.reload();
    await visit.click();
    await page.getByRole('link', { name: 'Open the booking' }).waitFor();
    await settles(() => page.getByRole('button', { name: 'Move' }).count(), 0);
  });

  for (const language of LANGUAGES) {
    await t.test(`teams, their shifts and time off in ${language}`, async () => {
      const tab = await openTab(console, language);
      const { page, open } = tab;
      await open('/teams');
      await inspect(tab, `teams-${language}`);
      await open(`/teams/${two}?month=${WORLD_DATE.slice(0, 7)}`);
      await page.locator('.month .reason').waitFor();
      await inspect(tab, `team-${language}`);
      // The first day becomes a night.
      const before = (await service.operator('GET', `/teams/${two}`)).body.data.version;
      const end = page.locator('.week .day').first().locator('input').nth(1);
      await end.fill('02:00');
      await page.locator('.week .badge.notice').first().waitFor();
      await page.locator('form:has(.week) button[type=submit]').click();
      await until(async () => (await service.operator('GET', `/teams/${two}`)).body.data.version > before);
      const { shifts } = (await service.operator('GET', `/teams/${two}`)).body.data;
      assert.deepEqual(shifts.at(-1), { weekday: 7, startAt: '08:00', endAt: '02:00' });
      await service.operator('PATCH', `/teams/${two}`, {
        shifts: shifts.map((shift: object) => ({ ...shift, endAt: '20:00' })),
      });
    });
  }

  await t.test('saving one part of a team keeps edits of the other, and so does a new token', async () => {
    const { page, open } = await openTab(console, 'en');
    await open(`/teams/${three}`);
    const week = page.locator('form:has(.week)');
    const facts = page.locator('form:has(.choices)');
    const end = week.locator('.day').first().locator('input').nth(1);
    const name = facts.getByLabel('English name');
    const { data: before } = (await service.operator('GET', `/teams/${three}`)).body;
    const version = async () => (await service.operator('GET', `/teams/${three}`)).body.data.version;
    await end.fill('19:00');
    await name.fill('Team of the evening');
    await facts.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Team of the evening', level: 1 }).waitFor();
    await settles(() => end.inputValue(), '19:00');
    await name.fill('Team of the night');
    await week.getByRole('button', { name: 'Save' }).click();
    await until(async () => (await version()) === before.version + 2);
    await week.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });
    await settles(() => name.inputValue(), 'Team of the night');

    // Edits made while a response is under way stay, and are saved next.
    for (const [form, field, sent, since] of [
      [week, end, '18:30', '19:30'],
      [facts, name, 'Team of the dawn', 'Team of the morning'],
    ] as const) {
      const { data: last } = (await service.operator('GET', `/teams/${three}`)).body;
      const request = await holdBack(page, `**/operator/teams/${three}?*`, 'PATCH');
      await field.fill(sent);
      await form.getByRole('button', { name: 'Save' }).click();
      await request.sent();
      await field.fill(since);
      request.release();
      await form.locator('button[type=submit]:enabled').waitFor();
      assert.equal(await field.inputValue(), since);
      await form.getByRole('button', { name: 'Save' }).click();
      await until(async () => (await version()) === last.version + 2);
      await form.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });
    }
    const { data: saved } = (await service.operator('GET', `/teams/${three}`)).body;
    assert.deepEqual([saved.name, saved.shifts.at(-1).endAt], ['Team of the morning', '19:30']);
    await facts.locator('button[type=submit]:enabled').waitFor();

    // The token is refused once: after another one nothing is lost.
    await name.fill('Team of the night');
    await end.fill('18:00');
    const enterToken = async () => {
      await page.locator('#token').fill(OPERATOR_TOKEN);
      await page.keyboard.press('Enter');
      await page.locator('#token').waitFor({ state: 'detached' });
    };
    let answered = Promise.resolve();
    await page.route(`**/operator/teams/${three}?*`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback();
      await answered;
      await route.fulfill({ status: 401, json: { error: { code: 'UNAUTHORIZED', message: 'No.' } } });
    });
    await week.getByRole('button', { name: 'Save' }).click();
    await enterToken();
    await week.getByText('UNAUTHORIZED').waitFor({ state: 'detached' });

    // It is refused after another one was given: that one is not asked for again.
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    answered = promise;
    await week.getByRole('button', { name: 'Save' }).click();
    // Signing out in another tab asks here too, over the page.
    const second = await page.context().newPage();
    await second.goto(`${service.url}/console`);
    await second.locator('.account-button').click();
    await second.getByRole('button', { name: 'Sign out' }).click();
    await enterToken();
    await second.close();
    answer();
    await week.getByText('Your sign-in was not accepted any more').waitFor();
    await week.getByText('nothing was saved. Try again.').waitFor();
    await settles(() => page.locator('#token').count(), 0);
    await page.unroute(`**/operator/teams/${three}?*`);

    assert.deepEqual([await end.inputValue(), await name.inputValue()], ['18:00', 'Team of the night']);
    await week.getByRole('button', { name: 'Save' }).click();
    await until(async () => (await version()) === saved.version + 1);

    await facts.getByLabel('Minutes between').fill('');
    await facts.getByRole('button', { name: 'Save' }).click();
    await facts
      .locator('.field')
      .getByText(/^(?:Enter a|Not (?:less|more))/)
      .first()
      .waitFor();
    const { data } = (await service.operator('GET', `/teams/${three}`)).body;
    assert.equal(data.travelBufferMinutes, before.travelBufferMinutes);
    await service.operator('PATCH', `/teams/${three}`, { name: before.name, shifts: before.shifts });
  });

  await t.test('time off is removed once', async () => {
    const { page, open } = await openTab(console, 'en');
    await open(`/teams/${two}?month=${WORLD_DATE.slice(0, 7)}`);
    const request = await holdBack(page, '**/time-off/*');
    const remove = page.getByRole('row', { name: /Training/ }).getByRole('button', { name: 'Remove' });
    await remove.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await request.sent();
    await settles(() => remove.isDisabled(), true);
    request.lose();
    await page.locator('.failed').waitFor();
    await settles(() => remove.isDisabled(), false);
  });

  await t.test('unsaved changes of a team are not left without a question', async () => {
    const { page, open } = await openTab(console, 'en');
    await open('/board');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    // The entry's first page is the list of the teams.
    const teams = page.getByRole('link', { name: 'Set-up', exact: true });
    const end = page.locator('.week .day').first().locator('input').nth(1);
    const name = page.locator('form:has(.choices)').getByLabel('English name');
    const team = page.getByRole('heading', { level: 1, name: /^Team / });
    const edits = [() => end.fill('19:00'), () => name.fill('Team of nobody')];
    const ways = [() => teams.click(), () => page.goBack()];
    for (const [index, edit] of edits.entries()) {
      await teams.click();
      await page.getByRole('table').getByRole('link').first().click();
      await team.waitFor();
      // Without changes there is no question.
      await page.getByRole('link', { name: 'Board', exact: true }).click();
      await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor();
      await page.goBack();
      await team.waitFor();
      await edit();
      for (const leave of ways) {
        await leave();
        await question.getByRole('button', { name: 'Back' }).last().click();
        await team.waitFor();
        assert.match(page.url(), /\/teams\/[\w-]+$/);
      }
      const asked = page.waitForEvent('dialog');
      // `page.reload` would wait for the load that never comes.
      await page.evaluate('setTimeout(() => location.reload())');
      const native = await asked;
      assert.equal(native.type(), 'beforeunload');
      await native.dismiss();
      await ways[index]!();
      await question.getByRole('button', { name: 'Leave' }).click();
      await team.waitFor({ state: 'detached' });
    }
  });

  for (const language of LANGUAGES) {
    await t.test(`appointments of a team that is away are reassigned in ${language}`, async () => {
      for (const { id } of [first, second])
        await service.operator('PATCH', `/appointments/${id}`, { teamId: one, force: true });
      const tab = await openTab(console, language);
      const { page, open } = tab;
      await open(`/away?teamId=${one}&date=${WORLD_DATE}`);
      const place = language === 'ar' ? 'المكان الجديد' : 'New place';
      await page.getByRole('combobox', { name: `${place}: ${first.name}` }).waitFor();
      await inspect(tab, `away-${language}`);
      // One is left where it is.
      const ticked = (visit: { name: string }) => page.getByRole('checkbox', { name: visit.name });
      await ticked(first).check();
      await ticked(second).uncheck();
      const isOff = async () =>
        (await service.operator('GET', `/teams/${one}/time-off`)).body.data.some(
          ({ reason }: { reason: string | null }) => reason === 'Ill',
        );
      if (language === 'en') {
        // Marked and moved in one step, and undone in one.
        await page.getByLabel('Why it is away').fill('Ill');
        await page.getByRole('button', { name: /^Mark as away and move: .?1/ }).click();
        await page.getByText(/^The team is marked as away. Moved: .?1.? of .?1/).waitFor();
        assert.deepEqual([await isOff(), (await stateOf(first)).team === one], [true, false]);
        await page.getByRole('button', { name: 'Undo' }).click();
        await page.getByText(/^Undone. Moved back: .?1.?$/).waitFor();
        assert.deepEqual([await isOff(), (await stateOf(first)).team], [false, one]);
        await ticked(first).check();
        await ticked(second).uncheck();
      }
      await page
        .getByRole('button', { name: language === 'ar' ? /انقل: / : /^Mark as away and move/ })
        .click();
      await page
        .locator('td .badge.good')
        .getByText(language === 'ar' ? 'نُقل' : 'Moved')
        .waitFor();
      assert.notEqual((await stateOf(first)).team, one);
      assert.equal((await stateOf(second)).team, one);
      if (language !== 'en') return;
      // Somebody else has changed it since: nothing is undone, the time off neither.
      await service.operator('PATCH', `/appointments/${first.id}`, { status: 'Confirmed' });
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await page
        .getByRole('alert')
        .getByText(new RegExp(`^Nothing was undone because of .?${first.name}`))
        .waitFor();
      assert.notEqual((await stateOf(first)).team, one);
      assert.equal((await service.operator('GET', `/teams/${one}/time-off`)).body.meta.total, 1);
      await service.operator('PATCH', `/appointments/${first.id}`, { status: 'Scheduled' });
    });
  }
});
