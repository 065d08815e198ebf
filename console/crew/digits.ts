/** The zeros of the digits on the keyboards of the page's languages: Arabic, Persian and Urdu, Hindi, Bengali. */
const ZEROS = ['\u0660', '\u06f0', '\u0966', '\u09e6'].map((zero) => zero.charCodeAt(0));

/** The text with the digits 0 to 9 for those of any keyboard. */
export const asciiDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = ZEROS.find((one) => code >= one && code < one + 10);
    return zero === undefined ? digit : String(code - zero);
  });
