import { ApiError, validationError } from '../base/errors.ts';
import type { SandboxRuns } from '../bookings/routes.ts';
import { parseRunHeader, runHeaderFaults } from './rules.ts';
import { startRunIn } from './runs.ts';

/** X-Sandbox-Run on the creation of a booking: the booking and its run are made in one transaction. */
export const sandboxRuns: SandboxRuns = {
  faults: runHeaderFaults,
  async start(tx, now, booking, header) {
    const wanted = parseRunHeader(header);
    if (wanted === null) throw validationError(runHeaderFaults(header).messages);
    try {
      await startRunIn(tx, now, booking, { ...wanted, startedBy: 'creation' });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'INVALID_TRANSITION') throw error;
      // The booking is rolled back with it, so the refusal names the header.
      const allowed = (error.details.allowed as readonly string[]).join(', ');
      throw validationError(
        [`X-Sandbox-Run must be a script that fits the booking: ${wanted.script} does not`],
        [`X-Sandbox-Run: what fits a booking like this is ${allowed}`],
      );
    }
  },
};
