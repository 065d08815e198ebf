import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import released from './released.json' with { type: 'json' };

export type Language = 'en' | 'ar';

/** A Markdown file, and its page. */
export type Guide = {
  /** The name of the page under /docs. In Arabic it ends in `.ar`. */
  name: string;
  title: string;
  language: Language;
  /** One line for lists; null for guides that only others link to. */
  about: string | null;
  /** The file's path in the repository. */
  source: string;
};

function english(name: string, title: string, about: string | null, source = `docs/${name}.md`): Guide {
  return { name, title, language: 'en', about, source };
}

function arabic(name: string, title: string, about: string): Guide {
  return { name: `${name}.ar`, title, language: 'ar', about, source: `docs/${name}.ar.md` };
}

/** The guides in the order of the navigation. Other files are not served. */
export const GUIDES: readonly Guide[] = [
  english('introduction', 'Introduction', 'what the service does, its base address, keys and answers'),
  arabic('introduction', 'مقدمة', 'the introduction in Arabic'),
  english('quick-start', 'Quick start', 'the first booking, step by step'),
  arabic('quick-start', 'البداية السريعة', 'the quick start in Arabic'),
  english(
    'looking-to-booked',
    'From looking to booked',
    'coverage, a month of timeslots, holding one with its price, and how a booking ends',
  ),
  arabic('looking-to-booked', 'من البحث إلى الحجز', 'from looking to booked in Arabic'),
  english(
    'what-a-change-costs',
    'What a change costs',
    'fees of cancelling and rescheduling: asking before, agreeing to them, finding them after',
  ),
  arabic('what-a-change-costs', 'تكلفة التغيير', 'what a change costs in Arabic'),
  english('payments', 'Payments', 'who collects the money, payment links, confirming, refunds'),
  arabic('payments', 'المدفوعات', 'payments in Arabic'),
  english('customer-page', "The customer's page", 'a page for each booking, and messages to customers'),
  arabic('customer-page', 'صفحة العميل', "the customer's page in Arabic"),
  english(
    'customer-data',
    "A customer's data",
    'addresses that a crew finds, and what is stored: a copy, corrections, erasing',
  ),
  arabic('customer-data', 'بيانات العميل', "a customer's data in Arabic"),
  english(
    'webhooks',
    'Webhooks',
    'receive events: subscribe, verify signatures, answer, retries, working on your own machine',
  ),
  arabic('webhooks', 'إشعارات Webhooks', 'webhooks in Arabic'),
  english(
    'sandbox',
    'The sandbox',
    'appointments that go on, customers who pay or do not, faults of webhooks',
  ),
  arabic('sandbox', 'البيئة التجريبية', 'the sandbox in Arabic'),
  english(
    'portal',
    'Developer portal',
    'why a request was refused, what became of webhooks, checking a signature',
  ),
  arabic('portal', 'بوابة المطورين', 'the developer portal in Arabic'),
  english('errors', 'Errors', 'every error code with its cause, the remedy and whether to try again'),
  arabic('errors', 'الأخطاء', 'the error codes in Arabic'),
  english(
    'states',
    'States',
    'every status of bookings, appointments, payments, deliveries, and what moves it',
    'docs/STATES.md',
  ),
  english('retries', 'Retries', 'repeating a request without booking twice'),
  arabic('retries', 'إعادة المحاولة', 'retries in Arabic'),
  english('rate-limits', 'Rate limits', 'how requests are counted, and what to do when there were too many'),
  arabic('rate-limits', 'حدود الطلبات', 'rate limits in Arabic'),
  english('going-live', 'Going live', 'a list to go through before the first customer books'),
  arabic('going-live', 'قبل الانطلاق', 'going live in Arabic'),
  english('downloads', 'Downloads', 'both SDKs, listen, the Postman collection, an example application'),
  arabic('downloads', 'التنزيلات', 'the downloads in Arabic'),
  english('sdk', 'TypeScript SDK', 'the SDK for TypeScript and JavaScript', 'sdk/README.md'),
  english('sdk-python', 'Python SDK', 'the SDK for Python', 'sdk-python/README.md'),
  english(
    'partner-app',
    'Example application',
    'a small shop that books, confirms payments and receives webhooks',
    'examples/partner-app/README.md',
  ),
  english('decisions/idempotency-key', 'Idempotency-Key', null),
  english('decisions/event-feed', 'Event feed', null),
  english('decisions/booking-changes', 'Changes of bookings', null),
];

/** The same guide in the other language; undefined: there is none. */
export function twinOf({ name, language }: Guide): Guide | undefined {
  const other = language === 'ar' ? name.replace(/\.ar$/, '') : `${name}.ar`;
  return GUIDES.find((guide) => guide.name === other);
}

/** A file that is served unchanged. */
export type DocsFile = {
  /** Its path below /docs. */
  name: string;
  type: string;
  /** Its path in the repository. */
  source: string;
  /** Whether browsers download it. */
  saved: boolean;
  /** One line for lists; null for files that guides show. */
  about: string | null;
};

const TEXT = 'text/plain; charset=utf-8';

function download(name: string, type: string, about: string, source = `docs/downloads/${name}`): DocsFile {
  return { name: `downloads/${name}`, type, source, saved: true, about };
}

function snippet(file: string): DocsFile {
  return { name: `snippets/${file}`, type: TEXT, source: `docs/snippets/${file}`, saved: true, about: null };
}

/** Every released version of the SDKs; lists have the newest. */
const SDKS = Object.keys(released).map((name, at, { length }): DocsFile => {
  const [type, about] = name.endsWith('.tgz')
    ? ['application/gzip', 'the TypeScript SDK, for npm install with this address']
    : ['application/zip', 'the Python SDK, for pip install with this address'];
  return { ...download(name, type, about, `sdk/released/${name}`), ...(at < length - 2 && { about: null }) };
});

export const FILES: readonly DocsFile[] = [
  ...SDKS,
  download(
    'listen.mjs',
    'text/javascript; charset=utf-8',
    'shows events as they happen and forwards them, for Node.js 20 or newer',
  ),
  download('partner-app.tgz', 'application/gzip', 'the example application'),
  download(
    'postman_collection.json',
    'application/json; charset=utf-8',
    'the Postman collection',
    'openapi/postman_collection.json',
  ),
  ...['verify.ts', 'verify.py', 'verify.php', 'Verify.java', 'verify.go', 'Verify.cs'].map(snippet),
  {
    name: 'webhook-vectors.json',
    type: 'application/json; charset=utf-8',
    source: 'docs/webhook-vectors.json',
    saved: false,
    about: null,
  },
];

/** Addresses of rendered files, by file. */
const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ...GUIDES.map(({ source, name }): [string, string] => [source, `/docs/${name}`]),
  ...FILES.map(({ source, name }): [string, string] => [source, `/docs/${name}`]),
  // Unlike the repository's, it has only enabled features.
  ['openapi/partner.json', '/openapi.json'],
]);

/** The address on the service for a link to the file; links elsewhere stay. */
export function addressOf(source: string, href: string): string {
  const [path = '', anchor] = href.split('#');
  if (path === '' || /^[a-z]+:/i.test(href)) return href;
  const address = ADDRESSES.get(posix.join(posix.dirname(source), path));
  if (address === undefined) return href;
  return anchor === undefined ? address : `${address}#${anchor}`;
}

const ROOT = new URL('../../', import.meta.url);
/** The placeholder of the service's address in the files, which pages replace. */
const EXAMPLE_ADDRESS = /https:\/\/booking\.example(?![\w.-])/g;

/** The Markdown, with the address of this service. */
export async function readGuide({ source }: Guide, publicUrl: string): Promise<string> {
  const text = await readFile(new URL(source, ROOT), 'utf8');
  return text.replaceAll(EXAMPLE_ADDRESS, publicUrl);
}

/** The Markdown for readers of /docs, with links adapted to it. */
export async function servedMarkdown(guide: Guide, publicUrl: string): Promise<string> {
  const text = await readGuide(guide, publicUrl);
  const here = `http://service/docs/${guide.name}.md`;
  return text.replaceAll(/(?<=\]\()([^)\s]+)(?=\))/g, (href) => {
    const address = addressOf(guide.source, href);
    const isGuide = GUIDES.some(({ name }) => address.split('#')[0] === `/docs/${name}`);
    const served = isGuide ? address.replace(/(?=#|$)/, '.md') : address;
    const { pathname, hash } = new URL(href, here);
    return !served.startsWith('/') || pathname + hash === served ? href : served;
  });
}

/** The content of a file. Rejects when it does not exist. */
export function readDocsFile({ source }: DocsFile): Promise<Buffer> {
  return readFile(new URL(source, ROOT));
}
