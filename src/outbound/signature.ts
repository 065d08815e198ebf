import { createHmac } from 'node:crypto';

/**
 * `sha256=` and the HMAC in lower-case hex over timestamp, a dot and the body, keyed with the whole secret (section 6).
 */
export function signature(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}
