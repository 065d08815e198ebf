/** A part of a set-up as its file names it, and where it stands there. */
export type SetupEntry = {
  kind:
    | 'categories'
    | 'services'
    | 'zones'
    | 'teams'
    | 'tiers'
    | 'reasons'
    | 'partners'
    | 'policies'
    | 'schedules';
  entry: Record<string, unknown>;
  place: string;
};
