// scripts/listen-file.ts
import { parseArgs } from "node:util";

// src/cli/listen.ts
import { setTimeout as sleep } from "node:timers/promises";

// src/base/moves.ts
function statesBefore(move) {
  return Object.keys(move);
}

// src/bookings/rules.ts
var PHASES = {
  New: "planned",
  Scheduled: "planned",
  Confirmed: "planned",
  "In The Way": "arriving",
  "In The location": "arriving",
  "In Progress": "working",
  Finished: "done",
  Completed: "done",
  "Cannot Complete": "not done",
  Cancelled: "cancelled"
};
var APPOINTMENT_STATUSES = Object.keys(PHASES);
var statusesIn = (...phases) => APPOINTMENT_STATUSES.filter((status) => phases.includes(PHASES[status]));
var CORRECTABLE = statusesIn(
  "planned",
  "arriving",
  "working",
  "done",
  "not done"
).filter((status) => status !== "New" && status !== "Completed");
var NOT_BEGUN = { New: "Cancelled", Scheduled: "Cancelled", Confirmed: "Cancelled" };
var UNDER_WAY = {
  "In The Way": "Cancelled",
  "In The location": "Cancelled",
  "In Progress": "Cancelled"
};
var AUTOMATIC_MOVES = {
  assigned: { New: "Scheduled" },
  bookingCanceled: {
    ...NOT_BEGUN,
    ...UNDER_WAY,
    Finished: "Cancelled",
    Completed: "Cancelled",
    "Cannot Complete": "Cancelled",
    Cancelled: "Cancelled"
  },
  bookingFailed: { ...NOT_BEGUN, ...UNDER_WAY, "Cannot Complete": "Cancelled", Cancelled: "Cancelled" },
  paymentFailed: { ...NOT_BEGUN, ...UNDER_WAY, Cancelled: "Cancelled" }
};
var UNPAID_APPOINTMENT = statusesIn("planned");
var BEGUN = statusesIn("working", "done");
var RESCHEDULE_MOVES = {
  New: "New",
  Scheduled: "Scheduled",
  Confirmed: "Scheduled",
  "In The Way": "Scheduled",
  "In The location": "Scheduled"
};
var MOVABLE_BY_OPERATOR = statesBefore(RESCHEDULE_MOVES);
var CONTRACT_EVENTS = [
  "booking.created",
  "booking.updated",
  "booking.cancelled",
  "booking.payment_failed",
  "booking.payment_confirmed",
  "booking.appointment_status_changed"
];
var EVENT_NAMES = [
  ...CONTRACT_EVENTS,
  "booking.payment_succeeded",
  "booking.failed",
  "booking.refunded",
  "booking.fees_changed"
];

// src/runtime/stopwatch.ts
function startStopwatch() {
  const started = performance.now();
  return () => performance.now() - started;
}

// src/base/clock.ts
var MINUTE = 6e4;
var HOUR = 60 * MINUTE;
var DAY = 24 * HOUR;
var RIYADH_OFFSET = 3 * HOUR;
var MAX_AHEAD = 3650 * DAY;
var systemClock = { now: () => Date.now(), offset: () => 0 };
function cached(maxSize, make) {
  const known = /* @__PURE__ */ new Map();
  return (key) => {
    let value = known.get(key);
    if (value === void 0) {
      value = make(key);
      if (known.size >= maxSize) known.clear();
      known.set(key, value);
    }
    return value;
  };
}
var MAX_DATES = 2e3;
var MAX_TEXTS = 2e4;
var startOfDate = cached(
  MAX_DATES,
  (date) => Date.parse(`${date}T00:00:00Z`) - RIYADH_OFFSET
);
var dateOfDay = cached(
  MAX_DATES,
  (day) => new Date(day * DAY).toISOString().slice(0, 10)
);
function twoDigits(value) {
  return value < 10 ? `0${value}` : `${value}`;
}
var textOfMinute = cached(
  1440,
  (ofDay) => `${twoDigits(Math.floor(ofDay / 60))}:${twoDigits(ofDay % 60)}`
);
var riyadhText = cached(MAX_TEXTS, (instant) => {
  const text = new Date(instant + RIYADH_OFFSET).toISOString();
  return {
    date: text.slice(0, 10),
    time: text.slice(17, 19) === "00" ? text.slice(11, 16) : text.slice(11, 19),
    iso: `${text.slice(0, 19)}+03:00`
  };
});
function toUtcIso(instant) {
  return new Date(instant).toISOString();
}

// src/webhooks/rules.ts
var RETRY_AFTER = [1 * MINUTE, 5 * MINUTE, 15 * MINUTE];
var ATTEMPT_TIMEOUT = 1e4;
var MAX_READ = 16 * 1024;

// src/webhooks/signature.ts
import { createHmac as createHmac2, randomBytes, timingSafeEqual } from "node:crypto";

// src/base/canonical-json.ts
function canonicalJson(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  const members = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== void 0) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join(",")}}`;
}

// src/base/tokens.ts
var CREDENTIALS = {
  sandboxKey: "pbs_test_",
  productionKey: "pbs_live_",
  operatorToken: "pbs_operator_",
  operatorLink: "pbs_signin_",
  operatorSession: "pbs_console_",
  operatorBrowser: "pbs_browser_",
  portalLink: "pbs_link_",
  portalSession: "pbs_portal_",
  crewLink: "pbs_crew_",
  crewSession: "pbs_crew_session_",
  webhookSecret: "whsec_"
};

// src/outbound/signature.ts
import { createHmac } from "node:crypto";
function signature(secret, timestamp, body) {
  return `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}

// src/webhooks/signature.ts
var PREFIX = CREDENTIALS.webhookSecret;
var USER_AGENT = "Service-Partner-Webhooks/1.0";
function createSecret() {
  for (; ; ) {
    const text = randomBytes(32).toString("base64url");
    if (!/[-_]/.test(text)) return PREFIX + text;
  }
}
function standardSignature(secret, id, seconds, body) {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64url");
  return `v1,${createHmac2("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
}
function signedRequest(message, secret, at, previousSecret = null) {
  const { deliveryId, event, payload } = message;
  const body = canonicalJson({ deliveryId, event, payload });
  const timestamp = toUtcIso(at);
  const seconds = Math.floor(at / 1e3);
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  return {
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": USER_AGENT,
      "x-service-delivery-id": deliveryId,
      "x-service-event": event,
      "x-service-signature": signature(previousSecret ?? secret, timestamp, body),
      ...previousSecret !== null && { "x-service-signature-next": signature(secret, timestamp, body) },
      "x-service-timestamp": timestamp,
      "webhook-id": deliveryId,
      "webhook-timestamp": String(seconds),
      "webhook-signature": secrets.map((key) => standardSignature(key, deliveryId, seconds, body)).join(" ")
    }
  };
}

// src/cli/listen.ts
var POLL_INTERVAL = 1e3;
var REQUEST_TIMEOUT = 3e4;
var FIRST_WAIT = 1e3;
var MAX_WAIT = 3e4;
var MAX_RETRY_AFTER = 6e5;
var PAGE = 100;
var LISTEN_OPTIONS = [
  {
    flag: "key",
    value: "key",
    about: "a key of the partner; set PARTNER_BOOKING_KEY to keep it out of the shell's history"
  },
  { flag: "url", value: "url", about: "base URL of the service", fallback: "http://127.0.0.1:3000/v1" },
  {
    flag: "forward",
    value: "url",
    about: "POST each event to this URL, one after the other, signed like a webhook"
  },
  {
    flag: "secret",
    value: "secret",
    about: "the secret to sign with; default a new one, which is shown"
  },
  {
    flag: "events",
    value: "list",
    about: "only these events, comma-separated; default: those of the contract"
  },
  {
    flag: "since",
    value: "cursor",
    about: 'a cursor that an earlier run ended with, or "beginning"',
    fallback: "latest"
  },
  { flag: "json", about: "events as one JSON object on each line" }
];
var LISTEN_ABOUT = "show a partner's events as they arrive, and forward them signed like webhooks";
var LISTEN_NOTES = `
Needs no database: it reads GET /partners/events with the permission partner_bookings_read, every second, which counts
towards the rate limit of the key. Events go to the standard output, all else to the standard error.
A forward is tried once: what fails is shown and passed over. The delivery id of a forwarded event is the event's id.`;
var ListenError = class extends Error {
};
function listenOptions(given) {
  const key = given.key?.trim();
  if (!key) throw new ListenError("no key: set PARTNER_BOOKING_KEY, or use --key");
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ListenError("the key has characters that no key has");
  if (given.secret !== void 0 && given.forward === void 0)
    throw new ListenError("--secret signs what is forwarded: it needs --forward");
  if (given.secret !== void 0 && !/^whsec_[A-Za-z0-9_-]{43}$/.test(given.secret))
    throw new ListenError("--secret must be whsec_ and 43 characters, as subscriptions have it");
  return {
    url: httpUrl("--url", given.url).replace(/\/+$/, ""),
    key,
    forward: given.forward === void 0 ? null : httpUrl("--forward", given.forward),
    events: given.events === void 0 ? null : eventNames(given.events),
    since: given.since,
    secret: given.secret ?? createSecret(),
    json: given.json ?? false
  };
}
function httpUrl(option, text) {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ListenError(`${option} must be a URL beginning with http:// or https://`);
  if (url.username || url.password) throw new ListenError(`${option} must not contain credentials`);
  return url.href;
}
function eventNames(text) {
  return text.split(",").map((item) => {
    const name = EVENT_NAMES.find((known) => known === item.trim());
    if (name === void 0) throw new ListenError(`--events must be of ${EVENT_NAMES.join(", ")}`);
    return name;
  });
}
async function listen(options, output, clock, stop) {
  let cursor = options.since;
  let done = 0;
  let failures = 0;
  let isReady = false;
  greet(options, output);
  while (!stop.aborted) {
    const answer = await readPage(options, cursor, stop);
    if (answer === null) break;
    if ("detail" in answer) {
      if (answer.wait !== null || ++failures === 1) output.note(answer.detail);
      await pause(answer.wait ?? Math.min(FIRST_WAIT * 2 ** (failures - 1), MAX_WAIT), stop);
      continue;
    }
    if (failures > 0) output.note(`${options.url} answers again`);
    failures = 0;
    if (!isReady) output.note("listening; Ctrl-C ends it");
    isReady = true;
    for (const event of answer.data) {
      if (stop.aborted) break;
      await takeEvent(options, output, event, { clock, stop });
      if (!stop.aborted) done++;
    }
    if (stop.aborted && done < answer.data.length) break;
    cursor = answer.meta.nextCursor;
    done = 0;
    if (!answer.meta.hasMore) await pause(POLL_INTERVAL, stop);
  }
  const repeats = done === 1 ? "the first is done already" : `the first ${done} are done already`;
  output.note(`to go on from here: --since ${cursor}${done === 0 ? "" : ` (${repeats})`}`);
}
function greet({ url, forward, secret, events }, { note }) {
  note(`events of ${url}${events === null ? "" : `: ${events.join(", ")}`}`);
  if (forward === null) return;
  note(`forwarded to ${forward}`);
  note(`signed with ${secret}`);
}
async function takeEvent({ events, forward, secret, json }, output, event, attempt) {
  if (events !== null && !events.includes(event.event)) return;
  output.event(
    json ? JSON.stringify(event) : `${event.createdAt}  ${event.event}  ${event.bookingId}  #${event.sequence}`
  );
  if (forward === null) return;
  const outcome = await send(event, forward, secret, attempt);
  if (outcome !== null) output.note(`  -> ${outcome}`);
}
async function send({ id, event, payload }, forward, secret, { clock, stop }) {
  const request = signedRequest({ deliveryId: id, event, payload }, secret, clock.now());
  const elapsed = startStopwatch();
  try {
    const response = await fetch(forward, {
      method: "POST",
      ...request,
      redirect: "manual",
      // webhooks follow none
      signal: AbortSignal.any([stop, AbortSignal.timeout(ATTEMPT_TIMEOUT)])
    });
    await skipBody(response);
    const verdict = response.ok ? "" : ", which a webhook would try again";
    return `${response.status} in ${Math.round(elapsed())} ms${verdict}`;
  } catch (error) {
    if (stop.aborted) return null;
    return `failed after ${Math.round(elapsed())} ms: ${reasonOf(error, ATTEMPT_TIMEOUT)}`;
  }
}
async function skipBody({ body }) {
  if (body === null) return;
  let read = 0;
  for await (const chunk of body) {
    read += chunk.byteLength;
    if (read >= MAX_READ) break;
  }
}
async function readPage({ url, key, events }, since, stop) {
  const query = new URLSearchParams({ limit: String(PAGE) });
  if (since !== "beginning") query.set("after", since);
  if (events !== null) query.set("events", events.join(","));
  let response;
  let text;
  try {
    response = await fetch(`${url}/partners/events?${query}`, {
      headers: { "x-api-key": key },
      redirect: "manual",
      // the key must not follow a redirect
      signal: AbortSignal.any([stop, AbortSignal.timeout(REQUEST_TIMEOUT)])
    });
    text = await response.text();
  } catch (error) {
    if (stop.aborted) return null;
    const reason = reasonOf(error, REQUEST_TIMEOUT);
    return { wait: null, detail: `${url} cannot be reached (${reason}): trying on` };
  }
  return judge(url, response, text);
}
function judge(url, { status, headers }, text) {
  const body = parsed(text);
  if (status === 200) {
    if (!isPage(body)) throw new ListenError(`${url} does not answer as the service does: check --url`);
    return body;
  }
  if (status === 429) {
    const wait = Math.min(Math.max(1, Number(headers.get("retry-after")) || 0) * 1e3, MAX_RETRY_AFTER);
    return { wait, detail: `the key's rate limit is used up: waiting ${wait / 1e3} s` };
  }
  if (status >= 500) return { wait: null, detail: `${url} answers ${status}: trying on` };
  throw new ListenError(refusal(url, status, body));
}
function refusal(url, status, body) {
  const error = body?.error;
  const detail = `${status}${error?.message ? `, ${error.message}` : ""}`;
  if (status === 400) return `the service refused the request (${detail}): check --since`;
  if (status === 401)
    return `the service refused the key (${detail}): check it, and that it is one of ${url}`;
  if (status === 403 && error?.code === "FORBIDDEN")
    return `the key may not do this (${detail}): it needs the permission partner_bookings_read, from this address`;
  return `${url} refuses (${detail}): check --url, which ends in /v1`;
}
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
function isPage(body) {
  const { data, meta } = body ?? {};
  return Array.isArray(data) && typeof meta?.nextCursor === "string" && typeof meta.hasMore === "boolean";
}
function reasonOf(error, timeout) {
  if (error.name === "TimeoutError") return `no answer within ${timeout / 1e3} s`;
  const cause = error.cause ?? error;
  return cause.message || cause.code || error.message;
}
async function pause(milliseconds, stop) {
  await sleep(milliseconds, void 0, { signal: stop }).catch(() => {
  });
}

// src/cli/listen-command.ts
async function runListen(typed, terminal2) {
  const { environment, print, printError } = terminal2;
  const options = listenOptions({ ...typed, key: typed.key ?? environment.PARTNER_BOOKING_KEY });
  await listen(options, { event: print, note: printError }, systemClock, terminal2.untilStopped());
}

// src/base/text.ts
var CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
function escaped(text) {
  return text.replaceAll(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
var FROM = "ىیېۍێےةۃہھەکڪٱٲٳ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹-‐‑‒–—―−/.,،";
var TO = "ييييييهههههككااا01234567890123456789            ";
var OTHERS = new Map([...FROM].map((sign, index) => [sign, TO[index]]));

// src/cli/terminal.ts
function printers(out, err) {
  return {
    print(...lines) {
      for (const line of lines) out(escaped(line));
    },
    printError: (line) => err(escaped(line))
  };
}
function processTerminal(environment) {
  process.stdout.on("error", ({ code, message }) => {
    if (code === "EPIPE") return;
    console.error(`error: the output cannot be written: ${message}`);
    process.exitCode = 1;
  });
  return {
    environment,
    ...printers(
      (line) => console.log(line),
      (line) => console.error(line)
    ),
    fail() {
      process.exitCode = 1;
    },
    untilStopped() {
      const stop = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop.abort());
      process.stdout.on("error", (error) => {
        if (error.code !== "EPIPE") throw error;
        stop.abort();
      });
      return stop.signal;
    }
  };
}

// scripts/listen-file.ts
function usage() {
  const lines = LISTEN_OPTIONS.map(({ flag, value, about, fallback }) => {
    const written = value === void 0 ? `--${flag}` : `--${flag} <${value}>`;
    return `  ${written.padEnd(19)} ${about}${fallback === void 0 ? "" : ` (default: ${fallback})`}`;
  });
  return `Usage: node listen.mjs [options]

${LISTEN_ABOUT}

Options:
${lines.join("\n")}
${LISTEN_NOTES}`;
}
var terminal = processTerminal(process.env);
try {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean", short: "h" },
      ...Object.fromEntries(
        LISTEN_OPTIONS.map(({ flag, value, fallback }) => [
          flag,
          value === void 0 ? { type: "boolean" } : { type: "string", ...fallback !== void 0 && { default: fallback } }
        ])
      )
    }
  });
  if (values.help) terminal.print(usage());
  else await runListen(values, terminal);
} catch (error) {
  terminal.printError(`error: ${error.message}`);
  terminal.fail();
}
