import { isUtf8 } from 'node:buffer';
import { validationError } from '../base/errors.ts';
import { unreadableHints } from './hints.ts';
import { MAX_MESSAGES, readable } from './validation.ts';

/**
 * Parsed members of one object. No schema has as many: such a body is refused anyway, and only its first errors are
 * reported.
 */
const MAX_MEMBERS = 1_000;

/**
 * The value of a JSON body; undefined when it is empty. Throws VALIDATION_ERROR when it is not JSON in UTF-8, or an
 * object repeats a member, of which some parsers take the first and some the last.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw validationError(['body must be valid UTF-8'], unreadableHints(body));
  const { json, repeated } = scanMembers(body.toString('utf8'));
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw validationError(['body must be valid JSON'], unreadableHints(body, error as SyntaxError));
  }
  if (repeated.length > 0)
    throw validationError(repeated.map((path) => readable(`property ${path} must not be repeated`)));
  return value;
}

/** An open object or list: the position of the scan in it. */
type Open = { isList: boolean; names: Set<string> | null; place: string | number };

const [BLANK, QUOTE, BACKSLASH, COLON, COMMA] = [0x20, 0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Paths of repeated members, and the text to parse, truncated after MAX_MEMBERS of an object and closed. Stops at
 * invalid JSON, which the parser then reports.
 */
function scanMembers(text: string): { json: string; repeated: string[] } {
  const open: Open[] = [];
  const repeated: string[] = [];
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case OPEN_OBJECT:
        open.push({ isList: false, names: null, place: '' });
        break;
      case OPEN_LIST:
        open.push({ isList: true, names: null, place: 0 });
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        open.pop();
        break;
      case COMMA: {
        const inner = open.at(-1);
        if (typeof inner?.place === 'number') inner.place++;
        break;
      }
      case QUOTE: {
        const inner = open.at(-1);
        const end = endOfString(text, at);
        if (end === -1) return { json: text, repeated };
        if (inner?.isList === false && text.charCodeAt(afterBlanks(text, end + 1)) === COLON) {
          const name = nameOf(text.slice(at, end + 1));
          if (name === null) return { json: text, repeated };
          inner.place = name;
          inner.names ??= new Set();
          if (inner.names.has(name)) {
            if (repeated.length < MAX_MESSAGES) repeated.push(pathOf(open));
          } else if (inner.names.size === MAX_MEMBERS) {
            const closers = open.map(({ isList }) => (isList ? ']' : '}')).reverse();
            return { json: text.slice(0, text.lastIndexOf(',', at)) + closers.join(''), repeated };
          }
          inner.names.add(name);
        }
        at = end;
      }
    }
  }
  return { json: text, repeated };
}

function pathOf(open: readonly Open[]): string {
  const places = open.slice(-MAX_DEPTH).map(({ place }) => (place === '' ? '""' : place));
  return places.join('.');
}
/** Names in a reported path, the innermost ones; a body may be nested arbitrarily deeply. */
const MAX_DEPTH = 20;

/** The end of the string that starts there; -1: it is not closed. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    // An even number of backslashes are escaped backslashes.
    if ((end - before) % 2 === 1) return end;
  }
  return -1;
}

function afterBlanks(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= BLANK) at++;
  return at;
}

/** The name in a JSON string; null: invalid. */
function nameOf(json: string): string | null {
  if (!json.includes('\\')) return json.slice(1, -1);
  try {
    return JSON.parse(json) as string;
  } catch {
    return null;
  }
}
