/**
 * Versions that changes of this tab have replaced. A page shows the earlier version until it has reloaded, and a
 * decision on it must not be refused as if another session had changed it meanwhile.
 */

const replaced = new Map<string, number>();

/** Notes that a change of this tab turned a version of the resource into another. */
export function noteOwnChange(id: string, from: number, to: number): void {
  // A change that changed nothing leaves the version.
  if (to > from) replaced.set(`${id} ${from}`, to);
}

type Sent = { appointmentId: string; version: number };
type Changed = { id: string; version: number };

/** Notes changes of several appointments, that were sent with these versions. */
export function noteOwnChanges(sent: readonly Sent[], changed: readonly Changed[]): void {
  for (const { appointmentId, version } of sent) {
    const after = changed.find(({ id }) => id === appointmentId);
    if (after !== undefined) noteOwnChange(appointmentId, version, after.version);
  }
}

/** The version after this tab's own changes of it. A change by anybody else in between is still a conflict. */
export function afterOwnChanges(id: string, version: number): number {
  let last = version;
  for (;;) {
    const next = replaced.get(`${id} ${last}`);
    if (next === undefined) return last;
    last = next;
  }
}
