import { inlined, inlinedFile, isolated, pageHeaders } from '../http/bilingual-pages.ts';
import { type Html, html } from '../http/html.ts';
import type { Party } from './schema.ts';
import type { lineView, ownStatementView } from './view.ts';

/** A statement as a page to print, in both languages at once: no script, nothing loaded from elsewhere. */

const style = inlinedFile(new URL('page.css', import.meta.url));

/** The Content-Security-Policy of a stored page, whose style sheet may be another version's. */
export function statementPolicy(page: string): string {
  const [, css = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
  return pageHeaders('en', inlined(css))['content-security-policy']!;
}

const KINDS = {
  VISIT: ['Visit', 'زيارة'],
  FEE: ['Cancellation fee', 'رسوم إلغاء'],
  WAIVER: ['Given back', 'مبلغ معاد'],
  COLLECTED: ['Collected', 'محصّل'],
  GIVEN_BACK: ['Refunded', 'مسترد'],
} as const;

type Statement = ReturnType<typeof ownStatementView>;
type Line = ReturnType<typeof lineView>;

/** The page; lines may be fewer than the statement has. */
export function statementPage(statement: Statement, lines: readonly Line[]): string {
  const { number, month, totals, issuedAt, seller, buyer } = statement;
  const issued = issuedAt!.slice(0, 10);
  const title = `${number} · ${month}`;
  return html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style().text}</style>
</head>
<body>
<main>
<h1>Statement ${both('كشف حساب')} <bdi dir="ltr">${number}</bdi></h1>
<p>Month ${both('الشهر')} <bdi dir="ltr">${month}</bdi> · Issued ${both('صدر في')} <time datetime="${issuedAt}">${issued}</time></p>
<p class="quiet">Amounts are SAR. Prices include VAT. ${both('المبالغ بالريال السعودي، والأسعار شاملة لضريبة القيمة المضافة.')}</p>
<div class="parties">
${partyBlock('From', 'من', seller!)}
${partyBlock('To', 'إلى', buyer!)}
</div>
<div class="totals">
<table>
<thead><tr><th>VAT ${both('الضريبة')}</th><th class="number">Net ${both('الصافي')}</th><th class="number">VAT ${both('الضريبة')}</th><th class="number">Total ${both('المجموع')}</th></tr></thead>
<tbody>
${totals.taxes.map(
  ({ category, percent, ...sum }) =>
    html`<tr><td>${category} · <bdi dir="ltr">${String(percent)}%</bdi></td>${sumCells(sum)}</tr>\n`,
)}<tr class="due"><th>Due ${both('المستحق')}</th>${sumCells(totals)}</tr>
</tbody>
</table>
</div>
${
  (totals.collected !== 0 || totals.givenBack !== 0) &&
  html`<p>Paid by customers by links, for information ${both('دفعه العملاء بالروابط، للعلم')}: ${money(totals.collected)} · refunded ${both('مسترد')} ${money(totals.givenBack)} · kept ${both('المحتفظ به')} ${money(totals.kept)}</p>`
}
<div class="scroll">
<table>
<thead><tr><th>#</th><th>Date ${both('التاريخ')}</th><th>Visit ${both('الزيارة')}</th><th>Service ${both('الخدمة')}</th><th>What ${both('البند')}</th><th class="number">Net ${both('الصافي')}</th><th class="number">VAT ${both('الضريبة')}</th><th class="number">Total ${both('المجموع')}</th></tr></thead>
<tbody>
${lines.map(lineRow)}</tbody>
</table>
</div>
${
  lines.length < totals.lines &&
  html`<p class="quiet">The first ${String(lines.length)} of ${String(totals.lines)} lines: the CSV has all of them. ${both('السطور كلها في ملف CSV.')}</p>`
}
</main>
</body>
</html>
`.toString();
}

function lineRow(line: Line): Html {
  const [english, arabic] = KINDS[line.kind];
  return html`<tr><td>${String(line.line)}</td><td><bdi dir="ltr">${line.serviceDate}</bdi></td><td><bdi dir="ltr">${line.trackingReference}</bdi>${line.externalReference !== null && html`<br>${isolated(line.externalReference)}`}</td><td>${isolated(line.serviceNameEn)}${line.serviceNameAr !== null && html`<br><bdi lang="ar">${line.serviceNameAr}</bdi>`}</td><td>${english} ${both(arabic)}${line.corrects !== null && html`<br><span class="quiet">corrects ${both('يصحح')} <bdi dir="ltr">${line.corrects}</bdi></span>`}</td>${sumCells(line)}</tr>
`;
}

const both = (arabic: string): Html => html`<span lang="ar" dir="rtl">${arabic}</span>`;

const money = (sar: number): Html => html`<bdi dir="ltr">${sar.toFixed(2)}</bdi>`;

const sumCells = ({ net, vat, gross }: { net: number; vat: number; gross: number }): Html[] =>
  [net, vat, gross].map((sum) => html`<td class="number">${money(sum)}</td>`);

function partyBlock(english: string, arabic: string, party: Party): Html {
  const { legalNameEn, legalNameAr, vatNumber, registrationNumber, address } = party;
  const { buildingNumber, street, district, city, postalCode, additionalNumber } = address;
  return html`<div>
<h2>${english} ${both(arabic)}</h2>
<p>${isolated(legalNameEn)}</p>
<p lang="ar" dir="rtl">${isolated(legalNameAr)}</p>
<p>${isolated(`${buildingNumber} ${street}, ${district}, ${city} ${postalCode}${additionalNumber == null ? '' : `-${additionalNumber}`}`)}</p>
${vatNumber !== null && html`<p>VAT ${both('الرقم الضريبي')} <bdi dir="ltr">${vatNumber}</bdi></p>`}
${registrationNumber !== null && html`<p>Registration ${both('السجل')} <bdi dir="ltr">${registrationNumber}</bdi></p>`}
</div>`;
}
