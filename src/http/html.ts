/**
 * Pages as auto-escaping template literals: what is between `${` and `}` is escaped unless it was made by `html` or
 * marked as HTML by `trustedHtml`.
 */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** `null` and `false` are nothing, a list its parts one after another. */
export type HtmlPart = Html | string | null | false | readonly HtmlPart[];

/** A template of HTML: parts that are text are escaped, parts that are Html are not. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(textOf)));
}

/** Of text that is HTML already: a rendered guide, a style sheet. Never of anything that a request brings. */
export function trustedHtml(text: string): Html {
  return new Html(text);
}

function textOf(part: HtmlPart): string {
  if (part === null || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  return part instanceof Html ? part.toString() : part.map(textOf).join('');
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}
