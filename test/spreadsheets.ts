/** Files as spreadsheets save them. */

export type Encoding = 'utf-8' | 'utf-8 with a mark' | 'utf-16' | 'windows-1256';

const ARABIC = new Map(
  Array.from({ length: 256 }, (_, byte) => [
    new TextDecoder('windows-1256').decode(Buffer.from([byte])),
    byte,
  ]),
);

/** The text in the encoding. Throws when Windows-1256 lacks a sign of it. */
export function encoded(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-16') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-8 with a mark') return Buffer.from(`\uFEFF${text}`);
  return Buffer.from(
    Array.from(text, (sign) => {
      const byte = ARABIC.get(sign);
      if (byte === undefined) throw new Error(`Windows-1256 has no ${sign}`);
      return byte;
    }),
  );
}
