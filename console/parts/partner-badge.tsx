import type { Partner } from '../contract.ts';
import { t } from '../language.ts';

export function PartnerBadge({ status }: Pick<Partner, 'status'>) {
  return (
    <span class={`badge ${status === 'ACTIVE' ? 'good' : 'bad'}`}>
      {status === 'ACTIVE' ? t('partners.active') : t('partners.suspended')}
    </span>
  );
}
