/**
 * The service worker of the crew's page: the page and its files come from the cache, whatever the network is like. The
 * page that runs keeps the next build for the next opening (crew/offline.ts).
 */

type Lifetime = Event & { waitUntil(work: Promise<unknown>): void };
type Fetched = Lifetime & { request: Request; respondWith(response: Promise<Response>): void };
type Scope = EventTarget & { skipWaiting(): Promise<void>; clients: { claim(): Promise<void> } };

const worker = self as unknown as Scope;
const PAGE = '/crew';

worker.addEventListener('install', (event) => (event as Lifetime).waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => (event as Lifetime).waitUntil(worker.clients.claim()));

worker.addEventListener('fetch', (event) => {
  const { request, respondWith } = event as Fetched;
  const { pathname } = new URL(request.url);
  if (request.method !== 'GET' || pathname.startsWith(`${PAGE}/api/`)) return;
  const isFile = pathname.startsWith(`${PAGE}/assets/`);
  if (isFile || request.mode === 'navigate')
    respondWith.call(event, keptOrFetched(isFile ? request : PAGE, request));
});

async function keptOrFetched(key: Request | string, request: Request): Promise<Response> {
  return (await caches.match(key)) ?? fetch(request);
}
