import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { FileHeaders } from '../bookings/schema.ts';
import type { Db } from '../db/connection.ts';
import { statementPolicy } from './page.ts';
import { readFilePart, type StatementRow } from './queries.ts';
import type { FileFormat } from './schema.ts';
import { FileOf, Invoices, PageHeaders } from './schema.ts';
import { refusedDraft } from './statements.ts';
import { numberText } from './view.ts';

/** The files of an issued statement, for both interfaces. */

const TYPES: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

type StatementFile = {
  format: FileFormat;
  name: `${string}.${FileFormat}`;
  operationId: string;
  summary: string;
  responseType?: string;
  responseHeaders: typeof FileHeaders & Partial<typeof PageHeaders>;
  response: { body: TSchema };
};

/** Operation, end of the path and description of each file. */
export const STATEMENT_FILES: readonly StatementFile[] = [
  {
    format: 'csv',
    name: 'lines.csv',
    operationId: 'downloadStatementLines',
    summary: 'Download the lines of a statement as CSV',
    responseType: 'text/csv',
    responseHeaders: FileHeaders,
    response: { body: FileOf('csv') },
  },
  {
    format: 'json',
    name: 'invoices.json',
    operationId: 'downloadStatementInvoices',
    summary: 'Download what a provider of e-invoices needs of a statement',
    responseHeaders: FileHeaders,
    response: { body: Invoices },
  },
  {
    format: 'html',
    name: 'print.html',
    operationId: 'downloadStatementPage',
    summary: 'Download a statement as a page to print, in both languages',
    responseType: 'text/html',
    responseHeaders: { ...FileHeaders, ...PageHeaders },
    response: { body: FileOf('html') },
  },
];

/** Sends a stored file, byte for byte as it was made. Throws INVALID_TRANSITION (a draft). */
export async function sendFile(
  reply: FastifyReply,
  db: Db,
  statement: StatementRow,
  format: FileFormat,
): Promise<never> {
  if (statement.status === 'DRAFT') throw refusedDraft();
  const number = numberText(statement.number, statement.month);
  const first = await readFilePart(db, statement.id, format, 0);
  if (format === 'html') reply.header('content-security-policy', statementPolicy(first!.content.toString()));
  reply.header('content-type', TYPES[format]);
  const place = format === 'html' ? 'inline' : 'attachment';
  reply.header('content-disposition', `${place}; filename="${number}.${format}"`);
  return reply.send(Readable.from(partsOf(db, statement.id, format, first))) as never;
}

async function* partsOf(
  db: Db,
  id: string,
  format: FileFormat,
  first: Awaited<ReturnType<typeof readFilePart>>,
): AsyncGenerator<Buffer> {
  for (let part = 0, found = first; found !== null; found = await readFilePart(db, id, format, ++part))
    yield found.content;
}
