/** Signatures of deliveries, computed in the browser: a typed secret is sent nowhere. */

/** The header that the secret matches, if any. */
export type Verdict = { matches: 'signature' | 'next' | null; expected: string };

type Sent = { timestamp: string; signature: string; next: string | null; body: string };

/** `sha256=` and the HMAC in lower-case hex over timestamp, dot and body, keyed with the whole secret. */
async function sign(secret: string, timestamp: string, body: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', key, bytes.encode(`${timestamp}.${body}`));
  const hex = [...new Uint8Array(mac)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `sha256=${hex}`;
}

/** Returns which of the sent signatures the secret makes. */
export async function checkSignature(
  secret: string,
  { timestamp, signature, next, body }: Sent,
): Promise<Verdict> {
  const expected = await sign(secret, timestamp, body);
  if (expected === signature) return { matches: 'signature', expected };
  return { matches: expected === next ? 'next' : null, expected };
}
