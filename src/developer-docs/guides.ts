import { readFile } from 'node:fs/promises';

export type Language = 'en' | 'ar';

/** A Markdown file under docs/, and the page that is made of it. */
export type Guide = {
  /** Of the file, without `.md`, and of the page under /docs. */
  name: string;
  title: string;
  language: Language;
  /** One line for lists; null for what is only linked from other guides. */
  about: string | null;
};

/** What partners read, in the order of the page's bar. A file that is not here is not served. */
export const GUIDES: readonly Guide[] = [
  {
    name: 'introduction',
    title: 'Introduction',
    language: 'en',
    about: 'what the service does, its base address, keys and answers',
  },
  {
    name: 'introduction.ar',
    title: 'مقدمة',
    language: 'ar',
    about: 'the introduction in Arabic',
  },
  {
    name: 'quick-start',
    title: 'Quick start',
    language: 'en',
    about: 'the first booking, step by step',
  },
  {
    name: 'quick-start.ar',
    title: 'البداية السريعة',
    language: 'ar',
    about: 'the quick start in Arabic',
  },
  {
    name: 'payments',
    title: 'Payments',
    language: 'en',
    about: 'who collects the money, payment links, confirming, refunds',
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    language: 'en',
    about: 'receive events: subscribe, verify signatures, answer, retries, working on your own machine',
  },
  {
    name: 'sandbox',
    title: 'The sandbox',
    language: 'en',
    about: 'appointments that go on, customers who pay or do not, faults of webhooks',
  },
  {
    name: 'portal',
    title: 'Developer portal',
    language: 'en',
    about: 'why a request was refused, what became of webhooks, checking a signature',
  },
  {
    name: 'portal.ar',
    title: 'بوابة المطورين',
    language: 'ar',
    about: 'the developer portal in Arabic',
  },
  {
    name: 'errors',
    title: 'Errors',
    language: 'en',
    about: 'every error code with its cause, the remedy and whether to try again',
  },
  {
    name: 'errors.ar',
    title: 'الأخطاء',
    language: 'ar',
    about: 'the error codes in Arabic',
  },
  {
    name: 'retries',
    title: 'Retries',
    language: 'en',
    about: 'repeating a request without booking twice',
  },
  {
    name: 'rate-limits',
    title: 'Rate limits',
    language: 'en',
    about: 'how requests are counted, and what to do when there were too many',
  },
  {
    name: 'going-live',
    title: 'Going live',
    language: 'en',
    about: 'a list to go through before the first customer books',
  },
  { name: 'decisions/idempotency-key', title: 'Idempotency-Key', language: 'en', about: null },
  { name: 'decisions/event-feed', title: 'Event feed', language: 'en', about: null },
];

/** Files beside the guides that these link to, served as they are. */
export const ATTACHMENTS: readonly string[] = ['webhook-vectors.json'];

const DOCS = new URL('../../docs/', import.meta.url);

/** The Markdown itself. */
export function readGuide({ name }: Guide): Promise<string> {
  return readFile(new URL(`${name}.md`, DOCS), 'utf8');
}

/** A file beside the guides. Rejects when there is none of this name. */
export function readAttachment(name: string): Promise<Buffer> {
  return readFile(new URL(name, DOCS));
}
