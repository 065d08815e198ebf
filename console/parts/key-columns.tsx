import type { Key } from '../contract.ts';
import { dateTime, number } from '../format.ts';
import { t } from '../language.ts';
import { now } from '../session.ts';
import type { Column } from './table.tsx';

/** API keys of a partner: permissions, allowed addresses, last use. */

/** Every permission, in the order of an integration. */
export const PERMISSIONS = Object.keys({
  partner_contacts_read: true,
  partner_contacts_erase: true,
  partner_services_read: true,
  partner_pricing_read: true,
  partner_timeslots_read: true,
  partner_bookings_create: true,
  partner_bookings_read: true,
  partner_bookings_update: true,
  partner_bookings_cancel: true,
  partner_bookings_confirm_payment: true,
  partner_webhooks_manage: true,
  partner_statements_read: true,
} satisfies Record<Key['permissions'][number], true>) as Key['permissions'];

/** The columns of a list of keys. */
export const keyColumns = (): Column<Key>[] => [
  {
    name: 'name',
    label: t('keys.name'),
    cell: ({ name, prefix, last4 }) => (
      <>
        <bdi>{name}</bdi>
        <br />
        <code class="faint">
          {prefix}…{last4}
        </code>
      </>
    ),
  },
  { name: 'status', label: t('field.status'), cell: (key) => <KeyStatus current={key} /> },
  {
    name: 'permissions',
    label: t('keys.permissions'),
    cell: ({ permissions }) => (
      <details>
        <summary>
          {permissions.length === PERMISSIONS.length
            ? t('keys.all')
            : t('keys.some', { count: number(permissions.length), total: number(PERMISSIONS.length) })}
        </summary>
        <ul class="plain-list small">
          {permissions.map((permission) => (
            <li key={permission}>{t(`permission.${permission}`)}</li>
          ))}
        </ul>
      </details>
    ),
  },
  {
    name: 'addresses',
    label: t('keys.addresses'),
    cell: ({ ipAllowlist }) =>
      ipAllowlist.length === 0 ? t('keys.anywhere') : <bdi dir="ltr">{ipAllowlist.join(', ')}</bdi>,
  },
  {
    name: 'lastUsedAt',
    label: t('keys.used'),
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('keys.unused') : dateTime(lastUsedAt)),
  },
  {
    name: 'expiresAt',
    label: t('keys.expires'),
    cell: ({ expiresAt }) => (expiresAt === null ? t('keys.never') : dateTime(expiresAt)),
  },
];

function KeyStatus({ current: { status, expiresAt, previousExpiresAt } }: { current: Key }) {
  if (status === 'REVOKED') return <span class="badge">{t('keys.revoked')}</span>;
  if (expiresAt !== null && Date.parse(expiresAt) <= now.value)
    return <span class="badge bad">{t('keys.expired')}</span>;
  return (
    <>
      <span class="badge good">{t('keys.active')}</span>
      {previousExpiresAt !== null && Date.parse(previousExpiresAt) > now.value && (
        <p class="small faint">{t('keys.overlaps', { time: dateTime(previousExpiresAt) })}</p>
      )}
    </>
  );
}
