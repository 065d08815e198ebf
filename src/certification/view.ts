import { riyadhIsoOrNull, toRiyadhIso } from '../base/clock.ts';
import type { Language } from '../http/bilingual-pages.ts';
import type { Certification } from './certify.ts';
import { isRecommended, POINT_IDS, POINTS, scoreOf } from './rules.ts';
import { foundInArabic, POINTS_IN_ARABIC } from './texts.ts';

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
      return language === 'ar'
        ? [
            {
              id,
              isRecommended: isRecommended(id),
              ...POINTS_IN_ARABIC[id],
              ...finding,
              found: foundInArabic(found),
            },
          ]
        : [{ id, isRecommended: isRecommended(id), ...POINTS[id], ...finding, found }];
    }),
    pageUrl: `${publicUrl}/certifications/${row.token}`,
  };
}
