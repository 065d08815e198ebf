import { decoded } from '../runtime/masking.ts';
import type { Bodies } from './rules.ts';

/** Whether a request of the log is about a person; pure. */

/** The path and the bodies of a request, as a sandbox keeps them. */
export type LoggedTexts = { status: number; path: string | null; bodies: Bodies | null };

export type Person = { ids: ReadonlySet<string>; name: string };

const UUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/**
 * By an id of hers, or by her name: as a whole value of the path, or of a body of a request that was refused and so has no id;
 * a name of several words also within a value. So a short name is not found in what is about others.
 */
export function isAbout({ status, path, bodies }: LoggedTexts, { ids, name }: Person): boolean {
  const kept = Object.values(bodies ?? {}).filter((body) => body !== null && typeof body !== 'boolean');
  const texts = kept.map((body) => (typeof body === 'string' ? body : JSON.stringify(body)));
  for (const text of [path ?? '', ...texts])
    for (const [id] of text.matchAll(UUIDS)) if (ids.has(id.toLowerCase())) return true;
  const wanted = wordsOf(name);
  if (wanted === '') return false;
  const isLong = wanted.includes(' ');
  const isNamed = (text: string, whole: boolean): boolean => {
    const words = wordsOf(text);
    return (whole && words === wanted) || (isLong && ` ${words} `.includes(` ${wanted} `));
  };
  const values = texts.flatMap(valuesOf);
  return (
    (path ?? '').split(/[/?&=]/).some((part) => isNamed(decoded(part.replaceAll('+', ' ')), true)) ||
    values.some((value) => isNamed(value, status >= 400))
  );
}

/** In lower case, without what is between the words. */
const wordsOf = (text: string): string =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join(' ');

/** The texts in a body: not the names of its fields. One that was cut off is one text. */
function valuesOf(body: string): string[] {
  const values: string[] = [];
  try {
    JSON.parse(body, (_name, value: unknown) => {
      if (typeof value === 'string') values.push(value);
    });
  } catch {
    return [body];
  }
  return values;
}
