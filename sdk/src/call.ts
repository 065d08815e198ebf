/** What a method returns: a promise of the data, from which the response can be had too. */

/** Where the account stands against its rate limit. */
export type RateLimit = {
  /** Requests allowed in 60 seconds. */
  limit: number;
  /** How many are left now. */
  remaining: number;
  /** Seconds until there is room for one request more than now. */
  resetSeconds: number;
};

/** What the service said beside the data. */
export type ResponseInfo = {
  /** Of HTTP. */
  status: number;
  headers: Headers;
  /** What the operator finds the request by. */
  requestId: string;
  /** null: the response does not say, as one of a proxy. */
  rateLimit: RateLimit | null;
};

/** The data, and the response that brought it. */
export type Answered<Data> = { data: Data; response: ResponseInfo };

/** A call under way. */
export type Call<Data> = Promise<Data> & {
  /** The data with the response of this very call, whatever other calls are under way. */
  withResponse(): Promise<Answered<Data>>;
};

export function callOf<Data>(answered: Promise<Answered<Data>>): Call<Data> {
  const data = answered.then((answer) => answer.data);
  const withResponse = (): Promise<Answered<Data>> => {
    data.catch(() => undefined); // whoever takes `answered` hears of the failure there
    return answered;
  };
  return Object.assign(data, { withResponse });
}

export function responseInfoOf(response: Response, requestId: string): ResponseInfo {
  const { status, headers } = response;
  return {
    status,
    headers,
    requestId: headers.get('x-request-id') ?? requestId,
    rateLimit: rateLimitOf(headers),
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
