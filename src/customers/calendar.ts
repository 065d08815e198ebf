import { type Instant, toUtcIso } from '../base/clock.ts';
import { plainLine } from '../base/text.ts';
import type { Language } from '../http/bilingual-pages.ts';
import type { VisitRow } from './page-queries.ts';

/** Octets of a line (RFC 5545, 3.1). */
const MAX_LINE = 75;

const utc = (at: Instant): string => toUtcIso(at).replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
const escaped = (text: string): string => plainLine(text).replaceAll(/[\\;,]/g, '\\$&');

/** A line, folded between letters. */
function folded(line: string): string {
  const lines = [''];
  for (const letter of line) {
    if (Buffer.byteLength(lines.at(-1)! + letter) > MAX_LINE) lines.push(' ');
    lines[lines.length - 1] += letter;
  }
  return lines.join('\r\n');
}

/** The visit as an iCalendar file: one that is opened again after a move replaces the entry. */
export function visitCalendar(visit: VisitRow, url: string, now: Instant, language: Language): string {
  const service = language === 'ar' ? visit.service_name_ar : visit.service_name;
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Partner Booking Service//Visits//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${visit.booking_id}`,
    `SEQUENCE:${visit.changes}`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(visit.starts_at)}`,
    `DTEND:${utc(visit.ends_at)}`,
    `SUMMARY:${escaped(`${service} - ${visit.partner_name}`)}`,
    `DESCRIPTION:${escaped(visit.appointment_name)}\\n${escaped(url)}`,
    `URL:${url}`,
    `STATUS:${visit.status === 'waiting payment' ? 'TENTATIVE' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
    .map(folded)
    .join('\r\n');
}
