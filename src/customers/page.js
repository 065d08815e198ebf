// Keeps the page up to date while it is looked at. Without this script it stays as it came.
const INTERVAL = 5_000;
const offline = document.getElementById('offline');
let tag = '';

async function refresh() {
  if (document.hidden) return;
  const headers = tag === '' ? {} : { 'if-none-match': tag };
  const response = await fetch(location.href, { cache: 'no-store', headers }).catch(() => null);
  offline.hidden = response !== null;
  if (response?.status === 404) location.reload();
  if (response?.status !== 200) return;
  tag = response.headers.get('etag') ?? '';
  const now = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const section of document.querySelectorAll('main > section')) {
    const { innerHTML } = now.getElementById(section.id);
    // A section without a change keeps the focus, and is not read out again.
    if (section.innerHTML !== innerHTML) section.innerHTML = innerHTML;
  }
  document.title = now.title;
}

setInterval(refresh, INTERVAL);
document.addEventListener('visibilitychange', refresh);
