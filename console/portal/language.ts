import { type PlainKeyOf, translator } from '../language.ts';
import { PORTAL_TEXTS } from './texts.ts';

/** A text of the portal's own in the chosen language; what it shares with the console is read with `t`. */
export const p = translator(PORTAL_TEXTS);
export type PortalKey = PlainKeyOf<typeof PORTAL_TEXTS>;
