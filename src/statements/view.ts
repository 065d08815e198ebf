import { riyadhIsoOrNull, toRiyadhIso } from '../base/clock.ts';
import { toSignedHalalas } from '../base/money.ts';
import type { AccountRow, LineRow, listLinesOf, SettingsRow, StatementRow } from './queries.ts';
import { netOf, type Totals } from './totals.ts';
import { USUAL_TERMS } from './vat.ts';

/** `ST-2026-000123`: the year of its month. null: a draft. */
export const numberText = (number: number | null, month: string): string | null =>
  number === null ? null : `ST-${month.slice(0, 4)}-${String(number).padStart(6, '0')}`;

const sumView = (sum: { gross: string; vat: string }) => ({
  net: Number(netOf(sum)),
  vat: Number(sum.vat),
  gross: Number(sum.gross),
});

const totalsView = (totals: Totals) => ({
  lines: totals.lines,
  ...sumView(totals),
  taxes: totals.taxes.map(({ category, percent, ...sum }) => ({ category, percent, ...sumView(sum) })),
  collected: Number(totals.collected),
  givenBack: Number(totals.givenBack),
  kept: (toSignedHalalas(totals.collected) + toSignedHalalas(totals.givenBack)) / 100,
});

/** A statement as its partner sees it. */
export const ownStatementView = (row: StatementRow) => ({
  id: row.id,
  number: numberText(row.number, row.month),
  month: row.month.slice(0, 7),
  totals: totalsView(row.totals),
  issuedAt: riyadhIsoOrNull(row.issued_at),
  seller: row.seller,
  buyer: row.buyer,
  paid: row.paid_reference === null ? null : { reference: row.paid_reference, paidOn: row.paid_on! },
});

export const statementView = (row: StatementRow) => ({
  ...ownStatementView(row),
  partnerId: row.partner_id,
  partnerName: row.partner_name,
  status: row.status,
  createdAt: toRiyadhIso(row.created_at),
  createdBy: row.created_by,
  issuedBy: row.issued_by,
});

export const lineView = (row: LineRow) => ({
  line: row.line,
  bookingId: row.booking_id,
  trackingReference: row.tracking_reference,
  externalReference: row.external_reference,
  serviceId: row.service_id,
  serviceNameEn: row.service_name,
  serviceNameAr: row.service_name_ar,
  serviceDate: row.service_date,
  kind: row.kind,
  ...sumView(row),
  vatCategory: row.vat_category,
  vatPercent: row.vat_percent === null ? null : Number(row.vat_percent),
  corrects: row.corrects === null ? null : numberText(row.corrects_number, row.corrects_month!),
});

export const bookingLineView = (row: Awaited<ReturnType<typeof listLinesOf>>[number]) => ({
  ...lineView(row),
  statementId: row.statement_id,
  number: numberText(row.number, row.month)!,
  month: row.month.slice(0, 7),
});

export const settingsView = (row: SettingsRow | null) => ({
  seller: row?.seller ?? null,
  vatRates: row?.vat_rates ?? [...USUAL_TERMS.rates],
  vatCategories: row?.categories ?? USUAL_TERMS.categories,
});

export const accountView = (row: AccountRow) => ({
  partnerId: row.partner_id,
  buyer: row.buyer,
  openedOn: row.opened_on,
});
