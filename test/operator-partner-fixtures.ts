import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { PERMISSIONS } from '../src/partners/key-rules.ts';
import { type Answer, startTestService, type TestService } from './harness.ts';

/** Partners and keys of the operator API. */

export const NOW_TEXT = '2026-11-22T08:00:00+03:00';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export type Resource = any;

export async function make(service: TestService, path: string, body: unknown): Promise<Resource> {
  const answer = await service.operator('POST', path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

/** A partner with one key that has all permissions. */
export async function partnerWithKey(
  t: TestContext,
): Promise<{ service: TestService; partner: Resource; key: Resource }> {
  const service = await startTestService(t);
  const partner = await make(service, '/partners', { name: 'Riyadh Homes' });
  const key = await make(service, `/partners/${partner.id}/keys`, {
    name: 'Server',
    permissions: PERMISSIONS,
  });
  return { service, partner, key };
}

export function refused(answer: Answer, status: number, code: string, ...messages: string[]): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.body.error.code, code);
  if (messages.length > 0) assert.deepEqual(answer.body.error.details.message, messages);
}

export async function auditRows(service: TestService): Promise<Resource[]> {
  return service.deps.db.rows({
    text: 'select at, actor, action, target, before, after from audit_log order by position',
  });
}
