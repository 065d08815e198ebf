import type { RendererObject, Tokens } from 'marked';
import { escapeHtml } from '../http/html.ts';
import { addressOf } from './guides.ts';

/**
 * Renders a guide's Markdown as HTML: headings get the anchors that code hosts give them, links to other files lead to
 * their pages; `source` is the path in the repository. Of HTML in the source only anchors (`<a id="...">`) are kept;
 * everything else is shown as text.
 */
export async function renderGuide(markdown: string, source: string): Promise<string> {
  // Imported with the first page, not at the start.
  const [{ Marked }, highlight] = await Promise.all([import('marked'), loadHighlighter()]);
  return new Marked({ renderer: createRenderer(highlight, source) }).parse(markdown, { async: false });
}

/** A heading of a rendered guide, with the text up to the next. */
export type Section = { id: string; depth: number; title: string; text: string };

/** The sections of a rendered guide, as text. */
export function sectionsOf(html: string): Section[] {
  return [...html.matchAll(SECTION)].map(([, depth, id = '', title = '', text = '']) => ({
    id,
    depth: Number(depth),
    title: textOf(title),
    text: textOf(text),
  }));
}

const SECTION = /<h([1-6]) id="([^"]*)">(.*?)<\/h\1>([\s\S]*?)(?=<h[1-6] id="|$)/g;

/** The text of our own HTML, where every `<` of text is escaped. */
function textOf(html: string): string {
  return html
    .replaceAll(/<\/?(?:p|li|tr|td|th|pre|div|h\d)\b[^>]*>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name: string) => CHARACTERS[name]!)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

/** The highlighted code as HTML; in an unknown language only escaped. */
type Highlight = (code: string, language: string) => string;

const LANGUAGES = {
  sh: () => import('highlight.js/lib/languages/bash'),
  json: () => import('highlight.js/lib/languages/json'),
  http: () => import('highlight.js/lib/languages/http'),
  ts: () => import('highlight.js/lib/languages/typescript'),
  python: () => import('highlight.js/lib/languages/python'),
  php: () => import('highlight.js/lib/languages/php'),
  java: () => import('highlight.js/lib/languages/java'),
  go: () => import('highlight.js/lib/languages/go'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
};

async function loadHighlighter(): Promise<Highlight> {
  const { default: hljs } = await import('highlight.js/lib/core');
  for (const [name, load] of Object.entries(LANGUAGES)) {
    if (hljs.getLanguage(name) === undefined) hljs.registerLanguage(name, (await load()).default);
  }
  return (code, language) =>
    hljs.getLanguage(language) === undefined ? escapeHtml(code) : hljs.highlight(code, { language }).value;
}

function createRenderer(highlight: Highlight, source: string): RendererObject<string, string> {
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
      return `<a href="${escapeHtml(addressOf(source, href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    // Wide tables scroll by themselves, the page does not; they can be focused by keyboard.
    table(token: Tokens.Table): string {
      const cells = (row: Tokens.TableCell[], tag: string): string =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>\n`).join('');
      const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>\n`;
      return `<div class="wide" tabindex="0"><table>\n${head}<tbody>${rows}</tbody>\n</table></div>\n`;
    },
    code({ text, lang = '' }: Tokens.Code): string {
      const html = highlight(text, lang);
      return `<div class="code"><pre dir="ltr" tabindex="0"><code>${html}\n</code></pre></div>\n`;
    },
    // Left to right also within Arabic.
    codespan({ text }: Tokens.Codespan): string {
      return `<code dir="ltr">${escapeHtml(text)}</code>`;
    },
  };
}

const ANCHOR = /^(?:<a id="[a-z0-9-]+">|<\/a>)$/;

/** The anchor of a heading, as code hosts make it: lower case, hyphens for spaces, no punctuation. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}
