import { type CrewDay, type Operations, ROUTES, type TakeCrewStepRequest } from './contract.ts';

/** Calls of the crew's interface. */

/** Milliseconds until a request is given up: a dead network answers nothing. */
const PATIENCE = 10_000;

export type Answered<T> =
  | { kind: 'data'; data: T }
  | { kind: 'same' }
  /** Refused for good; `reason` of `details`. */
  | { kind: 'refused'; status: number; reason: string }
  /** No network, or a service that cannot answer now. */
  | { kind: 'unreached' };

/** Of an answer: its tag, and the milliseconds by which the service's clock is ahead of the telephone's. */
type Headed = { etag?: string | null; ahead?: number };

type Op = keyof Operations;
type DataOf<Name extends Op> = Operations[Name]['response'] extends { data: infer Data } ? Data : never;

async function call<Name extends Op>(
  name: Name,
  { id = '', body, etag }: { id?: string; body?: unknown; etag?: string | null } = {},
): Promise<Answered<DataOf<Name>> & Headed> {
  const { method, path } = ROUTES[name];
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (etag) headers['if-none-match'] = etag;
  const given = new AbortController();
  const timer = setTimeout(() => given.abort(), PATIENCE);
  try {
    const response = await fetch(`/crew/api${path.replace('{id}', id)}`, {
      method,
      headers,
      signal: given.signal,
      // A page that is being left still sends what was tapped. Browsers of 2020 refuse it with a JSON body.
      keepalive: body !== undefined && document.visibilityState === 'hidden',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const serviceTime = response.headers.get('service-time');
    const ahead = serviceTime !== null && { ahead: Date.parse(serviceTime) - Date.now() };
    if (response.status === 304) return { kind: 'same', ...ahead };
    if (response.status >= 500 || response.status === 429) return { kind: 'unreached' };
    const answer = await response.json();
    // The service's own answer, not that of something in between.
    if (typeof (response.ok ? answer.data : answer.error?.code) === 'undefined') return { kind: 'unreached' };
    if (!response.ok)
      return {
        kind: 'refused',
        status: response.status,
        reason: String(answer?.error?.details?.reason ?? ''),
      };
    return { kind: 'data', data: answer.data, etag: response.headers.get('etag'), ...ahead };
  } catch {
    return { kind: 'unreached' };
  } finally {
    clearTimeout(timer);
  }
}

/** With the team that the telephone shows a link of another one is refused (`other-team`). */
export const openSession = (link: string, pin: string | null, teamId: string | null) =>
  call('openCrewSession', {
    body: { link, ...(pin !== null && { pin }), ...(teamId !== null && { teamId }) },
  });
export const endSession = () => call('endCrewSession');
export const readMe = () => call('getCrewMe');
export const readDay = (etag: string | null): Promise<Answered<CrewDay> & Headed> =>
  call('getCrewDay', { etag });
export const sendStep = (visitId: string, body: TakeCrewStepRequest) =>
  call('takeCrewStep', { id: visitId, body });
