/**
 * Controls (line breaks included), separators of lines and paragraphs, and characters that change the writing direction
 * of more than adjacent letters: embeddings, overrides and isolates. Not the marks and joiners of Arabic text.
 */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Whether it is one line without control characters. */
export function isPlainLine(text: string): boolean {
  return text.search(CONTROLS) === -1;
}

/** The text with visible escapes: `\u001b` for an escape. JSON stays equivalent. */
export function escaped(text: string): string {
  return text.replaceAll(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for a text that may have lines. */
export function escapedLines(text: string): string {
  return text.replaceAll(CONTROLS, (sign) => ('\t\r\n'.includes(sign) ? sign : escaped(sign)));
}

/** One line for customers: without direction controls, and with single blanks. */
export function plainLine(text: string): string {
  return text
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
