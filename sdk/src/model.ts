import type {
  EventName,
  FeedMeta,
  Operations,
  PageMeta,
  FeedEvent as RawFeedEvent,
  ROUTES,
  WebhookEvent,
} from './contract.ts';

/** Types that the document cannot express: the payload of each event, and pages. */

/** An operation by its name in the client, such as `bookings.create`. */
export type OperationName = keyof typeof ROUTES;

/** The type of `data` in the operation's response. */
export type DataOf<Name extends OperationName> = Operations[Name]['response']['data'];

/** The payload of an event. */
export type PayloadOf<Name extends EventName> = Extract<WebhookEvent, { event: Name }>['payload'];

/** One event of the feed: `event` determines the type of `payload`. */
export type FeedEvent = {
  [Name in RawFeedEvent['event']]: Omit<RawFeedEvent, 'event' | 'payload'> & {
    event: Name;
    payload: PayloadOf<Name>;
  };
}[RawFeedEvent['event']];

/** One page of a list. `asOf`, if present, keeps new rows out of later pages when it is passed with them. */
export type Page<Item> = { data: Item[]; meta: PageMeta; asOf?: string };

/** One page of the event feed. */
export type FeedPage = { data: FeedEvent[]; meta: FeedMeta };
