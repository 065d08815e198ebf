/** Faults of deliveries (docs/sandbox.md). */
export const FAULT_KINDS = ['lose', 'delay', 'duplicate', 'reorder', 'bad-signature'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Faults of answers to requests, as X-Sandbox-Fault names them. */
export const ANSWER_FAULTS = ['lose-answer'] as const;
export type AnswerFault = (typeof ANSWER_FAULTS)[number];

/** The largest count of one request. */
export const MAX_FAULTS = 100;
/** Seconds of business time by which a delivery is delayed: default and maximum. */
export const DEFAULT_DELAY = 60;
export const MAX_DELAY = 3_600;
/** The largest number of listed deliveries with a fault. */
export const MAX_TREATED = 100;
/** The longest hold of a delivery that waits to be overtaken (seconds of business time). */
export const HOLD_SECONDS = 60;
