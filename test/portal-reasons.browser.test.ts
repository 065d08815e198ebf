import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PORTAL_TEXTS } from '../console/portal/texts.ts';
import { settles, withoutChromium } from './browser.ts';
import { inspect, openTab, settled, startConsole } from './console-browser.ts';
import { createPartnerKey } from './fixtures.ts';
import { makeLink, portal, refused, signIn } from './portal-fixtures.ts';
import { until } from './until.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

/** Broken integrations are played; for each the portal says why, on the page that its menu leads to. */

test('the portal explains broken integrations', { skip: withoutChromium }, async (t) => {
  const receiver = await startReceiver(t);
  const browser = await startConsole(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const { service } = browser;
  const world = await createHookWorld(service, { partner: { rateLimitPerMinute: 5_000 } });
  const make = (options: Parameters<typeof createPartnerKey>[3], permission = 'partner_bookings_read') =>
    createPartnerKey(service, world.partnerId, [permission as 'partner_bookings_read'], options);
  const ask = (key: string, headers: Record<string, string> = {}) =>
    service.v1(key, 'GET', '/partners/bookings', undefined, headers);

  const away = await make({ ipAllowlist: ['203.0.113.7'] });
  refused(await ask(away.key), 403, 'FORBIDDEN');
  const old = await make({ expiresAt: service.clock.now() + 1_000 });
  service.clock.advance(1_000);
  refused(await ask(old.key), 401, 'UNAUTHORIZED');
  const weak = await make({}, 'partner_pricing_read');
  refused(await ask(weak.key), 403, 'FORBIDDEN');
  const gone = await make({});
  await service.operator('PATCH', `/keys/${gone.keyId}`, { status: 'REVOKED' });
  refused(await ask(gone.key), 401, 'UNAUTHORIZED');
  await service.operator('PATCH', `/partners/${world.partnerId}`, { allowedDomains: ['example.sa'] });
  refused(await ask(world.key, { origin: 'https://shop.elsewhere.sa' }), 403, 'INVALID_PARTNER_DOMAIN');
  await service.operator('PATCH', `/partners/${world.partnerId}`, { allowedDomains: [] });
  const eager = await make({});
  await service.operator('PATCH', `/partners/${world.partnerId}`, { rateLimitPerMinute: 2 });
  await ask(eager.key);
  await ask(eager.key);
  refused(await ask(eager.key), 429, 'RATE_LIMIT_EXCEEDED');
  await service.operator('PATCH', `/partners/${world.partnerId}`, { rateLimitPerMinute: 5_000 });
  const wrong = await world.book({ notes: 4, contactPhone: '+966501234567' });
  refused(wrong, 400, 'VALIDATION_ERROR');

  const { id: subscriptionId } = await subscribe(service, world.key, {
    url: receiver.url,
    events: ['booking.created'],
  });
  receiver.answer = (_request, response) => response.writeHead(401).end('bad signature');
  const { bookingId } = (await world.book()).body.data;
  await receiver.arrived(1);
  await until(async () => {
    const found = await service.v1(world.key, 'GET', '/partners/webhooks/deliveries');
    return found.body.data[0]?.attemptCount === 1;
  });

  const { token } = await makeLink(service, world.partnerId);
  const session = await signIn(service, { link: token });

  await t.test('a session by link shows why each request was refused, and the remedy', async () => {
    const tab = await openTab(browser, 'en', { token: session, base: '/portal' });
    const { page, open } = tab;
    await open('/requests');
    for (const cause of [
      /came from .127\.0\.0\.1., which is not in the list of addresses/,
      PORTAL_TEXTS['cause.expired'].en,
      PORTAL_TEXTS['cause.revoked'].en,
      /The key lacks the permission .partner_bookings_read/,
      /named the domain .shop\.elsewhere\.sa/,
      /used up its .2. requests in 60 seconds/,
    ]) {
      await page.getByText(cause).first().waitFor();
    }
    await inspect(tab, 'portal-requests-en');
    const remedies = {
      address: 'todo.address',
      expired: 'todo.expired',
      permission: 'todo.permission',
      domain: 'todo.domain',
      'rate-limit': 'todo.rate-limit',
      VALIDATION_ERROR: 'todo.VALIDATION_ERROR',
    } as const;
    const { data } = (await portal(service, session, 'GET', '/requests?outcome=refused&limit=100')).body;
    for (const [cause, todo] of Object.entries(remedies)) {
      const found = data.find(({ check, reason, code }: Record<string, string>) =>
        [check, reason, code].includes(cause),
      );
      assert.ok(found, cause);
      await open(`/requests/${found.id}`);
      await page.getByText(PORTAL_TEXTS[todo].en).waitFor();
    }
    // The errors of a body are beside it.
    await page
      .getByText(/property contactPhone should not exist/)
      .first()
      .waitFor();
    await inspect(tab, 'portal-request-en');
    await open('/requests?status=429');
    await until(async () => (await page.locator('tbody tr').count()) === 1);
  });

  await t.test('the overview has the peak of each key, and errors by code and route', async () => {
    const tab = await openTab(browser, 'ar', { token: session, base: '/portal' });
    const { page, open } = tab;
    await open('');
    await page.getByRole('heading', { name: PORTAL_TEXTS['usage.title'].ar }).waitFor();
    await page.getByText('INVALID_PARTNER_DOMAIN').waitFor();
    await inspect(tab, 'portal-usage-ar');
    await open('/requests');
    await page.getByText(PORTAL_TEXTS['cause.expired'].ar).waitFor();
    await inspect(tab, 'portal-requests-ar');
    await page.getByRole('row', { name: PORTAL_TEXTS['cause.expired'].ar }).getByRole('link').click();
    await page.getByText(PORTAL_TEXTS['todo.expired'].ar).waitFor();
    await settled(page);
    await inspect(tab, 'portal-request-ar');
  });

  await t.test('a receiver that refuses its deliveries, and an unreachable one', async () => {
    const { page, open } = await openTab(browser, 'en', { token: session, base: '/portal' });
    await open('/webhooks');
    await page.getByRole('link', { name: 'Booked' }).click();
    await page.getByText(PORTAL_TEXTS['why.STATUS_NOT_2XX'].en).waitFor();
    await page.getByText('bad signature').waitFor();

    const changed = await service.v1(
      world.key,
      'PATCH',
      `/partners/webhooks/subscriptions/${subscriptionId}`,
      {
        url: 'https://hooks.elsewhere.invalid.example.sa/in',
      },
    );
    assert.equal(changed.status, 200, changed.text);
    const id = await until(async () => {
      service.clock.advance(60_000);
      service.deps.wakeups.wake();
      const found = await service.v1(world.key, 'GET', '/partners/webhooks/deliveries');
      return found.body.data[0]?.error === 'DNS_FAILED' && (found.body.data[0].id as string);
    });
    await open(`/deliveries/${id}`);
    await page.getByText(PORTAL_TEXTS['why.DNS_FAILED'].en).waitFor();
    await open(`/bookings/${bookingId}`);
    await page.getByText('DNS_FAILED').waitFor();
  });

  await t.test('the reason of each is at most two clicks away from the first page', async (t) => {
    // Earlier requests no longer count towards the limit, and those of the portal never do.
    service.clock.advance(60_000);
    await service.v1(world.key, 'PATCH', `/partners/webhooks/subscriptions/${subscriptionId}`, {
      url: receiver.url,
      events: ['booking.created', 'booking.appointment_status_changed'],
    });
    assert.equal((await world.book({ date: '2026-12-09' })).status, 200);
    await until(async () => {
      const found = await portal(service, session, 'GET', '/deliveries');
      return found.body.data[0]?.error === 'STATUS_NOT_2XX';
    });
    const faults = `/partners/sandbox/webhooks/subscriptions/${subscriptionId}/faults`;
    await service.v1(world.key, 'POST', faults, { kind: 'lose', count: 1 });
    service.clock.advance(1_000);
    await service.v1(world.key, 'POST', `/partners/sandbox/bookings/${bookingId}/advance`);
    await until(async () => {
      const found = await portal(service, session, 'GET', '/deliveries?status=FAILED');
      return found.body.data[0]?.error === 'SIMULATED_LOSS';
    });
    const tab = await openTab(browser, 'en', { token: session, base: '/portal' });
    const { page, open } = tab;
    await page.addInitScript(
      `window.clicks = 0; addEventListener('click', ({ isTrusted }) => (window.clicks += Number(isTrusted)), true)`,
    );
    const menu = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });
    const request = (code: string, cause: RegExp | string) => [
      page.getByRole('link', { name: code }).first(),
      page.getByRole('row', { name: cause }).first().getByRole('link').first(),
    ];
    const delivery = (name: string) => [menu('Webhooks'), page.getByRole('link', { name }).first()];
    const broken: [string, ReturnType<typeof menu>[], (string | RegExp)[]][] = [
      [
        'wrong address',
        request('FORBIDDEN', /not in the list of addresses/),
        [PORTAL_TEXTS['todo.address'].en],
      ],
      [
        'expired key',
        request('UNAUTHORIZED', PORTAL_TEXTS['cause.expired'].en),
        [PORTAL_TEXTS['todo.expired'].en],
      ],
      ['no permission', request('FORBIDDEN', /lacks the permission/), [PORTAL_TEXTS['todo.permission'].en]],
      [
        'wrong domain',
        request('INVALID_PARTNER_DOMAIN', /named the domain/),
        [PORTAL_TEXTS['todo.domain'].en],
      ],
      [
        'burst',
        request('RATE_LIMIT_EXCEEDED', /used up its .2. requests/),
        [PORTAL_TEXTS['todo.rate-limit'].en],
      ],
      ['bad signature check', delivery('Booked'), [PORTAL_TEXTS['why.STATUS_NOT_2XX'].en, 'bad signature']],
      ['lost webhook', delivery('Appointment status'), [PORTAL_TEXTS['why.SIMULATED_LOSS'].en]],
      [
        'revoked key',
        request('UNAUTHORIZED', PORTAL_TEXTS['cause.revoked'].en),
        [PORTAL_TEXTS['todo.revoked'].en],
      ],
      [
        'unknown field',
        request('VALIDATION_ERROR', /property contactPhone/),
        [PORTAL_TEXTS['todo.VALIDATION_ERROR'].en],
      ],
    ];
    for (const [name, way, seen] of broken) {
      const from = performance.now();
      await open('');
      for (const link of way) await link.click();
      for (const text of seen) await page.getByText(text).first().waitFor();
      const clicks = await page.evaluate('window.clicks');
      t.diagnostic(`${name}: ${clicks} clicks, ${Math.round(performance.now() - from)} ms by script`);
      assert.ok((clicks as number) <= 2, `${name}: ${clicks} clicks`);
    }
  });

  await t.test('an invalid key sees why, and only its own refused requests', async () => {
    const own = await signIn(service, { key: old.key });
    const { page, open } = await openTab(browser, 'en', { token: own, base: '/portal' });
    await open('/requests');
    await page.getByText(PORTAL_TEXTS['limit.KEY_EXPIRED'].en).waitFor();
    await page.getByText(PORTAL_TEXTS['cause.expired'].en).waitFor();
    await settles(() => page.locator('tbody tr').count(), 1);

    const { data } = (await portal(service, session, 'GET', '/requests?limit=100')).body;
    for (const [key, keyId] of [
      [old.key, old.keyId],
      [gone.key, gone.keyId],
      [away.key, away.keyId],
    ] as const) {
      const limited = await signIn(service, { key });
      for (const path of ['/requests', `/requests?keyId=${world.keyId}`, '/requests?status=200']) {
        const seen = (await portal(service, limited, 'GET', path)).body.data;
        assert.ok(
          seen.every((request: { keyId: string; status: number }) => {
            return request.keyId === keyId && [401, 403].includes(request.status);
          }),
          path,
        );
      }
      for (const request of data) {
        const answer = await portal(service, limited, 'GET', `/requests/${request.id}`);
        if (request.keyId !== keyId) refused(answer, 404, 'RESOURCE_NOT_FOUND');
        else assert.equal(answer.body.data.bodies, null);
      }
      refused(await portal(service, limited, 'GET', '/usage'), 403, 'FORBIDDEN', { check: 'session' });
    }
    const other = await createHookWorld(service);
    const stranger = await signIn(service, { key: other.key });
    assert.deepEqual((await portal(service, stranger, 'GET', '/requests')).body.data, []);
    refused(await portal(service, stranger, 'GET', `/requests/${data[0].id}`), 404, 'RESOURCE_NOT_FOUND');
  });
});
