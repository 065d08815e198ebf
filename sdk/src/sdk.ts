/** The exports of the package. */
export type { Answered, Call, RateLimit, ResponseInfo } from './call.ts';
export type { CallOptions, ConditionalOptions, FollowOptions } from './call-options.ts';
export { type Attempt, type Client, type ClientSettings, createClient } from './client.ts';
export type * from './contract.ts';
export {
  ConnectionError,
  type DetailsOf,
  isCode,
  PartnerBookingError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
export type { List } from './lists.ts';
export type { FeedEvent, FeedPage, OperationName, Page, PayloadOf } from './model.ts';
export {
  type ReceivedWebhook,
  type SignedWebhook,
  signWebhook,
  verifyWebhook,
  type WebhookToSign,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './webhooks.ts';
