import { CsvError, parse } from 'csv-parse/sync';
import { isCalendarDate } from '../base/clock.ts';
import { foldedText, withAsciiDigits } from '../base/text.ts';

/** Tables as spreadsheets save them; pure. Rows have the numbers that spreadsheets show: that of the names is 1. */

export type CsvTable = { header: string[]; rows: { row: number; cells: string[] }[] };

const MAX_BYTES = 10_000_000;
const MAX_ROWS = 20_000;
const SAVE_AGAIN = 'save it in Excel as "CSV UTF-8 (Comma delimited)"';

/** The table of a file, without blank rows; null: it is none, and a fault that begins with the file's name says why. */
export function readCsv(name: string, bytes: Buffer): { table: CsvTable | null; faults: string[] } {
  try {
    const [header = [], ...rest] = recordsOf(textOf(bytes));
    const all = rest.map((cells, index) => ({
      row: index + 2,
      cells: Array.from({ length: Math.max(header.length, cells.length) }, (_, at) => cells[at] ?? ''),
    }));
    const rows = all.filter(({ cells }) => cells.some((cell) => cell !== ''));
    if (rows.length === 0) throw new RangeError('must have the names of columns, and rows below them');
    if (rows.length > MAX_ROWS) throw new RangeError(`must have at most ${MAX_ROWS} rows: split it`);
    return { table: { header, rows }, faults: [] };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { table: null, faults: [`${name}: ${error.message}`] };
  }
}

/** Throws RangeError. */
function textOf(bytes: Buffer): string {
  if (bytes.length > MAX_BYTES) throw new RangeError('must have at most 10 MB: split it');
  const text = decoded(bytes);
  if (text.includes('\0')) throw new RangeError(`is no CSV: ${SAVE_AGAIN}`);
  // UTF-8 that was taken for Windows-1256: each Arabic letter has become one of these two, and a sign.
  const [all, two] = [/\p{Script=Arabic}/gu, /[طظ]/g].map((sign) => text.match(sign)?.length ?? 0);
  if (two! >= 6 && two! * 4 > all!) throw new RangeError(`its Arabic cannot be read ("ط§ظ„"): ${SAVE_AGAIN}`);
  return text;
}

function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    if (bytes[0] !== 0xef || bytes[1] !== 0xbb) return new TextDecoder('windows-1256').decode(bytes);
    throw new RangeError(`begins as UTF-8, and is not: ${SAVE_AGAIN}`);
  }
}

/** Throws RangeError. */
function recordsOf(text: string): string[][] {
  // Spreadsheets neither show nor count this line.
  const [line, told] = /^"?sep=([,;\t])"?(?:\r\n|\r|\n)/i.exec(text) ?? ['', undefined];
  const body = text.slice(line.length);
  const names = body.split(/[\r\n]/, 1)[0]!;
  const [widest] = [',', ';', '\t'].sort((a, b) => names.split(b).length - names.split(a).length);
  const delimiter = told ?? widest!;
  try {
    return parse(body, { delimiter, relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'] }).map(
      (cells) => cells.map(cleaned),
    );
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = Number(error.records) + 1;
    throw new RangeError(
      `row ${row}: a quote is not closed, or stands alone: write "" for one that is meant`,
    );
  }
}

const EDGE = '[\\s\\u061c\\u200e\\u200f\\ufeff]+';
const EDGES = new RegExp(`^${EDGE}|${EDGE}$`, 'g');
/** Without blanks and marks of direction around it, and what our own files put before a formula. */
const cleaned = (cell: string): string =>
  cell
    .replaceAll(EDGES, '')
    .replaceAll(/\r\n?/g, '\n')
    .replace(/^'(?=[=+\-@])/, '');

/** Its names, the first of which is told; `read` returns what a cell means (else its text), or throws RangeError. */
export type TableColumn = {
  names: readonly [string, ...string[]];
  must?: 'be there' | 'be filled';
  read?: (text: string) => unknown;
};
export type TableColumns = Readonly<Record<string, TableColumn>>;
/** What the filled cells mean, and the faults of the others. */
export type TableRow<Columns extends TableColumns> = {
  row: number;
  values: {
    [Name in keyof Columns]?: Columns[Name] extends { read: (text: string) => infer T } ? T : string;
  };
  faults: string[];
};

/** As names are compared, whatever the case and the signs between words. */
export const nameKey = (name: string): string => foldedText(name).replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The columns by their places in the header; null: not one of these. */
export const columnsIn = ({ header }: CsvTable, columns: TableColumns): (string | null)[] =>
  header.map((cell) => {
    const isIts = ([, { names }]: [string, TableColumn]) =>
      names.some((name) => nameKey(name) === nameKey(cell));
    return Object.entries(columns).find(isIts)?.[0] ?? null;
  });

/** The rows, and faults of the header. */
export function rowsOf<const Columns extends TableColumns>(
  table: CsvTable,
  columns: Columns,
): { rows: TableRow<Columns>[]; faults: string[] } {
  const found = columnsIn(table, columns);
  const named = (index: number): string => `column ${table.header[index] || index + 1}`;
  const faults = table.header.flatMap((cell, index) => {
    const isKnown = found[index] !== null;
    if (cell === '' || (isKnown && found.indexOf(found[index]!) === index)) return [];
    return [`row 1, ${named(index)}: ${isKnown ? 'is there twice' : 'is not known'}`];
  });
  for (const [name, { names, must }] of Object.entries(columns))
    if (must && !found.includes(name)) faults.push(`row 1: the column ${names[0]} is missing`);
  const rows = table.rows.map(({ row, cells }) => {
    const values: Record<string, unknown> = {};
    const wrong = cells.flatMap((cell, index) => {
      const column = columns[found[index] ?? ''];
      try {
        if (cell === '' && column?.must === 'be filled') throw new RangeError('must not be empty');
        if (cell !== '' && !table.header[index]) throw new RangeError('has no name in row 1');
        if (cell !== '' && column) values[found[index]!] = column.read?.(cell) ?? cell;
        return [];
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return [`row ${row}, ${named(index)}: ${error.message}`];
      }
    });
    return { row, values: values as TableRow<Columns>['values'], faults: wrong };
  });
  return { rows, faults };
}

/** SAR with at most two decimals. Throws RangeError; nothing is guessed. */
export function readMoney(text: string): number {
  const plain = withAsciiDigits(text).replaceAll('٫', '.');
  if (/^\d{1,10}(?:[.,]\d{1,2})?$/.test(plain)) return Number(plain.replace(',', '.'));
  const why = /\d[.,٬'\s]\d{3}(?!\d)/.test(plain) ? `${text} seems to have a separator of thousands: ` : '';
  throw new RangeError(`${why}must be an amount with at most two decimals, such as 1234.50 or 1234,50`);
}

/** In the message about a date whose month is a day: no other date of the file is certain then. */
export const MONTH_FIRST = 'the day stands before the month';

/** `2026-12-06` or `06/12/2026` as a Riyadh date. Throws RangeError; a month is never taken for a day. */
export function readDate(text: string): string {
  const plain = withAsciiDigits(text);
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(plain)?.slice(1);
  const parts = iso ?? /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(plain)?.slice(1).reverse();
  if (parts === undefined) throw new RangeError('must be a date, such as 2026-12-06 or 06/12/2026');
  const [year, month, day] = parts.map((part) => part.padStart(2, '0'));
  if (isCalendarDate(`${year}-${month}-${day}`)) return `${year}-${month}-${day}`;
  const why = !iso && isCalendarDate(`${year}-${day}-${month}`) ? `: ${MONTH_FIRST}` : '';
  throw new RangeError(`there is no date ${text}${why}`);
}

/** `9:00`, `09:00:00`, `2:30 PM` as `HH:MM`; 24:00 is 00:00. Throws RangeError. */
export function readTime(text: string): string {
  const [, hours, minutes, half] =
    /^(\d{1,2}):([0-5]\d)(?::00)?\s*([ap]\.?m\.?|[صم])?$/i.exec(withAsciiDigits(text)) ?? [];
  const told = Number(hours);
  const isTime = half ? told >= 1 && told <= 12 : told * 60 + Number(minutes) <= 1_440;
  if (!isTime) throw new RangeError('must be a time, such as 09:00 or 14:30');
  const hour = half ? (told % 12) + (/^[pم]/i.test(half) ? 12 : 0) : told % 24;
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

/** A whole number. Throws RangeError outside of the range. */
export const readWhole = (from: number, to: number) => (text: string) => {
  const plain = withAsciiDigits(text);
  if (/^\d{1,9}$/.test(plain) && Number(plain) >= from && Number(plain) <= to) return Number(plain);
  throw new RangeError(`must be a whole number from ${from} to ${to}`);
};
