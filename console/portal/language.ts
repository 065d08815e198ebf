import { type PlainKeyOf, translator } from '../language.ts';
import { PORTAL_TEXTS } from './texts.ts';

/** A text of the portal in the chosen language; texts shared with the console are read by `t`. */
export const p = translator(PORTAL_TEXTS);
export type PortalKey = PlainKeyOf<typeof PORTAL_TEXTS>;
