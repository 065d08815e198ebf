/**
 * Auto-escaping template literals: values between `${` and `}` are escaped unless they were made by `html` or
 * `trustedHtml`.
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

/** `null` and `false` render nothing, a list renders its parts in order. */
export type HtmlPart = Html | string | null | false | readonly HtmlPart[];

/** A template of HTML: parts that are text are escaped, parts that are Html are not. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(textOf)));
}

/** A text whose placeholders, such as `{time}`, are replaced by the values of their names. */
export function filled(text: string, values: Readonly<Record<string, HtmlPart>>): Html {
  return html`${text.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : (values[part] ?? null)))}`;
}

/** Marks text as HTML: a rendered guide, a style sheet. Never data of a request. */
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

/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}
