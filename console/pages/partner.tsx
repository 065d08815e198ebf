import { call } from '../api.ts';
import type { Partner } from '../contract.ts';
import { t } from '../language.ts';
import type { PageProps } from '../parts/current-page.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { Page } from '../parts/page.tsx';
import { PartnerBadge } from '../parts/partner-badge.tsx';
import { PoliciesOf } from '../parts/policies-of.tsx';
import { ask } from '../parts/questions.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useQuery } from '../query.ts';
import { href } from '../router.ts';
import { may } from '../session.ts';
import { PartnerKeys } from './partner-keys.tsx';
import { PortalLinks } from './partner-portal.tsx';
import { PartnerPrices } from './partner-prices.tsx';
import { PartnerSettings } from './partner-settings.tsx';
import { PartnerStatements } from './partner-statements.tsx';
import { PartnerWebhooks } from './partner-webhooks.tsx';

const PARTS = ['prices', 'keys', 'webhooks', 'statements'];

/** One partner. */
export default function PartnerPage({ params: { id = '', part: asked = '' } }: PageProps) {
  const part = PARTS.includes(asked) ? asked : 'settings';
  const query = useQuery('getPartner', { id }, ['partners']);
  const partner = query.answer?.data;
  return (
    <Page
      title={partner?.name ?? t('field.partner')}
      about={partner && <PartnerBadge status={partner.status} />}
      actions={
        <>
          <a class="button" href={href('/bookings', { partnerId: id })}>
            {t('partners.bookings')}
          </a>
          <a class="button" href={href('/audit', { target: `partner:${id}` })}>
            {t('partners.log')}
          </a>
          <PortalLinks partnerId={id} />
          {partner && <Suspension partner={partner} />}
        </>
      }
    >
      <Tabs
        label={t('partners.parts')}
        tabs={[
          { path: `/partners/${id}`, label: t('partners.settings') },
          { path: `/partners/${id}/prices`, label: t('partners.prices') },
          { path: `/partners/${id}/keys`, label: t('partners.keys') },
          { path: `/partners/${id}/webhooks`, label: t('partners.hooks') },
          { path: `/partners/${id}/statements`, label: t('nav.statements') },
        ]}
      />
      <Loaded query={query}>
        {({ data }) => (
          <>
            {part === 'settings' && (
              <>
                <PartnerSettings partner={data} />
                <PoliciesOf field="partnerId" id={id} empty={t('policies.ofPartner')} />
              </>
            )}
            {part === 'prices' && <PartnerPrices partnerId={id} />}
            {part === 'keys' && <PartnerKeys partnerId={id} />}
            {part === 'webhooks' && <PartnerWebhooks partnerId={id} />}
            {part === 'statements' && <PartnerStatements partnerId={id} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Suspension({ partner: { id, name, status } }: { partner: Partner }) {
  const action = useAction(['partners']);
  const isActive = status === 'ACTIVE';
  if (!may('updatePartner')) return null;
  async function change(): Promise<void> {
    if (isActive) {
      const confirmed = await ask({
        title: t('partners.suspendTitle', { name }),
        text: t('partners.suspendText'),
        confirm: t('partners.suspend'),
        danger: true,
      });
      if (confirmed === null) return;
    }
    const body = { status: isActive ? 'SUSPENDED' : 'ACTIVE' } as const;
    if (await action.run(() => call('updatePartner', { id, body })))
      toast(isActive ? t('partners.nowSuspended') : t('partners.nowActive'));
  }
  return (
    <>
      <button type="button" disabled={action.busy} onClick={() => void change()}>
        {isActive ? t('partners.suspend') : t('partners.activate')}
      </button>
      {action.failure && <Failed failure={action.failure} />}
    </>
  );
}
