import { readFile } from 'node:fs/promises';
import type { RendererObject, Tokens } from 'marked';

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
    name: 'errors',
    title: 'Errors',
    language: 'en',
    about: 'every error code with its cause, the remedy and whether to try again',
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

/** What guides link to in the repository, which readers of the pages do not have: shown without a link. */
const REPOSITORY_ONLY = /^(?:snippets$|\.\.\/examples\/)/;

const DOCS = new URL('../../docs/', import.meta.url);

/** The Markdown itself. */
export function readGuide({ name }: Guide): Promise<string> {
  return readFile(new URL(`${name}.md`, DOCS), 'utf8');
}

export function readAttachment(name: string): Promise<Buffer> {
  return readFile(new URL(name, DOCS));
}

/**
 * A guide's Markdown as HTML: headings get the anchors that code hosts give them, links to other guides lead to
 * their pages. Of HTML in the source only anchors (`<a id="...">`) count; everything else is shown as text.
 */
export async function renderGuide(markdown: string): Promise<string> {
  // Not needed to start the service, so not loaded by it.
  const { Marked } = await import('marked');
  return new Marked({ renderer: createRenderer() }).parse(markdown, { async: false });
}

function createRenderer(): RendererObject<string, string> {
  const taken = new Map<string, number>();
  const anchorOf = (text: string): string => {
    const slug = slugOf(text);
    const before = taken.get(slug) ?? 0;
    taken.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  };
  return {
    heading({ tokens, depth, text }: Tokens.Heading): string {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    html({ text }: Tokens.HTML | Tokens.Tag): string {
      return ANCHOR.test(text) ? text : escapeHtml(text);
    },
    link({ href, tokens }: Tokens.Link): string {
      const html = this.parser.parseInline(tokens);
      return REPOSITORY_ONLY.test(href) ? html : `<a href="${escapeHtml(pageOf(href))}">${html}</a>`;
    },
    // Wide tables scroll by themselves, the page does not; they can be reached without a mouse.
    table(token: Tokens.Table): string {
      const cells = (row: Tokens.TableCell[], tag: string): string =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>\n`).join('');
      const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>\n`;
      return `<div class="wide" tabindex="0"><table>\n${head}<tbody>${rows}</tbody>\n</table></div>\n`;
    },
    code({ text }: Tokens.Code): string {
      return `<pre dir="ltr" tabindex="0"><code>${escapeHtml(text)}\n</code></pre>\n`;
    },
    // Stays readable from left to right within Arabic.
    codespan({ text }: Tokens.Codespan): string {
      return `<code dir="ltr">${escapeHtml(text)}</code>`;
    },
  };
}

const ANCHOR = /^(?:<a id="[a-z0-9-]+">|<\/a>)$/;

/** `x.md#y` → `x#y`; addresses of other hosts and anchors within the page stay. */
function pageOf(href: string): string {
  return /^[a-z]+:/i.test(href) ? href : href.replace(/\.md(?=#|$)/, '');
}

/** The anchor of a heading, as code hosts make it: lower case, hyphens for spaces, no punctuation. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
}
