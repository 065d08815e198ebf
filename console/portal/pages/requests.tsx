import { exactTime } from '../../format.ts';
import { t } from '../../language.ts';
import { Breaks } from '../../parts/breaks.tsx';
import { Loaded } from '../../parts/failed.tsx';
import { Filters, given, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { Page } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { href, place, setQuery } from '../../router.ts';
import { causeOf } from '../causes.ts';
import type { ListRequestsQuery, LoggedRequest } from '../contract.ts';
import { p } from '../language.ts';
import { useQuery } from '../query.ts';
import { may } from '../visitor.ts';

const columns = (): Column<LoggedRequest>[] => [
  {
    name: 'at',
    label: t('field.when'),
    cell: ({ id, at }) => <a href={href(`/requests/${id}`)}>{exactTime(at)}</a>,
  },
  {
    name: 'what',
    label: t('error.request'),
    cell: ({ method, route, path }) => (
      <code class="whole">
        {method} <Breaks text={route ?? path ?? p('requests.noRoute')} />
      </code>
    ),
  },
  {
    name: 'status',
    label: t('field.status'),
    cell: ({ status }) => (
      <span class={`badge ${status < 400 ? 'good' : status === 429 ? 'notice' : 'bad'}`}>{status}</span>
    ),
  },
  {
    name: 'why',
    label: p('requests.why'),
    cell: (request) =>
      request.status < 400 ? (
        '–'
      ) : (
        <>
          <bdi>
            <Breaks text={causeOf(request)} />
          </bdi>{' '}
          <code class="faint whole">{request.code && <Breaks text={request.code} />}</code>
        </>
      ),
  },
  { name: 'key', label: p('requests.key'), cell: ({ key }) => <code class="whole">{key ?? '–'}</code> },
];

const FILTERS = [
  'requestId',
  'status',
  'outcome',
  'code',
  'keyId',
  'method',
  'route',
  'bookingId',
  'before',
] as const;

/** The log of the partner's requests. */
export default function Requests() {
  const account = useQuery('getAccount', {}, ['partners']);
  const query = useQuery('listRequests', { query: given(...FILTERS) as never }, ['requests']);
  const isLater = place.value.query.has('before');
  return (
    <Page title={p('nav.requests')} about={p('requests.about')}>
      <Filters>
        <TextFilter name="requestId" label={p('requests.id')} ltr />
        <SelectFilter
          name="outcome"
          label={p('requests.outcome')}
          options={[
            { value: 'success', label: p('requests.success') },
            { value: 'refused', label: p('requests.refused') },
            { value: 'error', label: p('requests.error') },
          ]}
        />
        <SelectFilter name="status" label={t('field.status')} options={STATUSES} />
        <SelectFilter
          name="code"
          label={t('error.code')}
          options={CODES.map((code) => ({ value: code, label: code }))}
        />
        <SelectFilter
          name="keyId"
          label={p('requests.key')}
          options={(account.answer?.data.keys ?? []).map(({ id, name, last4 }) => ({
            value: id,
            label: `${name} …${last4}`,
          }))}
        />
        <TextFilter name="route" label={p('requests.route')} ltr />
        {may('getBooking') && <TextFilter name="bookingId" label={t('field.bookingId')} ltr />}
      </Filters>
      <Loaded query={query}>
        {({ data, meta: { nextCursor } }) => (
          <>
            <Table
              label={p('nav.requests')}
              columns={columns()}
              rows={data}
              id={({ id }) => id}
              empty={place.value.query.size > 0 ? p('requests.empty') : p('requests.none')}
            />
            {(isLater || nextCursor !== null) && (
              <nav class="pager" aria-label={t('table.pages')}>
                <button type="button" disabled={!isLater} onClick={() => setQuery({ before: null })}>
                  {p('requests.newest')}
                </button>
                <button
                  type="button"
                  disabled={nextCursor === null}
                  onClick={() => setQuery({ before: nextCursor })}
                >
                  {p('requests.older')}
                </button>
              </nav>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const STATUSES = [200, 400, 401, 403, 404, 409, 422, 429, 500].map((status) => ({
  value: String(status),
  label: String(status),
}));

/** Common codes of refusals as options; others are reached by links. */
const CODES = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'INVALID_PARTNER_DOMAIN',
  'SANDBOX_DOMAIN_NOT_ALLOWED',
  'WEBHOOK_DOMAIN_NOT_ALLOWED',
  'RESOURCE_NOT_FOUND',
  'SERVICE_NOT_ALLOWED',
  'DUPLICATE_EXTERNAL_REFERENCE',
  'BOOKING_CREATION_FAILED',
  'BOOKING_ALREADY_CANCELLED',
  'BOOKING_NOT_PAYABLE',
  'BOOKING_NOT_EDITABLE',
  'PAYMENT_ALREADY_CONFIRMED',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
] as const satisfies NonNullable<ListRequestsQuery['code']>[];
