import { exactTime, number } from '../../format.ts';
import { t } from '../../language.ts';
import { Copied } from '../../parts/copy-button.tsx';
import type { PageProps } from '../../parts/current-page.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/failed.tsx';
import { Linked } from '../../parts/linked.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { href } from '../../router.ts';
import { causeOf, remedyOf } from '../causes.ts';
import type { LoggedExchange } from '../contract.ts';
import { p } from '../language.ts';
import { useQuery } from '../query.ts';
import { may } from '../visitor.ts';

/** One request: request, response, cause and remedy. */
export default function RequestPage({ params: { id = '' } }: PageProps) {
  const query = useQuery('getRequest', { id });
  const request = query.answer?.data;
  return (
    <Page
      title={
        request === undefined
          ? p('nav.requests')
          : p('request.title', { method: request.method, status: request.status })
      }
      about={request && <code>{request.route ?? request.path ?? p('requests.noRoute')}</code>}
    >
      <Loaded query={query}>{({ data }) => <Shown request={data} />}</Loaded>
    </Page>
  );
}

function Shown({ request }: { request: LoggedExchange }) {
  const { at, requestId, key, path, ignoredParameters, durationMs, userAgent, bookingId, details, status } =
    request;
  return (
    <>
      {status >= 400 && <Why request={request} />}
      <Section title={t('booking.facts')}>
        <Facts
          facts={[
            { label: t('field.when'), value: exactTime(at) },
            {
              label: p('requests.id'),
              value: <Copied text={requestId} />,
            },
            { label: p('requests.key'), value: <code>{key ?? '–'}</code> },
            path !== null && { label: p('request.path'), value: <code>{path}</code> },
            ignoredParameters.length > 0 && {
              label: p('request.ignored'),
              value: (
                <bdi>
                  <code>{ignoredParameters.join(', ')}</code>
                </bdi>
              ),
            },
            { label: p('request.duration'), value: number(durationMs) },
            userAgent !== null && { label: p('request.agent'), value: <code>{userAgent}</code> },
            bookingId !== null && {
              label: p('request.booking'),
              value: may('getBooking') ? (
                <Linked address={`/bookings/${bookingId}`} text={bookingId} code />
              ) : (
                <code>{bookingId}</code>
              ),
            },
            bookingId !== null &&
              may('listDeliveries') && {
                label: p('nav.deliveries'),
                value: <a href={href('/deliveries', { bookingId })}>{p('hooks.see')}</a>,
              },
          ]}
        />
      </Section>
      {details !== null && Object.keys(details).length > 0 && (
        <Section title={t('failure.details')}>
          <pre>{JSON.stringify(details, null, 2)}</pre>
        </Section>
      )}
      <Bodies bodies={request.bodies as Kept | null} />
    </>
  );
}

function Why({ request }: { request: LoggedExchange }) {
  const { code, message, hints } = request;
  const remedy = remedyOf(request);
  return (
    <div class="failed">
      <h2>{p('request.why')}</h2>
      <p>
        <bdi>{causeOf(request)}</bdi>
      </p>
      {remedy !== null && (
        <>
          <h3>{p('request.todo')}</h3>
          <p>{remedy}</p>
        </>
      )}
      {hints.length > 0 && (
        <ul>
          {hints.map((hint) => (
            <li key={hint}>
              <bdi>{hint}</bdi>
            </li>
          ))}
        </ul>
      )}
      <p class="small">
        <code>{code}</code> <bdi>{message}</bdi>{' '}
        {code !== null && (
          <a
            href={`/docs/errors#${code.toLowerCase().replaceAll('_', '-')}`}
            target="_blank"
            rel="noreferrer"
          >
            {p('request.guide')}
          </a>
        )}
      </p>
    </div>
  );
}

type Kept = { request: string | null; response: string | null; requestCut: boolean; responseCut: boolean };

function Bodies({ bodies }: { bodies: Kept | null }) {
  if (bodies === null) return <p class="faint">{p('request.noBodies')}</p>;
  return (
    <div class="sections">
      <Section title={p('request.asked')}>
        <BodyText text={bodies.request} isCut={bodies.requestCut} />
      </Section>
      <Section title={p('request.answered')}>
        <BodyText text={bodies.response} isCut={bodies.responseCut} />
      </Section>
    </div>
  );
}

function BodyText({ text, isCut }: { text: string | null; isCut: boolean }) {
  if (text === null || text === '') return <p class="faint">{p('request.empty')}</p>;
  return (
    <>
      <pre>{indented(text)}</pre>
      {isCut && <p class="faint small">{p('request.cut')}</p>}
    </>
  );
}

/** Indented JSON; truncated text is returned as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
