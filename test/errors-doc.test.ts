import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERROR_STATUS, type ErrorCode, errorAnchor } from '../src/errors.ts';

const page = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');

/** Section 7's retry guidance, and the one code of ours that is worth another try. */
const RETRYABLE: Partial<Record<ErrorCode, string>> = {
  INTERNAL_ERROR: 'yes',
  RATE_LIMIT_EXCEEDED: 'yes',
  BOOKING_CREATION_FAILED: 'once',
  IDEMPOTENCY_KEY_IN_PROGRESS: 'yes',
};

/** What is wrong with the page: every code has one section with cause, remedy, retry and a true example. */
function faultsOf(text: string): string[] {
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
    for (const part of ['**Cause:** ', '**What to do:** ']) {
      if (!section.includes(`\n${part}`)) faults.push(`${code}: ${part}`);
    }
    const retry = /^\*\*Retry:\*\* (\w+)/m.exec(section)?.[1];
    if (retry !== (RETRYABLE[code as ErrorCode] ?? 'no')) faults.push(`${code}: retry ${retry}`);
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
});
