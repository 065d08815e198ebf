import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from './harness.ts';

test('a request without a key is refused in the envelope', async (t) => {
  const service = await startTestService(t);
  const answer = await service.v1(null, 'GET', '/partners/services');
  assert.equal(answer.status, 401);
  assert.equal(answer.body.error.code, 'UNAUTHORIZED');
  assert.equal(answer.body.error.requestId, answer.headers.get('x-request-id'));
});
