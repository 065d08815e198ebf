import type { TSchema } from 'typebox';
import { escapedLines } from '../base/text.ts';

/** Rows as CSV (RFC 4180), safe to open in spreadsheets; pure. */

/** A column: its name in the header line, and the path of its value in a row. */
export type CsvColumn = { name: string; path: readonly string[] };

/** Begins a file: without it spreadsheets do not detect UTF-8, and Arabic is unreadable. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** `notInFiles`: it has no column. */
type Shape = { properties?: Record<string, Shape>; anyOf?: Shape[]; notInFiles?: boolean };

/**
 * The columns of rows with this schema, nested objects as `contact.name`. Taken from the schema, so that they are the
 * same for every list, also an empty one. A list within a row is one column.
 */
export function csvColumns(schema: TSchema, path: readonly string[] = []): CsvColumn[] {
  const { properties, anyOf = [], notInFiles } = schema as Shape;
  if (notInFiles) return [];
  const nested = properties ?? anyOf.find((one) => one.properties !== undefined)?.properties;
  if (nested === undefined) return [{ name: path.join('.'), path }];
  return Object.entries(nested).flatMap(([name, one]) => csvColumns(one as TSchema, [...path, name]));
}

/** A line with its end. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** The line of a row: the cell of each column, empty without a value. */
export function csvRow(columns: readonly CsvColumn[], row: unknown): string {
  return csvLine(
    columns.map(({ path }) =>
      path.reduce<unknown>(
        (value, name) =>
          value === null || value === undefined ? value : (value as Record<string, unknown>)[name],
        row,
      ),
    ),
  );
}

/** Formulas of spreadsheets, also behind spaces or quotes, which some trim first. */
const FORMULA = /^[\s\uFEFF"]*[=+\-@\t\r＝＋－＠]/;
/**
 * Formulas after a character that some take for the end of a cell: with semicolons or tabs as separators, quotes do not
 * count.
 */
const INNER_FORMULA = /([,;|\t\r\n][\s\uFEFF"']*)(?=[=+\-@＝＋－＠])/g;

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = escapedLines(typeof value === 'string' ? value : JSON.stringify(value));
  const begun = FORMULA.test(text) ? `'${text}` : text;
  const harmless = begun.replaceAll(INNER_FORMULA, "$1'");
  return /[",;|\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
