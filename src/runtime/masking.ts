import { CREDENTIALS } from '../base/tokens.ts';

/** Masks phones, places and our credentials in texts before they are stored or logged. Pure. */

const HIDDEN = '•••';

/** Names of fields with such values. */
const FIELD =
  /^(?:(?:phone|mobile)(?:[_-]?number)?|tel(?:ephone)?|msisdn|whatsapp|lat(?:itude)?|lng|lon(?:gitude)?|coordinates|short[_-]?address|directions|instructions|access[_-]?code|secret|api[_-]?key)$/i;

/** Our credentials, anywhere in a text: the longest beginning first. */
const CREDENTIAL = new RegExp(
  `\\b(${Object.values(CREDENTIALS)
    .toSorted((one, other) => other.length - one.length)
    .join('|')})[\\w-]+`,
  'g',
);

// ---------------------------------------------------------------------------
// Patterns, for texts whose digits are ASCII (inAscii)

const HEX = '[\\da-fA-F]';
const UUID = `${HEX}{8}(?:-${HEX}{4}){3}-${HEX}{12}`;
const INSTANT = '\\d{4}-\\d\\d-\\d\\d(?:T[\\d:.]+(?:Z|[+-]\\d\\d:\\d\\d)?)?';
/** Digits that are neither: UUIDs, digests, instants, dates, also with the day first. */
const OTHER =
  `${UUID}|\\b(?:${HEX}{64}|${HEX}{40}|${HEX}{32})\\b|` +
  `\\b${INSTANT}(?!\\d)|\\b\\d\\d?[./]\\d\\d?[./]\\d{4}\\b`;
/** Fast checks of most texts: one UUID or instant, or too few digits for a phone. */
const ONE_OTHER = new RegExp(`^(?:${UUID}|${INSTANT})$`);
const FEW_DIGITS = /^[^\d\u0080-\uffff]*(?:\d(?!\.\d)[^\d\u0080-\uffff]*){0,6}$/;

/** Separators between the digits of a phone; marks of direction and joiners come with copied ones. */
const BETWEEN = '[\\s().\\u00ad\\u200b-\\u200f\\u2010-\\u2015\\u202a-\\u202e\\u2060\\u2066-\\u2069-]{0,3}';
const digits = (least: number, most: number): string => `(?:${BETWEEN}\\d){${least},${most}}`;
/** Not a part of a longer number, of a time of day or of an amount. */
const BEGIN = '(?<!\\d)(?<!\\d:)';
const END = '(?!\\d)(?!\\.\\d{1,2}(?!\\d))';

const PHONES = [
  // Any number in international form.
  `${BEGIN}(?:\\+|00)${digits(8, 30)}${END}`,
  // A Saudi number: with its country code, in national form, and without the leading zero.
  `${BEGIN}966${BETWEEN}0?${BETWEEN}[1-9]${digits(7, 10)}${END}`,
  `${BEGIN}0(?!\\.)${BETWEEN}[15]${digits(8, 8)}${END}`,
  `(?<!\\w)(?<!\\d\\.)5\\d[ .-]?\\d{3}[ .-]?\\d{4}(?!\\w)${END}`,
].join('|');

const DEGREES = '-?\\d{1,3}\\.\\d';
const PLACES = [
  // Two adjacent decimals, the form of places in maps; or one with so many digits that it is probably a coordinate.
  `(?<!\\d)(?<!\\d[.:])${DEGREES}{3,}[^\\w.]{1,6}${DEGREES}{3,}`,
  `(?<!\\d)(?<!\\d[.:])${DEGREES}{4,}(?!\\.?\\d)`,
  `\\d{1,3}\\s*°\\s*\\d{1,2}\\s*['′]\\s*[\\d.]*\\s*["″]?`,
].join('|');

const patterns = (...more: string[]): RegExp =>
  new RegExp([`(${OTHER})`, ...more, PLACES, PHONES].join('|'), 'g');
const USUAL = patterns();
/** In a text that mentions a phone or place, any number that could be one. */
const OF_PHONES = patterns('\\+?\\d(?:[ -]?\\d){6,}');
const OF_PLACES = patterns(`${DEGREES}+`);
const NAMES_PHONE = /\b(?:phone|mobile|tel|msisdn|whatsapp)/i;
const NAMES_PLACE = /\b(?:latitude|longitude|lat|lng|lon|coordinates)\b/i;

/** The text in the same length, with digits and signs of other scripts in ASCII. */
function inAscii(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return text
    .replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replace(/[\u066b\uff0e]/g, '.')
    .replace(/\uff0b/g, '+');
}

/** The text without phones, coordinates and credentials. */
export function maskText(text: string): string {
  const safe = /pbs_|whsec_/.test(text) ? text.replace(CREDENTIAL, (_, kind: string) => kind + HIDDEN) : text;
  if (FEW_DIGITS.test(safe) || ONE_OTHER.test(safe)) return safe;
  const pattern = NAMES_PHONE.test(safe) ? OF_PHONES : NAMES_PLACE.test(safe) ? OF_PLACES : USUAL;
  let masked = '';
  let end = 0;
  for (const { 0: found, 1: other, index } of inAscii(safe).matchAll(pattern)) {
    if (other !== undefined) continue;
    // The first digits of a phone stay, to tell which one was meant.
    const shown = /^-?\d{1,3}(?:\.|\s*°)/.test(found) ? 0 : 4;
    masked += safe.slice(end, index + shown) + HIDDEN;
    end = index + found.length;
  }
  return masked + safe.slice(end);
}

/** A truncated text without the number at its end, which may be incomplete. */
export function withoutLastNumber(text: string): string {
  const tail = text.slice(-MAX_NUMBER);
  return text.slice(0, text.length - tail.length) + tail.replace(/[\p{Nd}+\s().\u066b-]+$/u, '');
}
/** Characters of a formatted phone. */
const MAX_NUMBER = 60;

/** Texts, with the colon after a name; the last one may lack its end. Brackets, numbers and words. */
const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$))(\s*:)?|[{}[\]]|-?\d[\d.eE+-]*|true|false|null/g;

/**
 * JSON without phones, coordinates and credentials, masked by the names of fields and the form of numbers, texts and
 * names. Of its first `most` characters: up to the last whole value, closed, so that it is JSON. `isCut`: it was longer.
 */
export function maskJson(json: string, most = Number.POSITIVE_INFINITY): { text: string; isCut: boolean } {
  const kept = json.slice(0, most);
  const isCut = kept.length < json.length;
  const open: string[] = [];
  let [text, copied] = ['', 0];
  let whole = { text, copied, end: 0, depth: 0 };
  /** Of the value that comes next, in an object. */
  let name: string | null = null;
  let hidden: { from: number; depth: number } | null = null;
  const replace = (from: number, to: number, by: string): void => {
    text += kept.slice(copied, from) + JSON.stringify(by);
    copied = to;
  };
  for (const { 0: token, 1: quoted, 2: colon, index } of kept.matchAll(TOKENS)) {
    const end = index + token.length;
    if (hidden === null && quoted !== undefined && colon !== undefined) {
      name = textOf(quoted);
      const masked = maskText(name);
      if (masked !== name || quoted.includes('\\')) replace(index, index + quoted.length, masked);
      continue;
    }
    if (hidden === null && name !== null && token !== 'null' && FIELD.test(name))
      hidden = { from: index, depth: open.length };
    if (token === '{' || token === '[') {
      open.push(token);
      name = null;
      continue;
    }
    if (token === '}' || token === ']') open.pop();
    if (hidden !== null) {
      if (hidden.depth < open.length) continue;
      replace(hidden.from, end, HIDDEN);
      hidden = null;
    } else if (quoted !== undefined) {
      // A name that was cut off.
      if (name === null && open.at(-1) === '{') break;
      const plain = textOf(quoted);
      const masked = maskText(isEnded(quoted) ? plain : withoutLastNumber(plain));
      // Escapes that JSON does not need go too, so that a search finds what is in there.
      if (masked !== plain || quoted.includes('\\') || !isEnded(quoted)) replace(index, end, masked);
    } else if (/\d/.test(token)) {
      if (isCut && end === kept.length) break;
      const masked = maskNumber(token);
      if (masked !== token) replace(index, end, masked);
    }
    name = null;
    whole = { text, copied, end, depth: open.length };
  }
  if (!isCut) return { text: text + kept.slice(copied), isCut };
  const closing = open.slice(0, whole.depth).toReversed();
  return {
    text: [
      whole.text,
      kept.slice(whole.copied, whole.end),
      ...closing.map((bracket) => (bracket === '{' ? '}' : ']')),
    ].join(''),
    isCut,
  };
}

const isEnded = (quoted: string): boolean => /^"[^"\\]*(?:\\.[^"\\]*)*"$/.test(quoted);

/** A text of JSON; of one that was cut off, its whole characters. */
function textOf(quoted: string): string {
  if (!quoted.includes('\\') && quoted.endsWith('"')) return quoted.slice(1, -1);
  const [whole = ''] = /^"(?:[^\\"]|\\[^u]|\\u[\da-fA-F]{4})*/.exec(quoted) ?? [];
  return JSON.parse(`${whole}"`) as string;
}

/** A number of JSON, masked or as it is. Prices and hours have two decimals at most. */
function maskNumber(token: string): string {
  if (Number.isInteger(Number(token)) && Math.abs(Number(token)) < 1e8) return token;
  if (/^-?\d{1,3}\.\d{3,}$/.test(token)) return HIDDEN;
  return token.length < 9 ? token : maskText(token);
}

/** A path with its query, decoded where something was masked, without `api_key`; at most `max` characters. */
export function maskUrl(url: string, withQuery: boolean, max: number): string {
  const [path = '', query] = url.split('?', 2);
  let kept = maskEncoded(path);
  if (withQuery && query !== undefined) {
    const parameters = query.split('&').flatMap((parameter) => {
      const [name = '', value] = parameter.split('=', 2);
      const plain = decoded(name);
      if (plain.toLowerCase() === 'api_key') return [];
      return value !== undefined && FIELD.test(plain)
        ? [`${name}=${HIDDEN}`]
        : [maskEncoded(parameter.replaceAll('+', '%20'), parameter)];
    });
    if (parameters.length > 0) kept += `?${parameters.join('&')}`;
  }
  return kept.slice(0, max);
}

/** The text as sent, or decoded and masked. */
function maskEncoded(encoded: string, sent = encoded): string {
  const plain = decoded(encoded);
  const masked = maskText(plain);
  return masked === plain ? sent : masked;
}

/** A decoded text of a URL, also when it was encoded repeatedly, or is only partly valid. */
export function decoded(text: string): string {
  let plain = text;
  for (let again = 0; again < 3 && plain.includes('%'); again++)
    plain = plain.replaceAll(/(?:%[0-9a-f]{2})+/gi, decodedOnce);
  return plain;
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
