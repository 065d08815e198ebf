/** Between what is typed into fields and what the service takes. */

/** The lines of a text, without empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

const ARABIC_DIGITS = /[٠-٩]/g;

/** A number as typed, also with Arabic digits; nothing when empty. What is no number goes as it is, so that the service refuses it by name. */
export function numberOf(text: string): number | undefined {
  const typed = text.trim().replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) - 0x660));
  if (typed === '') return undefined;
  return Number.isNaN(Number(typed)) ? (typed as unknown as number) : Number(typed);
}
