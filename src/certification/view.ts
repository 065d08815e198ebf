import { toRiyadhIso } from '../clock.ts';
import type { Certification } from './certify.ts';
import { POINT_IDS, POINTS, scoreOf } from './rules.ts';

export type CertificationView = ReturnType<typeof certificationView>;

export function certificationView({ row, findings }: Certification, publicUrl: string) {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    status: row.status,
    startedAt: toRiyadhIso(row.started_at),
    finishedAt: row.finished_at === null ? null : toRiyadhIso(row.finished_at),
    score: scoreOf(findings),
    points: POINT_IDS.map((id) => ({ id, ...POINTS[id], ...findings[id] })),
    pageUrl: `${publicUrl}/certifications/${row.token}`,
  };
}
