import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PORTAL_TEXTS } from '../console/portal/texts.ts';
import { TEXTS } from '../console/texts.ts';
import { withoutChromium } from './browser.ts';
import { inspect, LANGUAGES, openTab, startConsole } from './console-browser.ts';
import { makeLink, signIn } from './portal-fixtures.ts';
import { until } from './until.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

test('failures, ignored parameters and payment links in the portal', {
  skip: withoutChromium,
}, async (t) => {
  const receiver = await startReceiver(t);
  const moved = 'https://moved.example.sa/in';
  receiver.answer = (_request, response) => response.writeHead(301, { location: moved }).end();
  const browser = await startConsole(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const { service } = browser;
  const world = await createHookWorld(service, { partner: { paymentResponsibility: 'PLATFORM' } });
  await subscribe(service, world.key, { url: receiver.url, events: ['booking.created'] });
  const { bookingId } = (await world.book()).body.data;
  const partner = (method: string, path: string, body?: unknown) =>
    service.v1(world.key, method, `/partners${path}`, body);
  const refusedUrl = { url: 'https://hooks.example.com/in', events: ['booking.created'] };
  assert.equal((await partner('POST', '/webhooks/subscriptions', refusedUrl)).status, 403);
  assert.equal((await partner('GET', `/bookings/${world.serviceId}/status?colour=red`)).status, 404);
  const deliveryId = await until(async () => {
    const [first] = (await partner('GET', '/webhooks/deliveries')).body.data;
    return first?.attemptCount > 0 && (first.id as string);
  });
  await until(
    async () => (await service.operator('GET', `/bookings/${bookingId}`)).body.data.payment.linkUrl,
  );
  const session = await signIn(service, { link: (await makeLink(service, world.partnerId)).token });

  for (const language of LANGUAGES) {
    const p = (key: keyof typeof PORTAL_TEXTS) => PORTAL_TEXTS[key][language];
    const tab = await openTab(browser, language, { token: session, base: '/portal' });
    const { page, open } = tab;
    await open('');
    await page.getByRole('heading', { name: p('overview.failing') }).waitFor();
    await page.getByText(receiver.url).first().waitFor();
    await inspect(tab, `portal-failing-overview-${language}`);
    await open('/webhooks');
    await page.getByRole('row').filter({ hasText: 'STATUS_NOT_2XX' }).filter({ hasText: '301' }).waitFor();
    await inspect(tab, `portal-failing-webhooks-${language}`);
    await open(`/deliveries/${deliveryId}`);
    await page.getByText(p('why.REDIRECT')).waitFor();
    await page.getByText(TEXTS['delivery.redirect'][language]).waitFor();
    await page.getByText(moved).first().waitFor();
    await inspect(tab, `portal-failing-delivery-${language}`);
    await open(`/bookings/${bookingId}`);
    const link = page.getByRole('link', { name: p('booking.pay') });
    assert.match((await link.getAttribute('href')) ?? '', /^http/);
    await inspect(tab, `portal-failing-booking-${language}`);

    const requestOf = async (query: string) => {
      await open(`/requests?${query}`);
      await page.locator('main table a[href*="/requests/"]').first().click();
    };
    await requestOf('code=WEBHOOK_DOMAIN_NOT_ALLOWED');
    await page.getByText(p('todo.WEBHOOK_DOMAIN_NOT_ALLOWED')).waitFor();
    await page
      .getByText(/hooks\.example\.com.*example\.sa/)
      .first()
      .waitFor();
    await inspect(tab, `portal-failing-domain-${language}`);
    await requestOf('code=RESOURCE_NOT_FOUND');
    await page.getByText(p('cause.RESOURCE_NOT_FOUND').split('{')[0]!.trim()).first().waitFor();
    await page.getByText('colour', { exact: true }).waitFor();
    await inspect(tab, `portal-failing-request-${language}`);
  }
});
