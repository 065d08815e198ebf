/** What can be made of a delivery (docs/sandbox.md). */
export const FAULT_KINDS = ['lose', 'delay', 'duplicate', 'reorder', 'bad-signature'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** How many deliveries one request can have treated so. */
export const MAX_FAULTS = 100;
/** Seconds of business time by which a delivery is delayed, unless said otherwise, and at most. */
export const DEFAULT_DELAY = 60;
export const MAX_DELAY = 3_600;
/** How many of the deliveries that got a fault are listed. */
export const MAX_TREATED = 100;
/** Seconds of business time for which a delivery waits at most for the one that is to overtake it. */
export const HOLD_SECONDS = 60;
