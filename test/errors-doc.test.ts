import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CONFLICT_REASONS, ERROR_STATUS, type ErrorCode, errorAnchor } from '../src/base/errors.ts';

const read = (name: string): string => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');
const page = read('errors.md');

type Words = { cause: string; remedy: string; retry: string; answers: Record<string, string> };
const ENGLISH: Words = {
  cause: 'Cause',
  remedy: 'What to do',
  retry: 'Retry',
  answers: { no: 'no', yes: 'yes', once: 'once' },
};
const ARABIC: Words = {
  cause: 'السبب',
  remedy: 'ما العمل',
  retry: 'إعادة المحاولة',
  answers: { no: 'لا', yes: 'نعم', once: 'مرة واحدة' },
};

/** Section 7's retry guidance, and the one code of ours that is worth another try. */
const RETRYABLE: Partial<Record<ErrorCode, string>> = {
  INTERNAL_ERROR: 'yes',
  RATE_LIMIT_EXCEEDED: 'yes',
  BOOKING_CREATION_FAILED: 'once',
  IDEMPOTENCY_KEY_IN_PROGRESS: 'yes',
};

/** The errors of the page: every code must have one section with cause, remedy, retry and a true example. */
function faultsOf(text: string, words: Words = ENGLISH): string[] {
  const faults: string[] = [];
  const sections = new Map<string, string>();
  for (const part of text.split(/^(?=<a id=)/m).slice(1)) {
    const [, anchor, code] = /^<a id="([a-z-]+)"><\/a>\n\n## `([A-Z_]+)` \(\d{3}/.exec(part) ?? [];
    if (code === undefined || anchor !== errorAnchor(code as ErrorCode))
      faults.push(`${part.slice(0, 60)}: heading`);
    else if (sections.has(code)) faults.push(`${code}: twice`);
    else if (!(code in ERROR_STATUS)) faults.push(`${code}: no such code`);
    else sections.set(code, part);
  }
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    const section = sections.get(code);
    if (section === undefined) {
      faults.push(`${code}: no section`);
      continue;
    }
    if (!section.includes(`\`${code}\` (${status}`)) faults.push(`${code}: status`);
    for (const part of [`**${words.cause}:** `, `**${words.remedy}:** `]) {
      if (!section.includes(`\n${part}`)) faults.push(`${code}: ${part}`);
    }
    const retry = new RegExp(`^\\*\\*${words.retry}:\\*\\* ([\\p{L} ]+)`, 'mu').exec(section)?.[1];
    const wanted = words.answers[RETRYABLE[code as ErrorCode] ?? 'no'];
    if (retry !== wanted && !retry?.startsWith(`${wanted} `)) faults.push(`${code}: retry ${retry}`);
    const example = /```json\n([\s\S]*?)\n```/.exec(section)?.[1];
    if (example === undefined || !isExample(JSON.parse(example), code)) faults.push(`${code}: example`);
  }
  return faults;
}

function isExample(
  { success, error }: { success: boolean; error: Record<string, unknown> },
  code: string,
): boolean {
  const { docUrl } = error.details as { docUrl: string };
  return (
    success === false &&
    Object.keys(error).join() === 'code,message,details,requestId' &&
    error.code === code &&
    docUrl.endsWith(`/docs/errors#${errorAnchor(code as ErrorCode)}`)
  );
}

test('docs/errors.md has one section for every code, and no other', () => {
  assert.deepEqual(faultsOf(page), []);
});

test('every CONFLICT has one of the reasons, which both pages explain', () => {
  const isDocumented = (text: string) =>
    CONFLICT_REASONS.filter((reason) => !new RegExp(`\\| \`${reason}\` \\| \\S`).test(text));
  assert.deepEqual([page, read('errors.ar.md')].flatMap(isDocumented), []);
  const sources = globSync('src/**/*.ts', { exclude: ['src/base/errors.ts'] });
  const isUnexplained = (source: string) => /new ApiError\(\s*'CONFLICT'/.test(source);
  assert.deepEqual(
    sources.filter((path) => isUnexplained(readFileSync(path, 'utf8'))),
    [],
    'conflict() takes the reason',
  );
  assert.ok(isUnexplained("throw new ApiError('CONFLICT', 'No')"));
  for (const file of ['operator', 'partner', 'portal']) {
    const examples = readFileSync(`openapi/${file}.json`, 'utf8').matchAll(
      /"code": "CONFLICT",\s+"message": "([^"]*)",\s+"details": \{\s+(?:"reason": "(\w+)")?/g,
    );
    for (const [, message, reason] of examples)
      assert.ok(CONFLICT_REASONS.includes(reason as 'STALE'), `${file}: ${message} has ${reason}`);
  }
});

test('docs/errors.ar.md has the same sections with the same examples', () => {
  const arabic = read('errors.ar.md');
  assert.deepEqual(faultsOf(arabic, ARABIC), []);
  const examples = (text: string) => text.match(/```json\n[\s\S]*?\n```/g);
  assert.deepEqual(examples(arabic), examples(page));
  const anchors = (text: string) => text.match(/^<a id=.*$/gm);
  assert.deepEqual(anchors(arabic), anchors(page), 'what details.docUrl leads to is there in Arabic, too');
});

test('a missing, wrong or surplus section is caught', () => {
  const without = page.replace(/^<a id="conflict">[\s\S]*?(?=^<a id=)/m, '');
  assert.deepEqual(faultsOf(without), ['CONFLICT: no section']);
  const renamed = page.replace('<a id="conflict">', '<a id="conflicts">');
  assert.equal(faultsOf(renamed).length, 2);
  assert.equal(faultsOf(`${page}\n<a id="teapot"></a>\n\n## \`TEAPOT\` (418)\n`)[0], 'TEAPOT: no such code');
  assert.deepEqual(faultsOf(page.replace('`CONFLICT` (409)', '`CONFLICT` (422)')), ['CONFLICT: status']);
  assert.deepEqual(faultsOf(page.replace('"code": "CONFLICT"', '"code": "X"')), ['CONFLICT: example']);
  assert.deepEqual(faultsOf(page.replace('**Retry:** once', '**Retry:** yes')), [
    'BOOKING_CREATION_FAILED: retry yes',
  ]);
  const arabic = read('errors.ar.md');
  assert.deepEqual(faultsOf(arabic.replace('**إعادة المحاولة:** نعم', '**إعادة المحاولة:** لا'), ARABIC), [
    'IDEMPOTENCY_KEY_IN_PROGRESS: retry لا',
  ]);
});
