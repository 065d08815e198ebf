// Printed from openapi/crew.json by `npm run generate`; do not edit.

export type ErrorCode =
  | 'FORBIDDEN'
  | 'INTERNAL_ERROR'
  | 'RATE_LIMIT_EXCEEDED'
  | 'RESOURCE_NOT_FOUND'
  | 'UNAUTHORIZED'
  | 'VALIDATION_ERROR';

/** The input and the response of each operation. */
export type Operations = {
  endCrewSession: { takes: Record<never, never>; response: CrewSignedOutResponse };
  getCrewDay: { takes: Record<never, never>; response: CrewDayResponse };
  getCrewMe: { takes: Record<never, never>; response: CrewMeResponse };
  openCrewSession: { takes: { body: OpenCrewSessionRequest }; response: CrewMeResponse };
  takeCrewStep: { takes: { id: string; body: TakeCrewStepRequest }; response: CrewStepTakenResponse };
};

/** The route of each operation. */
export const ROUTES = {
  endCrewSession: { method: 'DELETE', path: '/session' },
  getCrewDay: { method: 'GET', path: '/day' },
  getCrewMe: { method: 'GET', path: '/me' },
  openCrewSession: { method: 'POST', path: '/sessions' },
  takeCrewStep: { method: 'POST', path: '/visits/{id}/steps' },
} as const;

/** TakeCrewStepRequest.reason */
export const REASONS = ['CUSTOMER_ABSENT', 'NO_ACCESS', 'REFUSED', 'UNSAFE', 'CREW'] as const;

export type AlternativeSlot = {
    /** Riyadh date */
    date: string;
    /** Start, Riyadh time */
    startAt: string;
    /** End, Riyadh time */
    endAt: string;
};

export type CrewDay = {
    /** Riyadh date */
    today: string;
    /** The day after */
    tomorrow: string;
    /** Of today and tomorrow with the night after, and of yesterday those that are not over, by start */
    visits: CrewVisit[];
};

export type CrewDayResponse = {
    success: true;
    data: CrewDay;
};

export type CrewMe = {
    /** Team */
    teamId: string;
    /** Its name */
    teamName: string;
    /** Arabic name, or the other one when there is none */
    teamNameAr: string;
    /** When the link ends, in real time; null: when it is revoked */
    expiresAt: string | null;
    /** When the link ends, by the service's time; null: when it is revoked */
    endsAt: string | null;
    /** The service's time; a sandbox's may be ahead of real time */
    now: string;
};

export type CrewMeResponse = {
    success: true;
    data: CrewMe;
};

export type CrewSignedOut = {
    signedOut: true;
};

export type CrewSignedOutResponse = {
    success: true;
    data: CrewSignedOut;
};

export type CrewStepTaken = {
    /** DONE also when the visit had that status already */
    outcome: "DONE" | "REFUSED";
    /**
     * Why it was refused; the office sees it too. null: done
     * @enum {string|null}
     */
    refusal: "LINK_ENDED" | "OTHER_TEAM" | "CANCELLED" | "RESCHEDULED" | "TOO_OLD" | "TOO_EARLY" | "MOVED_ON" | "WAITS_FOR_PAYMENT" | "NOT_ALLOWED" | null;
    /** The visit as it is now; null: it is not the team's, or the link has ended */
    visit: CrewVisit | null;
};

export type CrewStepTakenResponse = {
    success: true;
    data: CrewStepTaken;
};

export type CrewVisit = {
    /** Appointment */
    id: string;
    /** Tracking reference */
    name: string;
    /** Status; Cancelled too when its booking has ended */
    status: "New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled";
    /** Riyadh date on which it starts */
    date: string;
    /** Start, Riyadh time */
    startAt: string;
    /** End; earlier than the start when it is on the next day */
    endAt: string;
    /** Start; a step names it */
    startsAt: string;
    /** End */
    endsAt: string;
    /** First name of the customer */
    customer: string;
    /** From an hour before the start until the end; null: not now */
    phone: string | null;
    service: {
        /** English name */
        nameEn: string;
        /** Arabic name */
        nameAr: string;
    };
    address: {
        /** Decimal degrees */
        latitude: string | null;
        /** Decimal degrees */
        longitude: string | null;
        /** City */
        cityName: string | null;
        /** District */
        districtName: string | null;
        /** Street */
        streetName: string | null;
        /** Short address */
        shortAddress: string | null;
        /** Number of the building */
        buildingNumber: string | null;
        /** Flat, villa or office */
        unit: string | null;
        /** Floor */
        floor: string | null;
        /** Postal code */
        postalCode: string | null;
        /** Where the door is */
        directions: string | null;
    };
    /** The partner's notes; null: none, and for crews also once the visit is over */
    notes: string | null;
    /** Access instructions, on the day of the visit or the evening before its night; null: none, or not now */
    instructions: string | null;
    /** Code of a door or gate, as the instructions; null: none, or not now */
    accessCode: string | null;
    payment: {
        /** Whether it is paid */
        state: "PAID" | "DUE" | "NOTHING";
        /** SAR */
        amount: number;
        /** Whether the visit has to wait for the payment */
        isAwaited: boolean;
    };
    /** The delay that was reported for this start, which stays; null: none */
    lateMinutes: number | null;
    /** The steps that may be taken now */
    next: ("In The Way" | "In The location" | "In Progress" | "Finished" | "Cannot Complete")[];
};

/** Details of the error, by `code`; `docUrl` is always present */
export type ErrorDetails = {
    /** Documentation of this code */
    docUrl: string;
    /** Suggestions for developers; the wordings may change */
    hints?: string[] | undefined;
    /** VALIDATION_ERROR: one message for each faulty field */
    message?: string[] | undefined;
    /** VALIDATION_ERROR: the status */
    statusCode?: number | undefined;
    /** VALIDATION_ERROR: the name of the status */
    error?: string | undefined;
    /** UNAUTHORIZED, FORBIDDEN, codes of domains and limits: the check that refused the request */
    check?: string | undefined;
    /** UNAUTHORIZED: missing, malformed or not-valid. BOOKING_CREATION_FAILED: SLOT_UNAVAILABLE, SLOT_NOT_OFFERED, SLOT_IN_PAST, SLOT_INSIDE_NOTICE, SLOT_BEYOND_HORIZON, HOLD_EXPIRED, HOLD_DISPLACED, PRICE_CHANGED or PAYMENT_UNAVAILABLE. CONFLICT: NAME_TAKEN, CODE_TAKEN, IN_USE, STALE, ZONES_OVERLAP, TIERS_OVERLAP, ADDRESS_EXISTS, REFERENCE_TAKEN, OPEN_BOOKINGS, POLICY_ASSIGNED, PARTNER_SUSPENDED, NOT_AFFECTED, RUN_UNDER_WAY, NO_CANCELLATION_REASON, REQUEST_OPEN, OTHER_ZONE. More may be added */
    reason?: string | undefined;
    /** RATE_LIMIT_EXCEEDED: requests, or failed authentications, in any window */
    limit?: number | undefined;
    /** RATE_LIMIT_EXCEEDED: seconds of the window */
    window?: number | undefined;
    /** RATE_LIMIT_EXCEEDED: seconds until the next request is allowed */
    retryAfter?: number | undefined;
    /** RESOURCE_NOT_FOUND: what was not found */
    resource?: string | undefined;
    /** Current status */
    status?: string | undefined;
    /** BOOKING_CREATION_FAILED: free timeslots nearby */
    alternatives?: AlternativeSlot[] | undefined;
    /** CONFLICT, OPEN_BOOKINGS: the bookings that stand in the way of erasing their customer */
    bookings?: string[] | undefined;
    /** DUPLICATE_EXTERNAL_REFERENCE of a series: the one that has the reference */
    seriesId?: string | undefined;
    /** HOLD_CONSUMED, DUPLICATE_EXTERNAL_REFERENCE: the booking that took the hold, or has the reference */
    bookingId?: string | undefined;
    /** HOLD_CONSUMED, DUPLICATE_EXTERNAL_REFERENCE: whether the body that was sent made that booking, in the last 28 days. BOOKING_ALREADY_CANCELLED, PAYMENT_ALREADY_CONFIRMED: true when the request with this very X-Request-Id did it, because the network has delivered it twice */
    sameRequest?: boolean | undefined;
    /** BOOKING_ALREADY_CANCELLED: the statuses that can be cancelled */
    cancellable?: string[] | undefined;
    /** BOOKING_NOT_EDITABLE: the statuses that allow changes */
    editable?: string[] | undefined;
    /** BOOKING_NOT_EDITABLE: times that its policy allows it to be rescheduled */
    maxReschedules?: number | undefined;
    /** BOOKING_NOT_EDITABLE: times that it was rescheduled */
    reschedules?: number | undefined;
    /** BOOKING_NOT_EDITABLE, BOOKING_APPOINTMENT_NOT_FOUND: the status of the appointment; null: there is none */
    appointmentStatus?: (string | null) | undefined;
};

export type OpenCrewSessionRequest = {
    /** Token of a link. Not in later responses: a secret */
    link: string;
    /** 4 to 8 digits. Not in later responses: a secret, `hasPin` of the link says that there is one */
    pin?: string | undefined;
    /** The team that the telephone shows: a link of another one is refused, with the reason other-team. Not in later responses: the session has the team of the link */
    teamId?: string | undefined;
};

export type TakeCrewStepRequest = {
    /** Made by the telephone, new for each step: a repetition is the same step */
    key: string;
    /** The status that the visit gets; Late: it gets none, the team comes later by `minutes` */
    to: "In The Way" | "In The location" | "In Progress" | "Finished" | "Cannot Complete" | "Late";
    /** `startsAt` of the visit as the telephone showed it: of another working day the step is refused. Not in later responses: the visit has its own */
    startsAt: string;
    /** When it happened, by the clock of the telephone; at most 12 hours ago */
    happenedAt: string;
    /** When it is sent, by the same clock, which may be wrong: the difference counts. Not in later responses: `happenedAt` has the difference */
    sentAt: string;
    /** Milliseconds by which the service was ahead of that clock at its last answer before the step. When they differ by more than two minutes from those at the sending, the clock was set: the time is uncertain, and is `happenedAt` with them. Not in later responses: `happenedAt` has them */
    ahead?: number | undefined;
    /** Why it cannot be completed */
    reason?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW") | undefined;
    /** Why, in words; of Finished a note for the office */
    text?: string | undefined;
    /** Of Late, after the start; 0: on time after all. Refused an hour after it happened. The visit has it as `lateMinutes` */
    minutes?: number | undefined;
};
