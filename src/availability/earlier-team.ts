import { orNotFound } from '../base/errors.ts';
import type { Db, Tx } from '../db/connection.ts';
import { findTeamOfAppointment, findTeamOfBooking } from './queries.ts';

/** The crew of an earlier visit for a new one. */
export type Preference = {
  /** A booking of the partner. */
  preferTeamOf?: string | undefined;
};

/** The team of the partner's booking in `preferTeamOf`; undefined: none is asked for. Throws RESOURCE_NOT_FOUND. */
export async function earlierTeam(
  db: Db,
  partnerId: string,
  { preferTeamOf }: Preference,
): Promise<string | undefined> {
  if (preferTeamOf === undefined) return undefined;
  return orNotFound(findTeamOfBooking(db, partnerId, preferTeamOf), 'Booking');
}

/** Whether the appointment, of a booking or a hold, has the team that was asked for; nothing if none was. */
export async function keepsTeam(
  tx: Tx,
  appointmentId: string,
  earlier: string | undefined,
): Promise<{ keepsTeam?: boolean }> {
  if (earlier === undefined) return {};
  return { keepsTeam: (await findTeamOfAppointment(tx, appointmentId)) === earlier };
}
