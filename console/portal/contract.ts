// Printed from openapi/portal.json by `npm run generate`; do not edit.

export type ErrorCode =
  | 'FORBIDDEN'
  | 'INTERNAL_ERROR'
  | 'RATE_LIMIT_EXCEEDED'
  | 'UNAUTHORIZED'
  | 'VALIDATION_ERROR';

/** What each operation takes, and the whole of its answer. */
export type Operations = {
  getMe: { takes: Record<never, never>; response: PortalMeResponse };
  signIn: { takes: { body: SignInRequest }; response: PortalSessionResponse };
  signOut: { takes: Record<never, never>; response: PortalSignedOutResponse };
};

/** Where each operation is, and what it asks of a session. */
export const ROUTES = {
  getMe: { method: 'GET', path: '/me', session: 'any', permission: '' },
  signIn: { method: 'POST', path: '/sessions', session: 'none', permission: '' },
  signOut: { method: 'DELETE', path: '/session', session: 'any', permission: '' },
} as const;

export type AlternativeSlot = {
    /** Riyadh date */
    date: string;
    /** Start, Riyadh time */
    startAt: string;
    /** End, Riyadh time */
    endAt: string;
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
    /** UNAUTHORIZED: missing, malformed or not-valid. BOOKING_CREATION_FAILED: SLOT_UNAVAILABLE, SLOT_NOT_OFFERED, SLOT_IN_PAST, SLOT_INSIDE_NOTICE, SLOT_BEYOND_HORIZON or PAYMENT_UNAVAILABLE. More may be added */
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
    /** BOOKING_ALREADY_CANCELLED: the statuses that can be cancelled */
    cancellable?: string[] | undefined;
    /** FORBIDDEN: the permission that the key lacks */
    permission?: (string | null) | undefined;
    /** FORBIDDEN: the address the request came from, as the service sees it */
    address?: string | undefined;
    /** The domain that was detected; null: it cannot be read */
    domain?: (string | null) | undefined;
    /** The header that names the domain */
    source?: string | undefined;
    /** SERVICE_NOT_ALLOWED: the services of a price calculation that are not enabled */
    serviceIds?: string[] | undefined;
    /** DUPLICATE_EXTERNAL_REFERENCE: the reference already in use */
    externalReference?: (string | null) | undefined;
    /** BOOKING_NOT_PAYABLE: the statuses that can be paid */
    payable?: string[] | undefined;
    /** BOOKING_NOT_EDITABLE: the statuses that allow changes */
    editable?: string[] | undefined;
    /** PAYMENT_RESPONSIBILITY_MISMATCH: who collects the payment */
    paymentResponsibility?: string | undefined;
    /** The payment status of the booking */
    paymentStatus?: string | undefined;
    /** BOOKING_NOT_EDITABLE, BOOKING_APPOINTMENT_NOT_FOUND: the status of the appointment; null: there is none */
    appointmentStatus?: (string | null) | undefined;
};

export type PortalMe = {
    /** Partner */
    partnerId: string;
    /** Its name */
    partnerName: string;
    /** The key that was typed in; null: a link opened the session */
    keyId: string | null;
    /** Its name */
    keyName: string | null;
    /** Whether the session that the link opens may change nothing */
    readOnly: boolean;
    /** What the session may do */
    permissions: ("partner_bookings_create" | "partner_bookings_read" | "partner_bookings_update" | "partner_bookings_cancel" | "partner_bookings_confirm_payment" | "partner_services_read" | "partner_timeslots_read" | "partner_contacts_read" | "partner_pricing_read" | "partner_webhooks_manage")[];
    /**
     * Why the session only shows the key and what was refused to it; null: it is not limited
     * @enum {string|null}
     */
    limit: "PARTNER_SUSPENDED" | "KEY_REVOKED" | "KEY_REPLACED" | "KEY_EXPIRED" | "ADDRESS_NOT_ALLOWED" | null;
    /** Where the request came from, as the service sees it */
    address: string;
    /** When the session ends */
    expiresAt: string;
    /** Kind of deployment */
    deployment: "sandbox" | "production";
    /** Base address of the partner interface */
    apiUrl: string;
    /** The service's time; a sandbox's may be ahead of real time */
    now: string;
    /** Time zone of all dates and times of day */
    timeZone: string;
};

export type PortalMeResponse = {
    success: true;
    data: PortalMe;
};

export type PortalSession = {
    /** Sent as `Authorization: Bearer <token>`; only shown in this response */
    token: string;
    /** When the session ends */
    expiresAt: string;
};

export type PortalSessionResponse = {
    success: true;
    data: PortalSession;
};

export type PortalSignedOut = {
    signedOut: true;
};

export type PortalSignedOutResponse = {
    success: true;
    data: PortalSignedOut;
};

export type SignInRequest = {
    /** Token of a link */
    link?: string | undefined;
    /** An API key */
    key?: string | undefined;
};
