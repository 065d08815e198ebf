/** The result of a method: a promise of the data, with access to the response. */

/** The state of the account's rate limit. */
export type RateLimit = {
  /** Requests allowed in 60 seconds. */
  limit: number;
  /** Requests left now. */
  remaining: number;
  /** Seconds until there is room for one request more than now. */
  resetSeconds: number;
};

/** Metadata of the response. */
export type ResponseInfo = {
  /** The HTTP status. */
  status: number;
  headers: Headers;
  /** The operator finds the request by it. */
  requestId: string;
  /** null: the response has none, as one of a proxy. */
  rateLimit: RateLimit | null;
  /** Why the data is empty where nothing is offered at the place, such as `PLACE_NOT_COVERED`; null: it is offered. */
  reason: string | null;
};

/** The data with its response. */
export type Answered<Data> = { data: Data; response: ResponseInfo };

/** A pending call. */
export type Call<Data> = Promise<Data> & {
  /** The data with the response of this call, whatever other calls are pending. */
  withResponse(): Promise<Answered<Data>>;
};

export function callOf<Data>(answered: Promise<Answered<Data>>): Call<Data> {
  const data = answered.then((answer) => answer.data);
  const withResponse = (): Promise<Answered<Data>> => {
    data.catch(() => undefined); // the awaiting caller of `answered` handles the error
    return answered;
  };
  return Object.assign(data, { withResponse });
}

/** A file as a text, without its byte order mark. */
export function textOf(file: Call<Uint8Array>): Call<string> {
  const decoded = file.withResponse().then(({ data, response }) => {
    return { data: new TextDecoder().decode(data), response };
  });
  return callOf(decoded);
}

export function responseInfoOf(response: Response, requestId: string, reason: string | null): ResponseInfo {
  const { status, headers } = response;
  return {
    status,
    headers,
    requestId: headers.get('x-request-id') ?? requestId,
    rateLimit: rateLimitOf(headers),
    reason,
  };
}

function rateLimitOf(headers: Headers): RateLimit | null {
  const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`ratelimit-${name}`);
    return value !== null && /^\d+$/.test(value) ? Number(value) : null;
  });
  return limit == null || remaining == null || resetSeconds == null
    ? null
    : { limit, remaining, resetSeconds };
}
