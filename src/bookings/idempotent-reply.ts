import type { FastifyReply } from 'fastify';
import type { Answer } from './idempotency.ts';

/** Sends a stored response as it was sent the first time, with a header that says so. */
export function sendStored(reply: FastifyReply, { status, body, replayed }: Answer, requestId: string) {
  if (replayed) reply.header('idempotent-replayed', 'true');
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(replayed ? withRequestId(status, body, requestId) : body) as never;
}

/** A stored refusal gets the ID of the current request, as its header does; all else is as it was stored. */
function withRequestId(status: number, body: string, requestId: string): string {
  if (status < 400) return body;
  const { error, ...envelope } = JSON.parse(body);
  return JSON.stringify({ ...envelope, error: { ...error, requestId } });
}
