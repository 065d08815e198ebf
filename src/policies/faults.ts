import type { FeeStep } from './rules.ts';

/** Faults of a policy beyond its form. */

type StepInput = { hoursBefore: number; percent?: number; amount?: number };
export type AssignmentInput = { partnerId?: string | null; serviceId?: string | null };

/** Each step has a fee, in one way, and hours of its own. */
export function stepFaults(input: {
  cancel?: readonly StepInput[];
  reschedule?: readonly StepInput[];
}): string[] {
  return (['cancel', 'reschedule'] as const).flatMap((name) => {
    const steps = input[name] ?? [];
    const hours = steps.map(({ hoursBefore }) => hoursBefore);
    return [
      ...steps.flatMap(({ percent, amount }, index) =>
        (percent === undefined) === (amount === undefined)
          ? [`${name}.${index} must have percent or amount, and not both`]
          : [],
      ),
      ...(new Set(hours).size < hours.length ? [`${name} must name each hoursBefore once`] : []),
    ];
  });
}

/** Each assignment names a partner or a service, once. */
export function assignmentFaults({
  assignments = [],
}: {
  assignments?: readonly AssignmentInput[];
}): string[] {
  const keys = assignments.map(({ partnerId, serviceId }) =>
    `${partnerId ?? ''} ${serviceId ?? ''}`.toLowerCase(),
  );
  return [
    ...assignments.flatMap(({ partnerId, serviceId }, index) =>
      (partnerId ?? null) === null && (serviceId ?? null) === null
        ? [`assignments.${index} must have partnerId or serviceId`]
        : [],
    ),
    ...(new Set(keys).size < keys.length ? ['assignments must name each pair once'] : []),
  ];
}

/** The step as stored: the form has been checked. */
export function toStep({ hoursBefore, percent, amount }: StepInput): FeeStep {
  return percent === undefined ? { hoursBefore, amount: amount! } : { hoursBefore, percent };
}
