import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { actorText } from '../audit/sentence.tsx';
import type { Policy } from '../contract.ts';
import { dateTime, number } from '../format.ts';
import { language, nameOf, t } from '../language.ts';
import { usePartnerOptions, useServiceOptions } from '../options.ts';
import type { PageProps } from '../parts/current-page.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { Form, SelectField, useForm } from '../parts/fields.tsx';
import { Linked } from '../parts/linked.tsx';
import { Page, Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { type Assignment, useAssignmentNames } from '../parts/policies-of.tsx';
import { ask } from '../parts/questions.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { invalid, useAction, useQuery } from '../query.ts';
import { href } from '../router.ts';
import { may } from '../session.ts';
import { PolicyDialog } from './policy-dialog.tsx';

const CHANGED = ['catalogue'] as const;

/** A policy: its text, whose bookings it holds for, and its versions. */
export default function PolicyPage({ params: { id = '' } }: PageProps) {
  const query = useQuery('getPolicy', { id }, CHANGED);
  const [isOpen, setOpen] = useState(false);
  const policy = query.answer?.data;
  return (
    <Page
      title={policy === undefined ? t('policies.policy') : nameOf(policy)}
      about={policy && `${t('policies.version')} ${number(policy.version)}`}
      actions={
        <>
          <a class="button" href={href('/audit', { target: `policy:${id}` })}>
            {t('service.log')}
          </a>
          {policy && may('updatePolicy') && (
            <button type="button" onClick={() => setOpen(true)}>
              {t('policies.newVersion')}
            </button>
          )}
        </>
      }
    >
      <Loaded query={query}>
        {({ data }) => (
          <>
            <Section title={t('policies.text')}>
              <Facts
                facts={[
                  {
                    label: t('policies.english'),
                    value: (
                      <div lang="en" dir="ltr">
                        {data.textEn}
                      </div>
                    ),
                  },
                  {
                    label: t('policies.arabic'),
                    value: (
                      <div lang="ar" dir="rtl">
                        {data.textAr}
                      </div>
                    ),
                  },
                ]}
              />
            </Section>
            <Assignments policy={data} />
            <Versions policy={data} />
            {isOpen && <PolicyDialog policy={data} onClose={() => setOpen(false)} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const isSame = (one: Assignment, other: Assignment): boolean =>
  one.partnerId === other.partnerId && one.serviceId === other.serviceId;

/** Partners and services of the policy; each change is a new version. */
function Assignments({ policy }: { policy: Policy }) {
  const { id, version, assignments } = policy;
  const namesOf = useAssignmentNames();
  const action = useAction(CHANGED);
  const [isOpen, setOpen] = useState(false);
  async function end(ended: Assignment): Promise<void> {
    const confirmed = await ask({
      title: t('policies.unassignTitle', { name: nameOf(policy) }),
      text: t('policies.unassignText'),
      confirm: t('policies.unassign'),
      danger: true,
    });
    if (confirmed === null) return;
    const body = { assignments: assignments.filter((one) => !isSame(one, ended)) };
    if (await action.run(() => call('updatePolicy', { id, body }, { ifMatch: version })))
      toast(t('policies.unassignedNow'));
  }
  const actions: Column<Assignment> = {
    name: 'actions',
    label: t('act.actions'),
    cell: (assignment) => (
      <button type="button" class="small" disabled={action.busy} onClick={() => void end(assignment)}>
        {t('policies.unassign')}
      </button>
    ),
  };
  return (
    <Section
      title={t('policies.assignments')}
      actions={
        may('updatePolicy') && (
          <button type="button" onClick={() => setOpen(true)}>
            {t('policies.assign')}
          </button>
        )
      }
    >
      <p class="faint">{t('policies.assignmentsHint')}</p>
      {action.failure && <Failed failure={action.failure} />}
      <Table
        label={t('policies.assignments')}
        rows={assignments}
        id={({ partnerId, serviceId }) => `${partnerId} ${serviceId}`}
        empty={t('policies.unassigned')}
        columns={[
          {
            name: 'partner',
            label: t('field.partner'),
            cell: (one) => (
              <Linked address={one.partnerId && `/partners/${one.partnerId}`} text={namesOf(one).partner} />
            ),
          },
          {
            name: 'service',
            label: t('field.service'),
            cell: (one) => (
              <Linked
                address={one.serviceId && `/catalogue/services/${one.serviceId}`}
                text={namesOf(one).service}
              />
            ),
          },
          ...(may('updatePolicy') ? [actions] : []),
        ]}
      />
      {isOpen && <AssignDialog policy={policy} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function AssignDialog({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const partners = usePartnerOptions();
  const services = useServiceOptions();
  const form = useForm({ partnerId: '', serviceId: '' }, CHANGED);
  return (
    <Dialog title={t('policies.assignTo', { name: nameOf(policy) })} onClose={onClose}>
      <p class="faint">{t('policies.newVersionHint')}</p>
      <Form
        form={form}
        submit={t('policies.assign')}
        onClose={onClose}
        onDone={() => {
          toast(t('policies.assigned'));
          onClose();
        }}
        send={async ({ partnerId, serviceId }) => {
          if (partnerId === '' && serviceId === '') throw invalid(t('policies.chooseOne'));
          const added = { partnerId: partnerId || null, serviceId: serviceId || null };
          const assignments = [...policy.assignments.filter((one) => !isSame(one, added)), added];
          return call('updatePolicy', { id: policy.id, body: { assignments } }, { ifMatch: policy.version });
        }}
      >
        <SelectField
          form={form}
          name="partnerId"
          label={t('field.partner')}
          options={[{ value: '', label: t('policies.everyPartner') }, ...partners]}
        />
        <SelectField
          form={form}
          name="serviceId"
          label={t('field.service')}
          options={[{ value: '', label: t('policies.everyService') }, ...services]}
        />
      </Form>
    </Dialog>
  );
}

/** All versions, the newest first. */
function Versions({ policy }: { policy: Policy }) {
  const query = useQuery('listPolicyVersions', { id: policy.id }, CHANGED);
  return (
    <Section title={t('policies.versions')}>
      <PagedTable
        query={query}
        label={t('policies.versions')}
        id={({ versionId }) => versionId}
        empty=""
        columns={[
          { name: 'version', label: t('policies.version'), cell: ({ version }) => number(version) },
          { name: 'at', label: t('field.created'), cell: ({ createdAt }) => dateTime(createdAt) },
          {
            name: 'by',
            label: t('policies.by'),
            cell: ({ createdBy, createdByName }) => <bdi>{actorText(createdBy, createdByName)}</bdi>,
          },
          {
            name: 'text',
            label: t('policies.text'),
            cell: ({ textEn, textAr }) => (language.value === 'ar' ? textAr : textEn),
          },
        ]}
      />
    </Section>
  );
}
