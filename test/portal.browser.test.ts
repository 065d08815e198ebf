import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PORTAL_TEXTS } from '../console/portal/texts.ts';
import { TEXTS } from '../console/texts.ts';
import { WANTED_EVENTS } from '../src/certification/rules.ts';
import { settles, withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, settled, startConsole } from './console-browser.ts';
import { createPartnerKey, WORLD_DATE } from './fixtures.ts';
import { makeLink, signIn } from './portal-fixtures.ts';
import { until } from './until.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

/** The portal in a real browser, in both languages. */

test('the portal', { skip: withoutChromium }, async (t) => {
  const receiver = await startReceiver(t);
  const browser = await startConsole(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const { service } = browser;
  const world = await createHookWorld(service, { partner: { rateLimitPerMinute: 60 } });
  const held = {
    serviceId: world.serviceId,
    date: WORLD_DATE,
    timeslot: { startAt: '14:00', endAt: '16:00' },
  };
  const { addressId } = (await world.contact()).body.data;
  assert.equal((await service.v1(world.key, 'POST', '/partners/holds', { ...held, addressId })).status, 200);
  const ended = (await world.book({ timeslot: { startAt: '17:00', endAt: '19:00' } })).body.data.bookingId;
  const reason = { nameEn: 'Changed mind', nameAr: 'تغيير الرأي' };
  const reasonId = (await service.operator('POST', '/cancellation-reasons', reason)).body.data.id;
  const cancellation = { reasonId, notes: 'The customer has moved' };
  assert.equal(
    (await service.v1(world.key, 'PATCH', `/partners/bookings/${ended}/cancel`, cancellation)).status,
    200,
  );
  const { id: subscriptionId, secret } = await subscribe(service, world.key, {
    url: receiver.url,
    events: ['booking.created'],
  });
  receiver.answer = (_request, response) => response.writeHead(401).end('signature mismatch');
  const { bookingId, trackingReference } = (await world.book({ externalReference: 'ORDER-1' })).body.data;
  const deliveryId = await until(async () => {
    const found = await service.v1(world.key, 'GET', '/partners/webhooks/deliveries');
    return found.body.data[0]?.attemptCount > 0 && (found.body.data[0].id as string);
  });
  await service.deps.db.rows({
    text: `update webhook_deliveries set status = 'FAILED', due_at = null, finished_at = created_at where id = $1`,
    values: [deliveryId],
  });
  const session = await signIn(service, { link: (await makeLink(service, world.partnerId)).token });
  const all = await subscribe(service, world.key, {
    url: 'https://hooks.example.sa/all',
    events: WANTED_EVENTS,
  });
  await service.v1(world.key, 'POST', '/partners/sandbox/certifications', { subscriptionId: all.id });
  const say = (language: 'en' | 'ar') => ({
    p: (key: keyof typeof PORTAL_TEXTS) => PORTAL_TEXTS[key][language],
    t: (key: keyof typeof TEXTS) => TEXTS[key][language],
  });

  await t.test('a link signs in once, without a click, and is removed from the address', async () => {
    const { token } = await makeLink(service, world.partnerId);
    const { page, open } = await openTab(browser, 'en', { token: null, base: '/portal' });
    await open(`#link=${token}`);
    await page.getByRole('heading', { name: 'Limits and domains' }).waitFor();
    assert.equal(new URL(page.url()).hash, '');
    const second = await openTab(browser, 'en', { token: null, base: '/portal' });
    await second.page.goto(`${service.url}/portal#link=${token}`);
    await second.page.getByText(TEXTS['failure.signIn'].en).waitFor();
    // A key helps all the same.
    await second.page.getByLabel('API key').fill(world.key);
    await second.page.getByRole('button', { name: 'Sign in' }).click();
    await second.page.getByRole('heading', { name: 'Limits and domains' }).waitFor();
    await second.page.getByRole('button', { name: /Partner/ }).click();
    await second.page.getByRole('button', { name: 'Sign out' }).click();
    await second.page.getByRole('dialog', { name: 'Sign in to the developer portal' }).waitFor();
  });

  for (const language of LANGUAGES) {
    await t.test(`pages in ${language}`, async () => {
      const { p, t: text } = say(language);
      const tab = await openTab(browser, language, { token: session, base: '/portal' });
      const { page, open } = tab;
      await open('');
      await page.getByRole('cell', { name: 'Key of the tests' }).first().waitFor();
      await page.getByRole('definition').filter({ hasText: /^60$/ }).waitFor();
      await inspect(tab, `portal-overview-${language}`);
      await open('/webhooks');
      await page.getByText(receiver.url).first().waitFor();
      await page.getByRole('link', { name: text('event.booking.created') }).waitFor();
      await inspect(tab, `portal-webhooks-${language}`);
      await page.getByRole('link', { name: text('event.booking.created') }).click();
      await page.getByText(p('why.STATUS_NOT_2XX')).waitFor();
      await page.getByText('signature mismatch').waitFor();
      await page.getByText(p('delivery.sent')).click();
      await page.getByText(/x-service-signature: sha256=/).waitFor();
      await page.getByLabel(p('sign.secret')).fill('whsec_another');
      await page.getByRole('button', { name: p('sign.check') }).click();
      await page.getByText(p('sign.differs')).waitFor();
      await page.getByLabel(p('sign.secret')).fill(secret);
      await page.getByRole('button', { name: p('sign.check') }).click();
      await page.getByText(p('sign.matches')).waitFor();
      await inspect(tab, `portal-delivery-${language}`);
      await open(`/deliveries?subscriptionId=${subscriptionId}&status=DELIVERED`);
      await page.getByText(p('deliveries.empty')).waitFor();
      await inspect(tab, `portal-deliveries-${language}`);
      await open('/bookings');
      await page.getByRole('link', { name: trackingReference }).waitFor();
      await inspect(tab, `portal-bookings-${language}`);
      await page.getByRole('link', { name: trackingReference }).click();
      await page.getByText(bookingId).first().waitFor();
      await page.getByRole('heading', { name: p('booking.deliveries') }).waitFor();
      await settled(page);
      await inspect(tab, `portal-booking-${language}`);
      await open(`/bookings/${ended}`);
      await page.getByText(cancellation.notes).first().waitFor();
      await page.getByText(p('booking.canceledBy.PARTNER')).waitFor();
      await inspect(tab, `portal-ended-${language}`);
      await open('/holds');
      await page.getByText(p('hold.HELD'), { exact: true }).waitFor();
      await inspect(tab, `portal-holds-${language}`);
      await open('/sandbox');
      await page.getByText('+966590000001').waitFor();
      await page.getByRole('cell', { name: p('point.lost-event') }).waitFor();
      await inspect(tab, `portal-sandbox-${language}`);
    });

    await t.test(`a revoked key is explained, in ${language}`, async () => {
      const { p } = say(language);
      const { key, keyId } = await createPartnerKey(service, world.partnerId, ['partner_bookings_read']);
      await service.operator('PATCH', `/keys/${keyId}`, { status: 'REVOKED' });
      const tab = await openTab(browser, language, { token: null, base: '/portal' });
      const { page } = tab;
      await page.goto(`${service.url}/portal`);
      await page.getByLabel(p('enter.key')).waitFor();
      await inspect(tab, `portal-sign-in-${language}`);
      await page.getByLabel(p('enter.key')).fill(key);
      await page.getByRole('button', { name: p('enter.enter') }).click();
      await page.getByText(p('limit.KEY_REVOKED')).waitFor();
      await settled(page);
      await settles(() => page.getByRole('link', { name: p('nav.bookings') }).count(), 0);
      await inspect(tab, `portal-limited-${language}`);
    });
  }

  await t.test('a new filter starts with the newest requests', async () => {
    const { page, open } = await openTab(browser, 'en', { token: session, base: '/portal' });
    await open('/requests?before=1-1');
    await page.getByLabel('Outcome').selectOption('refused');
    await until(() => page.url().includes('outcome=refused'));
    assert.equal(new URL(page.url()).search, '?outcome=refused');
  });

  await t.test('an ended session asks again, over the page, which keeps its state', async () => {
    const own = await signIn(service, { key: world.key });
    const { page, open } = await openTab(browser, 'en', { token: own, base: '/portal' });
    await open('/bookings?status=failed');
    await page.getByText('No booking matches').waitFor();
    await service.deps.db.rows({ text: 'delete from portal_sessions where key_id is not null' });
    await page.getByRole('combobox', { name: 'Status' }).selectOption('success');
    await page.getByText('The session has ended. Sign in again; the page stays as it is.').waitFor();
    await page.getByLabel('API key').fill(world.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).search, '?status=success');
  });

  await t.test('a booking is simulated on the pages of a sandbox, and a delivery fails', async () => {
    receiver.answer = (_request, response) => response.end('ok');
    // A separate partner: the certification moves bookings of the other one.
    const player = await createHookWorld(service);
    const own = await signIn(service, { link: (await makeLink(service, player.partnerId)).token });
    const played = (await player.book({ date: '2026-12-08' })).body.data;
    const { id, url } = await subscribe(service, player.key, {
      url: `${receiver.url}/played`,
      events: ['booking.appointment_status_changed'],
    });
    const deliveryOf = async (status: string) => {
      const path = `/partners/webhooks/deliveries?subscriptionId=${id}&status=${status}`;
      return (await service.v1(player.key, 'GET', path)).body.data[0];
    };
    const tab = await openTab(browser, 'en', { token: own, base: '/portal' });
    const { page, open } = tab;
    await open('/sandbox');
    const faults = page.locator('section').filter({ hasText: 'Faults of the next deliveries' });
    await faults.getByLabel('Subscription').selectOption({ label: url });
    await faults.getByLabel('Fault', { exact: true }).selectOption('lose');
    await faults.getByRole('button', { name: 'Set' }).click();
    await faults.getByText('Lost: 1').waitFor();

    await open(`/bookings/${played.bookingId}`);
    await page.getByRole('button', { name: 'Next status' }).click();
    await page.getByText(/from .Scheduled. to .Confirmed/).waitFor();
    await until(async () => (await deliveryOf('FAILED'))?.error === 'SIMULATED_LOSS');
    await page.getByLabel('Seconds between steps').fill('0');
    await page.getByRole('button', { name: 'Play' }).click();
    const runs = page.getByRole('listitem').filter({ hasText: 'The team does the work' });
    await runs.getByText('Completed').waitFor();
    await page.getByText(/from .Finished. to .Completed/).waitFor();
    await page.getByText('SIMULATED_LOSS').waitFor();
    await until(async () => (await deliveryOf('DELIVERED')) !== undefined);
    await settled(page);
    await inspect(tab, 'portal-played-en');

    // A lost delivery is sent after all; an arrived one again.
    await page.getByRole('row', { name: 'SIMULATED_LOSS' }).getByRole('link').click();
    await page.getByText(PORTAL_TEXTS['why.SIMULATED_LOSS'].en).waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('button', { name: 'Send once more' }).click();
    await page.getByText('It is sent once more.').waitFor();
    await page.getByRole('term').filter({ hasText: 'Replay' }).waitFor();
    await inspect(tab, 'portal-replay-en');

    // A script that takes long is stopped where all of them are shown.
    const slow = (await player.book({ date: '2026-12-09' })).body.data;
    await open(`/bookings/${slow.bookingId}`);
    await page.getByLabel('Seconds between steps').fill('3600');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await open('/sandbox');
    await page.getByRole('link', { name: slow.bookingId.slice(0, 8) }).waitFor();
    await inspect(tab, 'portal-sandbox-running-en');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('None. Open a booking and play one on its page.').waitFor();

    // A run that a cancelled booking ends says why, in the reader's language.
    const ending = (await player.book({ date: '2026-12-10' })).body.data;
    await open(`/bookings/${ending.bookingId}`);
    await page.getByLabel('Seconds between steps').fill('60');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    const cancelled = await service.operator('POST', `/bookings/${ending.bookingId}/cancel`, { reasonId });
    assert.equal(cancelled.status, 200, cancelled.text);
    service.clock.advance(60_000);
    await runs.getByText(/^An appointment .* cannot/).waitFor();
    const arabic = await openTab(browser, 'ar', { token: own, base: '/portal' });
    await arabic.open(`/bookings/${ending.bookingId}`);
    const failed = arabic.page.getByRole('listitem').filter({ hasText: PORTAL_TEXTS['script.complete'].ar });
    await failed.getByText(PORTAL_TEXTS['sim.notAllowed'].ar).waitFor();
    assert.deepEqual((await failed.innerText()).match(/[A-Za-z_]+/g), ['INVALID_TRANSITION']);
  });

  await t.test('the page of a certification, for the screen and for paper', async () => {
    const { token } = (await service.deps.db.first<{ token: string }>({
      text: 'select token from certifications limit 1',
      values: [],
    }))!;
    for (const language of LANGUAGES) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const tab = await openTab(browser, language, { token: null, colorScheme });
        await tab.page.goto(`${service.url}/certifications/${token}`);
        const title = language === 'ar' ? 'اعتماد' : 'Certification of';
        await tab.page.getByRole('heading', { level: 1, name: title }).waitFor();
        await settles(() => tab.page.locator('li').count(), 14);
        await inspect(tab, `certification-${colorScheme}-${language}`);
        await tab.page.getByRole('link').click();
        const other = language === 'ar' ? 'Certification of' : 'اعتماد';
        await tab.page.getByRole('heading', { level: 1, name: other }).waitFor();
        await tab.page.emulateMedia({ media: 'print' });
        await settles(() => tab.page.getByRole('navigation').isVisible(), false);
      }
    }
  });

  await t.test('actions that a session may not take are hidden', async () => {
    const { token } = await makeLink(service, world.partnerId, { readOnly: true });
    const reader = await signIn(service, { link: token });
    const { page, open } = await openTab(browser, 'en', { token: reader, base: '/portal' });
    for (const path of ['/webhooks', `/deliveries/${deliveryId}`]) {
      await open(path);
      await page.getByText('Read only').waitFor();
      await settled(page);
      const buttons = await page.locator('main button').allInnerTexts();
      assert.deepEqual(
        buttons.filter((name) => !['Copy', 'Check'].includes(name)),
        [],
        path,
      );
    }
    const changer = await openTab(browser, 'en', { token: session, base: '/portal' });
    await changer.open(`/deliveries/${deliveryId}`);
    receiver.answer = (_request, response) => response.end('ok');
    await changer.page.getByRole('button', { name: 'Send again' }).click();
    await changer.page.getByText('It is sent again.').waitFor();
    const { key } = await createPartnerKey(service, world.partnerId, ['partner_bookings_read']);
    const weak = await openTab(browser, 'en', { token: await signIn(service, { key }), base: '/portal' });
    await weak.open('');
    await weak.page.getByRole('link', { name: 'Bookings' }).first().waitFor();
    await settles(() => weak.page.getByRole('link', { name: 'Webhooks' }).count(), 0);
    // Nor does it wait for data that it may not read.
    const other = await createPartnerKey(service, world.partnerId, ['partner_services_read']);
    const token2 = await signIn(service, { key: other.key });
    const weaker = await openTab(browser, 'en', { token: token2, base: '/portal' });
    await weaker.open('/sandbox');
    await weaker.page.getByRole('heading', { name: 'Sandbox', level: 1 }).waitFor();
    await settled(weaker.page);
  });
});
