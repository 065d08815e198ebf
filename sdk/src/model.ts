import type {
  EventName,
  FeedMeta,
  Operations,
  PageMeta,
  FeedEvent as RawFeedEvent,
  ROUTES,
  WebhookEvent,
} from './contract.ts';

/** What the document cannot say: which payload belongs to which event, and what a page is. */

/** An operation by the name that callers use, such as `bookings.create`. */
export type OperationName = keyof typeof ROUTES;

/** What the service puts into `data`. */
export type DataOf<Name extends OperationName> = Operations[Name]['response']['data'];

/** What an event carries. */
export type PayloadOf<Name extends EventName> = Extract<WebhookEvent, { event: Name }>['payload'];

/** One event of the feed: `event` tells what `payload` is. */
export type FeedEvent = {
  [Name in RawFeedEvent['event']]: Omit<RawFeedEvent, 'event' | 'payload'> & {
    event: Name;
    payload: PayloadOf<Name>;
  };
}[RawFeedEvent['event']];

/** One page of a list. `asOf`, where there is one, given back with later pages keeps new rows out of them. */
export type Page<Item> = { data: Item[]; meta: PageMeta; asOf?: string };

/** One page of the event feed. */
export type FeedPage = { data: FeedEvent[]; meta: FeedMeta };
