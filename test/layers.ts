/** Slices, from the top down; a slice imports those further down only. */
export const LAYERS = [
  ['operator'],
  ['portal'],
  ['certification'],
  ['simulator'],
  ['privacy'],
  ['customers', 'watch'],
  ['payments', 'webhooks', 'events', 'crew', 'statements'],
  ['board', 'closings', 'replanning', 'reports', 'schedules', 'setup'],
  ['series'],
  ['dispatch'],
  ['bookings'],
  ['reasons'],
  ['availability'],
  ['teams'],
  ['pricing'],
  ['catalogue', 'contacts'],
  ['requests', 'policies'],
  // The pages for developers only serve files, and need no slice.
  ['partners', 'developer-docs'],
];

/** Rooms that know no domain, from the top down; a slice imports any of them. */
export const INFRASTRUCTURE = [['http'], ['runtime', 'outbound'], ['db']];
