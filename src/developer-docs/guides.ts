import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Language } from '../http/bilingual-pages.ts';
import contents from './contents.json' with { type: 'json' };
import released from './released.json' with { type: 'json' };

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

/** The guides in the order of the navigation. Other files are not served. */
export const GUIDES: readonly Guide[] = Object.entries(contents.guides).map(([name, guide]) => ({
  name,
  language: name.endsWith('.ar') ? 'ar' : 'en',
  ...guide,
}));

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

/** Every released version of the SDKs; lists have the newest. */
const SDKS = Object.keys(released).map((name, at, { length }): DocsFile => {
  const [type, about] = name.endsWith('.tgz')
    ? ['application/gzip', 'the TypeScript SDK, for npm install with this address']
    : ['application/zip', 'the Python SDK, for pip install with this address'];
  const source = `sdk/released/${name}`;
  return { name: `downloads/${name}`, type, source, saved: true, about: at < length - 2 ? null : about };
});

export const FILES: readonly DocsFile[] = [...SDKS, ...contents.files];

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
