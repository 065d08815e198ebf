import type { Answer } from '../api.ts';
import { number } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { ask } from '../parts/questions.tsx';
import { asFailure } from '../query.ts';

type Overlap = Answer<'changeZones'>['data']['overlaps'][number];

/** Describes the overlap of two zones of equal priority. */
export function overlapText({ zone, other, coveredBy, addresses, appointments }: Overlap): string {
  return t('zones.overlapEqual', {
    one: nameOf(zone),
    other: nameOf(other),
    covers: nameOf(coveredBy === zone.id ? zone : other),
    addresses: number(addresses),
    appointments: number(appointments),
  });
}

/**
 * Sends a change of zones. If they overlap others of equal priority, asks and sends it again as confirmed. Throws the
 * refusal if the reader declines.
 */
export async function confirmingOverlaps<T>(
  send: (confirm: { confirmOverlap?: true }) => Promise<T>,
): Promise<T> {
  try {
    return await send({});
  } catch (error) {
    const { reason, overlaps = [] } = asFailure(error).details;
    if (reason !== 'ZONES_OVERLAP') throw error;
    const answer = await ask({
      title: t('zones.confirmOverlap'),
      text: overlaps.map(overlapText).join('\n'),
      confirm: t('zones.saveOverlap'),
    });
    if (answer === null) throw error;
    return send({ confirmOverlap: true });
  }
}
