import type { Policy } from '../contract.ts';
import { language, nameOf, t } from '../language.ts';
import { usePartnerOptions, useServiceOptions } from '../options.ts';
import { useAll } from '../query.ts';
import { href } from '../router.ts';
import { Loaded } from './failed.tsx';
import { Section } from './page.tsx';
import { type Column, Table } from './table.tsx';

export type Assignment = Policy['assignments'][number];

/** A function that returns the names of an assignment's partner and service. */
export function useAssignmentNames(): (assignment: Assignment) => { partner: string; service: string } {
  const partners = usePartnerOptions();
  const services = useServiceOptions();
  return ({ partnerId, serviceId }) => ({
    partner:
      partnerId === null
        ? t('policies.everyPartner')
        : (partners.find(({ value }) => value === partnerId)?.label ?? '…'),
    service:
      serviceId === null
        ? t('policies.everyService')
        : (services.find(({ value }) => value === serviceId)?.label ?? '…'),
  });
}

/** The scope of a policy in a few words. */
export function AssignedTo({ assignments }: { assignments: readonly Assignment[] }) {
  const namesOf = useAssignmentNames();
  if (assignments.length === 0) return <span class="faint">{t('field.none')}</span>;
  return (
    <>
      {assignments.map((assignment) => {
        const { partner, service } = namesOf(assignment);
        return (
          <div key={`${assignment.partnerId} ${assignment.serviceId}`}>
            <bdi>{partner}</bdi> · <bdi>{service}</bdi>
          </div>
        );
      })}
    </>
  );
}

/** The policies that are assigned to a partner or a service. */
export function PoliciesOf({ field, id, empty }: { field: keyof Assignment; id: string; empty: string }) {
  const query = useAll('listPolicies', { query: {} }, ['catalogue']);
  return (
    <Section
      title={t('nav.policies')}
      actions={
        <a class="button" href={href('/policies')}>
          {t('policies.all')}
        </a>
      }
    >
      <Loaded query={query}>
        {(policies) => (
          <Table
            label={t('nav.policies')}
            rows={policies.filter(({ assignments }) => assignments.some((one) => one[field] === id))}
            id={(policy) => policy.id}
            empty={empty}
            columns={[
              nameColumn(),
              textColumn(),
              {
                name: 'assignments',
                label: t('policies.assignments'),
                cell: ({ assignments }) => (
                  <AssignedTo assignments={assignments.filter((one) => one[field] === id)} />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

export const nameColumn = (): Column<Policy> => ({
  name: 'policy',
  label: t('policies.policy'),
  cell: (policy) => (
    <a class="words" href={href(`/policies/${policy.id}`)}>
      <bdi>{nameOf(policy)}</bdi>
    </a>
  ),
});

/** The fees as customers read them. */
export const textColumn = (): Column<Policy> => ({
  name: 'text',
  label: t('policies.text'),
  cell: ({ textEn, textAr }) => (language.value === 'ar' ? textAr : textEn),
});
