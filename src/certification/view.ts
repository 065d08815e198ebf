import { riyadhIsoOrNull, toRiyadhIso } from '../base/clock.ts';
import type { Language } from '../http/bilingual-pages.ts';
import type { Certification } from './certify.ts';
import { isRecommended, POINT_IDS, scoreOf } from './rules.ts';
import { foundInArabic, POINTS } from './texts.ts';

export type CertificationView = ReturnType<typeof certificationView>;

/** A certification in the partners' interface, with the address of its page; texts in the language. */
export function certificationView(
  { row, findings }: Certification,
  publicUrl: string,
  language: Language = 'en',
) {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    status: row.status,
    startedAt: toRiyadhIso(row.started_at),
    finishedAt: riyadhIsoOrNull(row.finished_at),
    score: scoreOf(findings),
    points: POINT_IDS.flatMap((id) => {
      const one = findings[id];
      if (one === undefined) return [];
      const { found, ...finding } = one;
      return {
        id,
        isRecommended: isRecommended(id),
        ...POINTS[language][id],
        ...finding,
        found: language === 'ar' ? foundInArabic(found) : found,
      };
    }),
    pageUrl: `${publicUrl}/certifications/${row.token}`,
  };
}
