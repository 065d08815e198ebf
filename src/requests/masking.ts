/** What is taken out of texts before they are kept; pure. */

const HIDDEN = '•••';

/** By the names of fields, in JSON as JSON.stringify writes it. */
const FIELDS =
  /"(phone|latitude|longitude|lat|lng|secret|api_key|apiKey)":("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)/g;
/** A Saudi mobile number as people write it, or any number in international form; not the parts of ids and dates. */
const DIGIT = '[0-9\u0660-\u0669\u06f0-\u06f9]';
const PHONES = new RegExp(
  `(?<![\\w-])(?:(?:\\+|00)${DIGIT}(?:[ ().-]?${DIGIT}){7,14}|[0\u0660\u06f0]?[5\u0665\u06f5]${DIGIT}(?:[ -]?${DIGIT}){7})(?![\\w-])`,
  'g',
);
/** Our own credentials, wherever they stand: keys, webhook secrets. */
const CREDENTIALS = /\b(?:pbs_(?:test|live)_|whsec_)[\w-]+/g;
/** Two decimals with a comma between them, as maps write a place. */
const PLACES = /-?\d{1,3}\.\d{3,}\s*,\s*-?\d{1,3}\.\d{3,}/g;

/** Phones, coordinates and credentials in a text of any kind. */
export function maskText(text: string): string {
  return text
    .replace(CREDENTIALS, (found) => `${found.startsWith('whsec_') ? 'whsec_' : found.slice(0, 9)}${HIDDEN}`)
    .replace(PLACES, HIDDEN)
    .replace(PHONES, (found) => `${found.slice(0, 4)}${HIDDEN}`);
}

/** The same in JSON, and the fields that hold them by name. What comes of JSON is JSON. */
export function maskJson(json: string): string {
  return maskText(json.replace(FIELDS, (_, name: string) => `"${name}":"${HIDDEN}"`));
}

const HIDDEN_PARAMETERS = new Set(['phone', 'latitude', 'longitude', 'lat', 'lng']);

/** A path with its query as they were sent, without `api_key`; at most `max` characters. */
export function maskUrl(url: string, withQuery: boolean, max: number): string {
  const [path = '', query] = url.split('?', 2);
  let kept = path;
  if (withQuery && query !== undefined) {
    const parameters = query.split('&').flatMap((parameter) => {
      const [name = '', value] = parameter.split('=', 2);
      const plain = decoded(name).toLowerCase();
      if (plain === 'api_key') return [];
      return HIDDEN_PARAMETERS.has(plain) && value !== undefined ? [`${name}=${HIDDEN}`] : [parameter];
    });
    if (parameters.length > 0) kept += `?${parameters.join('&')}`;
  }
  return maskText(kept.replaceAll(/%2B/gi, '+')).slice(0, max);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
