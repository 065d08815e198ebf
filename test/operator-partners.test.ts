import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { MINUTE, toRiyadhIso } from '../src/base/clock.ts';
import { PERMISSIONS } from '../src/partners/key-rules.ts';
import { startTestService } from './harness.ts';
import {
  auditRows,
  make,
  NOW_TEXT,
  partnerWithKey,
  type Resource,
  refused,
} from './operator-partner-fixtures.ts';

/** The operator manages partners; keys and services of theirs have files of their own. */

test('a partner is created with defaults, read, listed and audited', async (t) => {
  const service = await startTestService(t);
  const partner = await make(service, '/partners', { name: '  Riyadh Homes ' });
  assert.match(partner.id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(partner, {
    id: partner.id,
    name: 'Riyadh Homes',
    status: 'ACTIVE',
    paymentResponsibility: 'PARTNER',
    rateLimitPerMinute: null,
    maxHolds: 50,
    allowedDomains: [],
    sandboxDomains: [],
    allowedWebhookDomains: [],
    requireHttpsWebhooks: true,
    language: 'en',
    trackingPage: false,
    pageColour: null,
    contactTextEn: null,
    contactTextAr: null,
    contactNumber: null,
    customerMessages: [],
    createdAt: NOW_TEXT,
    updatedAt: NOW_TEXT,
  });
  const read = await service.operator('GET', `/partners/${partner.id.toUpperCase()}`);
  assert.equal(read.status, 200);
  assert.deepEqual(read.body, { success: true, data: partner });

  const [row, ...others] = await auditRows(service);
  assert.deepEqual(others, []);
  assert.deepEqual(row, {
    at: service.clock.now(),
    actor: 'operator:first-token',
    action: 'partner.create',
    target: `partner:${partner.id}`,
    before: null,
    after: partner,
  });
});

test('every field of a partner can be set and changed, one by one', async (t) => {
  const service = await startTestService(t);
  const first = {
    name: 'Platform Homes',
    status: 'SUSPENDED',
    paymentResponsibility: 'PLATFORM',
    rateLimitPerMinute: 60,
    allowedDomains: ['example.sa'],
    sandboxDomains: ['sandbox.example.sa'],
    allowedWebhookDomains: ['hooks.example.sa'],
    requireHttpsWebhooks: false,
    language: 'ar',
  };
  const partner = await make(service, '/partners', first);
  for (const [field, value] of Object.entries(first)) assert.deepEqual(partner[field], value, field);

  const changes = {
    name: 'Homes',
    status: 'ACTIVE',
    paymentResponsibility: 'PARTNER',
    rateLimitPerMinute: null,
    allowedDomains: [],
    sandboxDomains: [],
    allowedWebhookDomains: ['a.sa', 'b.sa'],
    requireHttpsWebhooks: true,
    language: 'en',
  };
  const expected = { ...partner };
  for (const [field, value] of Object.entries(changes)) {
    service.clock.advance(1000);
    const answer = await service.operator('PATCH', `/partners/${partner.id}`, { [field]: value });
    assert.equal(answer.status, 200, answer.text);
    expected[field] = value;
    expected.updatedAt = toRiyadhIso(service.clock.now());
    assert.deepEqual(answer.body.data, expected);
  }
  assert.deepEqual((await service.operator('GET', `/partners/${partner.id}`)).body.data, expected);

  const rows = await auditRows(service);
  assert.equal(rows.length, 1 + Object.keys(changes).length);
  assert.deepEqual(rows[1].before, partner);
  assert.deepEqual(rows[1].after, {
    ...partner,
    name: 'Homes',
    updatedAt: toRiyadhIso(Date.parse(NOW_TEXT) + 1000),
  });
  assert.equal(rows[1].action, 'partner.update');
});

test('a PATCH without a difference writes nothing', async (t) => {
  const { service, partner, key } = await partnerWithKey(t);
  const before = (await auditRows(service)).length;
  service.clock.advance(MINUTE);
  for (const body of [{}, { name: ' Riyadh Homes' }, { status: 'ACTIVE', allowedDomains: [] }]) {
    const answer = await service.operator('PATCH', `/partners/${partner.id}`, body);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.data, partner);
  }
  for (const body of [{}, { name: 'Server ', status: 'ACTIVE', expiresAt: null, permissions: PERMISSIONS }]) {
    const answer = await service.operator('PATCH', `/keys/${key.id}`, body);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.updatedAt, NOW_TEXT);
  }
  const services = { restricted: false, services: [] };
  const answer = await service.operator('PUT', `/partners/${partner.id}/services`, services);
  assert.deepEqual([answer.status, answer.body.data], [200, { version: 1, ...services }]);
  assert.equal((await auditRows(service)).length, before);
});

test('partner names are unique whatever their case', async (t) => {
  const service = await startTestService(t);
  await make(service, '/partners', { name: 'Riyadh Homes' });
  const other = await make(service, '/partners', { name: 'Jeddah Homes' });
  refused(await service.operator('POST', '/partners', { name: 'RIYADH homes' }), 409, 'CONFLICT');
  const renamed = await service.operator('PATCH', `/partners/${other.id}`, { name: ' riyadh Homes' });
  refused(renamed, 409, 'CONFLICT');
  assert.equal((await service.operator('GET', `/partners/${other.id}`)).body.data.name, 'Jeddah Homes');
  assert.equal((await auditRows(service)).length, 2);
  // Its own name in another case is not another partner's.
  const recased = await service.operator('PATCH', `/partners/${other.id}`, { name: 'JEDDAH Homes' });
  assert.equal(recased.body.data.name, 'JEDDAH Homes');
});

test('domains are normalized; anything but a host name is refused', async (t) => {
  const service = await startTestService(t);
  const partner = await make(service, '/partners', {
    name: 'P',
    allowedDomains: ['Example.SA', 'example.sa', 'localhost', '192.0.2.1', 'حجز.السعودية'],
    allowedWebhookDomains: ['München.example.'],
  });
  assert.deepEqual(partner.allowedDomains, [
    'example.sa',
    'localhost',
    '192.0.2.1',
    new URL('https://حجز.السعودية').hostname,
  ]);
  assert.deepEqual(partner.allowedWebhookDomains, ['xn--mnchen-3ya.example']);

  const answer = await service.operator('PATCH', `/partners/${partner.id}`, {
    allowedDomains: ['ok.sa', 'https://example.sa', 'example.sa:443'],
    sandboxDomains: ['example.sa/path'],
    allowedWebhookDomains: ['*.example.sa'],
  });
  const rule = 'must be a bare host name (no scheme, port, path or wildcard)';
  refused(
    answer,
    400,
    'VALIDATION_ERROR',
    `allowedDomains.1 ${rule}`,
    `allowedDomains.2 ${rule}`,
    `sandboxDomains.0 ${rule}`,
    `allowedWebhookDomains.0 ${rule}`,
  );
});

test('an invalid partner body is refused with every error', async (t) => {
  const service = await startTestService(t);
  refused(
    await service.operator('POST', '/partners', {
      status: 'GONE',
      paymentResponsibility: 'BOTH',
      rateLimitPerMinute: 0,
      allowedDomains: 'example.sa',
      requireHttpsWebhooks: 'yes',
      utmSource: 'x',
    }),
    400,
    'VALIDATION_ERROR',
    'name should not be empty',
    'property utmSource should not exist',
    'status must be one of the following values: ACTIVE, SUSPENDED',
    'paymentResponsibility must be one of the following values: PARTNER, PLATFORM',
    'rateLimitPerMinute must not be less than 1',
    'allowedDomains must be an array',
    'requireHttpsWebhooks must be a boolean value',
  );
  refused(await service.operator('POST', '/partners', { name: '  ' }), 400, 'VALIDATION_ERROR');
  refused(await service.operator('POST', '/partners'), 400, 'VALIDATION_ERROR');
  const partner = await make(service, '/partners', { name: 'P' });
  const path = `/partners/${partner.id}`;
  refused(
    await service.operator('PATCH', path, { rateLimitPerMinute: '60', id: partner.id }),
    400,
    'VALIDATION_ERROR',
    'property id should not exist',
    'rateLimitPerMinute must be an integer number or null',
  );
  refused(await service.operator('PATCH', path, { name: null }), 400, 'VALIDATION_ERROR');
});

test('partners are listed newest first, in pages, by name and by status', async (t) => {
  const service = await startTestService(t);
  for (const name of ['Alpha Homes', 'Beta homes', 'Gamma_Services', 'Delta Homes']) {
    service.clock.advance(1000);
    await make(service, '/partners', { name, ...(name[0] === 'D' && { status: 'SUSPENDED' }) });
  }
  const list = async (query: string) => {
    const { body } = await service.operator('GET', `/partners${query}`);
    return { names: body.data.map((partner: Resource) => partner.name), meta: body.meta };
  };
  assert.deepEqual(await list(''), {
    names: ['Delta Homes', 'Gamma_Services', 'Beta homes', 'Alpha Homes'],
    meta: { page: 1, limit: 20, total: 4, totalPages: 1 },
  });
  assert.deepEqual(await list('?page=2&limit=3'), {
    names: ['Alpha Homes'],
    meta: { page: 2, limit: 3, total: 4, totalPages: 2 },
  });
  assert.deepEqual((await list('?search=HOMES')).names, ['Delta Homes', 'Beta homes', 'Alpha Homes']);
  assert.deepEqual((await list('?search=_')).names, ['Gamma_Services']);
  assert.deepEqual((await list('?search=homes&status=SUSPENDED')).names, ['Delta Homes']);
  refused(
    await service.operator('GET', '/partners?limit=101&status=OLD&search=%00'),
    400,
    'VALIDATION_ERROR',
    'search must not contain NUL characters or lone surrogates',
    'status must be one of the following values: ACTIVE, SUSPENDED',
    'limit must not be greater than 100',
  );
});

test('unknown partners and keys are 404, malformed ids 400', async (t) => {
  const service = await startTestService(t);
  const id = randomUUID();
  const calls: [string, string, unknown?][] = [
    ['GET', `/partners/${id}`],
    ['PATCH', `/partners/${id}`, {}],
    ['GET', `/partners/${id}/keys`],
    ['POST', `/partners/${id}/keys`, { name: 'K', permissions: ['partner_bookings_read'] }],
    ['GET', `/partners/${id}/services`],
    ['PUT', `/partners/${id}/services`, { restricted: true, services: [] }],
    ['PATCH', `/keys/${id}`, {}],
    ['POST', `/keys/${id}/rotate`, {}],
  ];
  for (const [method, path, body] of calls) {
    refused(await service.operator(method, path, body), 404, 'RESOURCE_NOT_FOUND');
    const bad = await service.operator(method, path.replace(id, 'no-id'), body);
    refused(bad, 400, 'VALIDATION_ERROR', 'id must be a UUID');
  }
  assert.deepEqual(await auditRows(service), []);
});
