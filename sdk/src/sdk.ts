/** What the package gives to its users. */
export type { CallOptions, FollowOptions } from './call-options.ts';
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
export {
  type ReceivedWebhook,
  verifyWebhook,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './webhooks.ts';
