/** The page without a network: its service worker, and the cache that this opens it from. */

const CACHE = 'crew';
const PAGE = '/crew';

/**
 * Keeps the build that runs in the page, which needs no network, and then the newest one for the next opening. false: it
 * could keep none, and what was kept before stays.
 */
export async function keepPage(): Promise<boolean> {
  // Absent without HTTPS.
  if (!('serviceWorker' in navigator) || !('caches' in window)) return false;
  try {
    await navigator.serviceWorker.register(`${PAGE}/worker.js`, { scope: PAGE });
    const cache = await caches.open(CACHE);
    // The page as it was loaded: the browser has it and its files.
    const isKept = (await cache.match(PAGE)) !== undefined || (await keepBuild(cache, 'force-cache'));
    return (await keepBuild(cache, 'no-cache')) || isKept;
  } catch {
    // Storage is refused.
    return false;
  }
}

/** Puts a page in place after all of its files, so that the cache always has a whole build. false: it is not there. */
async function keepBuild(cache: Cache, from: RequestCache): Promise<boolean> {
  try {
    const page = await fetch(PAGE, { cache: from, redirect: 'error' });
    const files = filesOf(await page.clone().text());
    // A proxy's error, or the page of a network that asks for a login.
    if (!page.ok || files.length === 0) return false;
    const kept = new Set((await cache.keys()).map(({ url }) => url));
    await cache.addAll(files.filter((file) => !kept.has(file)));
    await cache.put(PAGE, page);
    const current = new Set([`${location.origin}${PAGE}`, ...files]);
    for (const url of kept) if (!current.has(url)) await cache.delete(url);
    return true;
  } catch {
    // Without a network, or without room.
    return false;
  }
}

/** The addresses of the files that the page names. */
function filesOf(html: string): string[] {
  const page = new DOMParser().parseFromString(html, 'text/html');
  return [...page.querySelectorAll('link[href], script[src]')]
    .map((one) => new URL(one.getAttribute('href') ?? one.getAttribute('src')!, location.href).href)
    .filter((address) => address.startsWith(`${location.origin}${PAGE}/assets/`));
}
