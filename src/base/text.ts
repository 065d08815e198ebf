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

const MARKS =
  /[\u0300-\u036f\u0610-\u061a\u0621\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u2018\u2019\u02bc\u02be\u02bf'`]/g;
/** Letters, digits and dashes with what they are searched as. */
const FROM = 'ىیېۍێےةۃہھەکڪٱٲٳ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹-‐‑‒–—―−/.,،';
const TO = 'ييييييهههههككااا01234567890123456789            ';
const OTHERS = new Map([...FROM].map((sign, index) => [sign, TO[index]!]));

/**
 * The text as searches compare it, as `search_fold` does in the database: one form of each letter and digit, without marks, with the
 * first parts of names joined to what follows. Folding again changes nothing.
 */
export function foldedText(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(MARKS, '').toLowerCase();
  return Array.from(plain, (sign) => OTHERS.get(sign) ?? sign)
    .join('')
    .replaceAll(/(?<![^ ])(عبد|ابو|ال|abd|abu|al|el) +(?=[^ ])/g, '$1');
}

/** The spellings in which a reference may be stored: as it was typed, composed or not, and with the digits of each script. */
export function spellingsOf(text: string): string[] {
  const ascii = withAsciiDigits(text);
  const inDigits = (zero: number): string =>
    ascii.replaceAll(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
  const all = [text, ascii, inDigits(0x660), inDigits(0x6f0)];
  return [...new Set(all.flatMap((one) => [one, one.normalize('NFC'), one.normalize('NFKC')]))];
}

/** `٠٥٠` and `۰۵۰` as `050`. */
export function withAsciiDigits(text: string): string {
  return text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}
