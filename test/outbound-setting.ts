import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  createOutbound,
  type Outbound,
  type OutboundOptions,
  type OutboundOutcome,
} from '../src/outbound/requests.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';

export const noContent: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(204).end();
};

export const pem = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`./fixtures-tls/${name}.pem`, import.meta.url)), 'utf8');

/** Represents the public internet; the rest of the loopback network stays private. */
export const PUBLIC = '127.0.0.1';
export const ALSO_PUBLIC = '127.0.0.3';
export const PRIVATE = '127.0.0.2';
export const isAllowed = (address: string): boolean => [PUBLIC, ALSO_PUBLIC].includes(address);

export async function start(
  t: TestContext,
  options: OutboundOptions = {},
): Promise<{ dns: DnsServer; outbound: Outbound }> {
  const dns = await startDnsServer(t);
  const outbound = createOutbound({ dnsServers: [dns.address], isAllowed, ...options });
  t.after(() => outbound.close());
  return { dns, outbound };
}

export const brief = ({ error, statusCode }: OutboundOutcome) => error ?? statusCode;
export const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
