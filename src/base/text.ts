/**
 * Controls (line breaks among them), the separators of lines and paragraphs, and what turns the writing direction for more
 * than the letters beside it: embeddings, overrides and isolates. Not the marks and joiners that Arabic text needs.
 */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Is it one line, shown as it is written? */
export function isPlainLine(text: string): boolean {
  return text.search(CONTROLS) === -1;
}

/** One line with what it holds for everybody to see: `\u001b` for an escape. JSON stays what it was. */
export function escaped(text: string): string {
  return text.replaceAll(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for a text that may have lines. */
export function escapedLines(text: string): string {
  return text.replaceAll(CONTROLS, (sign) => ('\t\r\n'.includes(sign) ? sign : escaped(sign)));
}

/** One line for a customer: without what turns the direction, and with single blanks. */
export function plainLine(text: string): string {
  return text
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
