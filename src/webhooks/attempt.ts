import type { Instant } from '../base/clock.ts';
import type { Sealer } from '../db/sealing.ts';
import type { Outbound, OutboundOutcome } from '../outbound/requests.ts';
import { matchesDomain } from '../partners/domain-rules.ts';
import { maskText, withoutLastNumber } from '../runtime/masking.ts';
import { ATTEMPT_TIMEOUT, type AttemptError, isExempt, MAX_KEPT, MAX_LOCATION, MAX_READ } from './rules.ts';
import { openSecret } from './secrets.ts';
import { sentHeaders, signedRequest } from './signature.ts';
import type { SentHeaders } from './table.ts';

/** One delivery with its target and the rules of the partner's account. */
export type Target = {
  /** The delivery's id. */
  id: string;
  event: string;
  /** With open links. */
  payload: unknown;
  url: string;
  subscriptionId: string;
  /** Sealed for the subscription, as previousSecret is. */
  secret: string;
  /** null: no rotation overlaps. */
  previousSecret: string | null;
  allowedDomains: readonly string[];
  requireHttps: boolean;
};

export type AttemptDeps = {
  outbound: Outbound;
  sealer: Sealer;
  /** Hosts that are exempt from the rules of scheme and address. */
  allowHosts: readonly string[];
};

export type AttemptResult = {
  statusCode: number | null;
  /** Target of a redirect, which is not followed; null: there was none. */
  location: string | null;
  /** null: the receiver responded with 2xx in time. */
  error: AttemptError | null;
  durationMs: number;
  /** The beginning of the receiver's response, masked. */
  responseBody: string;
  /** null: nothing was sent. */
  sent: SentHeaders | null;
  timings: OutboundOutcome['timings'];
  tls: OutboundOutcome['tls'];
};

/**
 * Makes one attempt (section 6), signed for this moment. A 2xx status within ATTEMPT_TIMEOUT is a success, even if the
 * body breaks off. The rules of URLs are checked again, because the operator may have changed them. Errors of the
 * receiver and of the network are in the result; throws SealError when the secret cannot be opened. `realNow` is real
 * time, also in a sandbox. `wrongSecret` replaces the subscription's secret: a signature that a receiver must refuse.
 */
export async function makeAttempt(
  { outbound, sealer, allowHosts }: AttemptDeps,
  target: Target,
  realNow: Instant,
  wrongSecret?: string,
): Promise<AttemptResult> {
  const url = new URL(target.url);
  const exempt = isExempt(url, allowHosts);
  if (!matchesDomain(url.hostname, target.allowedDomains)) return notSent('DOMAIN_NOT_ALLOWED');
  if (url.protocol !== 'https:' && target.requireHttps && !exempt) return notSent('HTTPS_REQUIRED');

  const { id: deliveryId, event, payload, subscriptionId, previousSecret } = target;
  const secret = wrongSecret ?? openSecret(sealer, subscriptionId, target.secret);
  const hasPrevious = previousSecret !== null && wrongSecret === undefined;
  const previous = hasPrevious ? openSecret(sealer, subscriptionId, previousSecret) : null;
  const request = signedRequest({ deliveryId, event, payload }, secret, realNow, previous);
  const outcome = await outbound.send({
    url,
    method: 'POST',
    ...request,
    timeout: ATTEMPT_TIMEOUT,
    maxBody: MAX_READ,
    anyAddress: exempt,
  });
  const { statusCode } = outcome;
  const success = statusCode !== null && statusCode >= 200 && statusCode < 300;
  return {
    statusCode,
    location: outcome.location === undefined ? null : cleanLocation(outcome.location),
    error: success ? null : (outcome.error ?? 'STATUS_NOT_2XX'),
    durationMs: Math.round(outcome.durationMs),
    responseBody: beginningOf(outcome.body),
    sent: sentHeaders(request.headers),
    timings: outcome.timings,
    tls: outcome.tls,
  };
}

/** The result of an attempt for which nothing was sent. */
export function notSent(error: AttemptError): AttemptResult {
  const timings = { dnsMs: null, connectMs: null };
  return {
    statusCode: null,
    location: null,
    error,
    durationMs: 0,
    responseBody: '',
    sent: null,
    timings,
    tls: null,
  };
}

/** Masked, on one line, cut to MAX_LOCATION. */
function cleanLocation(location: string): string {
  return maskText(location)
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '\ufffd')
    .slice(0, MAX_LOCATION)
    .toWellFormed();
}

/** Masked and without NUL, which PostgreSQL refuses; a character that was cut at the end is left out. */
function beginningOf(body: Buffer): string {
  const text = new TextDecoder().decode(body.subarray(0, MAX_KEPT), { stream: true });
  const whole = body.length > MAX_KEPT ? withoutLastNumber(text) : text;
  return maskText(whole).replaceAll('\0', '\ufffd').slice(0, MAX_KEPT);
}
