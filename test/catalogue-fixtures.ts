import assert from 'node:assert/strict';
import { type Answer, documented, type TestService } from './harness.ts';

/** Bodies and responses of the operator's catalogue. */

export function refusedWith(answer: Answer, ...messages: string[]): void {
  hinted([], answer, ...messages);
}

export function hinted(hints: string[], answer: Answer, ...messages: string[]): void {
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.body.error.code, 'VALIDATION_ERROR');
  const details = { message: messages, statusCode: 400, error: 'Bad Request' };
  const expected = documented('VALIDATION_ERROR', { ...details, ...(hints.length > 0 && { hints }) });
  assert.deepEqual(answer.body.error.details, expected);
}

export function taken(answer: Answer): void {
  assert.equal(answer.status, 409, answer.text);
  assert.equal(answer.body.error.code, 'CONFLICT');
}

export async function made(service: TestService, path: string, body: unknown) {
  const answer = await service.operator('POST', path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

export async function changed(service: TestService, path: string, body: unknown) {
  service.clock.advance(1_000); // the order of audit rows
  const answer = await service.operator('PATCH', path, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

export async function names(service: TestService, path: string): Promise<string[]> {
  const answer = await service.operator('GET', path);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.map((row: { name?: string; nameEn?: string }) => row.name ?? row.nameEn);
}

/** The audit rows of a target, oldest first. */
export function auditOf(service: TestService, target: string) {
  return service.deps.db.rows<{ actor: string; action: string; before: unknown; after: unknown }>({
    text: 'select actor, action, before, after from audit_log where target = $1 order by position',
    values: [target],
  });
}
