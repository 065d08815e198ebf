import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Title } from '../console/calls.ts';
import { TITLES as PORTAL_TITLES } from '../console/portal/titles.ts';
import { TITLES } from '../console/titles.ts';
import { CONFLICT_REASONS, ERROR_STATUS, type ErrorCode } from '../src/base/errors.ts';

// The language of the console is kept in the browser.
Object.defineProperty(globalThis, 'localStorage', { value: { getItem: () => 'en', setItem: () => {} } });
const { failureText, failureTitle, faultText, isOfNoPage } = await import('../console/failure-text.ts');
const { reasonText } = await import('../console/board/placements.ts');
const { LANGUAGES, language } = await import('../console/language.ts');
type Failure = Parameters<typeof failureText>[0];

type Node = { [name: string]: Node } | Node[] | string | null;

const documented = JSON.parse(readFileSync('openapi/operator.json', 'utf8')) as Node;

/** Every code, and every example of an error, that the operator interface documents. */
function errorsIn(node: Node, codes = new Set<string>(), examples: Failure[] = []) {
  if (node === null || typeof node !== 'object') return { codes, examples };
  const { error } = node as { error?: { properties?: { code?: { enum?: string[] } }; code?: string } };
  for (const code of error?.properties?.code?.enum ?? []) codes.add(code);
  if (typeof error?.code === 'string') {
    const { code, message, details } = error as Pick<Failure, 'message' | 'details'> & { code: ErrorCode };
    examples.push(failure({ code: code as Failure['code'], status: ERROR_STATUS[code], message, details }));
  }
  for (const child of Object.values(node)) errorsIn(child, codes, examples);
  return { codes, examples };
}

const failure = (given: Partial<Failure>): Failure => ({
  status: 400,
  code: 'VALIDATION_ERROR',
  message: 'The English message of the service',
  details: {},
  isWorded: false,
  route: null,
  ...given,
});

/** Names of routes, fields and codes: `/teams`, `teamId`, `team.id`, `TEAM_ID`. */
const RAW_NAME = /\/\w|[a-z][A-Z]|[a-z]\.[a-z\d]|_|\b[A-Z]{3,}\b|undefined/;
/** Abbreviations that are not translated, and example values. */
const KEPT = /\b(?:IP|CIDR)\b|example\.sa|https/g;

function assertWorded(text: () => string): void {
  for (const each of LANGUAGES) {
    language.value = each;
    const worded = text().replace(KEPT, '');
    assert.match(worded, each === 'ar' ? /\p{Script=Arabic}{2}/u : /[a-z]{2}/);
    assert.doesNotMatch(worded, each === 'ar' ? /[A-Za-z]/ : RAW_NAME);
  }
}

const { codes, examples } = errorsIn(documented);

test('every code of the operator interface has a sentence in both languages', () => {
  assert.ok(codes.size > 10 && examples.length > 20, `${codes.size} codes, ${examples.length} examples`);
  language.value = 'en';
  const unknown = failureText(failure({ code: 'A_NEW_CODE' as never }));
  for (const code of codes) {
    const of = failure({ code: code as Failure['code'], status: ERROR_STATUS[code as ErrorCode] });
    assertWorded(() => failureText(of));
    language.value = 'en';
    assert.notEqual(failureText(of), unknown, code);
  }
  for (const one of examples) assertWorded(() => failureText(one));
  assertWorded(() => failureText(failure({ status: 0, code: 'NO_RESPONSE' })));
  assertWorded(() => failureText(failure({ status: 0, code: 'INTERNAL_ERROR' })));
  assertWorded(() => failureText(failure({ status: 413 })));
});

test('an address without an id has no such page', () => {
  language.value = 'en';
  const mistyped = failure({ details: { message: ['id must be a UUID'] } });
  assert.equal(failureText(mistyped), failureText(failure({ status: 404, code: 'RESOURCE_NOT_FOUND' })));
  assert.equal(isOfNoPage(mistyped), true);
  assert.equal(isOfNoPage(failure({ details: { message: ['teamId must be a UUID'] } })), false);
});

test('a reason is more specific than its code; an unknown one is not shown', () => {
  language.value = 'en';
  const of = (reason: string) => failureText(failure({ status: 409, code: 'CONFLICT', details: { reason } }));
  assert.match(of('STALE'), /^Somebody else changed this in the meantime/);
  assert.equal(of('BUSY'), 'Busy.');
  assert.equal(of('A_NEW_REASON'), failureText(failure({ status: 409, code: 'CONFLICT' })));
  const described = JSON.stringify(documented).match(/"(?:SLOT|HOLD|PRICE|PAYMENT)_[A-Z_]+(?=")/g) ?? [];
  for (const reason of [...described.map((one) => one.slice(1)), 'A_NEW_REASON'])
    assertWorded(() => reasonText(reason));
});

test('every reason of a conflict has a sentence of its own', () => {
  language.value = 'en';
  const of = (reason: string) => failure({ status: 409, code: 'CONFLICT', details: { reason } });
  const general = failureText(failure({ status: 409, code: 'CONFLICT' }));
  const texts = CONFLICT_REASONS.map((reason) => failureText(of(reason)));
  assert.ok(!texts.includes(general));
  assert.equal(new Set(texts).size, texts.length);
  for (const reason of CONFLICT_REASONS) assertWorded(() => failureText(of(reason)));
});

test('every change that the console or the portal makes has a title', () => {
  let count = 0;
  for (const [file, titles] of [
    ['operator', TITLES],
    ['portal', PORTAL_TITLES],
  ] as [string, Record<string, Title>][]) {
    const { paths } = JSON.parse(readFileSync(`openapi/${file}.json`, 'utf8')) as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    for (const operations of Object.values(paths))
      for (const [method, { operationId: operation }] of Object.entries(operations)) {
        if (method === 'get' || operation === undefined) continue;
        count++;
        const title = titles[operation];
        assert.ok(title, operation);
        const route = { base: '', method: method.toUpperCase(), path: '', title };
        assertWorded(() => failureTitle({ route }));
      }
  }
  assert.ok(count > 50);
  assertWorded(() => failureTitle({ route: null }));
});

test('messages about fields name no field', () => {
  const messages = [
    'name should not be empty',
    'rateLimitPerMinute must be an integer number or null',
    'slotGridMinutes must not be less than 15',
    'amount must not be greater than 150.00',
    'services.0.price must be an amount from 0 to 1000000 with at most 2 decimals',
    'name must be shorter than or equal to 200 characters',
    'shifts.0.startAt must be a whole minute (HH:MM)',
    'shifts must not overlap',
    'contact.phone must be a valid phone number',
    'ipAllowlist.1 must be an IP address or a CIDR',
    'allowedWebhookDomains.0 must be a bare host name (no scheme, port, path or wildcard)',
    "All serviceIds's elements must be unique",
    'teamId must be the id of a team',
    'role must be one of the following values: viewer, dispatcher, admin',
    'property colour should not exist',
    'expiresAt must be a date and time with offset in the years 2000 to 2100',
    'date must be a valid ISO 8601 date string',
    'to must be after from',
    'maxMinutes must not be less than minMinutes',
    'area must not cross or touch itself',
    'something that nobody has worded',
  ];
  for (const message of messages) assertWorded(() => faultText(message));
  language.value = 'en';
  assert.equal(faultText(messages[3]!), 'Not more than \u2068150.00\u2069.');
  assert.equal(
    faultText(messages[9]!),
    'Line \u20682\u2069: \u2068Enter an IP address or a CIDR.\u2069',
    'the line of a list',
  );
  assert.equal(faultText(messages[18]!), 'The end must be after the start.');
});

test('a text of the console stays as it is', () => {
  const text = 'ليس في المنطقة';
  assert.equal(failureText(failure({ isWorded: true, message: text })), text);
});
