import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { StatementAccount } from '../contract.ts';
import { dateIn, dayOf } from '../format.ts';
import { t } from '../language.ts';
import { EditDialog } from '../parts/edit-dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Loaded } from '../parts/failed.tsx';
import { TextField, useForm } from '../parts/fields.tsx';
import { Section } from '../parts/page.tsx';
import { PartyFields, PartyText, partyOf, partyValues } from '../parts/party.tsx';
import { useQuery } from '../query.ts';
import { href } from '../router.ts';
import { may, now } from '../session.ts';

/** Who the partner is on its statements, and from when on it gets them. */
export function PartnerStatements({ partnerId }: { partnerId: string }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery('getStatementAccount', { id: partnerId }, ['partners']);
  const isNone = query.failure?.status === 404;
  const account = isNone ? null : (query.answer?.data ?? null);
  return (
    <Section
      title={t('statements.account')}
      actions={
        <>
          <a class="button" href={href('/statements', { partnerId })}>
            {t('nav.statements')}
          </a>
          {(isNone || account) && may('saveStatementAccount') && (
            <button type="button" onClick={() => setOpen(true)}>
              {t('act.edit')}
            </button>
          )}
        </>
      }
    >
      {isNone ? (
        <p class="empty">{t('statements.noAccount')}</p>
      ) : (
        <Loaded query={query}>
          {({ data: { buyer, openedOn } }) => (
            <Facts
              facts={[
                { label: t('statements.buyer'), value: <PartyText party={buyer} /> },
                { label: t('statements.openedOn'), value: dayOf(openedOn) },
              ]}
            />
          )}
        </Loaded>
      )}
      {isOpen && <AccountDialog id={partnerId} account={account} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function AccountDialog({
  id,
  account,
  onClose,
}: {
  id: string;
  account: StatementAccount | null;
  onClose: () => void;
}) {
  const openedOn = account?.openedOn ?? `${dateIn(now.value).slice(0, 7)}-01`;
  const form = useForm<Record<string, string>>(
    { ...partyValues('buyer', account?.buyer ?? null), openedOn },
    ['partners'],
  );
  return (
    <EditDialog
      title={t('statements.account')}
      form={form}
      onClose={onClose}
      send={(values) =>
        call('saveStatementAccount', {
          id,
          body: { buyer: partyOf('buyer', values), openedOn: values.openedOn! },
        })
      }
    >
      <PartyFields form={form} prefix="buyer" />
      <TextField
        form={form}
        name="openedOn"
        label={t('statements.openedOn')}
        hint={t('statements.openedOnHint')}
        type="date"
        required
      />
    </EditDialog>
  );
}
