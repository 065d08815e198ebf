import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Prism between the tests and the service, as a validating proxy: TEST_PRISM=on. What it finds wrong with an answer,
 * or with a request that was accepted, fails the test that made the call. Installed in tools/prism:
 * node scripts/install-tools.ts prism
 */
const SIDES = {
  '/v1': fileURLToPath(new URL('../openapi/partner.json', import.meta.url)),
  '/operator': fileURLToPath(new URL('../openapi/operator.json', import.meta.url)),
};

export const usesPrism = process.env.TEST_PRISM !== undefined;

/** Of Prism's packages, what is used here. */
type Prism = {
  getHttpOperationsFromSpec(file: string): Promise<unknown[]>;
  createServer(
    operations: unknown[],
    options: object,
  ): { listen(port: number, host: string): Promise<string>; close(): Promise<void> };
  createLogger(name: string, options: object): unknown;
};

const prism = (): Prism => {
  const load = createRequire(new URL('../tools/prism/package.json', import.meta.url));
  return {
    ...load('@stoplight/prism-http'),
    ...load('@stoplight/prism-http-server'),
    ...load('@stoplight/prism-core'),
  };
};

const operations = new Map<string, Promise<unknown[]>>();
const proxies = new Map<string, Promise<{ url: string; close(): Promise<void> }>>();

async function startProxy(prefix: keyof typeof SIDES, origin: string) {
  const { getHttpOperationsFromSpec, createServer, createLogger } = prism();
  const file = SIDES[prefix];
  if (!operations.has(file)) operations.set(file, getHttpOperationsFromSpec(file));
  const server = createServer(await operations.get(file)!, {
    cors: false,
    config: {
      isProxy: true,
      upstream: new URL(origin + prefix),
      mock: false,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
    },
    components: { logger: createLogger('prism', { enabled: false }) },
  });
  return { url: await server.listen(0, '127.0.0.1'), close: () => server.close() };
}

/** Closes the proxies of a service, before it is closed itself. */
export async function closePrism(origins: readonly (string | null)[]): Promise<void> {
  for (const origin of origins) {
    for (const prefix of Object.keys(SIDES)) {
      const known = proxies.get(`${origin}${prefix}`);
      proxies.delete(`${origin}${prefix}`);
      await (await known)?.close();
    }
  }
}

type Violation = { location?: string[]; code?: string | number; message: string };

/** What is a fault with an answer of this status. */
function counts({ location = [], code, message }: Violation, status: number): boolean {
  const isAccepted = status < 300;
  // An unknown path is documented nowhere, and refused.
  if (message === 'Selected route not found') return isAccepted;
  if (location[0] !== 'request') return true;
  // Lengths in the document are those after trimming; openapi-check.ts holds what was accepted to them.
  return isAccepted && !(location[1] === 'body' && code === 'maxLength');
}

/**
 * What Prism cannot pass on, because it parses the request itself: paths and methods of no operation, bodies that are
 * no JSON. It has not called the service then.
 */
const NOT_PASSED_ON = /NO_PATH_MATCHED|NO_METHOD_MATCHED|#UNKNOWN|Invalid JSON|INVALID_CONTENT_TYPE/;

/**
 * The answer through Prism; null when it cannot pass such a request on. Throws an assertion
 * about everything that it finds wrong.
 */
export async function fetchThroughPrism(address: string, init: RequestInit): Promise<Response | null> {
  const { origin, pathname, search } = new URL(address);
  const prefix = (['/v1', '/operator'] as const).find((each) => pathname.startsWith(`${each}/`));
  // Prism passes on no body where it is null.
  if (prefix === undefined || init.body === 'null') return null;
  const key = origin + prefix;
  if (!proxies.has(key)) proxies.set(key, startProxy(prefix, origin));
  const { url } = await proxies.get(key)!;

  const response = await fetch(url + pathname.slice(prefix.length) + search, init);
  if (response.headers.get('content-type')?.startsWith('application/problem+json')) {
    const problem = await response.text();
    assert.match(problem, NOT_PASSED_ON, `Prism: ${address}`);
    return null;
  }
  const found = response.headers.get('sl-violations') ?? '[]';
  const violations = (found.startsWith('[') ? JSON.parse(found) : [found]) as Violation[];
  const wrong = violations.filter((violation) => counts(violation, response.status));
  assert.deepEqual(wrong, [], `Prism: ${init.method} ${address} was answered ${response.status}`);
  const headers = new Headers(response.headers);
  headers.delete('sl-violations');
  const { status } = response;
  const body = [204, 304].includes(status) ? null : await response.arrayBuffer();
  return new Response(body, { status, headers });
}
