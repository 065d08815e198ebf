import { toRiyadhIso } from '../base/clock.ts';
import { toSignedHalalas, toSignedSar } from '../base/money.ts';
import type { Tx } from '../db/connection.ts';
import { BYTE_ORDER_MARK, csvColumns, csvLine, csvRow } from '../http/csv.ts';
import type { Line } from './lines.ts';
import { statementPage } from './page.ts';
import { insertFilePart, type LineRow, listCorrected, listLines, type StatementRow } from './queries.ts';
import { type FileFormat, Line as LineSchema } from './schema.ts';
import { type Group, netOf, totalsOf } from './totals.ts';
import { lineView, numberText, ownStatementView } from './view.ts';

/** The files of an issued statement, which are stored as they are made here (docs/statements.md). */

/** Lines of one statement of the database. */
const BATCH = 2_000;
/** Characters of a stored part at least. */
const PART = 1_000_000;
/** The page to print lists no more lines: the CSV has all. */
const MOST_ON_PAGE = 1_000;

/** Writes them; the statement is about to be issued. */
export async function writeFiles(tx: Tx, statement: StatementRow): Promise<void> {
  await writeFile(tx, statement.id, 'csv', csvOf(tx, statement));
  await writeFile(tx, statement.id, 'json', jsonOf(tx, statement));
  await writeFile(tx, statement.id, 'html', pageOf(tx, statement));
}

async function writeFile(
  tx: Tx,
  id: string,
  format: FileFormat,
  texts: AsyncIterable<string>,
): Promise<void> {
  let part = 0;
  let text = '';
  const flush = async () => {
    if (text !== '')
      await insertFilePart(tx, { statement_id: id, format, part: part++, content: Buffer.from(text) });
    text = '';
  };
  for await (const more of texts) {
    text += more;
    if (text.length >= PART) await flush();
  }
  await flush();
}

async function* linesIn(
  tx: Tx,
  id: string,
  which: { document?: NonNullable<Line['document']>; credited?: string } = {},
): AsyncGenerator<LineRow[]> {
  for (let after = 0; ; ) {
    const rows = await listLines(tx, id, { after, limit: BATCH, ...which });
    const isLast = rows.length < BATCH;
    // The lines of a booking stay together.
    const whole = isLast
      ? rows
      : rows.slice(
          0,
          rows.findIndex((row) => row.booking_id === rows.at(-1)!.booking_id),
        );
    if (whole.length > 0) yield whole;
    if (isLast) return;
    after = whole.at(-1)!.line;
  }
}

const COLUMNS = csvColumns(LineSchema);

async function* csvOf(tx: Tx, { id }: StatementRow): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS.map(({ name }) => name));
  for await (const rows of linesIn(tx, id)) yield rows.map((row) => csvRow(COLUMNS, lineView(row))).join('');
}

async function* pageOf(tx: Tx, statement: StatementRow): AsyncGenerator<string> {
  const rows = await listLines(tx, statement.id, { after: 0, limit: MOST_ON_PAGE });
  yield statementPage(ownStatementView(statement), rows.map(lineView));
}

/** Codes of UNTDID 1001: an invoice, and credit notes for earlier ones. */
const TYPES = { INVOICE: '388', CREDIT: '381' } as const;
/** A tax invoice between businesses, as Saudi e-invoices name it. */
const SUBTYPE = '0100000';

/**
 * The documents that a provider of e-invoices signs: one invoice, and a credit note for each earlier statement that is
 * corrected. Amounts of a credit note are positive. A booking is one line of a document.
 */
async function* jsonOf(tx: Tx, statement: StatementRow): AsyncGenerator<string> {
  const { id, month } = statement;
  const number = numberText(statement.number, month)!;
  yield `{"statement":${JSON.stringify({ ...ownStatementView(statement), currency: 'SAR' })},"documents":[`;
  const corrected = await listCorrected(tx, id);
  const documents = [
    { document: 'INVOICE' as const, number, corrects: null },
    ...corrected.map((one, index) => ({
      document: 'CREDIT' as const,
      number: `${number}-${index + 1}`,
      corrects: numberText(one.number, one.month),
      credited: one.id,
    })),
  ];
  let isFirst = true;
  for (const { document, number, corrects, ...which } of documents) {
    let sums: Group[] = [];
    const head = {
      number,
      typeCode: TYPES[document],
      subtype: SUBTYPE,
      issuedAt: toRiyadhIso(statement.issued_at!),
      currency: 'SAR',
      supplyMonth: month.slice(0, 7),
      corrects,
      reason: corrects === null ? null : `Correction of ${corrects}`,
      seller: statement.seller,
      buyer: statement.buyer,
    };
    for await (const rows of linesIn(tx, id, { document, ...which })) {
      const found = documentLines(rows, document === 'CREDIT' ? -1 : 1);
      if (sums.length === 0) yield `${isFirst ? '' : ','}${JSON.stringify(head).slice(0, -1)},"lines":[`;
      yield `${sums.length === 0 ? '' : ','}${found.map((line) => JSON.stringify(line)).join()}`;
      sums = summed([...sums, ...found.map(groupOf)]);
      isFirst = false;
    }
    if (sums.length > 0) yield `],"totals":${JSON.stringify(documentTotals(sums))}}`;
  }
  yield ']}\n';
}

/** The lines of each booking, category and rate as one; such lines follow one another. */
function documentLines(rows: readonly LineRow[], sign: 1 | -1) {
  const grouped = Map.groupBy(rows, (row) => `${row.booking_id} ${row.vat_category} ${row.vat_percent}`);
  return [...grouped.values()].map((some) => {
    const [first] = some as [LineRow];
    const sumOf = (of: 'gross' | 'vat') =>
      toSignedSar(sign * some.reduce((sum, row) => sum + toSignedHalalas(row[of]), 0));
    const sum = { gross: sumOf('gross'), vat: sumOf('vat') };
    return {
      id: first.line,
      name: first.service_name,
      nameAr: first.service_name_ar,
      kinds: some.map(({ kind }) => kind),
      bookingId: first.booking_id,
      trackingReference: first.tracking_reference,
      externalReference: first.external_reference,
      serviceDate: first.service_date,
      quantity: 1,
      category: first.vat_category!,
      percent: Number(first.vat_percent),
      net: netOf(sum),
      ...sum,
    };
  });
}

type DocumentLine = ReturnType<typeof documentLines>[number];

const groupOf = ({ category, percent, gross, vat }: DocumentLine): Group => ({
  kind: 'VISIT',
  category,
  percent: String(percent),
  gross,
  vat,
  lines: 1,
});

/** One for each category and rate. */
const summed = (groups: readonly Group[]): Group[] =>
  totalsOf(groups).taxes.map(({ category, percent, gross, vat }) => ({
    kind: 'VISIT',
    category,
    percent: String(percent),
    gross,
    vat,
    lines: 1,
  }));

function documentTotals(groups: readonly Group[]) {
  const { gross, vat, taxes } = totalsOf(groups);
  return {
    net: netOf({ gross, vat }),
    vat,
    gross,
    taxes: taxes.map((tax) => ({ ...tax, net: netOf(tax) })),
  };
}
