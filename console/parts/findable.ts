import findable from '../findable.json' with { type: 'json' };
import type { PlainKey } from '../language.ts';
import { mayOpen } from '../routes.ts';
import { TEXTS } from '../texts.ts';

/** Pages and acts that the palette finds. */

/** The address, the text, and the words that people use, in both languages. */
const FINDABLE = findable as [address: string, text: PlainKey, words: string][];

/** As it is compared: without case, marks, and the spellings of one Arabic letter. */
const folded = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ة', 'ه').replaceAll('ى', 'ي').toLowerCase();

const wordsOf = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Pages and acts of the role by prefixes of their words; all without a prefix. */
export function findablesOf(typed: string): { address: string; text: PlainKey }[] {
  const wanted = wordsOf(typed);
  return FINDABLE.flatMap(([address, text, words]) => {
    const known = wordsOf(`${TEXTS[text].en} ${TEXTS[text].ar} ${words}`);
    const isFound = wanted.every((word) =>
      known.some((one) => one.startsWith(word) || one.startsWith(`ال${word}`)),
    );
    return isFound && mayOpen(address.split('?')[0] || '/') ? [{ address, text }] : [];
  });
}
