// Printed from openapi/operator.json by `npm run generate`; do not edit.

export type ErrorCode =
  | 'BOOKING_ALREADY_CANCELLED'
  | 'BOOKING_APPOINTMENT_NOT_FOUND'
  | 'BOOKING_CREATION_FAILED'
  | 'BOOKING_NOT_EDITABLE'
  | 'CONFLICT'
  | 'DELIVERY_NOT_RETRYABLE'
  | 'DUPLICATE_EXTERNAL_REFERENCE'
  | 'FEE_CHANGED'
  | 'FORBIDDEN'
  | 'HOLD_CONSUMED'
  | 'IDEMPOTENCY_KEY_CONFLICT'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'INTERNAL_ERROR'
  | 'INVALID_TRANSITION'
  | 'RATE_LIMIT_EXCEEDED'
  | 'RESOURCE_NOT_FOUND'
  | 'SERVICE_NOT_ALLOWED'
  | 'UNAUTHORIZED'
  | 'VALIDATION_ERROR';

/** The input and the response of each operation. */
export type Operations = {
  advanceClock: { takes: { body: AdvanceClockRequest }; response: ClockResponse };
  cancelBooking: { takes: { id: string; body: CancelBookingRequest }; response: BookingDetailResponse };
  changeZones: { takes: { query?: ChangeZonesQuery; body: ChangeZonesRequest }; response: ZoneChangesResponse };
  checkStatements: { takes: Record<never, never>; response: StatementCheckResponse };
  closeBooking: { takes: { id: string; body: CloseBookingRequest }; response: BookingDetailResponse };
  completePrivacyRequest: { takes: { id: string; body?: CompletePrivacyRequestRequest }; response: PrivacyRequestDetailResponse };
  correctAppointment: { takes: { id: string; body: CorrectAppointmentRequest }; response: AppointmentResponse };
  correctBooking: { takes: { id: string; body: CorrectBookingRequest }; response: BookingDetailResponse };
  createBookingForPartner: { takes: { body: CreateBookingForPartnerRequest }; response: CreatedBookingResponse };
  createCancellationReason: { takes: { body: CreateCancellationReasonRequest }; response: CancellationReasonResponse };
  createCatalogueService: { takes: { body: CreateCatalogueServiceRequest }; response: ServiceResponse };
  createCategory: { takes: { body: CreateCategoryRequest }; response: CategoryResponse };
  createCrewLink: { takes: { id: string; body: CreateCrewLinkRequest }; response: CrewLinkWithUrlResponse };
  createKey: { takes: { id: string; body: CreateKeyRequest }; response: KeyWithSecretResponse };
  createPartner: { takes: { body: CreatePartnerRequest }; response: PartnerResponse };
  createPolicy: { takes: { body: CreatePolicyRequest }; response: PolicyResponse };
  createPortalLink: { takes: { id: string; body: CreatePortalLinkRequest }; response: PortalLinkWithUrlResponse };
  createPricingTier: { takes: { body: CreatePricingTierRequest }; response: PricingTierResponse };
  createPrivacyRequest: { takes: { body: CreatePrivacyRequestRequest }; response: PrivacyRequestDetailResponse };
  createSchedule: { takes: { query?: CreateScheduleQuery; body: CreateScheduleRequest }; response: ScheduleChangeResponse };
  createSignInLink: { takes: { id: string; body?: CreateSignInLinkRequest }; response: SignInLinkResponse };
  createStatement: { takes: { body: CreateStatementRequest }; response: StatementResponse };
  createTeam: { takes: { body: CreateTeamRequest }; response: TeamResponse };
  createTimeOff: { takes: { id: string; query?: CreateTimeOffQuery; body: CreateTimeOffRequest }; response: AddedTimeOffResponse };
  createToken: { takes: { body: CreateTokenRequest }; response: TokenWithSecretResponse };
  createZone: { takes: { body: CreateZoneRequest }; response: ZoneResponse };
  decideCrewStep: { takes: { id: string; key: string; body: DecideCrewStepRequest }; response: CrewStepResponse };
  declineRefund: { takes: { id: string; body: DeclineRefundRequest }; response: PaymentResponse };
  delayTeam: { takes: { id: string; body: DelayTeamRequest }; response: TeamDelayResponse };
  downloadStatementInvoices: { takes: { id: string }; response: Invoices };
  endSeries: { takes: { seriesId: string; body: EndSeriesRequest }; response: OperatorSeriesResponse };
  endSession: { takes: { id: string }; response: RemovedResponse };
  endSignIns: { takes: { id: string }; response: RemovedResponse };
  eraseCustomer: { takes: { id: string; body: EraseCustomerRequest }; response: ErasedContactResponse };
  explainAvailability: { takes: { query: ExplainAvailabilityQuery }; response: AvailabilityResponse };
  exportCustomer: { takes: { id: string }; response: CustomerExportResponse };
  exportPrivacyRequest: { takes: { id: string }; response: PrivacyCopyResponse };
  failBooking: { takes: { id: string; body: FailBookingRequest }; response: BookingDetailResponse };
  getAlerts: { takes: Record<never, never>; response: AlertsResponse };
  getAppointment: { takes: { id: string }; response: AppointmentResponse };
  getAttention: { takes: { query?: GetAttentionQuery }; response: AttentionResponse };
  getBoard: { takes: { query: GetBoardQuery }; response: BoardResponse };
  getBooking: { takes: { id: string }; response: BookingDetailResponse };
  getBookingQuote: { takes: { id: string; query: GetBookingQuoteQuery }; response: QuoteResponse };
  getCancellationReason: { takes: { id: string }; response: CancellationReasonResponse };
  getCatalogueService: { takes: { id: string }; response: ServiceResponse };
  getCategory: { takes: { id: string }; response: CategoryResponse };
  getClock: { takes: Record<never, never>; response: ClockResponse };
  getCustomer: { takes: { id: string }; response: CustomerDetailResponse };
  getDelivery: { takes: { id: string }; response: WebhookDeliveryDetailResponse };
  getMe: { takes: Record<never, never>; response: MeResponse };
  getPartner: { takes: { id: string }; response: PartnerResponse };
  getPartnerServices: { takes: { id: string }; response: PartnerServicesResponse };
  getPayment: { takes: { id: string }; response: PaymentResponse };
  getPolicy: { takes: { id: string }; response: PolicyResponse };
  getPricingTier: { takes: { id: string }; response: PricingTierResponse };
  getPrivacyRequest: { takes: { id: string }; response: PrivacyRequestDetailResponse };
  getPunctuality: { takes: { query: GetPunctualityQuery }; response: PunctualityResponse };
  getRequest: { takes: { id: string }; response: LoggedExchangeResponse };
  getSchedule: { takes: { id: string }; response: ScheduleResponse };
  getSeries: { takes: { seriesId: string }; response: OperatorSeriesResponse };
  getStatement: { takes: { id: string }; response: StatementResponse };
  getStatementAccount: { takes: { id: string }; response: StatementAccountResponse };
  getStatementSettings: { takes: Record<never, never>; response: StatementSettingsResponse };
  getSubscription: { takes: { id: string }; response: WebhookSubscriptionResponse };
  getTeam: { takes: { id: string }; response: TeamResponse };
  getTeamHours: { takes: { id: string; query: GetTeamHoursQuery }; response: DayOfTeamListResponse };
  getUtilisation: { takes: { query: GetUtilisationQuery }; response: UtilisationResponse };
  getZone: { takes: { id: string }; response: ZoneResponse };
  getZoneHours: { takes: { id: string; query: GetZoneHoursQuery }; response: HoursOfTeamListResponse };
  issueStatement: { takes: { id: string }; response: StatementResponse };
  listAppointments: { takes: { query?: ListAppointmentsQuery }; response: AppointmentPageResponse };
  listAudit: { takes: { query?: ListAuditQuery }; response: AuditEntryPageResponse };
  listBookingMessages: { takes: { id: string }; response: BookingMessagesResponse };
  listBookingStatementLines: { takes: { id: string }; response: BookingStatementLineListResponse };
  listBookings: { takes: { query?: ListBookingsQuery }; response: BookingPageResponse };
  listCancellationReasons: { takes: { query?: ListCancellationReasonsQuery }; response: CancellationReasonPageResponse };
  listCatalogueServices: { takes: { query?: ListCatalogueServicesQuery }; response: ServicePageResponse };
  listCategories: { takes: { query?: ListCategoriesQuery }; response: CategoryPageResponse };
  listCrewLinks: { takes: { id: string; query?: ListCrewLinksQuery }; response: CrewLinkPageResponse };
  listCrewSteps: { takes: { query?: ListCrewStepsQuery }; response: CrewStepPageResponse };
  listCustomers: { takes: { query?: ListCustomersQuery }; response: ListedCustomerPageResponse };
  listDeliveries: { takes: { query?: ListDeliveriesQuery }; response: WebhookDeliveryPageResponse };
  listHolds: { takes: { query?: ListHoldsQuery }; response: OperatorHoldPageResponse };
  listKeys: { takes: { id: string; query?: ListKeysQuery }; response: KeyPageResponse };
  listMessages: { takes: { query?: ListMessagesQuery }; response: FoundMessagePageResponse };
  listPartners: { takes: { query?: ListPartnersQuery }; response: PartnerPageResponse };
  listPayments: { takes: { query?: ListPaymentsQuery }; response: PaymentPageResponse };
  listPlacements: { takes: { id: string; query?: ListPlacementsQuery }; response: PlacementsResponse };
  listPolicies: { takes: { query?: ListPoliciesQuery }; response: PolicyPageResponse };
  listPolicyVersions: { takes: { id: string }; response: PolicyListResponse };
  listPortalLinks: { takes: { id: string; query?: ListPortalLinksQuery }; response: PortalLinkPageResponse };
  listPricingTiers: { takes: { query?: ListPricingTiersQuery }; response: PricingTierPageResponse };
  listPrivacyRequests: { takes: { query?: ListPrivacyRequestsQuery }; response: PrivacyRequestPageResponse };
  listRequests: { takes: { query?: ListRequestsQuery }; response: LoggedRequestPageResponse };
  listScheduleTemplates: { takes: { query?: ListScheduleTemplatesQuery }; response: ScheduleTemplateListResponse };
  listSchedules: { takes: { query?: ListSchedulesQuery }; response: SchedulePageResponse };
  listSeries: { takes: { query?: ListSeriesQuery }; response: OperatorSeriesPageResponse };
  listSessions: { takes: { query?: ListSessionsQuery }; response: SessionPageResponse };
  listStatementLines: { takes: { id: string; query?: ListStatementLinesQuery }; response: StatementLinePageResponse };
  listStatements: { takes: { query?: ListStatementsQuery }; response: StatementPageResponse };
  listSubscriptions: { takes: { query?: ListSubscriptionsQuery }; response: WebhookSubscriptionPageResponse };
  listTeams: { takes: { query?: ListTeamsQuery }; response: TeamPageResponse };
  listTimeOff: { takes: { id: string; query?: ListTimeOffQuery }; response: TimeOffPageResponse };
  listTimeOffOfTeams: { takes: { query: ListTimeOffOfTeamsQuery }; response: TimeOffOfTeamPageResponse };
  listTokens: { takes: { query?: ListTokensQuery }; response: TokenPageResponse };
  listZones: { takes: { query?: ListZonesQuery }; response: ZonePageResponse };
  locateShortAddress: { takes: { body: LocateShortAddressRequest }; response: LocatedAddressResponse };
  markRefundDone: { takes: { id: string; body: MarkRefundDoneRequest }; response: PaymentResponse };
  markStatementPaid: { takes: { id: string; body: MarkStatementPaidRequest }; response: StatementResponse };
  openSession: { takes: { body: OpenSessionRequest }; response: OpenedSessionResponse };
  pauseSeries: { takes: { seriesId: string; body: PauseSeriesRequest }; response: OperatorSeriesResponse };
  placeSeriesVisit: { takes: { seriesId: string; index: string; body?: PlaceSeriesVisitRequest }; response: OperatorSeriesResponse };
  putPartnerServices: { takes: { id: string; body: PutPartnerServicesRequest }; response: PartnerServicesResponse };
  reassignAppointments: { takes: { id: string; body: ReassignAppointmentsRequest }; response: ReassignmentsResponse };
  reassignChosen: { takes: { body: ReassignChosenRequest }; response: ReassignmentsResponse };
  recordCall: { takes: { id: string; body: RecordCallRequest }; response: AppointmentResponse };
  recordOutcome: { takes: { id: string; body: RecordOutcomeRequest }; response: BookingDetailResponse };
  recoverSubscription: { takes: { id: string; body: RecoverSubscriptionRequest }; response: RecoveredDeliveriesResponse };
  refundPayment: { takes: { id: string; body: RefundPaymentRequest }; response: PaymentResponse };
  refusePrivacyRequest: { takes: { id: string; body: RefusePrivacyRequestRequest }; response: PrivacyRequestDetailResponse };
  releaseHoldForPartner: { takes: { id: string }; response: RemovedResponse };
  removeCancellationReason: { takes: { id: string }; response: RemovedResponse };
  removeCatalogueService: { takes: { id: string }; response: RemovedResponse };
  removeCategory: { takes: { id: string }; response: RemovedResponse };
  removePricingTier: { takes: { id: string }; response: RemovedResponse };
  removeSchedule: { takes: { id: string; query?: RemoveScheduleQuery }; response: ScheduleChangeResponse };
  removeTeam: { takes: { id: string }; response: RemovedResponse };
  removeTimeOff: { takes: { id: string; timeOffId: string }; response: RemovedResponse };
  removeToken: { takes: { id: string }; response: RemovedResponse };
  removeZone: { takes: { id: string }; response: RemovedResponse };
  replayDelivery: { takes: { id: string; body?: NoFields }; response: WebhookDeliveryResponse };
  reportDone: { takes: { body: ReportDoneRequest }; response: DoneReportResponse };
  resendPaymentLink: { takes: { id: string; body?: NoFields }; response: PaymentResponse };
  resetClock: { takes: Record<never, never>; response: ClockResponse };
  retryDelivery: { takes: { id: string; body?: NoFields }; response: WebhookDeliveryResponse };
  retryRefund: { takes: { id: string; body?: NoFields }; response: PaymentResponse };
  revealPhone: { takes: { id: string }; response: RevealedPhoneResponse };
  revealTeamPhone: { takes: { id: string }; response: RevealedTeamPhoneResponse };
  revisitBooking: { takes: { id: string; body: RevisitBookingRequest }; response: BookingDetailResponse };
  revokeCrewLink: { takes: { id: string }; response: CrewLinkResponse };
  revokePortalLink: { takes: { id: string }; response: PortalLinkResponse };
  rotateKey: { takes: { id: string; body?: RotateKeyRequest }; response: KeyWithSecretResponse };
  saveStatementAccount: { takes: { id: string; body: SaveStatementAccountRequest }; response: StatementAccountResponse };
  saveStatementSettings: { takes: { body: SaveStatementSettingsRequest }; response: StatementSettingsResponse };
  search: { takes: { query: SearchQuery }; response: SearchGroupListResponse };
  skipSeriesVisit: { takes: { seriesId: string; index: string; body?: SkipSeriesVisitRequest }; response: OperatorSeriesResponse };
  testAlerts: { takes: { body?: NoFields }; response: AlertsResponse };
  testSubscription: { takes: { id: string; body?: NoFields }; response: WebhookTestResultResponse };
  undoReassignments: { takes: { body: UndoReassignmentsRequest }; response: ReassignmentsUndoneResponse };
  updateAppointment: { takes: { id: string; body: UpdateAppointmentRequest }; response: AppointmentResponse };
  updateCancellationReason: { takes: { id: string; body: UpdateCancellationReasonRequest }; response: CancellationReasonResponse };
  updateCatalogueService: { takes: { id: string; query?: UpdateCatalogueServiceQuery; body: UpdateCatalogueServiceRequest }; response: ChangedServiceResponse };
  updateCategory: { takes: { id: string; query?: UpdateCategoryQuery; body: UpdateCategoryRequest }; response: ChangedCategoryResponse };
  updateCustomer: { takes: { id: string; body: UpdateCustomerRequest }; response: CustomerDetailResponse };
  updateCustomerAddress: { takes: { id: string; body: UpdateCustomerAddressRequest }; response: AddressResponse };
  updateKey: { takes: { id: string; body: UpdateKeyRequest }; response: KeyResponse };
  updatePartner: { takes: { id: string; body: UpdatePartnerRequest }; response: PartnerResponse };
  updatePolicy: { takes: { id: string; body: UpdatePolicyRequest }; response: PolicyResponse };
  updatePricingTier: { takes: { id: string; body: UpdatePricingTierRequest }; response: PricingTierResponse };
  updateSchedule: { takes: { id: string; query?: UpdateScheduleQuery; body: UpdateScheduleRequest }; response: ScheduleChangeResponse };
  updateSeries: { takes: { seriesId: string; body: UpdateSeriesRequest }; response: OperatorSeriesResponse };
  updateTeam: { takes: { id: string; query?: UpdateTeamQuery; body: UpdateTeamRequest }; response: ChangedTeamResponse };
  updateToken: { takes: { id: string; body: UpdateTokenRequest }; response: TokenResponse };
  updateZone: { takes: { id: string; query?: UpdateZoneQuery; body: UpdateZoneRequest }; response: ChangedZoneResponse };
  waiveFees: { takes: { id: string; body: WaiveFeesRequest }; response: BookingDetailResponse };
};

/** The route of each operation, and the role that it requires. */
export const ROUTES = {
  advanceClock: { method: 'POST', path: '/clock/advance', role: 'admin' },
  cancelBooking: { method: 'POST', path: '/bookings/{id}/cancel', role: 'dispatcher' },
  changeZones: { method: 'POST', path: '/zones/changes', role: 'admin' },
  checkStatements: { method: 'GET', path: '/statements/check', role: 'viewer' },
  closeBooking: { method: 'POST', path: '/bookings/{id}/close', role: 'dispatcher' },
  completePrivacyRequest: { method: 'POST', path: '/privacy-requests/{id}/complete', role: 'dispatcher' },
  correctAppointment: { method: 'POST', path: '/appointments/{id}/correct', role: 'admin' },
  correctBooking: { method: 'PATCH', path: '/bookings/{id}', role: 'dispatcher' },
  createBookingForPartner: { method: 'POST', path: '/bookings', role: 'dispatcher' },
  createCancellationReason: { method: 'POST', path: '/cancellation-reasons', role: 'admin' },
  createCatalogueService: { method: 'POST', path: '/services', role: 'admin' },
  createCategory: { method: 'POST', path: '/categories', role: 'admin' },
  createCrewLink: { method: 'POST', path: '/teams/{id}/crew-links', role: 'dispatcher' },
  createKey: { method: 'POST', path: '/partners/{id}/keys', role: 'admin' },
  createPartner: { method: 'POST', path: '/partners', role: 'admin' },
  createPolicy: { method: 'POST', path: '/policies', role: 'admin' },
  createPortalLink: { method: 'POST', path: '/partners/{id}/portal-links', role: 'admin' },
  createPricingTier: { method: 'POST', path: '/pricing-tiers', role: 'admin' },
  createPrivacyRequest: { method: 'POST', path: '/privacy-requests', role: 'dispatcher' },
  createSchedule: { method: 'POST', path: '/schedules', role: 'admin' },
  createSignInLink: { method: 'POST', path: '/tokens/{id}/sign-in-links', role: 'admin' },
  createStatement: { method: 'POST', path: '/statements', role: 'dispatcher' },
  createTeam: { method: 'POST', path: '/teams', role: 'admin' },
  createTimeOff: { method: 'POST', path: '/teams/{id}/time-off', role: 'dispatcher' },
  createToken: { method: 'POST', path: '/tokens', role: 'admin' },
  createZone: { method: 'POST', path: '/zones', role: 'admin' },
  decideCrewStep: { method: 'POST', path: '/teams/{id}/crew-steps/{key}/decide', role: 'dispatcher' },
  declineRefund: { method: 'POST', path: '/payments/{id}/refund/decline', role: 'admin' },
  delayTeam: { method: 'POST', path: '/teams/{id}/delays', role: 'dispatcher' },
  downloadStatementInvoices: { method: 'GET', path: '/statements/{id}/invoices.json', role: 'viewer' },
  endSeries: { method: 'POST', path: '/series/{seriesId}/end', role: 'dispatcher' },
  endSession: { method: 'DELETE', path: '/sessions/{id}', role: 'viewer' },
  endSignIns: { method: 'DELETE', path: '/tokens/{id}/sessions', role: 'admin' },
  eraseCustomer: { method: 'POST', path: '/contacts/{id}/erase', role: 'admin' },
  explainAvailability: { method: 'GET', path: '/availability', role: 'viewer' },
  exportCustomer: { method: 'GET', path: '/contacts/{id}/export', role: 'dispatcher' },
  exportPrivacyRequest: { method: 'GET', path: '/privacy-requests/{id}/export', role: 'dispatcher' },
  failBooking: { method: 'POST', path: '/bookings/{id}/fail', role: 'dispatcher' },
  getAlerts: { method: 'GET', path: '/alerts', role: 'viewer' },
  getAppointment: { method: 'GET', path: '/appointments/{id}', role: 'viewer' },
  getAttention: { method: 'GET', path: '/attention', role: 'viewer' },
  getBoard: { method: 'GET', path: '/board', role: 'viewer' },
  getBooking: { method: 'GET', path: '/bookings/{id}', role: 'viewer' },
  getBookingQuote: { method: 'GET', path: '/bookings/{id}/quote', role: 'viewer' },
  getCancellationReason: { method: 'GET', path: '/cancellation-reasons/{id}', role: 'viewer' },
  getCatalogueService: { method: 'GET', path: '/services/{id}', role: 'viewer' },
  getCategory: { method: 'GET', path: '/categories/{id}', role: 'viewer' },
  getClock: { method: 'GET', path: '/clock', role: 'viewer' },
  getCustomer: { method: 'GET', path: '/contacts/{id}', role: 'viewer' },
  getDelivery: { method: 'GET', path: '/deliveries/{id}', role: 'viewer' },
  getMe: { method: 'GET', path: '/me', role: 'viewer' },
  getPartner: { method: 'GET', path: '/partners/{id}', role: 'viewer' },
  getPartnerServices: { method: 'GET', path: '/partners/{id}/services', role: 'viewer' },
  getPayment: { method: 'GET', path: '/payments/{id}', role: 'viewer' },
  getPolicy: { method: 'GET', path: '/policies/{id}', role: 'viewer' },
  getPricingTier: { method: 'GET', path: '/pricing-tiers/{id}', role: 'viewer' },
  getPrivacyRequest: { method: 'GET', path: '/privacy-requests/{id}', role: 'dispatcher' },
  getPunctuality: { method: 'GET', path: '/punctuality', role: 'viewer' },
  getRequest: { method: 'GET', path: '/requests/{id}', role: 'viewer' },
  getSchedule: { method: 'GET', path: '/schedules/{id}', role: 'viewer' },
  getSeries: { method: 'GET', path: '/series/{seriesId}', role: 'viewer' },
  getStatement: { method: 'GET', path: '/statements/{id}', role: 'viewer' },
  getStatementAccount: { method: 'GET', path: '/partners/{id}/statement-account', role: 'viewer' },
  getStatementSettings: { method: 'GET', path: '/statement-settings', role: 'viewer' },
  getSubscription: { method: 'GET', path: '/subscriptions/{id}', role: 'viewer' },
  getTeam: { method: 'GET', path: '/teams/{id}', role: 'viewer' },
  getTeamHours: { method: 'GET', path: '/teams/{id}/hours', role: 'viewer' },
  getUtilisation: { method: 'GET', path: '/utilisation', role: 'viewer' },
  getZone: { method: 'GET', path: '/zones/{id}', role: 'viewer' },
  getZoneHours: { method: 'GET', path: '/zones/{id}/hours', role: 'viewer' },
  issueStatement: { method: 'POST', path: '/statements/{id}/issue', role: 'admin' },
  listAppointments: { method: 'GET', path: '/appointments', role: 'viewer' },
  listAudit: { method: 'GET', path: '/audit', role: 'viewer' },
  listBookingMessages: { method: 'GET', path: '/bookings/{id}/messages', role: 'viewer' },
  listBookingStatementLines: { method: 'GET', path: '/bookings/{id}/statement-lines', role: 'viewer' },
  listBookings: { method: 'GET', path: '/bookings', role: 'viewer' },
  listCancellationReasons: { method: 'GET', path: '/cancellation-reasons', role: 'viewer' },
  listCatalogueServices: { method: 'GET', path: '/services', role: 'viewer' },
  listCategories: { method: 'GET', path: '/categories', role: 'viewer' },
  listCrewLinks: { method: 'GET', path: '/teams/{id}/crew-links', role: 'viewer' },
  listCrewSteps: { method: 'GET', path: '/crew-steps', role: 'viewer' },
  listCustomers: { method: 'GET', path: '/contacts', role: 'viewer' },
  listDeliveries: { method: 'GET', path: '/deliveries', role: 'viewer' },
  listHolds: { method: 'GET', path: '/holds', role: 'viewer' },
  listKeys: { method: 'GET', path: '/partners/{id}/keys', role: 'viewer' },
  listMessages: { method: 'GET', path: '/messages', role: 'viewer' },
  listPartners: { method: 'GET', path: '/partners', role: 'viewer' },
  listPayments: { method: 'GET', path: '/payments', role: 'viewer' },
  listPlacements: { method: 'GET', path: '/appointments/{id}/placements', role: 'viewer' },
  listPolicies: { method: 'GET', path: '/policies', role: 'viewer' },
  listPolicyVersions: { method: 'GET', path: '/policies/{id}/versions', role: 'viewer' },
  listPortalLinks: { method: 'GET', path: '/partners/{id}/portal-links', role: 'viewer' },
  listPricingTiers: { method: 'GET', path: '/pricing-tiers', role: 'viewer' },
  listPrivacyRequests: { method: 'GET', path: '/privacy-requests', role: 'viewer' },
  listRequests: { method: 'GET', path: '/requests', role: 'viewer' },
  listScheduleTemplates: { method: 'GET', path: '/schedules/templates', role: 'viewer' },
  listSchedules: { method: 'GET', path: '/schedules', role: 'viewer' },
  listSeries: { method: 'GET', path: '/series', role: 'viewer' },
  listSessions: { method: 'GET', path: '/sessions', role: 'viewer' },
  listStatementLines: { method: 'GET', path: '/statements/{id}/lines', role: 'viewer' },
  listStatements: { method: 'GET', path: '/statements', role: 'viewer' },
  listSubscriptions: { method: 'GET', path: '/subscriptions', role: 'viewer' },
  listTeams: { method: 'GET', path: '/teams', role: 'viewer' },
  listTimeOff: { method: 'GET', path: '/teams/{id}/time-off', role: 'viewer' },
  listTimeOffOfTeams: { method: 'GET', path: '/time-off', role: 'viewer' },
  listTokens: { method: 'GET', path: '/tokens', role: 'admin' },
  listZones: { method: 'GET', path: '/zones', role: 'viewer' },
  locateShortAddress: { method: 'POST', path: '/addresses/locate', role: 'dispatcher' },
  markRefundDone: { method: 'POST', path: '/payments/{id}/refund/done', role: 'admin' },
  markStatementPaid: { method: 'POST', path: '/statements/{id}/paid', role: 'admin' },
  openSession: { method: 'POST', path: '/sessions', role: 'viewer' },
  pauseSeries: { method: 'POST', path: '/series/{seriesId}/pause', role: 'dispatcher' },
  placeSeriesVisit: { method: 'POST', path: '/series/{seriesId}/visits/{index}/place', role: 'dispatcher' },
  putPartnerServices: { method: 'PUT', path: '/partners/{id}/services', role: 'admin' },
  reassignAppointments: { method: 'POST', path: '/teams/{id}/reassignments', role: 'dispatcher' },
  reassignChosen: { method: 'POST', path: '/appointments/reassignments', role: 'dispatcher' },
  recordCall: { method: 'POST', path: '/appointments/{id}/calls', role: 'dispatcher' },
  recordOutcome: { method: 'POST', path: '/bookings/{id}/outcome', role: 'dispatcher' },
  recoverSubscription: { method: 'POST', path: '/subscriptions/{id}/recover', role: 'dispatcher' },
  refundPayment: { method: 'POST', path: '/payments/{id}/refund', role: 'admin' },
  refusePrivacyRequest: { method: 'POST', path: '/privacy-requests/{id}/refuse', role: 'dispatcher' },
  releaseHoldForPartner: { method: 'DELETE', path: '/holds/{id}', role: 'dispatcher' },
  removeCancellationReason: { method: 'DELETE', path: '/cancellation-reasons/{id}', role: 'admin' },
  removeCatalogueService: { method: 'DELETE', path: '/services/{id}', role: 'admin' },
  removeCategory: { method: 'DELETE', path: '/categories/{id}', role: 'admin' },
  removePricingTier: { method: 'DELETE', path: '/pricing-tiers/{id}', role: 'admin' },
  removeSchedule: { method: 'DELETE', path: '/schedules/{id}', role: 'admin' },
  removeTeam: { method: 'DELETE', path: '/teams/{id}', role: 'admin' },
  removeTimeOff: { method: 'DELETE', path: '/teams/{id}/time-off/{timeOffId}', role: 'dispatcher' },
  removeToken: { method: 'DELETE', path: '/tokens/{id}', role: 'admin' },
  removeZone: { method: 'DELETE', path: '/zones/{id}', role: 'admin' },
  replayDelivery: { method: 'POST', path: '/deliveries/{id}/replay', role: 'dispatcher' },
  reportDone: { method: 'POST', path: '/appointments/done', role: 'dispatcher' },
  resendPaymentLink: { method: 'POST', path: '/payments/{id}/resend', role: 'dispatcher' },
  resetClock: { method: 'DELETE', path: '/clock', role: 'admin' },
  retryDelivery: { method: 'POST', path: '/deliveries/{id}/retry', role: 'dispatcher' },
  retryRefund: { method: 'POST', path: '/payments/{id}/refund/retry', role: 'admin' },
  revealPhone: { method: 'POST', path: '/contacts/{id}/reveal', role: 'viewer' },
  revealTeamPhone: { method: 'POST', path: '/teams/{id}/reveal', role: 'viewer' },
  revisitBooking: { method: 'POST', path: '/bookings/{id}/revisit', role: 'dispatcher' },
  revokeCrewLink: { method: 'DELETE', path: '/crew-links/{id}', role: 'dispatcher' },
  revokePortalLink: { method: 'DELETE', path: '/portal-links/{id}', role: 'admin' },
  rotateKey: { method: 'POST', path: '/keys/{id}/rotate', role: 'admin' },
  saveStatementAccount: { method: 'PUT', path: '/partners/{id}/statement-account', role: 'admin' },
  saveStatementSettings: { method: 'PUT', path: '/statement-settings', role: 'admin' },
  search: { method: 'GET', path: '/search', role: 'viewer' },
  skipSeriesVisit: { method: 'POST', path: '/series/{seriesId}/visits/{index}/skip', role: 'dispatcher' },
  testAlerts: { method: 'POST', path: '/alerts/test', role: 'admin' },
  testSubscription: { method: 'POST', path: '/subscriptions/{id}/test', role: 'dispatcher' },
  undoReassignments: { method: 'POST', path: '/appointments/reassignments/undo', role: 'dispatcher' },
  updateAppointment: { method: 'PATCH', path: '/appointments/{id}', role: 'dispatcher' },
  updateCancellationReason: { method: 'PATCH', path: '/cancellation-reasons/{id}', role: 'admin' },
  updateCatalogueService: { method: 'PATCH', path: '/services/{id}', role: 'admin' },
  updateCategory: { method: 'PATCH', path: '/categories/{id}', role: 'admin' },
  updateCustomer: { method: 'PATCH', path: '/contacts/{id}', role: 'dispatcher' },
  updateCustomerAddress: { method: 'PATCH', path: '/addresses/{id}', role: 'dispatcher' },
  updateKey: { method: 'PATCH', path: '/keys/{id}', role: 'admin' },
  updatePartner: { method: 'PATCH', path: '/partners/{id}', role: 'admin' },
  updatePolicy: { method: 'PATCH', path: '/policies/{id}', role: 'admin' },
  updatePricingTier: { method: 'PATCH', path: '/pricing-tiers/{id}', role: 'admin' },
  updateSchedule: { method: 'PATCH', path: '/schedules/{id}', role: 'admin' },
  updateSeries: { method: 'PATCH', path: '/series/{seriesId}', role: 'dispatcher' },
  updateTeam: { method: 'PATCH', path: '/teams/{id}', role: 'admin' },
  updateToken: { method: 'PATCH', path: '/tokens/{id}', role: 'admin' },
  updateZone: { method: 'PATCH', path: '/zones/{id}', role: 'admin' },
  waiveFees: { method: 'POST', path: '/bookings/{id}/fees/waive', role: 'admin' },
} as const;

/** Me.role */
export const ROLES = ['viewer', 'dispatcher', 'admin'] as const;
/** UpdateAppointmentRequest.statusReason */
export const STATUS_REASONS = ['CUSTOMER_ABSENT', 'NO_ACCESS', 'REFUSED', 'UNSAFE', 'WRONG_ADDRESS', 'SCOPE_DIFFERS', 'CREW', 'OTHER'] as const;
/** CloseBookingRequest.outcome */
export const OUTCOMES = ['CUSTOMER_ABSENT', 'NO_ACCESS', 'REFUSED', 'UNSAFE', 'CREW', 'WEATHER'] as const;
/** ListDeliveriesQuery.event */
export const EVENTS = ['booking.created', 'booking.updated', 'booking.cancelled', 'booking.payment_failed', 'booking.payment_confirmed', 'booking.appointment_status_changed', 'booking.payment_succeeded', 'booking.failed', 'booking.refunded', 'booking.fees_changed'] as const;
/** Partner.customerMessages */
export const MESSAGE_KINDS = ['BOOKED', 'DAY_BEFORE', 'ON_THE_WAY', 'LATE', 'DONE'] as const;
/** ListMessagesQuery.status */
export const MESSAGE_STATUSES = ['QUEUED', 'SENDING', 'SENT', 'FAILED', 'DROPPED', 'UNKNOWN'] as const;
/** ListPrivacyRequestsQuery.kind */
export const PRIVACY_KINDS = ['ACCESS', 'CORRECTION', 'ERASURE', 'RETENTION'] as const;
/** CreatePrivacyRequestRequest.kind */
export const PRIVACY_KINDS_ENTERED = ['ACCESS', 'CORRECTION', 'ERASURE'] as const;
/** ListPrivacyRequestsQuery.status */
export const PRIVACY_STATUSES = ['OPEN', 'DONE', 'REFUSED'] as const;
/** ListSeriesQuery.status */
export const SERIES_STATUSES = ['ACTIVE', 'STOPPED', 'ENDED'] as const;

export type AddedTimeOff = {
    /** Time off */
    id: string;
    /** Its team */
    teamId: string;
    /** Start, ISO 8601 with offset */
    startsAt: string;
    /** End (exclusive), after the start */
    endsAt: string;
    /** Only visible to the operator */
    reason: string;
    /** ISO 8601 with offset */
    createdAt: string;
    /** Appointments of the team in this time, not cancelled: they stay until they are moved */
    appointments: {
        /** Appointment */
        id: string;
        /** Tracking reference */
        name: string;
        /** Its booking */
        bookingId: string;
        /** Start */
        startsAt: string;
        /** End */
        endsAt: string;
        /** Appointment status */
        status: string;
    }[];
    /** false: it was a preview. Only with `preview` or `expect` */
    isApplied?: boolean | undefined;
    conflicts?: Conflicts | undefined;
};

export type AddedTimeOffResponse = {
    success: true;
    data: AddedTimeOff;
};

export type Address = {
    /** Address; used as `addressId` */
    id: string;
    /** Decimal degrees as sent; null when it has no coordinates */
    latitude: string | null;
    /** Decimal degrees as sent; null when it has no coordinates */
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

export type AddressMove = {
    /** Zone before; null: none */
    fromZoneId: string | null;
    /** Zone after; null: none, and nothing can be booked there */
    toZoneId: string | null;
    /** How many */
    addresses: number;
};

export type AddressResponse = {
    success: true;
    data: Address;
};

export type AdvanceClockRequest = {
    /** Seconds to move the business clock forward; at most 10 years in total */
    seconds: number;
};

export type Alerts = {
    /** Where alerts go */
    channels: {
        /** A number of ALERT_PHONES, or ALERT_WEBHOOK_URL */
        kind: "SMS" | "WEBHOOK";
        /** The number, masked, or the host */
        to: string;
        /** Of the test: `taken`, or why it was not; null: there was none */
        outcome: string | null;
    }[];
    /** Variables without which there is no channel of a kind */
    missing: string[];
    /** When a watcher last read the figures of this process; null: not since its start */
    watchedAt: string | null;
};

export type AlertsResponse = {
    success: true;
    data: Alerts;
};

export type AlternativeSlot = {
    /** Riyadh date */
    date: string;
    /** Start, Riyadh time */
    startAt: string;
    /** End, Riyadh time */
    endAt: string;
};

export type Appointment = {
    /** Appointment */
    id: string;
    /** Tracking reference */
    name: string;
    /** Appointment status */
    status: "New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled";
    /** Its booking */
    bookingId: string;
    /** Partner that made the booking */
    partnerId: string;
    team: {
        /** Assigned team */
        id: string;
        /** Its name */
        name: string;
        /** Its Arabic name; null: none */
        nameAr: string | null;
        /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/teams/{id}/reveal`. null: none */
        phone: string | null;
    };
    /** Zone */
    zoneId: string;
    /** Service */
    serviceId: string;
    /** Start */
    startsAt: string;
    /** End */
    endsAt: string;
    /** How much later than the start the team comes, as it was reported; null: nobody has said so */
    lateMinutes: number | null;
    lastCall: VisitCall;
    /** Riyadh date on which it starts */
    date: string;
    timeslot: {
        /** Start, Riyadh time */
        startAt: string;
        /** End; earlier than the start when it is on the next day */
        endAt: string;
    };
    contact: {
        /** Customer */
        name: string;
        /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/contacts/{id}/reveal`. null: the customer was erased */
        phone: string | null;
    };
    address: Address;
    /** Changes with every change; what `If-Match` names */
    version: number;
};

export type AppointmentPageResponse = {
    success: true;
    data: Appointment[];
    meta: PageMeta;
};

export type AppointmentResponse = {
    success: true;
    data: Appointment;
};

export type Attention = {
    /** As of when */
    at: string;
    /** Appointments that start soon and have no team yet */
    unassigned: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: Appointment[];
    };
    /** Appointments that start soon and are not confirmed */
    unconfirmed: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: Appointment[];
    };
    /** Appointments that should have begun */
    late: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: Appointment[];
    };
    /** Those of `late` of which nobody has reported anything: not on the way, not there, not how late */
    unreported: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: Appointment[];
    };
    /** Appointments that should have ended, begun or not */
    overdue: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: Appointment[];
    };
    /** Appointments, not begun, that their team could not do as they were sold: it is inactive, off, not on shift, lacks the skill or does not serve the zone any more */
    teamAway: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: Appointment[];
    };
    /** Appointments that could not be completed, and whose booking nobody has decided on */
    cannotComplete: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: Appointment[];
    };
    /** Appointments that were cancelled while their booking was not */
    cancelledAlone: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: Appointment[];
    };
    /** Appointments that are Finished and not Completed */
    notCompleted: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: Appointment[];
    };
    /** Visits of the last 14 days that were cancelled after their work had begun, or was done */
    workCancelled: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: Appointment[];
    };
    /** Dates of which live holds take more than a third of the free time; `list` has the holds of the first of them */
    daysHeld: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: HeldDay[];
    };
    /** Series with a visit to come that could not be placed, or that place nothing for now */
    seriesUnplaced: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: OperatorSeries[];
    };
    /** Bookings whose payment was confirmed although their appointment was cancelled alone: cancel the booking, or plan it anew */
    paidCancelled: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: {
            /** Booking */
            bookingId: string;
            /** The partner's reference; null: none */
            externalReference: string | null;
            /** Appointment */
            appointmentId: string;
            /** Booking status */
            status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
            /** Payment status */
            paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
            /** Tracking reference */
            trackingReference: string;
            /** Service date, midnight form */
            date: string;
            timeslot: BookedTimeslot;
            appointment: BookingAppointment;
            /** Service */
            serviceId: string;
            /** English name of the service */
            serviceNameEn: string;
            /** Arabic name of the service */
            serviceNameAr: string;
            /** Contact */
            contactId: string;
            /** Address of the contact */
            addressId: string;
            /** Locked at creation */
            price: number;
            /** Currency of all amounts */
            currency: "SAR";
            /** null: not canceled */
            cancellation: {
                /** Cancellation reason */
                reasonId: string | null;
                /** English name of the reason */
                reasonNameEn: string | null;
                /** Arabic name of the reason */
                reasonNameAr: string | null;
                /** Notes on the cancellation */
                notes: string | null;
                /** CANCEL_ONLY or CANCEL_AND_REFUND */
                action: string | null;
                /** Actor of the cancellation */
                by: string | null;
                /** When */
                at: string;
                /** SAR, by the policy, as it is now; null: no policy held, an operator cancelled, or the fee is to be decided */
                fee: number | null;
                /** Whether the operator still decides on the fee, because nobody knows why the visit was not done; after seven days there is none */
                feeToDecide: boolean;
                /** SAR that is kept of the price now, fees of moves too; null: the operator still decides */
                kept: number | null;
                /**
                 * For whom the operator cancelled; null: the side in `by` decided
                 * @enum {string|null}
                 */
                onBehalfOf: "CUSTOMER" | null;
                /**
                 * How far the work had come; null: it had not begun
                 * @enum {string|null}
                 */
                workReached: "In Progress" | "Finished" | "Completed" | null;
            } | null;
            /**
             * Why the visit could not be done; null: it could, or the reason is not known
             * @enum {string|null}
             */
            outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null) | undefined;
            /** Why it has failed, as in `booking.payment_failed`; null: it has not */
            failureReason: string | null;
            /** The version of the policy that it is under; null: changes are free */
            policyId?: (string | null) | undefined;
            /** The hold that it took; null: none */
            holdId?: (string | null) | undefined;
            /** The series that it is a visit of; null: none */
            seriesId?: (string | null) | undefined;
            /** Its index in the series; null: none */
            seriesIndex?: (number | null) | undefined;
            /** Fees of its changes by the policy, as they are now, oldest first */
            fees?: BookingFee[] | undefined;
            /** Refund of a payment by link; null: none */
            refund: BookingRefund | null;
            /** When it was created */
            createdAt: string;
            /** When it was last changed */
            updatedAt: string;
            /** In the response to the request alone, with `preferTeamOf`: whether the team is that of the booking */
            keepsTeam?: boolean | undefined;
            /** Partner */
            partnerId: string;
            /** Its name */
            partnerName: string;
            contact: {
                /** Contact */
                id: string;
                /** Customer */
                name: string;
                /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/contacts/{id}/reveal`. null: the customer was erased */
                phone: string | null;
            };
            address: Address;
            service: {
                /** Service */
                id: string;
                /** Its name */
                name: string;
            };
            team: {
                /** Assigned team */
                id: string;
                /** Its name */
                name: string;
                /** Its Arabic name; null: none */
                nameAr: string | null;
                /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/teams/{id}/reveal`. null: none */
                phone: string | null;
            };
            /** SAR, locked at creation */
            amount: number;
            /** The partner's notes; null: none, and for crews also once the visit is over */
            notes: string | null;
            /** The partner's reference of the payment */
            paymentReference: string | null;
            /** When the partner confirmed the payment */
            paymentConfirmedAt: string | null;
            /** Changes with every change; what `If-Match` names */
            version: number;
        }[];
    };
    /** Cancellations on whose fee you decide, because nobody knows why the visit was not done; after seven days there is none */
    feesToDecide: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: {
            /** Booking */
            bookingId: string;
            /** The partner's reference; null: none */
            externalReference: string | null;
            /** Appointment */
            appointmentId: string;
            /** Booking status */
            status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
            /** Payment status */
            paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
            /** Tracking reference */
            trackingReference: string;
            /** Service date, midnight form */
            date: string;
            timeslot: BookedTimeslot;
            appointment: BookingAppointment;
            /** Service */
            serviceId: string;
            /** English name of the service */
            serviceNameEn: string;
            /** Arabic name of the service */
            serviceNameAr: string;
            /** Contact */
            contactId: string;
            /** Address of the contact */
            addressId: string;
            /** Locked at creation */
            price: number;
            /** Currency of all amounts */
            currency: "SAR";
            /** null: not canceled */
            cancellation: {
                /** Cancellation reason */
                reasonId: string | null;
                /** English name of the reason */
                reasonNameEn: string | null;
                /** Arabic name of the reason */
                reasonNameAr: string | null;
                /** Notes on the cancellation */
                notes: string | null;
                /** CANCEL_ONLY or CANCEL_AND_REFUND */
                action: string | null;
                /** Actor of the cancellation */
                by: string | null;
                /** When */
                at: string;
                /** SAR, by the policy, as it is now; null: no policy held, an operator cancelled, or the fee is to be decided */
                fee: number | null;
                /** Whether the operator still decides on the fee, because nobody knows why the visit was not done; after seven days there is none */
                feeToDecide: boolean;
                /** SAR that is kept of the price now, fees of moves too; null: the operator still decides */
                kept: number | null;
                /**
                 * For whom the operator cancelled; null: the side in `by` decided
                 * @enum {string|null}
                 */
                onBehalfOf: "CUSTOMER" | null;
                /**
                 * How far the work had come; null: it had not begun
                 * @enum {string|null}
                 */
                workReached: "In Progress" | "Finished" | "Completed" | null;
            } | null;
            /**
             * Why the visit could not be done; null: it could, or the reason is not known
             * @enum {string|null}
             */
            outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null) | undefined;
            /** Why it has failed, as in `booking.payment_failed`; null: it has not */
            failureReason: string | null;
            /** The version of the policy that it is under; null: changes are free */
            policyId?: (string | null) | undefined;
            /** The hold that it took; null: none */
            holdId?: (string | null) | undefined;
            /** The series that it is a visit of; null: none */
            seriesId?: (string | null) | undefined;
            /** Its index in the series; null: none */
            seriesIndex?: (number | null) | undefined;
            /** Fees of its changes by the policy, as they are now, oldest first */
            fees?: BookingFee[] | undefined;
            /** Refund of a payment by link; null: none */
            refund: BookingRefund | null;
            /** When it was created */
            createdAt: string;
            /** When it was last changed */
            updatedAt: string;
            /** In the response to the request alone, with `preferTeamOf`: whether the team is that of the booking */
            keepsTeam?: boolean | undefined;
            /** Partner */
            partnerId: string;
            /** Its name */
            partnerName: string;
            contact: {
                /** Contact */
                id: string;
                /** Customer */
                name: string;
                /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/contacts/{id}/reveal`. null: the customer was erased */
                phone: string | null;
            };
            address: Address;
            service: {
                /** Service */
                id: string;
                /** Its name */
                name: string;
            };
            team: {
                /** Assigned team */
                id: string;
                /** Its name */
                name: string;
                /** Its Arabic name; null: none */
                nameAr: string | null;
                /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/teams/{id}/reveal`. null: none */
                phone: string | null;
            };
            /** SAR, locked at creation */
            amount: number;
            /** The partner's notes; null: none, and for crews also once the visit is over */
            notes: string | null;
            /** The partner's reference of the payment */
            paymentReference: string | null;
            /** When the partner confirmed the payment */
            paymentConfirmedAt: string | null;
            /** Changes with every change; what `If-Match` names */
            version: number;
        }[];
    };
    /** Bookings of which fees were given back today (Riyadh), and the sum */
    feesGivenBack: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: {
            /** Booking */
            bookingId: string;
            /** The partner's reference; null: none */
            externalReference: string | null;
            /** Appointment */
            appointmentId: string;
            /** Booking status */
            status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
            /** Payment status */
            paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
            /** Tracking reference */
            trackingReference: string;
            /** Service date, midnight form */
            date: string;
            timeslot: BookedTimeslot;
            appointment: BookingAppointment;
            /** Service */
            serviceId: string;
            /** English name of the service */
            serviceNameEn: string;
            /** Arabic name of the service */
            serviceNameAr: string;
            /** Contact */
            contactId: string;
            /** Address of the contact */
            addressId: string;
            /** Locked at creation */
            price: number;
            /** Currency of all amounts */
            currency: "SAR";
            /** null: not canceled */
            cancellation: {
                /** Cancellation reason */
                reasonId: string | null;
                /** English name of the reason */
                reasonNameEn: string | null;
                /** Arabic name of the reason */
                reasonNameAr: string | null;
                /** Notes on the cancellation */
                notes: string | null;
                /** CANCEL_ONLY or CANCEL_AND_REFUND */
                action: string | null;
                /** Actor of the cancellation */
                by: string | null;
                /** When */
                at: string;
                /** SAR, by the policy, as it is now; null: no policy held, an operator cancelled, or the fee is to be decided */
                fee: number | null;
                /** Whether the operator still decides on the fee, because nobody knows why the visit was not done; after seven days there is none */
                feeToDecide: boolean;
                /** SAR that is kept of the price now, fees of moves too; null: the operator still decides */
                kept: number | null;
                /**
                 * For whom the operator cancelled; null: the side in `by` decided
                 * @enum {string|null}
                 */
                onBehalfOf: "CUSTOMER" | null;
                /**
                 * How far the work had come; null: it had not begun
                 * @enum {string|null}
                 */
                workReached: "In Progress" | "Finished" | "Completed" | null;
            } | null;
            /**
             * Why the visit could not be done; null: it could, or the reason is not known
             * @enum {string|null}
             */
            outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null) | undefined;
            /** Why it has failed, as in `booking.payment_failed`; null: it has not */
            failureReason: string | null;
            /** The version of the policy that it is under; null: changes are free */
            policyId?: (string | null) | undefined;
            /** The hold that it took; null: none */
            holdId?: (string | null) | undefined;
            /** The series that it is a visit of; null: none */
            seriesId?: (string | null) | undefined;
            /** Its index in the series; null: none */
            seriesIndex?: (number | null) | undefined;
            /** Fees of its changes by the policy, as they are now, oldest first */
            fees?: BookingFee[] | undefined;
            /** Refund of a payment by link; null: none */
            refund: BookingRefund | null;
            /** When it was created */
            createdAt: string;
            /** When it was last changed */
            updatedAt: string;
            /** In the response to the request alone, with `preferTeamOf`: whether the team is that of the booking */
            keepsTeam?: boolean | undefined;
            /** Partner */
            partnerId: string;
            /** Its name */
            partnerName: string;
            contact: {
                /** Contact */
                id: string;
                /** Customer */
                name: string;
                /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/contacts/{id}/reveal`. null: the customer was erased */
                phone: string | null;
            };
            address: Address;
            service: {
                /** Service */
                id: string;
                /** Its name */
                name: string;
            };
            team: {
                /** Assigned team */
                id: string;
                /** Its name */
                name: string;
                /** Its Arabic name; null: none */
                nameAr: string | null;
                /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/teams/{id}/reveal`. null: none */
                phone: string | null;
            };
            /** SAR, locked at creation */
            amount: number;
            /** The partner's notes; null: none, and for crews also once the visit is over */
            notes: string | null;
            /** The partner's reference of the payment */
            paymentReference: string | null;
            /** When the partner confirmed the payment */
            paymentConfirmedAt: string | null;
            /** Changes with every change; what `If-Match` names */
            version: number;
        }[];
        /** SAR: what was given back today in all */
        sum: number;
    };
    /** Bookings that wait for payment although their appointment is near */
    paymentDue: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: {
            /** Booking */
            bookingId: string;
            /** The partner's reference; null: none */
            externalReference: string | null;
            /** Appointment */
            appointmentId: string;
            /** Booking status */
            status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
            /** Payment status */
            paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
            /** Tracking reference */
            trackingReference: string;
            /** Service date, midnight form */
            date: string;
            timeslot: BookedTimeslot;
            appointment: BookingAppointment;
            /** Service */
            serviceId: string;
            /** English name of the service */
            serviceNameEn: string;
            /** Arabic name of the service */
            serviceNameAr: string;
            /** Contact */
            contactId: string;
            /** Address of the contact */
            addressId: string;
            /** Locked at creation */
            price: number;
            /** Currency of all amounts */
            currency: "SAR";
            /** null: not canceled */
            cancellation: {
                /** Cancellation reason */
                reasonId: string | null;
                /** English name of the reason */
                reasonNameEn: string | null;
                /** Arabic name of the reason */
                reasonNameAr: string | null;
                /** Notes on the cancellation */
                notes: string | null;
                /** CANCEL_ONLY or CANCEL_AND_REFUND */
                action: string | null;
                /** Actor of the cancellation */
                by: string | null;
                /** When */
                at: string;
                /** SAR, by the policy, as it is now; null: no policy held, an operator cancelled, or the fee is to be decided */
                fee: number | null;
                /** Whether the operator still decides on the fee, because nobody knows why the visit was not done; after seven days there is none */
                feeToDecide: boolean;
                /** SAR that is kept of the price now, fees of moves too; null: the operator still decides */
                kept: number | null;
                /**
                 * For whom the operator cancelled; null: the side in `by` decided
                 * @enum {string|null}
                 */
                onBehalfOf: "CUSTOMER" | null;
                /**
                 * How far the work had come; null: it had not begun
                 * @enum {string|null}
                 */
                workReached: "In Progress" | "Finished" | "Completed" | null;
            } | null;
            /**
             * Why the visit could not be done; null: it could, or the reason is not known
             * @enum {string|null}
             */
            outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null) | undefined;
            /** Why it has failed, as in `booking.payment_failed`; null: it has not */
            failureReason: string | null;
            /** The version of the policy that it is under; null: changes are free */
            policyId?: (string | null) | undefined;
            /** The hold that it took; null: none */
            holdId?: (string | null) | undefined;
            /** The series that it is a visit of; null: none */
            seriesId?: (string | null) | undefined;
            /** Its index in the series; null: none */
            seriesIndex?: (number | null) | undefined;
            /** Fees of its changes by the policy, as they are now, oldest first */
            fees?: BookingFee[] | undefined;
            /** Refund of a payment by link; null: none */
            refund: BookingRefund | null;
            /** When it was created */
            createdAt: string;
            /** When it was last changed */
            updatedAt: string;
            /** In the response to the request alone, with `preferTeamOf`: whether the team is that of the booking */
            keepsTeam?: boolean | undefined;
            /** Partner */
            partnerId: string;
            /** Its name */
            partnerName: string;
            contact: {
                /** Contact */
                id: string;
                /** Customer */
                name: string;
                /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/contacts/{id}/reveal`. null: the customer was erased */
                phone: string | null;
            };
            address: Address;
            service: {
                /** Service */
                id: string;
                /** Its name */
                name: string;
            };
            team: {
                /** Assigned team */
                id: string;
                /** Its name */
                name: string;
                /** Its Arabic name; null: none */
                nameAr: string | null;
                /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/teams/{id}/reveal`. null: none */
                phone: string | null;
            };
            /** SAR, locked at creation */
            amount: number;
            /** The partner's notes; null: none, and for crews also once the visit is over */
            notes: string | null;
            /** The partner's reference of the payment */
            paymentReference: string | null;
            /** When the partner confirmed the payment */
            paymentConfirmedAt: string | null;
            /** Changes with every change; what `If-Match` names */
            version: number;
        }[];
    };
    /** Bookings that were dropped because nobody paid, whose visit was to be today (Riyadh), and whose customer has no other booking for that day */
    droppedUnpaid: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: {
            /** Booking */
            bookingId: string;
            /** The partner's reference; null: none */
            externalReference: string | null;
            /** Appointment */
            appointmentId: string;
            /** Booking status */
            status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
            /** Payment status */
            paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
            /** Tracking reference */
            trackingReference: string;
            /** Service date, midnight form */
            date: string;
            timeslot: BookedTimeslot;
            appointment: BookingAppointment;
            /** Service */
            serviceId: string;
            /** English name of the service */
            serviceNameEn: string;
            /** Arabic name of the service */
            serviceNameAr: string;
            /** Contact */
            contactId: string;
            /** Address of the contact */
            addressId: string;
            /** Locked at creation */
            price: number;
            /** Currency of all amounts */
            currency: "SAR";
            /** null: not canceled */
            cancellation: {
                /** Cancellation reason */
                reasonId: string | null;
                /** English name of the reason */
                reasonNameEn: string | null;
                /** Arabic name of the reason */
                reasonNameAr: string | null;
                /** Notes on the cancellation */
                notes: string | null;
                /** CANCEL_ONLY or CANCEL_AND_REFUND */
                action: string | null;
                /** Actor of the cancellation */
                by: string | null;
                /** When */
                at: string;
                /** SAR, by the policy, as it is now; null: no policy held, an operator cancelled, or the fee is to be decided */
                fee: number | null;
                /** Whether the operator still decides on the fee, because nobody knows why the visit was not done; after seven days there is none */
                feeToDecide: boolean;
                /** SAR that is kept of the price now, fees of moves too; null: the operator still decides */
                kept: number | null;
                /**
                 * For whom the operator cancelled; null: the side in `by` decided
                 * @enum {string|null}
                 */
                onBehalfOf: "CUSTOMER" | null;
                /**
                 * How far the work had come; null: it had not begun
                 * @enum {string|null}
                 */
                workReached: "In Progress" | "Finished" | "Completed" | null;
            } | null;
            /**
             * Why the visit could not be done; null: it could, or the reason is not known
             * @enum {string|null}
             */
            outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null) | undefined;
            /** Why it has failed, as in `booking.payment_failed`; null: it has not */
            failureReason: string | null;
            /** The version of the policy that it is under; null: changes are free */
            policyId?: (string | null) | undefined;
            /** The hold that it took; null: none */
            holdId?: (string | null) | undefined;
            /** The series that it is a visit of; null: none */
            seriesId?: (string | null) | undefined;
            /** Its index in the series; null: none */
            seriesIndex?: (number | null) | undefined;
            /** Fees of its changes by the policy, as they are now, oldest first */
            fees?: BookingFee[] | undefined;
            /** Refund of a payment by link; null: none */
            refund: BookingRefund | null;
            /** When it was created */
            createdAt: string;
            /** When it was last changed */
            updatedAt: string;
            /** In the response to the request alone, with `preferTeamOf`: whether the team is that of the booking */
            keepsTeam?: boolean | undefined;
            /** Partner */
            partnerId: string;
            /** Its name */
            partnerName: string;
            contact: {
                /** Contact */
                id: string;
                /** Customer */
                name: string;
                /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/contacts/{id}/reveal`. null: the customer was erased */
                phone: string | null;
            };
            address: Address;
            service: {
                /** Service */
                id: string;
                /** Its name */
                name: string;
            };
            team: {
                /** Assigned team */
                id: string;
                /** Its name */
                name: string;
                /** Its Arabic name; null: none */
                nameAr: string | null;
                /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/teams/{id}/reveal`. null: none */
                phone: string | null;
            };
            /** SAR, locked at creation */
            amount: number;
            /** The partner's notes; null: none, and for crews also once the visit is over */
            notes: string | null;
            /** The partner's reference of the payment */
            paymentReference: string | null;
            /** When the partner confirmed the payment */
            paymentConfirmedAt: string | null;
            /** Changes with every change; what `If-Match` names */
            version: number;
        }[];
    };
    /** Payments that have waited for more than a minute for their link: the gateway does not make it, and the customer cannot pay */
    linksNotMade: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: Payment[];
    };
    /** Payments whose link could not be sent to the customer for more than a minute */
    linksNotSent: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: Payment[];
    };
    /** Payments of bookings that were cancelled after their work had begun: an operator decides what goes back */
    refundsToDecide: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: Payment[];
    };
    /** Steps of crews that were refused in the last 24 hours, and about which nobody has decided: what the street did is not what the office knows */
    stepsRefused: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: CrewStep[];
    };
    /** Messages to customers that could not be sent, of the last 24 hours: they are not tried again */
    messagesFailed: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: FoundMessage[];
    };
    /** Customers' requests for a copy, a correction or their erasure that are due within 7 days, or overdue */
    privacyRequestsDue: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: PrivacyRequest[];
    };
    /** Webhook deliveries that fail */
    deliveriesFailing: {
        /** Their number */
        count: number;
        /** Path and query of the list that has all of them */
        list: string;
        /** The first ones, as that list has them */
        rows: WebhookDelivery[];
    };
};

export type AttentionResponse = {
    success: true;
    data: Attention;
};

export type AuditEntry = {
    /** Entry */
    id: string;
    /** ISO 8601 with offset */
    at: string;
    /** Who made the change */
    actor: string;
    /** Name that its token or its team has now; null: the actor is none, or it was removed */
    actorName: string | null;
    /** Action */
    action: string;
    /** Target of the action */
    target: string;
    /** Of tokens, links and sessions the name that the token has now; null: of no token */
    holderName: string | null;
    /** Name, reference or customer that the target has now, else its team or partner; null: none */
    targetName: string | null;
    /** The resource before the change; null: it did not exist */
    before: {
        [key: string]: unknown;
    } | null;
    /** The resource after the change; null: it does not exist */
    after: {
        [key: string]: unknown;
    } | null;
    /** What the entries of one request have in common; null: it changed one resource */
    groupId: string | null;
};

export type AuditEntryPageResponse = {
    success: true;
    data: AuditEntry[];
    meta: PageMeta;
};

export type Availability = {
    /** Requested date */
    date: string;
    /** The zone that covers the location; null: none */
    zone: {
        /** Zone */
        id: string;
        /** Its name */
        name: string;
        /** Its Arabic name; null: none */
        nameAr: string | null;
    } | null;
    /** Slots offered to partners, sorted by start */
    slots: {
        /** Start, Riyadh time */
        startAt: string;
        /** End; earlier than the start when it is on the next day */
        endAt: string;
        /** Number of available teams */
        teams: number;
    }[];
    /** Slot starts at which a team of the zone is on shift */
    starts: {
        /** Start, Riyadh time */
        startAt: string;
        /** End; earlier than the start when it is on the next day */
        endAt: string;
        /**
         * Why no team may take the slot, even if available; SLOT_NOT_OFFERED: the service cannot be booked there
         * @enum {string|null}
         */
        problem: "SLOT_IN_PAST" | "SLOT_INSIDE_NOTICE" | "SLOT_BEYOND_HORIZON" | "SLOT_NOT_OFFERED" | null;
    }[];
    /** Every team of the zone, by name */
    teams: {
        /** Team */
        id: string;
        /** Its name */
        name: string;
        /** Its Arabic name; null: none */
        nameAr: string | null;
        /**
         * Why the team cannot take any slot
         * @enum {string|null}
         */
        reason: "NO_SKILL" | "INACTIVE" | null;
        /** One for each of `starts` */
        slots: {
            /** Start, Riyadh time */
            startAt: string;
            /** Whether the team could take this slot, apart from its `problem` */
            free: boolean;
            /**
             * Why the team cannot take this slot; SCHEDULE: its weekly shifts would allow it
             * @enum {string|null}
             */
            reason: "OFF_SHIFT" | "SCHEDULE" | "TIME_OFF" | "BUSY" | null;
            /** With SCHEDULE: the schedule that is against it */
            schedule: NamedSchedule | null;
            /** The first conflicting appointment of a busy team; null: a customer holds the slot */
            appointment: {
                /** Appointment */
                id: string;
                /** Tracking reference */
                name: string;
                /** Its booking */
                bookingId: string;
            } | null;
            /** Slots that customers hold there, when nothing else is in the way. A sold visit displaces them: each goes to another free team; where there is none, `displaceHolds` of the move has to name it */
            holds: HoldInTheWay[];
        }[];
    }[];
    /** When no slot is offered: what is not set up, and where to set it up */
    hints: string[];
};

export type AvailabilityResponse = {
    success: true;
    data: Availability;
};

export type Board = {
    /** Requested date */
    date: string;
    /** Its midnight */
    from: string;
    /** The next midnight */
    until: string;
    /** The requested zone, or all active ones, by name */
    zones: {
        /** Zone */
        id: string;
        /** Its name */
        name: string;
        /** Its Arabic name; null: none */
        nameAr: string | null;
        /** Whether it can be booked in */
        isActive: boolean;
        /** Minutes between two starts */
        slotGridMinutes: number;
        /** Changes with every change; what `If-Match` names */
        version: number;
    }[];
    /** Active teams, and those that have an appointment, by name */
    teams: BoardTeam[];
    /** What holds the teams on the date, in any zone, by start; from the night before and into the next one too, without the cancelled ones */
    appointments: BoardAppointment[];
    /** Slots that customers hold with these teams now, by start */
    holds: HoldOnBoard[];
};

export type BoardAppointment = {
    /** Appointment */
    id: string;
    /** Changes with every change; what `If-Match` names */
    version: number;
    /** Tracking reference */
    name: string;
    /** Appointment status */
    status: "New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled";
    /** false: it is New. `teamId` holds the time for it, and nobody has confirmed the team yet */
    isAssigned: boolean;
    /** Team that holds the time */
    teamId: string;
    /** Zone it lies in */
    zoneId: string;
    /** Start */
    startsAt: string;
    /** End */
    endsAt: string;
    /** End of the travel buffer after it */
    busyUntil: string;
    /**
     * Why its team could not take it by the rules: it was forced there, or the team has changed since. null: it could, or the work is over
     * @enum {string|null}
     */
    problem: "INACTIVE" | "NOT_IN_ZONE" | "NO_SKILL" | "OFF_SHIFT" | "TIME_OFF" | null;
    /** How much later than the start the team comes, as it was reported; null: nobody has said so */
    lateMinutes: number | null;
    lastCall: VisitCall;
    booking: {
        /** Its booking */
        id: string;
        /** Changes with every change; what `If-Match` names */
        version: number;
        /** Booking status */
        status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
        /** Payment status */
        paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
        /** Who collects the payment */
        paymentResponsibility: "PARTNER" | "PLATFORM";
        /** SAR, locked at creation */
        amount: number;
        /** The partner's notes; null: none, and for crews also once the visit is over */
        notes: string | null;
        /** The series that it is a visit of; null: none */
        seriesId?: (string | null) | undefined;
        /** Its index in the series; null: none */
        seriesIndex?: (number | null) | undefined;
    };
    partner: {
        /** Partner */
        id: string;
        /** Its name */
        name: string;
    };
    service: {
        /** Service */
        id: string;
        /** English name */
        nameEn: string;
        /** Arabic name, or the English one when there is none */
        nameAr: string;
    };
    contact: {
        /** Contact */
        id: string;
        /** Customer */
        name: string;
        /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/contacts/{id}/reveal`. null: the customer was erased */
        phone: string | null;
    };
    address: Address;
};

export type BoardResponse = {
    success: true;
    data: Board;
};

export type BoardTeam = {
    /** Team */
    id: string;
    /** Its name */
    name: string;
    /** Its Arabic name; null: none */
    nameAr: string | null;
    /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/teams/{id}/reveal`. null: none */
    phone: string | null;
    /** Whether it can be booked */
    isActive: boolean;
    /** Zone under which it is listed; null: the first that it serves, by name */
    homeZoneId: string | null;
    /** Zones it serves */
    zoneIds: string[];
    /** Services it can do */
    serviceIds: string[];
    /** Minutes kept free between two appointments */
    travelBufferMinutes: number;
    /** Shifts that touch the date, by start, whole */
    shifts: {
        /** Start; on the day before for the rest of a night */
        startsAt: string;
        /** End; on the next day for a night */
        endsAt: string;
    }[];
    /** Times off that touch the date, by start, whole */
    timeOff: {
        /** Time off */
        id: string;
        /** Start */
        startsAt: string;
        /** End (exclusive) */
        endsAt: string;
        /** Only visible to the operator */
        reason: string;
    }[];
    /** Changes with every change; what `If-Match` names */
    version: number;
};

export type BookedTimeslot = {
    /** Start */
    startAt: string;
    /** End */
    endAt: string;
    /** Whether it ends after midnight */
    endsAtNextDay: boolean;
};

export type Booking = {
    /** Booking */
    bookingId: string;
    /** The partner's reference; null: none */
    externalReference: string | null;
    /** Appointment */
    appointmentId: string;
    /** Booking status */
    status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
    /** Payment status */
    paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
    /** Tracking reference */
    trackingReference: string;
    /** Service date, midnight form */
    date: string;
    timeslot: BookedTimeslot;
    appointment: BookingAppointment;
    /** Service */
    serviceId: string;
    /** English name of the service */
    serviceNameEn: string;
    /** Arabic name of the service */
    serviceNameAr: string;
    /** Contact */
    contactId: string;
    /** Address of the contact */
    addressId: string;
    /** Locked at creation */
    price: number;
    /** Currency of all amounts */
    currency: "SAR";
    /** null: not canceled */
    cancellation: {
        /** Cancellation reason */
        reasonId: string | null;
        /** English name of the reason */
        reasonNameEn: string | null;
        /** Arabic name of the reason */
        reasonNameAr: string | null;
        /** Notes on the cancellation */
        notes: string | null;
        /** CANCEL_ONLY or CANCEL_AND_REFUND */
        action: string | null;
        /** Actor of the cancellation */
        by: string | null;
        /** When */
        at: string;
        /** SAR, by the policy, as it is now; null: no policy held, an operator cancelled, or the fee is to be decided */
        fee: number | null;
        /** Whether the operator still decides on the fee, because nobody knows why the visit was not done; after seven days there is none */
        feeToDecide: boolean;
        /** SAR that is kept of the price now, fees of moves too; null: the operator still decides */
        kept: number | null;
        /**
         * For whom the operator cancelled; null: the side in `by` decided
         * @enum {string|null}
         */
        onBehalfOf: "CUSTOMER" | null;
        /**
         * How far the work had come; null: it had not begun
         * @enum {string|null}
         */
        workReached: "In Progress" | "Finished" | "Completed" | null;
    } | null;
    /**
     * Why the visit could not be done; null: it could, or the reason is not known
     * @enum {string|null}
     */
    outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null) | undefined;
    /** Why it has failed, as in `booking.payment_failed`; null: it has not */
    failureReason: string | null;
    /** The version of the policy that it is under; null: changes are free */
    policyId?: (string | null) | undefined;
    /** The hold that it took; null: none */
    holdId?: (string | null) | undefined;
    /** The series that it is a visit of; null: none */
    seriesId?: (string | null) | undefined;
    /** Its index in the series; null: none */
    seriesIndex?: (number | null) | undefined;
    /** Fees of its changes by the policy, as they are now, oldest first */
    fees?: BookingFee[] | undefined;
    /** Refund of a payment by link; null: none */
    refund: BookingRefund | null;
    /** When it was created */
    createdAt: string;
    /** When it was last changed */
    updatedAt: string;
    /** In the response to the request alone, with `preferTeamOf`: whether the team is that of the booking */
    keepsTeam?: boolean | undefined;
    /** Partner */
    partnerId: string;
    /** Its name */
    partnerName: string;
    contact: {
        /** Contact */
        id: string;
        /** Customer */
        name: string;
        /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/contacts/{id}/reveal`. null: the customer was erased */
        phone: string | null;
    };
    address: Address;
    service: {
        /** Service */
        id: string;
        /** Its name */
        name: string;
    };
    team: {
        /** Assigned team */
        id: string;
        /** Its name */
        name: string;
        /** Its Arabic name; null: none */
        nameAr: string | null;
        /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/teams/{id}/reveal`. null: none */
        phone: string | null;
    };
    /** SAR, locked at creation */
    amount: number;
    /** The partner's notes; null: none, and for crews also once the visit is over */
    notes: string | null;
    /** The partner's reference of the payment */
    paymentReference: string | null;
    /** When the partner confirmed the payment */
    paymentConfirmedAt: string | null;
    /** Changes with every change; what `If-Match` names */
    version: number;
    /** The payment by link; null: there is none */
    payment: BookingPayment | null;
};

export type BookingAppointment = {
    /** Appointment */
    id: string;
    /** Tracking reference */
    name: string;
    /** Appointment status */
    status: "New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled";
    /** Start */
    scheduledStartDateTime: string;
    /** End */
    scheduledEndDateTime: string;
    /** Changes with every change; what `If-Match` names */
    version: number;
};

export type BookingDetail = {
    /** Booking */
    bookingId: string;
    /** The partner's reference; null: none */
    externalReference: string | null;
    /** Appointment */
    appointmentId: string;
    /** Booking status */
    status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
    /** Payment status */
    paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
    /** Tracking reference */
    trackingReference: string;
    /** Service date, midnight form */
    date: string;
    timeslot: BookedTimeslot;
    appointment: BookingAppointment;
    /** Service */
    serviceId: string;
    /** English name of the service */
    serviceNameEn: string;
    /** Arabic name of the service */
    serviceNameAr: string;
    /** Contact */
    contactId: string;
    /** Address of the contact */
    addressId: string;
    /** Locked at creation */
    price: number;
    /** Currency of all amounts */
    currency: "SAR";
    /** null: not canceled */
    cancellation: {
        /** Cancellation reason */
        reasonId: string | null;
        /** English name of the reason */
        reasonNameEn: string | null;
        /** Arabic name of the reason */
        reasonNameAr: string | null;
        /** Notes on the cancellation */
        notes: string | null;
        /** CANCEL_ONLY or CANCEL_AND_REFUND */
        action: string | null;
        /** Actor of the cancellation */
        by: string | null;
        /** When */
        at: string;
        /** SAR, by the policy, as it is now; null: no policy held, an operator cancelled, or the fee is to be decided */
        fee: number | null;
        /** Whether the operator still decides on the fee, because nobody knows why the visit was not done; after seven days there is none */
        feeToDecide: boolean;
        /** SAR that is kept of the price now, fees of moves too; null: the operator still decides */
        kept: number | null;
        /**
         * For whom the operator cancelled; null: the side in `by` decided
         * @enum {string|null}
         */
        onBehalfOf: "CUSTOMER" | null;
        /**
         * How far the work had come; null: it had not begun
         * @enum {string|null}
         */
        workReached: "In Progress" | "Finished" | "Completed" | null;
    } | null;
    /**
     * Why the visit could not be done; null: it could, or the reason is not known
     * @enum {string|null}
     */
    outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null) | undefined;
    /** Why it has failed, as in `booking.payment_failed`; null: it has not */
    failureReason: string | null;
    /** The version of the policy that it is under; null: changes are free */
    policyId?: (string | null) | undefined;
    /** The hold that it took; null: none */
    holdId?: (string | null) | undefined;
    /** The series that it is a visit of; null: none */
    seriesId?: (string | null) | undefined;
    /** Its index in the series; null: none */
    seriesIndex?: (number | null) | undefined;
    /** Fees of its changes by the policy, as they are now, oldest first */
    fees?: BookingFee[] | undefined;
    /** Refund of a payment by link; null: none */
    refund: BookingRefund | null;
    /** When it was created */
    createdAt: string;
    /** When it was last changed */
    updatedAt: string;
    /** In the response to the request alone, with `preferTeamOf`: whether the team is that of the booking */
    keepsTeam?: boolean | undefined;
    /** Partner */
    partnerId: string;
    /** Its name */
    partnerName: string;
    contact: {
        /** Contact */
        id: string;
        /** Customer */
        name: string;
        /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/contacts/{id}/reveal`. null: the customer was erased */
        phone: string | null;
    };
    address: Address;
    service: {
        /** Service */
        id: string;
        /** Its name */
        name: string;
    };
    team: {
        /** Assigned team */
        id: string;
        /** Its name */
        name: string;
        /** Its Arabic name; null: none */
        nameAr: string | null;
        /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/teams/{id}/reveal`. null: none */
        phone: string | null;
    };
    /** SAR, locked at creation */
    amount: number;
    /** The partner's notes; null: none, and for crews also once the visit is over */
    notes: string | null;
    /** The partner's reference of the payment */
    paymentReference: string | null;
    /** When the partner confirmed the payment */
    paymentConfirmedAt: string | null;
    /** Changes with every change; what `If-Match` names */
    version: number;
    /** What happened to the fees of the booking, oldest first */
    feeHistory: FeeHistoryEntry[];
    /** SAR: the sum of waivers so far, as `amount` of the next one begins */
    feesGivenBack: number;
    /** Oldest first */
    history: {
        /** When */
        at: string;
        /** Who */
        by: string;
        /** An event, or an action of the audit log */
        what: string;
        /** The appointment's `statusReason`, `CORRECTED`: an administrator corrected the status, or why a step of the crew was refused */
        reason: string | null;
        /** In words: `statusNotes`, the reason of the correction, or how late a crew runs */
        notes: string | null;
        /** When it happened, of a step that a crew reported; null: at `at`, as far as is known */
        happenedAt: string | null;
        /** Whether the telephone's clock was set between the step and its sending */
        isTimeUncertain: boolean;
        /** The event's number within the booking; null: no event */
        sequence: number | null;
    }[];
    /** The payment by link; null: there is none */
    payment: BookingPayment | null;
};

export type BookingDetailResponse = {
    success: true;
    data: BookingDetail;
};

export type BookingFee = {
    /** The change */
    action: "cancel" | "reschedule";
    /** SAR */
    amount: number;
    /** When */
    at: string;
    /**
     * The operator made the change, and the customer asked for it; null: you made it
     * @enum {string|null}
     */
    onBehalfOf?: ("CUSTOMER" | null) | undefined;
};

export type BookingMessages = {
    /** The customer's page of the booking; null: the partner's account has none */
    trackingUrl: string | null;
    /** Oldest first, of the last 90 days */
    messages: CustomerMessage[];
};

export type BookingMessagesResponse = {
    success: true;
    data: BookingMessages;
};

export type BookingMove = {
    /** Booking */
    bookingId: string;
    /** Appointment */
    appointmentId: string;
    /** Tracking reference */
    trackingReference: string;
    /** Start */
    startsAt: string;
    /** Zone before; null: none */
    fromZoneId: string | null;
    /** Zone after; null: none */
    toZoneId: string | null;
    team: {
        /** Team */
        id: string;
        /** Its name */
        name: string;
        /** Its Arabic name; null: none */
        nameAr: string | null;
    };
    /** Whether the team serves the zone after */
    teamServesZone: boolean;
};

export type BookingPageResponse = {
    success: true;
    data: Booking[];
    meta: PageMeta;
};

export type BookingPayment = {
    /** Payment */
    id: string;
    /** CREATED: no link yet; OPEN: a link that can be paid; else what became of it */
    status: "CREATED" | "OPEN" | "PAID" | "FAILED" | "EXPIRED" | "CANCELED";
    /** Where the customer pays */
    linkUrl: string | null;
    /** Whose link it is; null: there is none yet */
    gateway: string | null;
    /** The gateway's id of the link */
    gatewayReference: string | null;
    /** When the first payment arrived, even if too late */
    paidAt: string | null;
    /** Why it failed, as in booking.payment_failed */
    failureReason: string | null;
    /** null: nothing to refund */
    refund: Refund | null;
    /** Amount due, SAR */
    amount: number;
    /** Amount paid in all, SAR */
    paidAmount: number | null;
    /** Of what was paid, refunded so far, SAR */
    refundedAmount: number;
    /** What is left of what was paid, SAR */
    keptAmount: number;
    /** All payments by the link and tries to pay, oldest first, as the gateway said last */
    payments: GatewayPayment[];
    /** What an operator decided about the refund; null: nothing */
    refundDecision: RefundDecision | null;
    /** What cancelling the booking now would do with the money; null: nothing to refund */
    refundOnCancel: RefundOnCancel | null;
};

export type BookingRefund = {
    /** SAR */
    amount: number;
    /** `PENDING`: is made; `DONE`: was made; `FAILED`: the operator makes it; `TO_DECIDE`: the work had begun, so the operator decides; `DECLINED`: the operator has decided against it */
    status: "PENDING" | "DONE" | "FAILED" | "TO_DECIDE" | "DECLINED";
};

export type BookingStatementLine = {
    /** Its place, from 1 */
    line: number;
    /** Booking */
    bookingId: string;
    /** Its name */
    trackingReference: string;
    /** The partner's reference then; null: none */
    externalReference: string | null;
    /** Service */
    serviceId: string;
    /** As it was sold */
    serviceNameEn: string;
    /** As it was sold; null: none */
    serviceNameAr: string | null;
    /** Riyadh date of the visit */
    serviceDate: string;
    /** VISIT; FEE: of ending the booking, with its moves; WAIVER: given back of these; COLLECTED and GIVEN_BACK: money of the customer */
    kind: "VISIT" | "FEE" | "WAIVER" | "COLLECTED" | "GIVEN_BACK";
    /** SAR */
    net: number;
    /** SAR */
    vat: number;
    /** SAR; a correction may be negative */
    gross: number;
    /**
     * null: the customer's money, no supply to the partner
     * @enum {string|null}
     */
    vatCategory: "S" | "Z" | "E" | "O" | null;
    /** Percent; null as the category */
    vatPercent: number | null;
    /** Number of the last statement that told of the booking; null: none */
    corrects: string | null;
    /** Statement */
    statementId: string;
    /** Its number */
    number: string;
    /** Riyadh month of the service dates */
    month: string;
};

export type BookingStatementLineListResponse = {
    success: true;
    data: BookingStatementLine[];
};

export type CancelBookingRequest = {
    /** An active cancellation reason, customer-facing or not */
    reasonId: string;
    /** Why, in your words */
    notes?: string | undefined;
    /** The customer asked for it: it costs what the partner's own change would (GET /operator/bookings/:id/quote), and the partner is told so. Left out: it is your decision, and costs nothing */
    onBehalfOf?: "CUSTOMER" | undefined;
    /** With a fee: refused with `FEE_CHANGED` when it would cost more, SAR. Not in later responses: it is for this request */
    maxFee?: number | undefined;
};

export type CancellationReason = {
    /** Reason */
    id: string;
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
    /** An inactive reason cannot be used */
    isActive: boolean;
    /** Whether partners see it; otherwise only the operator can use it */
    isCustomerFacing: boolean;
    /** Sort order, ascending */
    sortOrder: number;
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
};

export type CancellationReasonPageResponse = {
    success: true;
    data: CancellationReason[];
    meta: PageMeta;
};

export type CancellationReasonResponse = {
    success: true;
    data: CancellationReason;
};

export type Category = {
    /** Category */
    id: string;
    /** Unique code, or null */
    code: string | null;
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
    /** English description */
    descriptionEn: string;
    /** Arabic description */
    descriptionAr: string;
    /** Sort order, ascending */
    sortOrder: number;
    /** An inactive category hides its services */
    isActive: boolean;
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
};

export type CategoryPageResponse = {
    success: true;
    data: Category[];
    meta: PageMeta;
};

export type CategoryResponse = {
    success: true;
    data: Category;
};

export type ChangeZonesQuery = {
    /** true: only says what would come of it. Default false */
    preview?: ("true" | "false") | undefined;
    /** The `digest` of the preview. When the change hits other appointments by now, one that was sold since for instance, it is refused with 409 `CONFLICT` and the new list in `details.conflicts` */
    expect?: string | undefined;
};

export type ChangeZonesRequest = {
    /** Each with the fields to change; a `version` that it no longer has is refused. One without `id` is new, and has `name` and `area` at least */
    zones: {
        /** Zone; without one a new zone is made */
        id?: string | undefined;
        /** As it was read; heeded as `If-Match` is. Not in later responses: the change makes it the next one */
        version?: number | undefined;
        /** Unique name */
        name?: string | undefined;
        area?: {
            type: "Polygon";
            /** One closed ring of 4 to 2,000 positions [longitude, latitude], without holes */
            coordinates: number[][][];
        } | undefined;
        /** Arabic name; null: none, the English name is shown */
        nameAr?: (string | null) | undefined;
        /** Services that can be booked in the zone */
        serviceIds?: string[] | undefined;
        /** Slots start at multiples of this many minutes after midnight */
        slotGridMinutes?: number | undefined;
        /** Where zones overlap, the one with the lower priority, then the first by name, covers the point */
        priority?: number | undefined;
        /** Whether the zone covers addresses */
        isActive?: boolean | undefined;
    }[];
    /** Whether overlaps with zones of equal priority, which are refused else, are wanted: all that the zone has */
    confirmOverlap?: boolean | undefined;
};

export type ChangedCategory = {
    /** Category */
    id: string;
    /** Unique code, or null */
    code: string | null;
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
    /** English description */
    descriptionEn: string;
    /** Arabic description */
    descriptionAr: string;
    /** Sort order, ascending */
    sortOrder: number;
    /** An inactive category hides its services */
    isActive: boolean;
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
    /** false: it was a preview. Only with `preview` or `expect` */
    isApplied?: boolean | undefined;
    conflicts?: Conflicts | undefined;
};

export type ChangedCategoryResponse = {
    success: true;
    data: ChangedCategory;
};

export type ChangedService = {
    /** Service */
    id: string;
    /** The English name, as `nameEn` */
    name: string;
    /** English name */
    nameEn: string;
    /** Arabic name; null: none, the English name is shown */
    nameAr: string | null;
    /** Its category */
    categoryId: string;
    /** Length of its appointments, in minutes */
    durationMinutes: number;
    /** SAR, at most 2 decimals; for partners without a price of their own */
    defaultPrice: number;
    /** What a price of 0 means for a PLATFORM partner: nothing to pay (in progress), or paid later (success) */
    zeroPriceMeans: "free" | "deferred";
    /** Whether the team is assigned at once, or once the operator has confirmed it */
    assignment: "instant" | "deferred";
    /** Slots that start sooner than this are not offered */
    minimumNoticeMinutes: number;
    /** Slots further ahead than this are not offered */
    bookingHorizonDays: number;
    /** Whether it can be booked */
    isActive: boolean;
    /** Prices from days after today on, in place of those that are there. Left out, these stay; one that is not listed is taken back. The moment of sale counts, not the day of the visit */
    comingPrices: {
        /** Sales from this day on have the price, from midnight in Riyadh; after today, and each day once */
        from: string;
        /** SAR, at most 2 decimals; for partners without a price of their own */
        price: number;
    }[];
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
    /** false: it was a preview. Only with `preview` or `expect` */
    isApplied?: boolean | undefined;
    conflicts?: Conflicts | undefined;
};

export type ChangedServiceResponse = {
    success: true;
    data: ChangedService;
};

export type ChangedTeam = {
    /** Team */
    id: string;
    /** Unique name */
    name: string;
    /** Arabic name; null: none, the English name is shown */
    nameAr: string | null;
    /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/teams/{id}/reveal`. null: none */
    phone: string | null;
    /** Zones it serves */
    zoneIds: string[];
    /** Zone under which the board lists it; null, or one that it does not serve: the first that it serves, by name */
    homeZoneId: string | null;
    /** Services it can do */
    serviceIds: string[];
    /** Minutes kept free before and after an appointment that is booked or moved from now on; one that was sold with more keeps them */
    travelBufferMinutes: number;
    /** Weekly shifts in Riyadh time, without overlaps */
    shifts: {
        /** Day on which it starts, 1 (Monday) to 7 (Sunday) */
        weekday: number;
        /** Start, Riyadh time, on a whole minute */
        startAt: string;
        /** End; before the start: on the next day; equal to it: 24 hours later */
        endAt: string;
    }[];
    /** Whether it can be booked */
    isActive: boolean;
    /** Changes with every change; what `If-Match` names */
    version: number;
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
    /** Unfinished appointments that the change took from the team: they stay until they are moved */
    appointments: {
        /** Appointment */
        id: string;
        /** Tracking reference */
        name: string;
        /** Its booking */
        bookingId: string;
        /** Start */
        startsAt: string;
        /** End */
        endsAt: string;
        /** Appointment status */
        status: string;
        /** Why the team cannot do it any more */
        reasons: ("INACTIVE" | "NOT_IN_ZONE" | "NO_SKILL" | "OFF_SHIFT" | "TIME_OFF")[];
    }[];
    /** false: it was a preview. Only with `preview` or `expect` */
    isApplied?: boolean | undefined;
    conflicts?: Conflicts | undefined;
};

export type ChangedTeamResponse = {
    success: true;
    data: ChangedTeam;
};

export type ChangedZone = {
    /** Zone */
    id: string;
    /** Unique name */
    name: string;
    /** Arabic name; null: none, the English name is shown */
    nameAr: string | null;
    area: {
        type: "Polygon";
        /** One closed ring of 4 to 2,000 positions [longitude, latitude], without holes */
        coordinates: number[][][];
    };
    /** Services that can be booked in the zone */
    serviceIds: string[];
    /** Slots start at multiples of this many minutes after midnight */
    slotGridMinutes: number;
    /** Where zones overlap, the one with the lower priority, then the first by name, covers the point */
    priority: number;
    /** Whether the zone covers addresses */
    isActive: boolean;
    /** Zones of equal priority whose overlap with it was confirmed; `version` does not count them */
    confirmedOverlaps: string[];
    /** Changes with every change; what `If-Match` names */
    version: number;
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
    /** false: it was a preview. Only with `preview` or `expect` */
    isApplied?: boolean | undefined;
    conflicts?: Conflicts | undefined;
};

export type ChangedZoneResponse = {
    success: true;
    data: ChangedZone;
};

export type Clock = {
    /** Business time */
    now: string;
    /** Real time */
    realNow: string;
    /** Seconds that business time is ahead of real time */
    offsetSeconds: number;
};

export type ClockResponse = {
    success: true;
    data: Clock;
};

export type CloseBookingRequest = {
    /** An active cancellation reason, customer-facing or not */
    reasonId: string;
    /** Why the visit could not be done; left out: as was said with the status */
    outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER") | undefined;
    /** Why, in your words */
    notes?: string | undefined;
    /** With a fee: refused with `FEE_CHANGED` when it would cost more, SAR. Not in later responses: it is for this request */
    maxFee?: number | undefined;
};

export type CompletePrivacyRequestRequest = {
    /** A note on the answer, which does not name the customer */
    answer?: string | undefined;
};

export type Conflicts = {
    /** Appointments to begin that the change puts out of place; they keep team and time */
    total: number;
    /** Those of them that are visits of a series */
    ofSeries: number;
    /** Of all these appointments; `expect` takes it */
    digest: string;
    /** By day and zone */
    days: {
        /** Riyadh date of the start */
        date: string;
        /** Zone */
        zoneId: string;
        /** Its name */
        zoneName: string;
        /** Its Arabic name; null: none */
        zoneNameAr: string | null;
        /** Number of appointments */
        appointments: number;
    }[];
    /** The first by start */
    rows: {
        /** Appointment */
        appointmentId: string;
        /** Its booking */
        bookingId: string;
        /** Tracking reference */
        trackingReference: string;
        /** Start */
        startsAt: string;
        /** End */
        endsAt: string;
        zone: {
            /** Zone */
            id: string;
            /** Its name */
            name: string;
            /** Its Arabic name; null: none */
            nameAr: string | null;
        };
        team: {
            /** Team */
            id: string;
            /** Its name */
            name: string;
            /** Its Arabic name; null: none */
            nameAr: string | null;
        };
        contact: {
            /** Customer */
            name: string;
            /** Phone */
            phone: string;
        };
        /** Why it is out of place */
        reasons: ("INACTIVE" | "NOT_IN_ZONE" | "NO_SKILL" | "OFF_SHIFT" | "TIME_OFF" | "SERVICE_OFF" | "NOT_OFFERED_IN_ZONE" | "OUTSIDE_ZONE")[];
    }[];
};

export type ContactDetail = {
    /** Contact */
    id: string;
    /** Customer name as first registered */
    name: string;
    /** E.164 */
    phone: string;
    /**
     * Language of messages to the customer; null: not known, so they have both
     * @enum {string|null}
     */
    language: "ar" | "en" | null;
    /**
     * Chosen on the page behind a message: `STOP`, no messages; `NOT_ME`, the number is not hers. Payment links and word of a cancellation are sent all the same. null: neither
     * @enum {string|null}
     */
    messagesStopped: "STOP" | "NOT_ME" | null;
    /** Oldest first */
    addresses: Address[];
    /** ISO 8601 with offset */
    createdAt: string;
};

export type CorrectAppointmentRequest = {
    /** Appointment status */
    status: "New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled";
    /** Why, in your words; for operators */
    reason: string;
};

export type CorrectBookingRequest = {
    /** For the operator; stored, never returned */
    notes?: (string | null) | undefined;
    /** Access instructions for the crew. Encrypted, never returned, shown to the crew on the day of the visit only, deleted a week after. null: none */
    instructions?: (string | null) | undefined;
    /** Code of a door or gate; kept as `instructions` are. null: none */
    accessCode?: (string | null) | undefined;
    /** Another address of the customer, in the zone of the visit */
    addressId?: string | undefined;
    /** Differences from the address of the booking, or from `addressId`: texts, null removes one, and both coordinates. Other bookings at another door or place keep theirs: then it is a new address of the customer */
    address?: {
        /** As `addressId` */
        id?: string | undefined;
        /** Decimal degrees, -90 to 90; ignored without longitude */
        latitude?: string | undefined;
        /** Decimal degrees, -180 to 180; ignored without latitude */
        longitude?: string | undefined;
        /** City of the service address */
        cityName?: (string | null) | undefined;
        /** District of the service address */
        districtName?: (string | null) | undefined;
        /** Street of the service address */
        streetName?: (string | null) | undefined;
        /** Short address of the National Address: four letters and four digits; stored in capitals */
        shortAddress?: (string | null) | undefined;
        /** Number of the building; another one is another address */
        buildingNumber?: (string | null) | undefined;
        /** Flat, villa or office in the building; another one is another address */
        unit?: (string | null) | undefined;
        /** Floor */
        floor?: (string | null) | undefined;
        /** Postal code: five digits */
        postalCode?: (string | null) | undefined;
        /** Where the door is, for the crew */
        directions?: (string | null) | undefined;
    } | undefined;
};

export type CreateBookingForPartnerRequest = {
    /** Partner whose customer it is */
    partnerId: string;
    /** From the contacts operation */
    contactId?: string | undefined;
    /** An address of the contact */
    addressId?: string | undefined;
    contact?: {
        /** Saudi phone number in international format, no spaces; normalized to E.164 */
        phone: string;
        /** The customer's full name; an existing contact keeps its name */
        name: string;
        /** Decimal degrees, -90 to 90; ignored without longitude */
        latitude?: string | undefined;
        /** Decimal degrees, -180 to 180; ignored without latitude */
        longitude?: string | undefined;
        /** Language of messages to the customer; an existing contact gets it. Not known: they have both */
        language?: ("ar" | "en") | undefined;
        /** City of the service address */
        cityName?: string | undefined;
        /** District of the service address */
        districtName?: string | undefined;
        /** Street of the service address */
        streetName?: string | undefined;
        /** Short address of the National Address: four letters and four digits; stored in capitals */
        shortAddress?: string | undefined;
        /** Number of the building; another one is another address */
        buildingNumber?: string | undefined;
        /** Flat, villa or office in the building; another one is another address */
        unit?: string | undefined;
        /** Floor */
        floor?: string | undefined;
        /** Postal code: five digits */
        postalCode?: string | undefined;
        /** Where the door is, for the crew */
        directions?: string | undefined;
    } | undefined;
    /** Enabled for the partner and available at the address */
    serviceId: string;
    /** Riyadh date on which the appointment starts (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date: string;
    timeslot: Timeslot;
    /** The partner's own reference, unique in its account; makes retries safe */
    externalReference?: string | undefined;
    /** For the operator; stored, never returned */
    notes?: string | undefined;
    /** Access instructions for the crew. Encrypted, never returned, shown to the crew on the day of the visit only, deleted a week after */
    instructions?: string | undefined;
    /** Code of a door or gate; kept as `instructions` are */
    accessCode?: string | undefined;
    /** The hold of this slot: the booking takes it, at its price. One that is over is ignored if that costs nothing */
    holdId?: string | undefined;
    /** An earlier booking of the partner: its team is assigned if it is free, else another; `keepsTeam` tells. Not in later responses: `team` is what came of it */
    preferTeamOf?: string | undefined;
    /** Ignore the service's minimum notice. Nothing else: past, horizon, grid, shifts, time off and travel buffers hold */
    force?: boolean | undefined;
    /** Why, with `force`; the audit log keeps it as `forcedBecause`, beside `forced`, which stands there without it too */
    reason?: string | undefined;
};

export type CreateCancellationReasonRequest = {
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
    /** An inactive reason cannot be used */
    isActive?: boolean | undefined;
    /** Whether partners see it; otherwise only the operator can use it */
    isCustomerFacing?: boolean | undefined;
    /** Sort order, ascending */
    sortOrder?: number | undefined;
};

export type CreateCatalogueServiceRequest = {
    /** Alias of `nameEn`; one of the two is required */
    name?: string | undefined;
    /** English name */
    nameEn?: string | undefined;
    /** Arabic name; null: none, the English name is shown */
    nameAr?: (string | null) | undefined;
    /** Its category */
    categoryId: string;
    /** Length of its appointments, in minutes */
    durationMinutes: number;
    /** SAR, at most 2 decimals; for partners without a price of their own */
    defaultPrice: number;
    /** What a price of 0 means for a PLATFORM partner: nothing to pay (in progress), or paid later (success) */
    zeroPriceMeans?: ("free" | "deferred") | undefined;
    /** Whether the team is assigned at once, or once the operator has confirmed it */
    assignment?: ("instant" | "deferred") | undefined;
    /** Slots that start sooner than this are not offered */
    minimumNoticeMinutes?: number | undefined;
    /** Slots further ahead than this are not offered */
    bookingHorizonDays?: number | undefined;
    /** Whether it can be booked */
    isActive?: boolean | undefined;
    /** Prices from days after today on, in place of those that are there. Left out, these stay; one that is not listed is taken back. The moment of sale counts, not the day of the visit */
    comingPrices?: {
        /** Sales from this day on have the price, from midnight in Riyadh; after today, and each day once */
        from: string;
        /** SAR, at most 2 decimals; for partners without a price of their own */
        price: number;
    }[] | undefined;
};

export type CreateCategoryRequest = {
    /** Unique code, or null */
    code?: (string | null) | undefined;
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
    /** English description */
    descriptionEn?: string | undefined;
    /** Arabic description */
    descriptionAr?: string | undefined;
    /** Sort order, ascending; default 0 */
    sortOrder?: number | undefined;
    /** An inactive category hides its services; default true */
    isActive?: boolean | undefined;
};

export type CreateCrewLinkRequest = {
    /** Until when it works; default DAY: 24 hours from its making, and until the end of the shift of the team that is running then */
    lasts?: ("DAY" | "UNTIL_REVOKED") | undefined;
    /** 4 to 8 digits. Not in later responses: a secret, `hasPin` of the link says that there is one */
    pin?: string | undefined;
};

export type CreateKeyRequest = {
    /** Purpose of the key */
    name: string;
    /** What the key may be used for (section 5) */
    permissions: ("partner_bookings_create" | "partner_bookings_read" | "partner_bookings_update" | "partner_bookings_cancel" | "partner_bookings_confirm_payment" | "partner_services_read" | "partner_timeslots_read" | "partner_contacts_read" | "partner_pricing_read" | "partner_webhooks_manage" | "partner_contacts_erase" | "partner_statements_read")[];
    /** Addresses and CIDRs, IPv4 or IPv6, that may use the key; empty: any */
    ipAllowlist?: string[] | undefined;
    /** When the key expires: ISO 8601 with offset, years 2000 to 2100; null: never */
    expiresAt?: (string | null) | undefined;
};

export type CreatePartnerRequest = {
    /** Unique, case-insensitive; becomes the utmSource of its contacts */
    name: string;
    /** The keys of a suspended partner do not work */
    status?: ("ACTIVE" | "SUSPENDED") | undefined;
    /** Who collects the money for new bookings */
    paymentResponsibility?: ("PARTNER" | "PLATFORM") | undefined;
    /** Requests per key in any 60 seconds; null: no limit */
    rateLimitPerMinute?: (number | null) | undefined;
    /** Slots that it may hold at once; default 50 */
    maxHolds?: number | undefined;
    /** Domains that requests may come from, subdomains included; empty: any. Bare host names, no scheme, port or path; stored in lower-case ASCII */
    allowedDomains?: string[] | undefined;
    /** Allowed domains refused while SANDBOX_DOMAIN_CHECK is on. Bare host names, no scheme, port or path; stored in lower-case ASCII */
    sandboxDomains?: string[] | undefined;
    /** Domains that webhooks may go to, subdomains included. Bare host names, no scheme, port or path; stored in lower-case ASCII */
    allowedWebhookDomains?: string[] | undefined;
    /** Refuse webhook URLs without TLS */
    requireHttpsWebhooks?: boolean | undefined;
    /** Language of the service names in its responses; default en */
    language?: ("en" | "ar") | undefined;
    /** Whether its customers have a page for each booking, at the `trackingUrl` of the booking; default false */
    trackingPage?: boolean | undefined;
    /** Colour of the head of these pages; null: a neutral one */
    pageColour?: (string | null) | undefined;
    /** How a customer reaches the partner, on the English page; null: nothing */
    contactTextEn?: (string | null) | undefined;
    /** How a customer reaches the partner, on the Arabic page; null: nothing */
    contactTextAr?: (string | null) | undefined;
    /** Telephone of the partner on these pages; null: none */
    contactNumber?: (string | null) | undefined;
    /** Messages that its customers get, from their next change on: `BOOKED`, `DAY_BEFORE`, `ON_THE_WAY`, `LATE`, `DONE`. Whoever was told of a visit is also told that it was moved, cancelled or could not be done. Between 21:00 and 09:00 in Riyadh only what concerns the next twelve hours is sent. Only where `NOTIFIER` sends them. Default none */
    customerMessages?: ("BOOKED" | "DAY_BEFORE" | "ON_THE_WAY" | "LATE" | "DONE")[] | undefined;
};

export type CreatePolicyRequest = {
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
    /** Minutes after the booking in which nothing costs anything */
    graceMinutes?: number | undefined;
    /** Fees of cancelling. The step nearest to the start holds; none: no fee */
    cancel?: {
        /** The fee is due when fewer hours than these are left before the start */
        hoursBefore: number;
        /** Part of the price, rounded half up; or `amount` */
        percent?: number | undefined;
        /** SAR; or `percent` */
        amount?: number | undefined;
    }[] | undefined;
    /** Fees of rescheduling. The step nearest to the start holds; none: no fee */
    reschedule?: {
        /** The fee is due when fewer hours than these are left before the start */
        hoursBefore: number;
        /** Part of the price, rounded half up; or `amount` */
        percent?: number | undefined;
        /** SAR; or `percent` */
        amount?: number | undefined;
    }[] | undefined;
    /** Part of the price once the work has begun, or the start has passed and the crew is there. The clock alone begins no work */
    afterStartPercent?: number | undefined;
    /** Part of the price when the customer is the cause that a visit was not done */
    noShowPercent?: number | undefined;
    /** Times that a partner may reschedule a booking; null: any number */
    maxReschedules?: (number | null) | undefined;
    /** For whose bookings it holds from now on: of a partner, a service, or both. Both wins over a partner, a partner over a service */
    assignments?: {
        /** Its bookings; null: those of every partner */
        partnerId?: (string | null) | undefined;
        /** Its bookings; null: those of every service */
        serviceId?: (string | null) | undefined;
    }[] | undefined;
};

export type CreatePortalLinkRequest = {
    /** Seconds for which the link may be used */
    expiresInSeconds?: number | undefined;
    /** Whether the session that the link opens may change nothing */
    readOnly?: boolean | undefined;
};

export type CreatePricingTierRequest = {
    /** Inclusive lower bound of the duration, in minutes */
    minMinutes: number;
    /** Inclusive upper bound, in minutes; null: no upper limit */
    maxMinutes?: (number | null) | undefined;
    /** Multiplies the base price; at most 4 decimals. 0.9: 10 % off */
    factor: number;
    /** Display order, lower first */
    sorting?: number | undefined;
};

export type CreatePrivacyRequestRequest = {
    /** The right that the customer uses */
    kind: "ACCESS" | "CORRECTION" | "ERASURE";
    /** The customer's phone, in any spelling */
    phone: string;
    /** When it was received; default now */
    receivedAt?: string | undefined;
    /** A note for the office, which does not name the customer */
    note?: string | undefined;
};

export type CreateScheduleQuery = {
    /** true: only says what would come of it. Default false */
    preview?: ("true" | "false") | undefined;
    /** The `digest` of the preview. When the change hits other appointments by now, one that was sold since for instance, it is refused with 409 `CONFLICT` and the new list in `details.conflicts` */
    expect?: string | undefined;
};

export type CreateScheduleRequest = {
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
    /** First Riyadh date; or yearly (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    from?: (string | null) | undefined;
    /** Last Riyadh date; null: without an end (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    to?: (string | null) | undefined;
    /** A date of each year instead of from and to */
    yearly?: ({
        /** Calendar of month and day */
        calendar: "gregorian" | "islamic-umalqura";
        /** Month */
        month: number;
        /** Day of the month */
        day: number;
        /** Number of days */
        days: number;
        /** Years in which it begins on another day, by the sighted moon for instance */
        shifts: {
            /** Year of the calendar */
            year: number;
            /** Days later, or earlier */
            days: number;
        }[];
    } | null) | undefined;
    /** Teams that serve one of these zones; null: not limited by zones */
    zoneIds?: (string[] | null) | undefined;
    /** These teams; with neither zoneIds nor teamIds all teams */
    teamIds?: (string[] | null) | undefined;
    /** Whether nobody works on these dates */
    closed?: boolean | undefined;
    /** Hours instead of the weekly shifts of the teams; null: they keep them */
    weekly?: ({
        /** Day on which it starts, 1 (Monday) to 7 (Sunday) */
        weekday: number;
        /** Start, Riyadh time, on a whole minute */
        startAt: string;
        /** End; before the start: on the next day; equal to it: 24 hours later */
        endAt: string;
    }[] | null) | undefined;
    /** Times in which no visit may lie, with other hours and with the weekly shifts */
    breaks?: {
        /** Left out: every day */
        weekdays?: number[] | undefined;
        /** Start, Riyadh time, on a whole minute */
        startAt: string;
        /** End; not after the start: on the next day */
        endAt: string;
    }[] | undefined;
    /** Where several set the hours of a team on a date, the highest wins; of equal ones the last made */
    priority?: number | undefined;
};

export type CreateSignInLinkRequest = {
    /** Her other browsers stay. Default false: they end. Not in later responses: it is about those of before */
    addsBrowser?: boolean | undefined;
};

export type CreateStatementRequest = {
    /** Partner */
    partnerId: string;
    /** Riyadh month of the service dates */
    month: string;
};

export type CreateTeamRequest = {
    /** Unique name */
    name: string;
    /** Arabic name; null: none, the English name is shown */
    nameAr?: (string | null) | undefined;
    /** E.164 */
    phone?: (string | null) | undefined;
    /** Zones it serves */
    zoneIds?: string[] | undefined;
    /** Zone under which the board lists it; null, or one that it does not serve: the first that it serves, by name */
    homeZoneId?: (string | null) | undefined;
    /** Services it can do */
    serviceIds?: string[] | undefined;
    /** Minutes kept free before and after an appointment that is booked or moved from now on; one that was sold with more keeps them */
    travelBufferMinutes?: number | undefined;
    /** Weekly shifts in Riyadh time, without overlaps */
    shifts?: {
        /** Day on which it starts, 1 (Monday) to 7 (Sunday) */
        weekday: number;
        /** Start, Riyadh time, on a whole minute */
        startAt: string;
        /** End; before the start: on the next day; equal to it: 24 hours later */
        endAt: string;
    }[] | undefined;
    /** Whether it can be booked */
    isActive?: boolean | undefined;
};

export type CreateTimeOffQuery = {
    /** true: only says what would come of it. Default false */
    preview?: ("true" | "false") | undefined;
    /** The `digest` of the preview. When the change hits other appointments by now, one that was sold since for instance, it is refused with 409 `CONFLICT` and the new list in `details.conflicts` */
    expect?: string | undefined;
};

export type CreateTimeOffRequest = {
    /** Start, ISO 8601 with offset */
    startsAt: string;
    /** End (exclusive), after the start */
    endsAt: string;
    /** Only visible to the operator */
    reason?: string | undefined;
};

export type CreateTokenRequest = {
    /** The person, or the purpose of the token */
    name: string;
    /** viewer: reads; dispatcher: also field work and bookings; admin: everything */
    role: "admin" | "dispatcher" | "viewer";
    /** When the token and its sessions end, in real time: ISO 8601 with offset, years 2000 to 2100; null: never */
    expiresAt?: (string | null) | undefined;
};

export type CreateZoneRequest = {
    /** Unique name */
    name: string;
    area: {
        type: "Polygon";
        /** One closed ring of 4 to 2,000 positions [longitude, latitude], without holes */
        coordinates: number[][][];
    };
    /** Arabic name; null: none, the English name is shown */
    nameAr?: (string | null) | undefined;
    /** Services that can be booked in the zone */
    serviceIds?: string[] | undefined;
    /** Slots start at multiples of this many minutes after midnight */
    slotGridMinutes?: number | undefined;
    /** Where zones overlap, the one with the lower priority, then the first by name, covers the point */
    priority?: number | undefined;
    /** Whether the zone covers addresses */
    isActive?: boolean | undefined;
    /** Whether overlaps with zones of equal priority, which are refused else, are wanted: all that the zone has */
    confirmOverlap?: boolean | undefined;
};

export type CreatedBooking = {
    /** Booking */
    bookingId: string;
    /** The partner's reference; null: none */
    externalReference: string | null;
    /** Appointment */
    appointmentId: string;
    /** Booking status */
    status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
    /** Payment status */
    paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
    /** Tracking reference */
    trackingReference: string;
    /** Service date, midnight form */
    date: string;
    timeslot: BookedTimeslot;
    appointment: BookingAppointment;
    /** Service */
    serviceId: string;
    /** English name of the service */
    serviceNameEn: string;
    /** Arabic name of the service */
    serviceNameAr: string;
    /** Contact */
    contactId: string;
    /** Address of the contact */
    addressId: string;
    /** Locked at creation */
    price: number;
    /** Currency of all amounts */
    currency: "SAR";
    /** null: not canceled */
    cancellation: {
        /** Cancellation reason */
        reasonId: string | null;
        /** English name of the reason */
        reasonNameEn: string | null;
        /** Arabic name of the reason */
        reasonNameAr: string | null;
        /** Notes on the cancellation */
        notes: string | null;
        /** CANCEL_ONLY or CANCEL_AND_REFUND */
        action: string | null;
        /** Actor of the cancellation */
        by: string | null;
        /** When */
        at: string;
        /** SAR, by the policy, as it is now; null: no policy held, an operator cancelled, or the fee is to be decided */
        fee: number | null;
        /** Whether the operator still decides on the fee, because nobody knows why the visit was not done; after seven days there is none */
        feeToDecide: boolean;
        /** SAR that is kept of the price now, fees of moves too; null: the operator still decides */
        kept: number | null;
        /**
         * For whom the operator cancelled; null: the side in `by` decided
         * @enum {string|null}
         */
        onBehalfOf: "CUSTOMER" | null;
        /**
         * How far the work had come; null: it had not begun
         * @enum {string|null}
         */
        workReached: "In Progress" | "Finished" | "Completed" | null;
    } | null;
    /**
     * Why the visit could not be done; null: it could, or the reason is not known
     * @enum {string|null}
     */
    outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null) | undefined;
    /** Why it has failed, as in `booking.payment_failed`; null: it has not */
    failureReason: string | null;
    /** The version of the policy that it is under; null: changes are free */
    policyId?: (string | null) | undefined;
    /** The hold that it took; null: none */
    holdId?: (string | null) | undefined;
    /** The series that it is a visit of; null: none */
    seriesId?: (string | null) | undefined;
    /** Its index in the series; null: none */
    seriesIndex?: (number | null) | undefined;
    /** Fees of its changes by the policy, as they are now, oldest first */
    fees?: BookingFee[] | undefined;
    /** Refund of a payment by link; null: none */
    refund: BookingRefund | null;
    /** When it was created */
    createdAt: string;
    /** When it was last changed */
    updatedAt: string;
    /** Whether the team is that of the booking in `preferTeamOf`; null: none was asked for */
    keepsTeam: boolean | null;
    /** Partner */
    partnerId: string;
    /** Its name */
    partnerName: string;
    contact: {
        /** Contact */
        id: string;
        /** Customer */
        name: string;
        /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/contacts/{id}/reveal`. null: the customer was erased */
        phone: string | null;
    };
    address: Address;
    service: {
        /** Service */
        id: string;
        /** Its name */
        name: string;
    };
    team: {
        /** Assigned team */
        id: string;
        /** Its name */
        name: string;
        /** Its Arabic name; null: none */
        nameAr: string | null;
        /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/teams/{id}/reveal`. null: none */
        phone: string | null;
    };
    /** SAR, locked at creation */
    amount: number;
    /** The partner's notes; null: none, and for crews also once the visit is over */
    notes: string | null;
    /** The partner's reference of the payment */
    paymentReference: string | null;
    /** When the partner confirmed the payment */
    paymentConfirmedAt: string | null;
    /** Changes with every change; what `If-Match` names */
    version: number;
    /** What happened to the fees of the booking, oldest first */
    feeHistory: FeeHistoryEntry[];
    /** SAR: the sum of waivers so far, as `amount` of the next one begins */
    feesGivenBack: number;
    /** Oldest first */
    history: {
        /** When */
        at: string;
        /** Who */
        by: string;
        /** An event, or an action of the audit log */
        what: string;
        /** The appointment's `statusReason`, `CORRECTED`: an administrator corrected the status, or why a step of the crew was refused */
        reason: string | null;
        /** In words: `statusNotes`, the reason of the correction, or how late a crew runs */
        notes: string | null;
        /** When it happened, of a step that a crew reported; null: at `at`, as far as is known */
        happenedAt: string | null;
        /** Whether the telephone's clock was set between the step and its sending */
        isTimeUncertain: boolean;
        /** The event's number within the booking; null: no event */
        sequence: number | null;
    }[];
    /** The payment by link; null: there is none */
    payment: BookingPayment | null;
};

export type CreatedBookingResponse = {
    success: true;
    data: CreatedBooking;
};

export type CrewLink = {
    /** Link */
    id: string;
    /** Team */
    teamId: string;
    /** LOCKED: after 10 wrong PINs; telephones that are signed in stay so */
    status: "ACTIVE" | "LOCKED" | "EXPIRED" | "REVOKED";
    /** Whether it asks for a PIN */
    hasPin: boolean;
    /** How many have opened it */
    telephones: number;
    /** When one of them was last seen, in real time; null: never */
    lastSeenAt: string | null;
    /** Who made it, as in the audit log */
    createdBy: string;
    /** When it was made, in real time */
    createdAt: string;
    /** Until when it works, in real time; null: until it is revoked */
    expiresAt: string | null;
    /** null: it was not revoked */
    revokedAt: string | null;
};

export type CrewLinkPageResponse = {
    success: true;
    data: CrewLink[];
    meta: PageMeta;
};

export type CrewLinkResponse = {
    success: true;
    data: CrewLink;
};

export type CrewLinkWithUrl = {
    /** Link */
    id: string;
    /** Team */
    teamId: string;
    /** LOCKED: after 10 wrong PINs; telephones that are signed in stay so */
    status: "ACTIVE" | "LOCKED" | "EXPIRED" | "REVOKED";
    /** Whether it asks for a PIN */
    hasPin: boolean;
    /** How many have opened it */
    telephones: number;
    /** When one of them was last seen, in real time; null: never */
    lastSeenAt: string | null;
    /** Who made it, as in the audit log */
    createdBy: string;
    /** When it was made, in real time */
    createdAt: string;
    /** Until when it works, in real time; null: until it is revoked */
    expiresAt: string | null;
    /** null: it was not revoked */
    revokedAt: string | null;
    /** The link; only shown in this response. What is behind # is sent to no server */
    url: string;
};

export type CrewLinkWithUrlResponse = {
    success: true;
    data: CrewLinkWithUrl;
};

export type CrewStep = {
    /** Key of the step */
    key: string;
    team: {
        /** Team */
        id: string;
        /** Its name */
        name: string;
        /** Its Arabic name; null: none */
        nameAr: string | null;
    };
    /** Appointment */
    appointmentId: string;
    /** Its booking */
    bookingId: string;
    /** Its name */
    trackingReference: string;
    /** Its status now */
    appointmentStatus: "New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled";
    /** The status that it was to get; Late: none, the team runs late */
    to: "In The Way" | "In The location" | "In Progress" | "Finished" | "Cannot Complete" | "Late";
    /** Of Late, after the start; 0: on time after all */
    lateMinutes: number | null;
    /** Why it could not be completed */
    reason: string | null;
    /** The same, or of Finished a note, in the words of the crew */
    notes: string | null;
    /** When it happened, by the telephone's account */
    happenedAt: string;
    /** When it came */
    receivedAt: string;
    /** Whether the telephone's clock was set between the step and its sending */
    isTimeUncertain: boolean;
    /** null: done. Else LINK_ENDED, OTHER_TEAM, CANCELLED, RESCHEDULED, TOO_OLD, TOO_EARLY, MOVED_ON, WAITS_FOR_PAYMENT, NOT_ALLOWED */
    refusal: string | null;
    /** TAKEN as reported or LEFT refused by the office; null: neither */
    decision: string | null;
};

export type CrewStepPageResponse = {
    success: true;
    data: CrewStep[];
    meta: PageMeta;
};

export type CrewStepResponse = {
    success: true;
    data: CrewStep;
};

export type CustomerDetail = {
    /** Contact */
    id: string;
    /** Customer name as first registered */
    name: string;
    /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/contacts/{id}/reveal`. null: the customer was erased */
    phone: string | null;
    /**
     * Language of messages to the customer; null: not known, so they have both
     * @enum {string|null}
     */
    language: "ar" | "en" | null;
    /**
     * Chosen on the page behind a message: `STOP`, no messages; `NOT_ME`, the number is not hers. Payment links and word of a cancellation are sent all the same. null: neither
     * @enum {string|null}
     */
    messagesStopped: "STOP" | "NOT_ME" | null;
    /** Oldest first */
    addresses: Address[];
    /** ISO 8601 with offset */
    createdAt: string;
    /** Partner whose customer it is */
    partnerId: string;
    /** Its name */
    partnerName: string;
    /** When it was erased; null: it was not */
    erasedAt: string | null;
};

export type CustomerDetailResponse = {
    success: true;
    data: CustomerDetail;
};

export type CustomerExport = {
    /** When it was read */
    exportedAt: string;
    contact: ContactDetail;
    /** Oldest first */
    bookings: ExportedBooking[];
    /** Oldest first */
    series: ExportedSeries[];
    /** Oldest first */
    messages: ExportedMessage[];
};

export type CustomerExportResponse = {
    success: true;
    data: CustomerExport;
};

export type CustomerMessage = {
    /** Message */
    id: string;
    /** `BOOKED` also tells a new time */
    kind: "BOOKED" | "DAY_BEFORE" | "ON_THE_WAY" | "LATE" | "DONE" | "MOVED" | "NOT_YET" | "ANOTHER_VISIT" | "CANCELLED" | "NOT_DONE" | "UNPAID";
    /** `QUEUED`: at `at`; `FAILED`: the provider refused it; `DROPPED`: not sent, because of `reason`; `UNKNOWN`: a process died while it sent it, so it may have arrived, and is not repeated */
    status: "QUEUED" | "SENDING" | "SENT" | "FAILED" | "DROPPED" | "UNKNOWN";
    /** Why it was dropped (`MOVED`, `CANCELLED`, `OVER`, `QUIET_HOURS`, `TOO_LATE`, `SWITCHED_OFF`), or what the provider said */
    reason: string | null;
    /** The start of the visit that it tells about */
    visitAt: string;
    /** When it ended; of a waiting one, when it is due */
    at: string;
    /** When it was planned */
    createdAt: string;
};

export type DayOfTeam = {
    /** Riyadh date */
    date: string;
    /** Whose hours hold; null: the weekly shifts */
    schedule: NamedSchedule | null;
    /** When a visit may lie, breaks left out, by start */
    hours: {
        /** Start; on the day before for the rest of a night */
        startsAt: string;
        /** End; on the next day for a night */
        endsAt: string;
    }[];
    /** Breaks that touch the date */
    breaks: {
        /** Start */
        startsAt: string;
        /** End */
        endsAt: string;
        schedule: NamedSchedule;
    }[];
};

export type DayOfTeamListResponse = {
    success: true;
    data: DayOfTeam[];
};

export type DecideCrewStepRequest = {
    /** TAKE: the visit gets the status as reported, with its time, after the refused steps of the team before it; LEAVE: it stays refused */
    decision: "TAKE" | "LEAVE";
};

export type DeclineRefundRequest = {
    /** Why */
    reason: string;
};

export type DelayPlanRow = {
    appointment: Appointment;
    /** New start */
    startsAt: string;
    /** New end */
    endsAt: string;
    /**
     * UNDER_WAY: the team is on its way or there, so the time stays, and the customer is to be told. Another one: the rule that the new time breaks; it can be moved all the same
     * @enum {string|null}
     */
    problem: "INACTIVE" | "NOT_IN_ZONE" | "NO_SKILL" | "OFF_SHIFT" | "TIME_OFF" | "UNDER_WAY" | null;
    /** Slots that customers hold there, when nothing else is in the way. A sold visit displaces them: each goes to another free team; where there is none, `displaceHolds` of the move has to name it */
    holds: HoldInTheWay[];
};

export type DelayTeamRequest = {
    /** Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date: string;
    /** Delay of the appointments in minutes; negative: earlier, which undoes a delay */
    minutes: number;
    /** Appointments to move, each once. Left out: a plan, and nothing is changed */
    apply?: {
        /** Appointment */
        appointmentId: string;
        /** As it was read; heeded as `If-Match` is. Not in later responses: the change makes it the next one */
        version: number;
        /** Its status at the new time, which is `Scheduled` otherwise: for undoing a delay */
        status?: "Confirmed" | undefined;
        /** Holds that may end for the move, if no other team is free for their slots: confirm those that a refusal (`HELD`) or a plan names. Not in later responses: the audit log has each */
        displaceHolds?: string[] | undefined;
    }[] | undefined;
};

export type DoneReport = {
    /** One for each visit, in their order */
    results: DoneResult[];
    /** What the audit entries of these visits have in common; null: a preview */
    groupId: string | null;
};

export type DoneReportResponse = {
    success: true;
    data: DoneReport;
};

export type DoneResult = {
    /** Appointment */
    appointmentId: string;
    /** ALREADY_DONE: it was `Completed` before */
    outcome: "DONE" | "ALREADY_DONE" | "REFUSED";
    /** Why it was refused */
    refusal: {
        /** Error code, as PATCH /operator/appointments/:id would return it */
        code: string;
        /** What is wrong */
        message: string;
        /** `details.reason` of the error */
        reason: string | null;
        /** Slots that customers hold there, when nothing else is in the way. A sold visit displaces them: each goes to another free team; where there is none, `displaceHolds` of the move has to name it */
        holds: HoldInTheWay[];
    } | null;
    /** The appointment as it is; null: there is none */
    appointment: Appointment | null;
    /** The statuses that it passed, in order */
    statuses: ("New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled")[];
};

export type EndSeriesRequest = {
    /** The first visit that does not take place */
    fromIndex: number;
    /** From the cancellation reasons; must be given when a visit is placed already */
    reasonId?: string | undefined;
    /** Your own notes on the cancellations */
    cancellationNotes?: string | undefined;
    /** SAR that each visit may cost; when one costs more, nothing is changed. Not in later responses: `fees` of the bookings say what they cost */
    maxFee?: number | undefined;
    /** Only says what would come of it. Not in later responses: nothing is stored */
    preview?: boolean | undefined;
};

export type EraseCustomerRequest = {
    /** Why; it is kept in the register, and must not name the customer */
    reason: string;
};

export type ErasedContact = {
    /** Contact */
    id: string;
    /** ISO 8601 with offset */
    erasedAt: string;
    /** Entry of the register */
    requestId: string;
};

export type ErasedContactResponse = {
    success: true;
    data: ErasedContact;
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
    /** FORBIDDEN: the role that the operation needs */
    role?: (string | null) | undefined;
    /** FORBIDDEN: the role that the token has */
    tokenRole?: string | undefined;
    /** UNAUTHORIZED: wrong PINs until the enrolment of the browser ends */
    triesLeft?: number | undefined;
    /** INVALID_TRANSITION: the current status */
    from?: string | undefined;
    /** INVALID_TRANSITION: the requested status */
    to?: string | undefined;
    /** INVALID_TRANSITION: the allowed target statuses */
    allowed?: string[] | undefined;
    /** INVALID_TRANSITION: the statuses that allow the operation */
    allowedFrom?: string[] | undefined;
    /** DUPLICATE_EXTERNAL_REFERENCE: the reference already in use */
    externalReference?: (string | null) | undefined;
    /** INVALID_TRANSITION: the month whose statement is to be issued first */
    month?: string | undefined;
    /** INVALID_TRANSITION: the last month whose statement is issued */
    issuedUntil?: string | undefined;
    /** INVALID_TRANSITION: when the partner’s statements begin */
    openedOn?: string | undefined;
    /** INVALID_TRANSITION: the statuses in which it can be moved */
    movable?: string[] | undefined;
    /** INVALID_TRANSITION: the status of its booking */
    bookingStatus?: string | undefined;
    quote?: Quote | undefined;
    /** CONFLICT, STALE: the version that the resource has */
    version?: number | undefined;
    /** CONFLICT, STALE: the resource as it is */
    current?: {
        [key: string]: unknown;
    } | undefined;
    /** Several appointments in one request: the one that cannot be moved, or has changed since */
    appointmentId?: string | undefined;
    /** Slots that customers hold there, when nothing else is in the way. A sold visit displaces them: each goes to another free team; where there is none, `displaceHolds` of the move has to name it */
    holds?: HoldInTheWay[] | undefined;
    conflicts?: Conflicts | undefined;
    /** CONFLICT, ZONES_OVERLAP: with which zones, and what lies in both */
    overlaps?: ZoneOverlap[] | undefined;
    /** CONFLICT, OTHER_ZONE: the zone of the visit */
    zone?: {
        /** Zone */
        id: string;
        /** English name */
        name: string;
        /** Arabic name */
        nameAr: string | null;
    } | undefined;
    /** CONFLICT, OTHER_ZONE: that of the address; null: none */
    addressZone?: ({
        /** Zone */
        id: string;
        /** English name */
        name: string;
        /** Arabic name */
        nameAr: string | null;
    } | null) | undefined;
    /** CONFLICT: the number of resources that use it, by kind */
    usedBy?: Record<string, never> | undefined;
};

export type ExplainAvailabilityQuery = {
    /** An address with coordinates; or lat and lng */
    addressId?: string | undefined;
    /** Latitude, decimal degrees, with lng */
    lat?: string | undefined;
    /** Longitude, decimal degrees, with lat */
    lng?: string | undefined;
    /** The service to be booked */
    serviceId: string;
    /** The Riyadh date on which the slots start (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date: string;
};

export type ExportedBooking = {
    /** Booking */
    bookingId: string;
    /** Tracking reference */
    trackingReference: string;
    /** The partner's reference */
    externalReference: string | null;
    /** Booking status */
    status: "in progress" | "waiting payment" | "success" | "canceled" | "failed";
    /** Payment status */
    paymentStatus: "NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED";
    /** The partner's reference of the payment */
    paymentReference: string | null;
    /** English name of the service */
    service: string;
    /** Address */
    addressId: string;
    /** Start of the visit */
    startsAt: string;
    /** End of the visit */
    endsAt: string;
    /** SAR */
    price: number;
    /** Notes */
    notes: string | null;
    /** Notes of the cancellation */
    cancellationNotes: string | null;
    /** Why it failed */
    failureReason: string | null;
    /** What operators and crews wrote about it, oldest first */
    remarks: ExportedRemark[];
    /** When it was made */
    createdAt: string;
};

export type ExportedMessage = {
    /** Booking */
    bookingId: string;
    /** Kind of the message */
    kind: "BOOKED" | "DAY_BEFORE" | "ON_THE_WAY" | "LATE" | "DONE" | "MOVED" | "NOT_YET" | "ANOTHER_VISIT" | "CANCELLED" | "NOT_DONE" | "UNPAID";
    /** Whether it was sent; its text and number are not stored */
    status: "QUEUED" | "SENDING" | "SENT" | "FAILED" | "DROPPED" | "UNKNOWN";
    /** When it was sent, or is due */
    at: string;
};

export type ExportedRemark = {
    /** When it was written */
    at: string;
    /** As it was written */
    text: string;
};

export type ExportedSeries = {
    /** Series */
    seriesId: string;
    /** The partner's reference */
    externalReference: string | null;
    /** Address */
    addressId: string;
    /** Riyadh date of the first visit */
    firstDate: string;
    /** Weeks from one visit to the next */
    everyWeeks: number;
    /** Status */
    status: "ACTIVE" | "STOPPED" | "ENDED";
    /** Notes */
    notes: string | null;
    /** When it was made */
    createdAt: string;
};

export type FailBookingRequest = {
    /** Why, in your words; the partner reads it */
    reason: string;
};

export type FeeHistoryEntry = {
    /** When */
    at: string;
    /** Who; null: the partner, or the service */
    by: string | null;
    /**
     * Who asked for it
     * @enum {string|null}
     */
    onBehalfOf: "CUSTOMER" | null;
    /** `cancel`, `reschedule`: what the change cost; `move`: another start by the operator; `decide`: what an undecided fee is, or was corrected to; `waive`: given back; `gateway`: charged back, or refunded there; `end`: the operator ended the booking */
    what: "cancel" | "reschedule" | "move" | "decide" | "waive" | "gateway" | "end";
    /** SAR more that may be kept; negative: less */
    change: number;
    /** SAR that may be kept, afterwards */
    total: number;
    /**
     * Of the visit, where it decided
     * @enum {string|null}
     */
    outcome: "CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER" | null;
    /** Why, in words; null: none was given, or it was erased */
    reason: string | null;
};

export type FeeStep = {
    /** The fee is due when fewer hours than these are left before the start */
    hoursBefore: number;
    /** Part of the price, rounded half up; or `amount` */
    percent?: number | undefined;
    /** SAR; or `percent` */
    amount?: number | undefined;
};

export type FoundMessage = {
    /** Message */
    id: string;
    /** `BOOKED` also tells a new time */
    kind: "BOOKED" | "DAY_BEFORE" | "ON_THE_WAY" | "LATE" | "DONE" | "MOVED" | "NOT_YET" | "ANOTHER_VISIT" | "CANCELLED" | "NOT_DONE" | "UNPAID";
    /** `QUEUED`: at `at`; `FAILED`: the provider refused it; `DROPPED`: not sent, because of `reason`; `UNKNOWN`: a process died while it sent it, so it may have arrived, and is not repeated */
    status: "QUEUED" | "SENDING" | "SENT" | "FAILED" | "DROPPED" | "UNKNOWN";
    /** Why it was dropped (`MOVED`, `CANCELLED`, `OVER`, `QUIET_HOURS`, `TOO_LATE`, `SWITCHED_OFF`), or what the provider said */
    reason: string | null;
    /** The start of the visit that it tells about */
    visitAt: string;
    /** When it ended; of a waiting one, when it is due */
    at: string;
    /** When it was planned */
    createdAt: string;
    /** Its booking */
    bookingId: string;
    /** The visit's name */
    trackingReference: string;
    partner: {
        /** Partner */
        id: string;
        /** Its name */
        name: string;
    };
};

export type FoundMessagePageResponse = {
    success: true;
    data: FoundMessage[];
    meta: PageMeta;
};

export type GatewayPayment = {
    /** The gateway's id of the payment */
    reference: string;
    /** The gateway's word */
    status: string;
    /** Of the amounts */
    currency: string;
    /** What was to be paid */
    amount: number;
    /** What was really taken: 0 for a try that failed, less when it was captured in part */
    charged: number;
    /** Given back or voided at the gateway, by whomever */
    refunded: number;
    /** Given back past the gateway, as an operator said */
    refundedByHand: number;
    /** When it was made, as the gateway says */
    at: string;
};

export type GetAttentionQuery = {
    /** Only appointments and bookings of this zone; held days, payments, steps of crews, messages, privacy requests and deliveries have none */
    zoneId?: string | undefined;
    /** `unassigned`: New, and starts within these hours */
    assignWithinHours?: number | undefined;
    /** `unconfirmed`: Scheduled, and starts within these minutes */
    confirmWithinMinutes?: number | undefined;
    /** `late`, `unreported`, `overdue`: should have begun, or ended, longer ago than these minutes, and its status does not say so */
    lateAfterMinutes?: number | undefined;
    /** `team-away`: starts within these days, and its team could not do it */
    awayWithinDays?: number | undefined;
    /** `not-completed`: Finished for longer than these minutes */
    finishedForMinutes?: number | undefined;
    /** `payment-due`: waits for payment, and its appointment starts within these hours or has started */
    payWithinHours?: number | undefined;
    /** Deliveries that were given up within these hours, beside those that will be tried again */
    failingWithinHours?: number | undefined;
    /** Rows of each concern */
    limit?: number | undefined;
};

export type GetBoardQuery = {
    /** Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date: string;
    /** Only the teams of this zone, and who else has an appointment in it */
    zoneId?: string | undefined;
};

export type GetBookingQuoteQuery = {
    /** The change */
    action: "cancel" | "reschedule";
    /** Of `cancel`: what closing a visit that could not be done costs with this outcome; of a canceled booking what recording it keeps */
    outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER") | undefined;
    /** Who makes the change. An operator’s has no fee. Default PARTNER */
    by?: ("PARTNER" | "OPERATOR") | undefined;
};

export type GetPunctualityQuery = {
    /** First Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    from: string;
    /** Last Riyadh date; 92 days at most (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    to: string;
    /** Minutes after the start within which a visit begins in time */
    minutes?: number | undefined;
};

export type GetTeamHoursQuery = {
    /** First Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    from: string;
    /** Last Riyadh date; 62 days at most (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    to: string;
};

export type GetUtilisationQuery = {
    /** First Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    from: string;
    /** Last Riyadh date; 92 days at most (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    to: string;
};

export type GetZoneHoursQuery = {
    /** First Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    from: string;
    /** Last Riyadh date; 62 days at most (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    to: string;
};

export type HeldDay = {
    /** Riyadh date */
    date: string;
    /** Minutes of the active teams' hours that are not sold, held ones included */
    freeMinutes: number;
    /** Minutes of slots that are held */
    heldMinutes: number;
};

export type HeldTimeslot = {
    /** Start, Riyadh time */
    startAt: string;
    /** End, Riyadh time */
    endAt: string;
    /** Whether it ends on the next day */
    endsAtNextDay: boolean;
};

export type HoldInTheWay = {
    /** Hold */
    holdId: string;
    /** Its partner */
    partnerName: string;
    /** Start of its slot */
    startsAt: string;
    /** End of its slot */
    endsAt: string;
    /** From then on the slot is free again */
    expiresAt: string;
};

export type HoldOnBoard = {
    /** Team that is held */
    teamId: string;
    /** Hold */
    holdId: string;
    /** Its partner */
    partnerName: string;
    /** Start of its slot */
    startsAt: string;
    /** End of its slot */
    endsAt: string;
    /** From then on the slot is free again */
    expiresAt: string;
};

export type HoursOfTeam = {
    team: {
        /** Team */
        id: string;
        /** Its name */
        name: string;
        /** Its Arabic name; null: none */
        nameAr: string | null;
    };
    /** By date */
    days: DayOfTeam[];
};

export type HoursOfTeamListResponse = {
    success: true;
    data: HoursOfTeam[];
};

export type Invoices = {
    statement: {
        /** Statement */
        id: string;
        /** Ascending, and never used twice; null: a draft */
        number: string | null;
        /** Riyadh month of the service dates */
        month: string;
        totals: StatementTotals;
        /** When it was issued; null: a draft */
        issuedAt: string | null;
        /** As it was then; null: a draft */
        seller: Party | null;
        /** As it was then; null: a draft */
        buyer: Party | null;
        /** What the operator has marked; null: not paid yet */
        paid: {
            /** Of the payment */
            reference: string;
            /** Riyadh date */
            paidOn: string;
        } | null;
        /** Of all amounts */
        currency: string;
    };
    /** An invoice, and a credit note for each statement that is corrected */
    documents: {
        [key: string]: unknown;
    }[];
};

export type Key = {
    /** Key */
    id: string;
    /** Its partner */
    partnerId: string;
    /** Purpose of the key */
    name: string;
    /** What the key may be used for (section 5) */
    permissions: ("partner_bookings_create" | "partner_bookings_read" | "partner_bookings_update" | "partner_bookings_cancel" | "partner_bookings_confirm_payment" | "partner_services_read" | "partner_timeslots_read" | "partner_contacts_read" | "partner_pricing_read" | "partner_webhooks_manage" | "partner_contacts_erase" | "partner_statements_read")[];
    /** Addresses and CIDRs, IPv4 or IPv6, that may use the key; empty: any */
    ipAllowlist: string[];
    /** null: never */
    expiresAt: string | null;
    /** A revoked key stays revoked */
    status: "ACTIVE" | "REVOKED";
    /** Updated every few seconds; null: never used */
    lastUsedAt: string | null;
    /** First characters of the key */
    prefix: string;
    /** Last 4 characters of the key */
    last4: string;
    /** When the previous secret stops working; null: it no longer works */
    previousExpiresAt: string | null;
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
};

export type KeyPageResponse = {
    success: true;
    data: Key[];
    meta: PageMeta;
};

export type KeyResponse = {
    success: true;
    data: Key;
};

export type KeyWithSecret = {
    /** Key */
    id: string;
    /** Its partner */
    partnerId: string;
    /** Purpose of the key */
    name: string;
    /** What the key may be used for (section 5) */
    permissions: ("partner_bookings_create" | "partner_bookings_read" | "partner_bookings_update" | "partner_bookings_cancel" | "partner_bookings_confirm_payment" | "partner_services_read" | "partner_timeslots_read" | "partner_contacts_read" | "partner_pricing_read" | "partner_webhooks_manage" | "partner_contacts_erase" | "partner_statements_read")[];
    /** Addresses and CIDRs, IPv4 or IPv6, that may use the key; empty: any */
    ipAllowlist: string[];
    /** null: never */
    expiresAt: string | null;
    /** A revoked key stays revoked */
    status: "ACTIVE" | "REVOKED";
    /** Updated every few seconds; null: never used */
    lastUsedAt: string | null;
    /** First characters of the key */
    prefix: string;
    /** Last 4 characters of the key */
    last4: string;
    /** When the previous secret stops working; null: it no longer works */
    previousExpiresAt: string | null;
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
    /** The key; only shown in this response */
    key: string;
};

export type KeyWithSecretResponse = {
    success: true;
    data: KeyWithSecret;
};

export type ListAppointmentsQuery = {
    /** Starts on this Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date?: string | undefined;
    /** Starts on or after this Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    fromDate?: string | undefined;
    /** Starts on or before this Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    toDate?: string | undefined;
    /** Filter by zone */
    zoneId?: string | undefined;
    /** Filter by team */
    teamId?: string | undefined;
    /** Only these appointments, by commas */
    ids?: string | undefined;
    /** Appointment status */
    status?: ("New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled") | undefined;
    /** Order; ties are broken by id. Default startsAt */
    sortBy?: ("startsAt" | "endsAt" | "createdAt" | "status" | "name") | undefined;
    /** Default ASC */
    sortOrder?: ("ASC" | "DESC") | undefined;
    /** Only those that need attention */
    attention?: ("unassigned" | "unconfirmed" | "late" | "unreported" | "overdue" | "team-away" | "cannot-complete" | "cancelled-alone" | "not-completed" | "work-cancelled") | undefined;
    /** `unassigned`: New, and starts within these hours */
    assignWithinHours?: number | undefined;
    /** `unconfirmed`: Scheduled, and starts within these minutes */
    confirmWithinMinutes?: number | undefined;
    /** `late`, `unreported`, `overdue`: should have begun, or ended, longer ago than these minutes, and its status does not say so */
    lateAfterMinutes?: number | undefined;
    /** `team-away`: starts within these days, and its team could not do it */
    awayWithinDays?: number | undefined;
    /** `not-completed`: Finished for longer than these minutes */
    finishedForMinutes?: number | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListAuditQuery = {
    /** Filter by actor: as in the log, or a name */
    actor?: string | undefined;
    /** Filter by action (exact match) */
    action?: string | undefined;
    /** Filter by target: as in the log, of a booking with its visit; or a name, reference or phone */
    target?: string | undefined;
    /** Filter by group: what one request did to several resources */
    groupId?: string | undefined;
    /** Part of the action or the target, or what the entry names: names, references, phones */
    search?: string | undefined;
    /** At or after this time */
    from?: string | undefined;
    /** Before this time */
    to?: string | undefined;
    /** Order; ties are broken by id. Default at */
    sortBy?: "at" | undefined;
    /** Default DESC */
    sortOrder?: ("ASC" | "DESC") | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListBookingsQuery = {
    /** Filter by partner */
    partnerId?: string | undefined;
    /** Filter by status */
    status?: ("in progress" | "waiting payment" | "success" | "canceled" | "failed") | undefined;
    /** Filter by payment status */
    paymentStatus?: ("NOT_REQUIRED" | "PENDING" | "PAID" | "FAILED" | "CANCELLED") | undefined;
    /** Service date on or after (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    fromDate?: string | undefined;
    /** Service date on or before (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    toDate?: string | undefined;
    /** Filter by external reference (exact match) */
    externalReference?: string | undefined;
    /** The customer's phone, in any spelling: `050 123 4567`, `00966501234567` */
    phone?: string | undefined;
    /** Filter by customer */
    contactId?: string | undefined;
    /** Tracking reference (`sa 42`), booking ID, part of an external reference, phone in any spelling, its beginning or last digits (not for viewers), words of the name of the customer, short address, district or street */
    search?: string | undefined;
    /** Order; ties are broken by id. Default createdAt */
    sortBy?: ("createdAt" | "updatedAt" | "date" | "status" | "externalReference" | "amount" | "startsAt") | undefined;
    /** Default DESC */
    sortOrder?: ("ASC" | "DESC") | undefined;
    /** Only those that need attention, themselves or their appointment */
    attention?: ("payment-due" | "dropped-unpaid" | "paid-cancelled" | "fees-to-decide" | "fees-given-back" | "unassigned" | "unconfirmed" | "late" | "unreported" | "overdue" | "team-away" | "cannot-complete" | "cancelled-alone" | "not-completed" | "work-cancelled") | undefined;
    /** Filter by zone of the appointment */
    zoneId?: string | undefined;
    /** Filter by team of the appointment */
    teamId?: string | undefined;
    /** Appointment status */
    appointmentStatus?: ("New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled") | undefined;
    /** `payment-due`: waits for payment, and its appointment starts within these hours or has started */
    payWithinHours?: number | undefined;
    /** `unassigned`: New, and starts within these hours */
    assignWithinHours?: number | undefined;
    /** `unconfirmed`: Scheduled, and starts within these minutes */
    confirmWithinMinutes?: number | undefined;
    /** `late`, `unreported`, `overdue`: should have begun, or ended, longer ago than these minutes, and its status does not say so */
    lateAfterMinutes?: number | undefined;
    /** `team-away`: starts within these days, and its team could not do it */
    awayWithinDays?: number | undefined;
    /** `not-completed`: Finished for longer than these minutes */
    finishedForMinutes?: number | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListCancellationReasonsQuery = {
    /** Part of the name, case-insensitive */
    search?: string | undefined;
    /** Filter by active or inactive */
    isActive?: ("true" | "false") | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
    /** Order; ties are broken by id. Default sortOrder */
    sortBy?: ("sortOrder" | "nameEn" | "nameAr" | "isCustomerFacing" | "isActive") | undefined;
    /** Default ASC */
    sortOrder?: ("ASC" | "DESC") | undefined;
};

export type ListCatalogueServicesQuery = {
    /** Part of the name, case-insensitive */
    search?: string | undefined;
    /** Filter by active or inactive */
    isActive?: ("true" | "false") | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
    /** Filter by category */
    categoryId?: string | undefined;
    /** Filter by zone */
    zoneId?: string | undefined;
    /** Order; ties are broken by id. Default nameEn */
    sortBy?: ("nameEn" | "nameAr" | "assignment" | "durationMinutes" | "defaultPrice" | "isActive" | "createdAt") | undefined;
    /** Default ASC */
    sortOrder?: ("ASC" | "DESC") | undefined;
};

export type ListCategoriesQuery = {
    /** Part of the name, case-insensitive */
    search?: string | undefined;
    /** Filter by active or inactive */
    isActive?: ("true" | "false") | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
    /** Order; ties are broken by id. Default sortOrder */
    sortBy?: ("sortOrder" | "nameEn" | "nameAr" | "code" | "isActive") | undefined;
    /** Default ASC */
    sortOrder?: ("ASC" | "DESC") | undefined;
};

export type ListCrewLinksQuery = {
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListCrewStepsQuery = {
    /** Filter by team */
    teamId?: string | undefined;
    /** Filter by appointment */
    appointmentId?: string | undefined;
    /** Filter by outcome; UNDECIDED: refused, and nobody has decided about it, which delays do not need */
    outcome?: ("DONE" | "REFUSED" | "UNDECIDED") | undefined;
    /** Received within these hours */
    withinHours?: number | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListCustomersQuery = {
    /** Phone, name, short address or id of the customer, as `GET /operator/search` takes them, or the reference of one of its bookings; at most 100 are found */
    search?: string | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListDeliveriesQuery = {
    /** Filter by partner */
    partnerId?: string | undefined;
    /** Filter by subscription */
    subscriptionId?: string | undefined;
    /** Filter by status */
    status?: ("PENDING" | "DELIVERED" | "FAILED") | undefined;
    /** Filter by event name */
    event?: ("booking.created" | "booking.updated" | "booking.cancelled" | "booking.payment_failed" | "booking.payment_confirmed" | "booking.appointment_status_changed" | "booking.payment_succeeded" | "booking.failed" | "booking.refunded" | "booking.fees_changed") | undefined;
    /** Filter by booking */
    bookingId?: string | undefined;
    /** Filter by event */
    eventId?: string | undefined;
    /** Only those that fail: given up within these hours, or with a failed attempt and another one to come */
    failingWithinHours?: number | undefined;
    /** Order; ties are broken by id. Default createdAt */
    sortBy?: "createdAt" | undefined;
    /** Default DESC */
    sortOrder?: ("ASC" | "DESC") | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListHoldsQuery = {
    /** Slots that touch this Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date?: string | undefined;
    /** Filter by partner */
    partnerId?: string | undefined;
    /** Filter by team */
    teamId?: string | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListKeysQuery = {
    /** Part of the name, case-insensitive */
    search?: string | undefined;
    /** A revoked key stays revoked */
    status?: ("ACTIVE" | "REVOKED") | undefined;
    /** Order; ties are broken by id. Default createdAt */
    sortBy?: ("createdAt" | "name" | "expiresAt" | "lastUsedAt") | undefined;
    /** Default DESC */
    sortOrder?: ("ASC" | "DESC") | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListMessagesQuery = {
    /** Filter by status */
    status?: ("QUEUED" | "SENDING" | "SENT" | "FAILED" | "DROPPED" | "UNKNOWN") | undefined;
    /** Filter by partner */
    partnerId?: string | undefined;
    /** Ended within these hours */
    withinHours?: number | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListPartnersQuery = {
    /** Part of the name, case-insensitive */
    search?: string | undefined;
    /** The keys of a suspended partner do not work */
    status?: ("ACTIVE" | "SUSPENDED") | undefined;
    /** Order; ties are broken by id. Default createdAt */
    sortBy?: ("createdAt" | "name" | "status" | "paymentResponsibility" | "rateLimitPerMinute") | undefined;
    /** Default DESC */
    sortOrder?: ("ASC" | "DESC") | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListPaymentsQuery = {
    /** Filter by status */
    status?: ("CREATED" | "OPEN" | "PAID" | "FAILED" | "EXPIRED" | "CANCELED") | undefined;
    /** Filter by refund status */
    refundStatus?: ("NONE" | "PENDING" | "DONE" | "FAILED" | "TO_DECIDE" | "DECLINED") | undefined;
    /** Filter by the gateway of the link */
    gateway?: ("sandbox" | "moyasar") | undefined;
    /** Filter by partner */
    partnerId?: string | undefined;
    /** Filter by booking */
    bookingId?: string | undefined;
    /** Created on or after this Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    fromDate?: string | undefined;
    /** Created on or before this Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    toDate?: string | undefined;
    /** Filter by whether the payment arrived too late for the booking */
    late?: ("true" | "false") | undefined;
    /** Only payments whose link has waited for more than a minute: to be made by the gateway, or to be sent to the customer */
    unsent?: ("make" | "send") | undefined;
    /** Order; ties are broken by id. Default createdAt */
    sortBy?: ("createdAt" | "updatedAt" | "amount" | "status") | undefined;
    /** Default DESC */
    sortOrder?: ("ASC" | "DESC") | undefined;
    /** Tracking reference, payment ID, booking ID or gateway reference (exact match) */
    search?: string | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListPlacementsQuery = {
    /** Riyadh date; left out: the one that the appointment has (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date?: string | undefined;
};

export type ListPoliciesQuery = {
    /** Part of the name, case-insensitive */
    search?: string | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
    /** Order; ties are broken by id. Default nameEn */
    sortBy?: ("nameEn" | "nameAr" | "createdAt") | undefined;
    /** Default ASC */
    sortOrder?: ("ASC" | "DESC") | undefined;
};

export type ListPortalLinksQuery = {
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListPricingTiersQuery = {
    /** Order; ties are broken by id. Default sorting */
    sortBy?: ("sorting" | "minMinutes" | "maxMinutes" | "factor") | undefined;
    /** Default ASC */
    sortOrder?: ("ASC" | "DESC") | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListPrivacyRequestsQuery = {
    /** Filter by status */
    status?: ("OPEN" | "DONE" | "REFUSED") | undefined;
    /** Filter by kind */
    kind?: ("ACCESS" | "CORRECTION" | "ERASURE" | "RETENTION") | undefined;
    /** Filter by whether it is open and its time is over */
    overdue?: ("true" | "false") | undefined;
    /** Only open ones that are due within these days, or overdue */
    dueWithinDays?: number | undefined;
    /** Requests for this number, also finished ones, of which the service keeps no number */
    phone?: string | undefined;
    /** Order; ties are broken by id. Default receivedAt */
    sortBy?: ("receivedAt" | "dueAt") | undefined;
    /** Default DESC */
    sortOrder?: ("ASC" | "DESC") | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListRequestsQuery = {
    /** Filter by partner */
    partnerId?: string | undefined;
    /** Filter by `X-Request-Id` or its beginning */
    requestId?: string | undefined;
    /** Filter by status */
    status?: number | undefined;
    /** `success`: 2xx, `refused`: 4xx and 5xx, `error`: 5xx */
    outcome?: ("success" | "refused" | "error") | undefined;
    /** Filter by `error.code` */
    code?: ("VALIDATION_ERROR" | "UNAUTHORIZED" | "FORBIDDEN" | "INVALID_PARTNER_DOMAIN" | "SANDBOX_DOMAIN_NOT_ALLOWED" | "WEBHOOK_DOMAIN_NOT_ALLOWED" | "RESOURCE_NOT_FOUND" | "SERVICE_NOT_ALLOWED" | "DUPLICATE_EXTERNAL_REFERENCE" | "IDEMPOTENCY_KEY_CONFLICT" | "IDEMPOTENCY_KEY_IN_PROGRESS" | "HOLD_MISMATCH" | "HOLD_CONSUMED" | "HOLD_ENDED" | "FEE_CHANGED" | "CONFLICT" | "BOOKING_CREATION_FAILED" | "HOLD_LIMIT_REACHED" | "BOOKING_ALREADY_CANCELLED" | "BOOKING_NOT_PAYABLE" | "PAYMENT_RESPONSIBILITY_MISMATCH" | "PAYMENT_ALREADY_CONFIRMED" | "BOOKING_NOT_EDITABLE" | "BOOKING_APPOINTMENT_NOT_FOUND" | "INVALID_TRANSITION" | "WEBHOOK_LIMIT_REACHED" | "DELIVERY_NOT_RETRYABLE" | "RATE_LIMIT_EXCEEDED" | "INTERNAL_ERROR") | undefined;
    /** Filter by API key */
    keyId?: string | undefined;
    /** Filter by method */
    method?: string | undefined;
    /** Filter by the route's pattern, exactly */
    route?: string | undefined;
    /** Filter by booking: in the path, or in the answer that created it */
    bookingId?: string | undefined;
    /** At or after this time */
    from?: string | undefined;
    /** Before this time */
    to?: string | undefined;
    /** `nextCursor` of the page before */
    before?: string | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListScheduleTemplatesQuery = {
    /** Only those of this Hijri year */
    year?: number | undefined;
};

export type ListSchedulesQuery = {
    /** Part of a name, case-insensitive */
    search?: string | undefined;
    /** Only those that hold on this Riyadh date or later (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    from?: string | undefined;
    /** Only those that hold on this Riyadh date or earlier (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    to?: string | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
    /** Order; ties are broken by id. Default priority */
    sortBy?: ("priority" | "nameEn" | "nameAr" | "createdAt") | undefined;
    /** Default DESC */
    sortOrder?: ("ASC" | "DESC") | undefined;
};

export type ListSeriesQuery = {
    /** Filter by partner */
    partnerId?: string | undefined;
    /** Filter by status */
    status?: ("ACTIVE" | "STOPPED" | "ENDED") | undefined;
    /** Filter by contact */
    contactId?: string | undefined;
    /** Filter by reference */
    externalReference?: string | undefined;
    /** Those with a visit to come that could not be placed, and stopped ones */
    unplaced?: "true" | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListSessionsQuery = {
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListStatementLinesQuery = {
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListStatementsQuery = {
    /** Filter by partner */
    partnerId?: string | undefined;
    /** Filter by status */
    status?: ("DRAFT" | "ISSUED") | undefined;
    /** Filter by month */
    month?: string | undefined;
    /** Order; ties are broken by id. Default month */
    sortBy?: ("month" | "number") | undefined;
    /** Default DESC */
    sortOrder?: ("ASC" | "DESC") | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListSubscriptionsQuery = {
    /** Filter by partner */
    partnerId?: string | undefined;
    /** Deliveries of an inactive subscription wait until it is active again */
    status?: ("ACTIVE" | "INACTIVE") | undefined;
    /** Part of the URL, case-insensitive */
    search?: string | undefined;
    /** Order; ties are broken by id. Default createdAt */
    sortBy?: ("createdAt" | "url" | "status" | "failures") | undefined;
    /** Default DESC */
    sortOrder?: ("ASC" | "DESC") | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListTeamsQuery = {
    /** Part of the name, case-insensitive */
    search?: string | undefined;
    /** Filter by active or inactive */
    isActive?: ("true" | "false") | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
    /** Filter by zone served */
    zoneId?: string | undefined;
    /** Filter by service provided */
    serviceId?: string | undefined;
    /** Order; ties are broken by id. Default name */
    sortBy?: ("name" | "nameAr" | "travelBufferMinutes" | "isActive" | "createdAt") | undefined;
    /** Default ASC */
    sortOrder?: ("ASC" | "DESC") | undefined;
};

export type ListTimeOffOfTeamsQuery = {
    /** First Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    from: string;
    /** Last Riyadh date; 366 days at most (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    to: string;
    /** Filter by team */
    teamId?: string | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListTimeOffQuery = {
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListTokensQuery = {
    /** Part of the name, case-insensitive */
    search?: string | undefined;
    /** viewer: reads; dispatcher: also field work and bookings; admin: everything */
    role?: ("admin" | "dispatcher" | "viewer") | undefined;
    /** Filter by people or programs */
    isPerson?: ("true" | "false") | undefined;
    /** A revoked token stays revoked */
    status?: ("ACTIVE" | "REVOKED") | undefined;
    /** Order; ties are broken by id. Default createdAt */
    sortBy?: ("createdAt" | "name" | "role" | "status" | "lastUsedAt") | undefined;
    /** Default DESC */
    sortOrder?: ("ASC" | "DESC") | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
};

export type ListZonesQuery = {
    /** Part of the name, case-insensitive */
    search?: string | undefined;
    /** Filter by active or inactive */
    isActive?: ("true" | "false") | undefined;
    /** Page number, starting at 1 */
    page?: number | undefined;
    /** Rows per page */
    limit?: number | undefined;
    /** Filter by service */
    serviceId?: string | undefined;
    /** Order; ties are broken by id. Default priority */
    sortBy?: ("priority" | "name" | "nameAr" | "isActive" | "createdAt") | undefined;
    /** Default ASC */
    sortOrder?: ("ASC" | "DESC") | undefined;
};

export type ListedCustomer = {
    /** Contact */
    id: string;
    /** Customer name as first registered */
    name: string;
    /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/contacts/{id}/reveal`. null: the customer was erased */
    phone: string | null;
    /** ISO 8601 with offset */
    createdAt: string;
    /** Partner whose customer it is */
    partnerId: string;
    /** Its name */
    partnerName: string;
};

export type ListedCustomerPageResponse = {
    success: true;
    data: ListedCustomer[];
    meta: PageMeta;
};

export type LocateShortAddressRequest = {
    /** Four letters and four digits. Not in later responses: it is looked up */
    shortAddress: string;
};

export type LocatedAddress = {
    /** `NO_ANSWER`: of the provider, so try again; `NO_RESOLVER`: the deployment has none */
    outcome: "FOUND" | "UNKNOWN" | "NO_ANSWER" | "NO_RESOLVER";
    /** Decimal degrees; null: not found */
    latitude: string | null;
    /** Decimal degrees; null: not found */
    longitude: string | null;
};

export type LocatedAddressResponse = {
    success: true;
    data: LocatedAddress;
};

export type LogMeta = {
    /** Pass it as `before` for the next page; null: there is none */
    nextCursor: string | null;
};

export type LoggedExchange = {
    /** Entry of the log */
    id: string;
    /** When it was answered */
    at: string;
    /** `X-Request-Id` */
    requestId: string;
    /** Partner */
    partnerId: string;
    /** API key */
    keyId: string;
    /** The key, masked */
    key: string | null;
    /** Method */
    method: string;
    /** The route's pattern; null: there is none */
    route: string | null;
    /** Path as it was sent, without what is personal. Sandbox: with its query; production: of unknown routes only */
    path: string | null;
    /** Status */
    status: number;
    /** `error.code` */
    code: string | null;
    /** `error.message` */
    message: string | null;
    /** The check that refused it: `key`, `address`, `rate-limit`, `domain`, `permission` … */
    check: string | null;
    /** What the check said. Of a 401 what the partner was not told: `expired`, `revoked`, `replaced` by a rotation, or `suspended`; null: the key is valid by now */
    reason: string | null;
    /** `error.details.hints` */
    hints: string[];
    /** Query parameters that nothing read, as `X-Ignored-Parameters` named them; without their values */
    ignoredParameters: string[];
    /** The rest of `error.details`, without what is personal */
    details: {
        [key: string]: unknown;
    } | null;
    /** Milliseconds from the first byte of the request to the end of the answer */
    durationMs: number;
    /** Booking in the path, or that the answer created or names */
    bookingId: string | null;
    /** `User-Agent` */
    userAgent: string | null;
    /** Of a sandbox: the first 4,096 characters of each body, phones, coordinates and credentials masked; null: production, which keeps no bodies, or one of too many at once */
    bodies: {
        /** JSON as it was read; null: there was none */
        request: string | null;
        /** JSON as it was sent */
        response: string | null;
        /** Whether the request was longer */
        requestCut: boolean;
        /** Whether the response was longer */
        responseCut: boolean;
    } | null;
};

export type LoggedExchangeResponse = {
    success: true;
    data: LoggedExchange;
};

export type LoggedRequest = {
    /** Entry of the log */
    id: string;
    /** When it was answered */
    at: string;
    /** `X-Request-Id` */
    requestId: string;
    /** Partner */
    partnerId: string;
    /** API key */
    keyId: string;
    /** The key, masked */
    key: string | null;
    /** Method */
    method: string;
    /** The route's pattern; null: there is none */
    route: string | null;
    /** Path as it was sent, without what is personal. Sandbox: with its query; production: of unknown routes only */
    path: string | null;
    /** Status */
    status: number;
    /** `error.code` */
    code: string | null;
    /** `error.message` */
    message: string | null;
    /** The check that refused it: `key`, `address`, `rate-limit`, `domain`, `permission` … */
    check: string | null;
    /** What the check said. Of a 401 what the partner was not told: `expired`, `revoked`, `replaced` by a rotation, or `suspended`; null: the key is valid by now */
    reason: string | null;
    /** `error.details.hints` */
    hints: string[];
    /** Query parameters that nothing read, as `X-Ignored-Parameters` named them; without their values */
    ignoredParameters: string[];
    /** The rest of `error.details`, without what is personal */
    details: {
        [key: string]: unknown;
    } | null;
    /** Milliseconds from the first byte of the request to the end of the answer */
    durationMs: number;
    /** Booking in the path, or that the answer created or names */
    bookingId: string | null;
    /** `User-Agent` */
    userAgent: string | null;
};

export type LoggedRequestPageResponse = {
    success: true;
    data: LoggedRequest[];
    meta: LogMeta;
};

export type MarkRefundDoneRequest = {
    /** Reference of the refund at the bank or the gateway */
    reference: string;
};

export type MarkStatementPaidRequest = {
    /** Of the payment; null: not paid after all */
    reference: string | null;
    /** Riyadh date; today, if left out */
    paidOn?: string | undefined;
};

export type Me = {
    /** What the token may do: each role also what those before it may */
    role: "viewer" | "dispatcher" | "admin";
    /** Name of the token; null: the first one, OPERATOR_TOKEN */
    name: string | null;
    /** How the audit log and histories name it */
    actor: string;
    /** The session of the cookie; null: the request has a bearer token */
    session: {
        /** Session */
        id: string;
        /** When it ends, in real time */
        expiresAt: string;
    } | null;
    /** Kind of deployment */
    deployment: "sandbox" | "production";
    /** The service's time; a sandbox's may be ahead of real time */
    now: string;
    /** Time zone of all dates and times of day */
    timeZone: string;
};

export type MeResponse = {
    success: true;
    data: Me;
};

export type NamedSchedule = {
    /** Schedule */
    id: string;
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
};

/** National address */
export type NationalAddress = {
    /** Four digits */
    buildingNumber: string;
    /** Street */
    street: string;
    /** District */
    district: string;
    /** City */
    city: string;
    /** Five digits */
    postalCode: string;
    /** Four digits; null: none */
    additionalNumber?: (string | null) | undefined;
};

export type NoFields = Record<string, never>;

export type OpenSessionRequest = {
    /** An operator token. Not in later responses: a secret */
    token?: string | undefined;
    /** The secret of a sign-in link. Not in later responses: a secret */
    link?: string | undefined;
    /** With a link what the person chooses, else that of the enrolled browser. Not in later responses: a secret */
    pin?: string | undefined;
    /** With pin: replaces it. Not in later responses: a secret */
    newPin?: string | undefined;
};

export type OpenedSession = {
    /** Session */
    id: string;
    /** When it ends unless it is used before, in real time */
    expiresAt: string;
};

export type OpenedSessionResponse = {
    success: true;
    data: OpenedSession;
};

export type OperatorHold = {
    /** Hold; `holdId` of POST /partners/bookings */
    holdId: string;
    /** `CONSUMED`: a booking took it */
    status: "HELD" | "CONSUMED" | "RELEASED" | "EXPIRED";
    /** From then on the slot is free again */
    expiresAt: string;
    /** SAR; that of the booking that takes it */
    price: number;
    /** Currency of the price */
    currency: "SAR";
    /** Riyadh date of the start */
    date: string;
    timeslot: HeldTimeslot;
    /** Address; null: the hold was made at coordinates, without a customer */
    addressId: string | null;
    /** Service */
    serviceId: string;
    /** Contact of the address; null as `addressId` */
    contactId: string | null;
    /** Of a hold that was made at coordinates, until it is over */
    latitude: string | null;
    /** As `latitude` */
    longitude: string | null;
    /** The partner's reference; null: none */
    reference: string | null;
    /** The booking that took it; null: none */
    bookingId: string | null;
    /** The version of the policy that the booking will be under; null: none */
    policyId: string | null;
    /** Partner */
    partnerId: string;
    /** Its name */
    partnerName: string;
    /** The team that is held */
    teamId: string;
    /** Its name */
    teamName: string;
    /** Its Arabic name; null: none */
    teamNameAr: string | null;
    /** Name of the service */
    serviceName: string;
    /** Its Arabic name; null: none */
    serviceNameAr: string | null;
    /** Name of the customer; null: there is none yet */
    contactName: string | null;
};

export type OperatorHoldPageResponse = {
    success: true;
    data: OperatorHold[];
    meta: PageMeta;
};

export type OperatorSeries = {
    /** Series; null: a preview of one */
    seriesId: string | null;
    /** The partner's reference; null: none */
    externalReference: string | null;
    /** `STOPPED`: places nothing for now; `ENDED`: places nothing more, what is placed stays */
    status: "ACTIVE" | "STOPPED" | "ENDED";
    /**
     * Why it is not `ACTIVE`
     * @enum {string|null}
     */
    reason: "PARTNER_SUSPENDED" | "ACCOUNT_PLATFORM" | "SERVICE_NOT_AVAILABLE" | "OVER" | "ENDED" | "CUSTOMER_ERASED" | null;
    /** Contact */
    contactId: string;
    /** Address of the contact */
    addressId: string;
    /** Service */
    serviceId: string;
    /** Riyadh date of the first visit */
    firstDate: string;
    /** Weeks from one visit to the next */
    everyWeeks: number;
    /** Day of the next visits; 1 (Monday) to 7 (Sunday) */
    weekday: number;
    /** Start of the next visits */
    startAt: string;
    /** Whether the crew of the first visit comes again if it can; `keepsTeam` of each visit says whether it does */
    sameCrew: boolean;
    /** Riyadh date of the last visit at the latest; null: none */
    until: string | null;
    /** Number of visits; null: none */
    visits: number | null;
    /** Riyadh dates without visits */
    pauses: SeriesPause[];
    /** Its visits by index, with the next that are planned; in a list those from today on */
    dates: SeriesVisit[];
    /** In the response to a change alone: what became, or with `preview` would become, of its visits */
    changes?: SeriesChange[] | undefined;
    /** When it was made */
    createdAt: string;
    /** When it last changed */
    updatedAt: string;
    /** Partner */
    partnerId: string;
    /** Its name */
    partnerName: string;
    /** Name of the customer */
    contactName: string;
    /** Name of the service */
    serviceName: string;
    /** Its Arabic name; null: none */
    serviceNameAr: string | null;
    /** The crew that comes if it can; null: none yet */
    crewName: string | null;
    /** Its Arabic name; null: none */
    crewNameAr: string | null;
};

export type OperatorSeriesPageResponse = {
    success: true;
    data: OperatorSeries[];
    meta: PageMeta;
};

export type OperatorSeriesResponse = {
    success: true;
    data: OperatorSeries;
};

export type PageMeta = {
    /** Page number */
    page: number;
    /** Maximum rows per page */
    limit: number;
    /** Total number of rows */
    total: number;
    /** Total number of pages */
    totalPages: number;
};

export type Partner = {
    /** Partner */
    id: string;
    /** Unique, case-insensitive; becomes the utmSource of its contacts */
    name: string;
    /** The keys of a suspended partner do not work */
    status: "ACTIVE" | "SUSPENDED";
    /** Who collects the money for new bookings */
    paymentResponsibility: "PARTNER" | "PLATFORM";
    /** Requests per key in any 60 seconds; null: no limit */
    rateLimitPerMinute: number | null;
    /** Slots that it may hold at once; default 50 */
    maxHolds: number;
    /** Domains that requests may come from, subdomains included; empty: any. Bare host names, no scheme, port or path; stored in lower-case ASCII */
    allowedDomains: string[];
    /** Allowed domains refused while SANDBOX_DOMAIN_CHECK is on. Bare host names, no scheme, port or path; stored in lower-case ASCII */
    sandboxDomains: string[];
    /** Domains that webhooks may go to, subdomains included. Bare host names, no scheme, port or path; stored in lower-case ASCII */
    allowedWebhookDomains: string[];
    /** Refuse webhook URLs without TLS */
    requireHttpsWebhooks: boolean;
    /** Language of the service names in its responses; default en */
    language: "en" | "ar";
    /** Whether its customers have a page for each booking, at the `trackingUrl` of the booking; default false */
    trackingPage: boolean;
    /** Colour of the head of these pages; null: a neutral one */
    pageColour: string | null;
    /** How a customer reaches the partner, on the English page; null: nothing */
    contactTextEn: string | null;
    /** How a customer reaches the partner, on the Arabic page; null: nothing */
    contactTextAr: string | null;
    /** Telephone of the partner on these pages; null: none */
    contactNumber: string | null;
    /** Messages that its customers get, from their next change on: `BOOKED`, `DAY_BEFORE`, `ON_THE_WAY`, `LATE`, `DONE`. Whoever was told of a visit is also told that it was moved, cancelled or could not be done. Between 21:00 and 09:00 in Riyadh only what concerns the next twelve hours is sent. Only where `NOTIFIER` sends them. Default none */
    customerMessages: ("BOOKED" | "DAY_BEFORE" | "ON_THE_WAY" | "LATE" | "DONE")[];
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
};

export type PartnerPageResponse = {
    success: true;
    data: Partner[];
    meta: PageMeta;
};

export type PartnerResponse = {
    success: true;
    data: Partner;
};

export type PartnerServices = {
    /** Changes with every change; what `If-Match` names */
    version: number;
    /** true: only the services listed may be booked; false: every active one */
    restricted: boolean;
    /** The services and their prices for this partner, each service once */
    services: {
        /** Service */
        serviceId: string;
        /** SAR, at most two decimals; null: the service's default price */
        price: number | null;
        /** Prices from days after today on, in place of those that are there. Left out, these stay; one that is not listed is taken back. The moment of sale counts, not the day of the visit */
        comingPrices: {
            /** Sales from this day on have the price, from midnight in Riyadh; after today, and each day once */
            from: string;
            /** SAR, at most two decimals; null: the service's default price */
            price: number | null;
        }[];
    }[];
};

export type PartnerServicesResponse = {
    success: true;
    data: PartnerServices;
};

export type Party = {
    /** Legal name in English */
    legalNameEn: string;
    /** Legal name in Arabic */
    legalNameAr: string;
    /** VAT number: 15 digits, the first and the last 3; null: not registered */
    vatNumber: string | null;
    /** Commercial registration or unified number, ten digits; null: none */
    registrationNumber: string | null;
    address: NationalAddress;
};

export type PauseSeriesRequest = {
    /** First Riyadh date without visits (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    from: string;
    /** Last one (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    to: string;
    /** From the cancellation reasons; must be given when a visit is placed already */
    reasonId?: string | undefined;
    /** Your own notes on the cancellations */
    cancellationNotes?: string | undefined;
    /** SAR that each visit may cost; when one costs more, nothing is changed. Not in later responses: `fees` of the bookings say what they cost */
    maxFee?: number | undefined;
    /** Only says what would come of it. Not in later responses: nothing is stored */
    preview?: boolean | undefined;
};

export type Payment = {
    /** Payment */
    id: string;
    /** CREATED: no link yet; OPEN: a link that can be paid; else what became of it */
    status: "CREATED" | "OPEN" | "PAID" | "FAILED" | "EXPIRED" | "CANCELED";
    /** Where the customer pays */
    linkUrl: string | null;
    /** Whose link it is; null: there is none yet */
    gateway: string | null;
    /** The gateway's id of the link */
    gatewayReference: string | null;
    /** When the first payment arrived, even if too late */
    paidAt: string | null;
    /** Why it failed, as in booking.payment_failed */
    failureReason: string | null;
    /** null: nothing to refund */
    refund: Refund | null;
    /** Its booking */
    bookingId: string;
    /** The booking's */
    trackingReference: string;
    /** Partner that made the booking */
    partnerId: string;
    /** Its name */
    partnerName: string;
    /** Amount due, SAR */
    amount: number;
    /** When the link expires: at the latest when the appointment starts */
    expiresAt: string;
    /** When a provider last took the message with the link; null: none did */
    sentAt: string | null;
    /** Amount paid in all, SAR */
    paidAmount: number | null;
    /** Whether the payment arrived too late for the booking */
    late: boolean;
    /** Attempts so far of the current step */
    tries: number;
    /** When it was created */
    createdAt: string;
    /** When it was last changed */
    updatedAt: string;
    /** Of what was paid, refunded so far, SAR */
    refundedAmount: number;
    /** What is left of what was paid, SAR */
    keptAmount: number;
    /** All payments by the link and tries to pay, oldest first, as the gateway said last */
    payments: GatewayPayment[];
    /** What an operator decided about the refund; null: nothing */
    refundDecision: RefundDecision | null;
    /** What cancelling the booking now would do with the money; null: nothing to refund */
    refundOnCancel: RefundOnCancel | null;
};

export type PaymentPageResponse = {
    success: true;
    data: Payment[];
    meta: PageMeta;
};

export type PaymentResponse = {
    success: true;
    data: Payment;
};

export type PlaceSeriesVisitRequest = {
    /** Another Riyadh date, as in `alternatives` (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date?: string | undefined;
    /** Another start, as in `alternatives` */
    startAt?: string | undefined;
};

export type Placements = {
    /** Appointment */
    appointmentId: string;
    /** Changes with every change; what `If-Match` names */
    version: number;
    /** Date of the starts */
    date: string;
    /** Whether its status and that of its booking allow a move */
    isMovable: boolean;
    /** The zone that covers the address; when none does, the one in which it was sold */
    zone: {
        /** Zone */
        id: string;
        /** Its name */
        name: string;
        /** Its Arabic name; null: none */
        nameAr: string | null;
    } | null;
    /** Slot starts at which a team of the zone is on shift */
    starts: {
        /** Start, Riyadh time */
        startAt: string;
        /** End; earlier than the start when it is on the next day */
        endAt: string;
        /**
         * Why no team may take the slot, even if available; SLOT_NOT_OFFERED: the service cannot be booked there
         * @enum {string|null}
         */
        problem: "SLOT_IN_PAST" | "SLOT_INSIDE_NOTICE" | "SLOT_BEYOND_HORIZON" | "SLOT_NOT_OFFERED" | null;
    }[];
    /** Every team of the zone that covers the address, and of the one in which it was sold: by rank, then those that cannot take it */
    teams: {
        /** Team */
        id: string;
        /** Its name */
        name: string;
        /** Its Arabic name; null: none */
        nameAr: string | null;
        /**
         * Why the team cannot take any slot
         * @enum {string|null}
         */
        reason: "NO_SKILL" | "INACTIVE" | null;
        /** Which team suits best, from 1: `keepsTeam`, then `best.keepsTime`, then the least `best.detourKm`, then the least `usedMinutes`; null: it can take none of the starts */
        rank: number | null;
        /** Whether the appointment is its own now */
        keepsTeam: boolean;
        /** Minutes of the date that other appointments hold, travel buffers included */
        usedMinutes: number;
        /** The start that suits best: the present time of day, else the least detour */
        best: {
            /** Start */
            startAt: string;
            /** End; earlier than the start when it is on the next day */
            endAt: string;
            /** Whether the time of day stays */
            keepsTime: boolean;
            /** Detour at this start */
            detourKm: number;
        } | null;
        /** One for each of `starts` */
        slots: {
            /** Start, Riyadh time */
            startAt: string;
            /** Whether the team could take this slot, apart from its `problem` */
            free: boolean;
            /**
             * Why the team cannot take this slot; NOT_IN_ZONE: at another time than the one that was sold, a team of the zone that covers the address now has to come
             * @enum {string|null}
             */
            reason: "OFF_SHIFT" | "SCHEDULE" | "TIME_OFF" | "BUSY" | "NOT_IN_ZONE" | null;
            /** With SCHEDULE: the schedule that is against it */
            schedule: NamedSchedule | null;
            /** The first conflicting appointment of a busy team; null: a customer holds the slot */
            appointment: {
                /** Appointment */
                id: string;
                /** Tracking reference */
                name: string;
                /** Its booking */
                bookingId: string;
            } | null;
            /** Slots that customers hold there, when nothing else is in the way. A sold visit displaces them: each goes to another free team; where there is none, `displaceHolds` of the move has to name it */
            holds: HoldInTheWay[];
            /** How much further the team goes, in a straight line from the appointment before and to the one after it in the shift; null: not free */
            detourKm: number | null;
        }[];
    }[];
};

export type PlacementsResponse = {
    success: true;
    data: Placements;
};

export type Policy = {
    /** Policy */
    id: string;
    /** This version; `policyId` of bookings that are made under it */
    versionId: string;
    /** Changes with every change; what `If-Match` names */
    version: number;
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
    /** Minutes after the booking in which nothing costs anything */
    graceMinutes: number;
    /** Part of the price once the work has begun, or the start has passed and the crew is there. The clock alone begins no work */
    afterStartPercent: number;
    /** Part of the price when the customer is the cause that a visit was not done */
    noShowPercent: number;
    /** Times that a partner may reschedule a booking; null: any number */
    maxReschedules: number | null;
    /** Fees of cancelling. The step nearest to the start holds; none: no fee */
    cancel: FeeStep[];
    /** Fees of rescheduling. The step nearest to the start holds; none: no fee */
    reschedule: FeeStep[];
    /** For whose bookings it holds */
    assignments: {
        /** Partner; null: every one */
        partnerId: string | null;
        /** Service; null: every one */
        serviceId: string | null;
    }[];
    /** The terms in English */
    textEn: string;
    /** The terms in Arabic */
    textAr: string;
    /** Actor that made this version */
    createdBy: string;
    /** Name that its token has now; null: it has none */
    createdByName: string | null;
    /** When this version was made */
    createdAt: string;
};

export type PolicyListResponse = {
    success: true;
    data: Policy[];
};

export type PolicyPageResponse = {
    success: true;
    data: Policy[];
    meta: PageMeta;
};

export type PolicyResponse = {
    success: true;
    data: Policy;
};

export type PortalLink = {
    /** Link */
    id: string;
    /** Partner */
    partnerId: string;
    /** USED: it has opened its session */
    status: "ACTIVE" | "USED" | "EXPIRED" | "REVOKED";
    /** Whether the session that the link opens may change nothing */
    readOnly: boolean;
    /** Who made it, as in the audit log */
    createdBy: string;
    /** Until when it may be used */
    expiresAt: string;
    /** When it was signed in with; null: not yet */
    usedAt: string | null;
    /** null: it was not revoked */
    revokedAt: string | null;
    /** ISO 8601 with offset */
    createdAt: string;
};

export type PortalLinkPageResponse = {
    success: true;
    data: PortalLink[];
    meta: PageMeta;
};

export type PortalLinkResponse = {
    success: true;
    data: PortalLink;
};

export type PortalLinkWithUrl = {
    /** Link */
    id: string;
    /** Partner */
    partnerId: string;
    /** USED: it has opened its session */
    status: "ACTIVE" | "USED" | "EXPIRED" | "REVOKED";
    /** Whether the session that the link opens may change nothing */
    readOnly: boolean;
    /** Who made it, as in the audit log */
    createdBy: string;
    /** Until when it may be used */
    expiresAt: string;
    /** When it was signed in with; null: not yet */
    usedAt: string | null;
    /** null: it was not revoked */
    revokedAt: string | null;
    /** ISO 8601 with offset */
    createdAt: string;
    /** The link; only shown in this response. What is behind # is sent to no server */
    url: string;
};

export type PortalLinkWithUrlResponse = {
    success: true;
    data: PortalLinkWithUrl;
};

export type PricingTier = {
    /** Tier */
    id: string;
    /** Inclusive lower bound of the duration, in minutes */
    minMinutes: number;
    /** Inclusive upper bound, in minutes; null: no upper limit */
    maxMinutes: number | null;
    /** Multiplies the base price; at most 4 decimals. 0.9: 10 % off */
    factor: number;
    /** Display order, lower first */
    sorting: number;
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
};

export type PricingTierPageResponse = {
    success: true;
    data: PricingTier[];
    meta: PageMeta;
};

export type PricingTierResponse = {
    success: true;
    data: PricingTier;
};

export type PrivacyCopy = {
    /** When it was read */
    exportedAt: string;
    /** The customer with each partner */
    customers: PrivacyCopyCustomer[];
};

export type PrivacyCopyCustomer = {
    /** The partner whose customer she is */
    partnerName: string;
    contact: ContactDetail;
    /** Oldest first */
    bookings: ExportedBooking[];
    /** Oldest first */
    series: ExportedSeries[];
    /** Oldest first */
    messages: ExportedMessage[];
};

export type PrivacyCopyResponse = {
    success: true;
    data: PrivacyCopy;
};

export type PrivacyRequest = {
    /** Privacy request */
    id: string;
    /** ACCESS: a copy; CORRECTION; ERASURE. The service enters RETENTION itself, for customers who were not served for long */
    kind: "ACCESS" | "CORRECTION" | "ERASURE" | "RETENTION";
    /** Status */
    status: "OPEN" | "DONE" | "REFUSED";
    /** Whose customer it is about; null: the number's, with every partner */
    partner: {
        /** Partner */
        id: string;
        /** Its name */
        name: string;
    } | null;
    /** The last three digits of the number; null: the request is finished */
    phoneEnding: string | null;
    /** When it was received */
    receivedAt: string;
    /** Until when it has to be answered */
    dueAt: string;
    /** Whether it is open and its time is over */
    isOverdue: boolean;
    /** Actor that entered it */
    receivedBy: string;
    /** Name that its token has now; null: it has none */
    receivedByName: string | null;
    /** A note, or why an erasure was asked for */
    note: string | null;
    /** When it was completed or refused; null: open */
    finishedAt: string | null;
    /** Actor that completed or refused it */
    finishedBy: string | null;
    /** Name that its token has now; null: it has none */
    finishedByName: string | null;
    /** A note on the answer, or why it was refused */
    answer: string | null;
};

export type PrivacyRequestContact = {
    /** Contact */
    id: string;
    /** Its partner */
    partnerId: string;
    /** The partner's name */
    partnerName: string;
    /** Bookings that stand in the way of an erasure */
    openBookings: number;
};

export type PrivacyRequestDetail = {
    /** Privacy request */
    id: string;
    /** ACCESS: a copy; CORRECTION; ERASURE. The service enters RETENTION itself, for customers who were not served for long */
    kind: "ACCESS" | "CORRECTION" | "ERASURE" | "RETENTION";
    /** Status */
    status: "OPEN" | "DONE" | "REFUSED";
    /** Whose customer it is about; null: the number's, with every partner */
    partner: {
        /** Partner */
        id: string;
        /** Its name */
        name: string;
    } | null;
    /** The last three digits of the number; null: the request is finished */
    phoneEnding: string | null;
    /** When it was received */
    receivedAt: string;
    /** Until when it has to be answered */
    dueAt: string;
    /** Whether it is open and its time is over */
    isOverdue: boolean;
    /** Actor that entered it */
    receivedBy: string;
    /** Name that its token has now; null: it has none */
    receivedByName: string | null;
    /** A note, or why an erasure was asked for */
    note: string | null;
    /** When it was completed or refused; null: open */
    finishedAt: string | null;
    /** Actor that completed or refused it */
    finishedBy: string | null;
    /** Name that its token has now; null: it has none */
    finishedByName: string | null;
    /** A note on the answer, or why it was refused */
    answer: string | null;
    /** The number, E.164; null: the request is finished */
    phone: string | null;
    /** Customers with the number, of all partners; when an erasure is done, those who were erased */
    contacts: PrivacyRequestContact[];
};

export type PrivacyRequestDetailResponse = {
    success: true;
    data: PrivacyRequestDetail;
};

export type PrivacyRequestPageResponse = {
    success: true;
    data: PrivacyRequest[];
    meta: PageMeta;
};

export type Punctuality = {
    /** First date */
    from: string;
    /** Last date */
    to: string;
    /** Minutes after the start within which a visit begins in time */
    minutes: number;
    /** Visits that should have begun by now */
    visits: number;
    /** Begun within the minutes, or before the start */
    punctual: number;
    /** Begun later */
    late: number;
    /** Not begun, as far as is known */
    notBegun: number;
    /** Punctual of all; null: none */
    share: number | null;
    /** Teams with visits, by name */
    teams: PunctualityTeam[];
    /** Zones with visits, by name */
    zones: PunctualityZone[];
    /** Partners with visits, by name */
    partners: PunctualityPartner[];
};

export type PunctualityPartner = {
    /** Partner */
    id: string;
    /** Its name */
    name: string;
    /** Visits that should have begun by now */
    visits: number;
    /** Begun within the minutes, or before the start */
    punctual: number;
    /** Begun later */
    late: number;
    /** Not begun, as far as is known */
    notBegun: number;
    /** Punctual of all; null: none */
    share: number | null;
};

export type PunctualityResponse = {
    success: true;
    data: Punctuality;
};

export type PunctualityTeam = {
    /** Team */
    id: string;
    /** Its name */
    name: string;
    /** Its Arabic name; null: none */
    nameAr: string | null;
    /** Visits that should have begun by now */
    visits: number;
    /** Begun within the minutes, or before the start */
    punctual: number;
    /** Begun later */
    late: number;
    /** Not begun, as far as is known */
    notBegun: number;
    /** Punctual of all; null: none */
    share: number | null;
};

export type PunctualityZone = {
    /** Zone */
    id: string;
    /** Its name */
    name: string;
    /** Its Arabic name; null: none */
    nameAr: string | null;
    /** Visits that should have begun by now */
    visits: number;
    /** Begun within the minutes, or before the start */
    punctual: number;
    /** Begun later */
    late: number;
    /** Not begun, as far as is known */
    notBegun: number;
    /** Punctual of all; null: none */
    share: number | null;
};

export type PutPartnerServicesRequest = {
    /** As it was read; heeded as `If-Match` is. Not in later responses: the change makes it the next one */
    version?: number | undefined;
    /** true: only the services listed may be booked; false: every active one */
    restricted: boolean;
    /** The services and their prices for this partner, each service once */
    services: {
        /** Service */
        serviceId: string;
        /** SAR, at most two decimals; null: the service's default price */
        price?: (number | null) | undefined;
        /** Prices from days after today on, in place of those that are there. Left out, these stay; one that is not listed is taken back. The moment of sale counts, not the day of the visit */
        comingPrices?: {
            /** Sales from this day on have the price, from midnight in Riyadh; after today, and each day once */
            from: string;
            /** SAR, at most two decimals; null: the service's default price */
            price: number | null;
        }[] | undefined;
    }[];
};

export type Quote = {
    /** Booking */
    bookingId: string;
    /** The change */
    action: "cancel" | "reschedule";
    /** SAR: what the change costs now; null: nobody knows why the visit has not begun or was not done, and the operator decides */
    fee: number | null;
    /** SAR: `fee`, or the most that the operator can decide on */
    feeAtMost: number;
    /** SAR: fees of earlier changes, which a cancellation keeps too */
    earlierFees: number;
    /** SAR: what a cancellation gives back of what was paid, which is `fee`, `earlierFees` and this; null: the operator decides. Under PARTNER you refund it yourself */
    refund: number | null;
    /** Currency of all amounts */
    currency: "SAR";
    /** The last moment at which the fee is this; null: it stays */
    validUntil: string | null;
    /** The policy that the booking was made under; null: none, and changes are free */
    policy: QuotedPolicy | null;
};

export type QuoteResponse = {
    success: true;
    data: Quote;
};

export type QuotedPolicy = {
    /** The version of the policy; it never changes */
    id: string;
    /** The terms in English */
    textEn: string;
    /** The terms in Arabic */
    textAr: string;
    /** Minutes after the booking in which nothing costs anything */
    graceMinutes: number;
    /** Part of the price once the work has begun, or the start has passed and the crew is there. The clock alone begins no work */
    afterStartPercent: number;
    /** Part of the price when the customer is the cause that a visit was not done */
    noShowPercent: number;
    /** Times that a partner may reschedule a booking; null: any number */
    maxReschedules: number | null;
    /** Fees of cancelling. The step nearest to the start holds; none: no fee */
    cancel: FeeStep[];
    /** Fees of rescheduling. The step nearest to the start holds; none: no fee */
    reschedule: FeeStep[];
    /** Fees of the quoted change. The step nearest to the start holds; none: no fee */
    steps: FeeStep[];
};

export type ReassignAppointmentsRequest = {
    /** From when on the team is away, ISO 8601 with offset. Not in later responses: it chooses the appointments of the plan */
    from: string;
    /** Until when (exclusive), 31 days later at most. Not in later responses: it chooses the appointments of the plan */
    to: string;
    /** Moves to make, each appointment once. Left out: a plan, and nothing is changed */
    apply?: {
        /** Appointment */
        appointmentId: string;
        /** As it was read; heeded as `If-Match` is. Not in later responses: the change makes it the next one */
        version: number;
        /** New team */
        teamId: string;
        /** New Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
        date: string;
        timeslot: Timeslot;
        /** Holds that may end for the move, if no other team is free for their slots: confirm those that a refusal (`HELD`) or a plan names. Not in later responses: the audit log has each */
        displaceHolds?: string[] | undefined;
    }[] | undefined;
};

export type ReassignChosenRequest = {
    /** The appointments, those that a schedule left outside of the hours of their teams for instance. Not in later responses: it chooses the appointments of the plan */
    appointmentIds: string[];
    /** Moves to make, each appointment once. Left out: a plan, and nothing is changed */
    apply?: {
        /** Appointment */
        appointmentId: string;
        /** As it was read; heeded as `If-Match` is. Not in later responses: the change makes it the next one */
        version: number;
        /** New team */
        teamId: string;
        /** New Riyadh date (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
        date: string;
        timeslot: Timeslot;
        /** Holds that may end for the move, if no other team is free for their slots: confirm those that a refusal (`HELD`) or a plan names. Not in later responses: the audit log has each */
        displaceHolds?: string[] | undefined;
    }[] | undefined;
};

export type ReassignmentPlanRow = {
    appointment: Appointment;
    /**
     * Why there is no proposal: it has begun or is over, or nobody is free within seven days
     * @enum {string|null}
     */
    problem: "NOT_MOVABLE" | "NO_PLACE" | null;
    /** The place that suits best: another team at the same time; else the team itself, when it is back if it was away; else another team at another time */
    proposal: ReassignmentProposal | null;
    /** Other places, in this order */
    alternatives: ReassignmentProposal[];
};

export type ReassignmentProposal = {
    /** Team */
    teamId: string;
    /** Its name */
    teamName: string;
    /** Its Arabic name; null: none */
    teamNameAr: string | null;
    /** Riyadh date */
    date: string;
    timeslot: {
        /** Start */
        startAt: string;
        /** End; earlier than the start when it is on the next day */
        endAt: string;
    };
    /** Whether the date stays */
    keepsDate: boolean;
    /** Whether the time of day stays */
    keepsTime: boolean;
    /** Whether the length stays, as it does */
    keepsLength: boolean;
    /** How much further the team goes, in a straight line */
    detourKm: number;
    /** Minutes of the date that other appointments of the team hold */
    usedMinutes: number;
    /** Slots that customers hold there, when nothing else is in the way. A sold visit displaces them: each goes to another free team; where there is none, `displaceHolds` of the move has to name it */
    holds: HoldInTheWay[];
};

export type ReassignmentResult = {
    /** Appointment */
    appointmentId: string;
    /** ALREADY_THERE: it has this team and time, because the request was sent before for instance */
    outcome: "MOVED" | "ALREADY_THERE" | "REFUSED";
    /** Why it was refused */
    refusal: {
        /** Error code, as PATCH /operator/appointments/:id would return it */
        code: string;
        /** What is wrong */
        message: string;
        /** `details.reason` of the error */
        reason: string | null;
        /** Slots that customers hold there, when nothing else is in the way. A sold visit displaces them: each goes to another free team; where there is none, `displaceHolds` of the move has to name it */
        holds: HoldInTheWay[];
    } | null;
    /** The appointment as it is; null: there is none */
    appointment: Appointment | null;
};

export type Reassignments = {
    /** Without `apply`: the appointments, by start */
    plan: ReassignmentPlanRow[] | null;
    /** With `apply`: one for each move, in its order */
    results: ReassignmentResult[] | null;
    /** What the audit entries of these moves have in common */
    groupId: string | null;
};

export type ReassignmentsResponse = {
    success: true;
    data: Reassignments;
};

export type ReassignmentsUndone = {
    /** The moved ones, by start */
    appointments: Appointment[];
    /** What the audit entries of these moves have in common */
    groupId: string;
};

export type ReassignmentsUndoneResponse = {
    success: true;
    data: ReassignmentsUndone;
};

export type RecordCallRequest = {
    /** The customer's answer */
    answer: "AGREED" | "DECLINED" | "NO_ANSWER" | "CALL_BACK";
    /** The start that she was called about: present, or proposed */
    startsAt: string;
};

export type RecordOutcomeRequest = {
    /** Why the visit could not be done */
    outcome: "CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER";
    /** How you know, in your words; for operators */
    reason: string;
};

export type RecoverSubscriptionRequest = {
    /** Deliveries that failed at or after this time are retried, and whatever waits for its next retry is sent at once; ISO 8601 with offset. Not in later responses: it chooses what is sent now */
    since: string;
};

export type RecoveredDeliveries = {
    /** Subscription */
    id: string;
    /** Number of failed deliveries to be retried */
    recovered: number;
    /** Number of deliveries that waited for their next retry, and are sent at once too */
    waiting: number;
};

export type RecoveredDeliveriesResponse = {
    success: true;
    data: RecoveredDeliveries;
};

export type Refund = {
    /** PENDING: the worker has yet to make it; FAILED: the worker could not, so retry it or make it manually; TO_DECIDE: the booking was cancelled after its work had begun, and an operator decides; DECLINED: nothing goes back */
    status: "PENDING" | "DONE" | "FAILED" | "TO_DECIDE" | "DECLINED";
    /** Amount to refund in all, SAR; when TO_DECIDE, what can be refunded; when DONE, what was */
    amount: number;
    /** Reference at the gateway, or the one given by the operator */
    reference: string | null;
    /** Why it failed */
    error: string | null;
    /** When it was refunded */
    refundedAt: string | null;
    /** Who made the refund: payments, an operator, or somebody at the gateway (gateway) */
    by: string | null;
};

export type RefundDecision = {
    /** What is kept of the price, SAR */
    keptAmount: number;
    /** Why */
    reason: string;
    /** Who decided */
    by: string;
    /** When */
    at: string;
};

export type RefundOnCancel = {
    /** SAR that would be refunded, or decided on */
    amount: number;
    /** Who gets it */
    to: "CUSTOMER";
    /** SERVICE: refunded by itself; OPERATOR: the work has begun, so an operator decides what goes back */
    by: "SERVICE" | "OPERATOR";
};

export type RefundPaymentRequest = {
    /** SAR to refund; all that can be refunded unless given */
    amount?: number | undefined;
    /** Why */
    reason: string;
};

export type RefusePrivacyRequestRequest = {
    /** Why it is refused, without naming the customer */
    answer: string;
};

export type RemoveScheduleQuery = {
    /** true: only says what would come of it. Default false */
    preview?: ("true" | "false") | undefined;
    /** The `digest` of the preview. When the change hits other appointments by now, one that was sold since for instance, it is refused with 409 `CONFLICT` and the new list in `details.conflicts` */
    expect?: string | undefined;
};

export type Removed = {
    /** What was removed */
    id: string;
    removed: true;
};

export type RemovedResponse = {
    success: true;
    data: Removed;
};

export type ReportDoneRequest = {
    /** Each appointment once */
    visits: {
        /** Appointment */
        appointmentId: string;
        /** When the work began, ISO 8601 with offset */
        begin: string;
        /** When it ended */
        end: string;
    }[];
    /** Not in later responses: with it nothing is kept */
    preview?: boolean | undefined;
};

export type RevealedPhone = {
    /** E.164 */
    phone: string;
};

export type RevealedPhoneResponse = {
    success: true;
    data: RevealedPhone;
};

export type RevealedTeamPhone = {
    /** E.164 */
    phone: string | null;
};

export type RevealedTeamPhoneResponse = {
    success: true;
    data: RevealedTeamPhone;
};

export type RevisitBookingRequest = {
    /** Riyadh date on which the appointment starts (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date: string;
    timeslot: Timeslot;
    /** Left out: any free team, that of the first visit before others */
    teamId?: string | undefined;
    /** Ignore notice, horizon, grid, duration, shifts, time off, skills and zone: only an overlap with another appointment of the team is refused. Also allows completing an appointment before its start */
    force?: boolean | undefined;
    /** Why, with `force`; the audit log keeps it as `forcedBecause`, beside `forced`, which stands there without it too */
    reason?: string | undefined;
    /** Holds that may end for the move, if no other team is free for their slots: confirm those that a refusal (`HELD`) or a plan names. Not in later responses: the audit log has each */
    displaceHolds?: string[] | undefined;
};

export type RotateKeyRequest = {
    /** Minutes for which the previous secret keeps working; 0: it stops at once */
    overlapMinutes?: number | undefined;
};

export type SaveStatementAccountRequest = {
    buyer: Party;
    /** Service dates before it are on no statement; fixed once one is issued */
    openedOn: string;
};

export type SaveStatementSettingsRequest = {
    seller: Party;
    /** The standard rate, which prices include, by service date */
    vatRates: {
        /** The first service date */
        from: string;
        /** Percent */
        percent: number;
    }[];
    vatCategories: {
        /** S: the standard rate of the date; Z: zero-rated; E: exempt; O: outside of VAT */
        VISIT: "S" | "Z" | "E" | "O";
        /** S: the standard rate of the date; Z: zero-rated; E: exempt; O: outside of VAT */
        FEE: "S" | "Z" | "E" | "O";
    };
};

export type Schedule = {
    /** Schedule */
    id: string;
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
    /** First date; null: yearly */
    from: string | null;
    /** Last date; null: without an end, or yearly */
    to: string | null;
    /** The date of each year; null: from and to */
    yearly: {
        /** Calendar of month and day */
        calendar: "gregorian" | "islamic-umalqura";
        /** Month */
        month: number;
        /** Day of the month */
        day: number;
        /** Number of days */
        days: number;
        /** Years in which it begins on another day, by the sighted moon for instance */
        shifts: {
            /** Year of the calendar */
            year: number;
            /** Days later, or earlier */
            days: number;
        }[];
    } | null;
    /** When it holds: a yearly one for the 10 years after its last change */
    periods: {
        /** First date */
        from: string;
        /** Last date; null: without an end */
        to: string | null;
    }[];
    /** Teams that serve one of these zones; null: not limited by zones */
    zoneIds: string[] | null;
    /** These teams; with neither zoneIds nor teamIds all teams */
    teamIds: string[] | null;
    /** Whether nobody works on these dates */
    closed: boolean;
    /** Hours instead of the weekly shifts of the teams; null: they keep them */
    weekly: {
        /** Day on which it starts, 1 (Monday) to 7 (Sunday) */
        weekday: number;
        /** Start, Riyadh time, on a whole minute */
        startAt: string;
        /** End; before the start: on the next day; equal to it: 24 hours later */
        endAt: string;
    }[] | null;
    /** Times in which no visit may lie, with other hours and with the weekly shifts */
    breaks: {
        /** Left out: every day */
        weekdays?: number[] | undefined;
        /** Start, Riyadh time, on a whole minute */
        startAt: string;
        /** End; not after the start: on the next day */
        endAt: string;
    }[];
    /** Where several set the hours of a team on a date, the highest wins; of equal ones the last made */
    priority: number;
    /** Changes with every change; what `If-Match` names */
    version: number;
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
};

export type ScheduleChange = {
    /** false: it was a preview */
    isApplied: boolean;
    /** As it is, or would be; null: removed */
    schedule: Schedule | null;
    appointments: Conflicts;
    /** Series with dates on these days that are not booked yet */
    laterSeries: number;
    /** Zones whose hours change, on the first 92 of the dates from today on */
    hours: {
        /** Zone */
        zoneId: string;
        /** Its name */
        zoneName: string;
        /** Its Arabic name; null: none */
        zoneNameAr: string | null;
        /** Working minutes before */
        minutesBefore: number;
        /** Working minutes after */
        minutesAfter: number;
    }[];
    /** A warning: teams of the schedule that would work more than six hours on a day in Ramadan (labour law, article 98) */
    longDays: {
        /** Team */
        teamId: string;
        /** Its name */
        teamName: string;
        /** Its Arabic name; null: none */
        teamNameAr: string | null;
        /** Working minutes of its longest day */
        minutes: number;
    }[];
};

export type ScheduleChangeResponse = {
    success: true;
    data: ScheduleChange;
};

export type SchedulePageResponse = {
    success: true;
    data: Schedule[];
    meta: PageMeta;
};

export type ScheduleResponse = {
    success: true;
    data: Schedule;
};

export type ScheduleTemplate = {
    /** What it is */
    key: "ramadan" | "eid-al-fitr" | "eid-al-adha" | "national-day" | "founding-day";
    /** English name */
    nameEn: string;
    /** Arabic name */
    nameAr: string;
    /** First date: of the moon it is computed, and to be confirmed */
    from: string;
    /** Last date */
    to: string;
    /** Whether nobody works */
    closed: boolean;
    /** Proposed hours */
    weekly: {
        /** 1 (Monday) to 7 (Sunday) */
        weekday: number;
        /** Start, Riyadh time */
        startAt: string;
        /** End; not after the start: on the next day */
        endAt: string;
    }[] | null;
    /** Proposed breaks */
    breaks: {
        /** Start, Riyadh time */
        startAt: string;
        /** End; not after the start: on the next day */
        endAt: string;
    }[];
    /** Proposed priority */
    priority: number;
};

export type ScheduleTemplateListResponse = {
    success: true;
    data: ScheduleTemplate[];
};

export type SearchGroup = {
    /** What its items are */
    kind: "booking" | "customer" | "partner" | "team" | "service" | "zone";
    /** The best first */
    items: SearchItem[];
};

export type SearchGroupListResponse = {
    success: true;
    /** Kinds with items, the one with the best item first */
    data: SearchGroup[];
};

export type SearchItem = {
    /** What is found; of a customer the contact */
    id: string;
    /** Tracking reference, or name */
    title: string;
    /** Arabic name of a service */
    titleAr: string | null;
    /** External reference of a booking */
    detail: string | null;
    /** Customer of a booking */
    customer: string | null;
    /** Phone of a customer, E.164; masked for viewers */
    phone: string | null;
    /** Partner of a booking or a customer */
    partner: string | null;
    /** Booking status; of what is set up: active or inactive */
    status: string | null;
    /** Appointment of a booking */
    appointmentId: string | null;
    /** Its status */
    appointmentStatus: string | null;
    /** Its start */
    startsAt: string | null;
    /** It is what was typed, begins with it, has it in it, or is a booking of a customer that was found */
    match: "exact" | "start" | "part" | "customer";
};

export type SearchQuery = {
    /** Phone in any spelling, its beginning or last digits (not for viewers); tracking reference (`sa 42`), or its beginning; external reference, or any part of it from three characters on; the id of anything; words of a name, or their beginnings; short address; district or street of the newest bookings */
    q: string;
    /** Most items of each kind */
    limit?: number | undefined;
};

export type SeriesAlternative = {
    /** Riyadh date */
    date: string;
    /** Start */
    startAt: string;
    /** End */
    endAt: string;
};

export type SeriesChange = {
    /** Of the visit */
    index: number;
    /** `STAYS`: it cannot be moved, and `reason` says why; `SKIPPED`: it was not placed yet */
    outcome: "MOVED" | "STAYS" | "CANCELLED" | "SKIPPED";
    /** Why it stays; null: otherwise */
    reason: string | null;
    /** Its booking; null: none */
    bookingId: string | null;
    /** Riyadh date by the series */
    date: string;
    /** Start by the series */
    startAt: string;
    /** SAR; null: free, or the operator decides later */
    fee: number | null;
};

export type SeriesPause = {
    /** First date without visits */
    from: string;
    /** Last one */
    to: string;
};

export type SeriesVisit = {
    /** From 1 */
    index: number;
    /** Riyadh date, as it is now */
    date: string;
    /** Start, as it is now */
    startAt: string;
    /** `PLANNED`: the horizon has not reached it; `PLACED`: it is a booking; `UNPLACED`: it could not be booked, until you choose or skip */
    state: "PLANNED" | "PLACED" | "UNPLACED" | "SKIPPED";
    /** Why it is not placed, as `reason` of a refused booking; null: otherwise */
    reason: string | null;
    /** Free times near one that is `UNPLACED`; in the response of one series alone */
    alternatives: SeriesAlternative[];
    /** Its booking; null: none */
    bookingId: string | null;
    /** Of its booking */
    trackingReference: string | null;
    /**
     * Of its booking
     * @enum {string|null}
     */
    status: "in progress" | "waiting payment" | "success" | "canceled" | "failed" | null;
    /**
     * Of its booking
     * @enum {string|null}
     */
    appointmentStatus: "New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled" | null;
    /** SAR, locked when it was placed; null: it is not */
    price: number | null;
    /** Whether the series' crew comes; null: it is not placed */
    keepsTeam: boolean | null;
    /** Whether its booking was moved by itself */
    movedAlone: boolean;
};

export type Service = {
    /** Service */
    id: string;
    /** The English name, as `nameEn` */
    name: string;
    /** English name */
    nameEn: string;
    /** Arabic name; null: none, the English name is shown */
    nameAr: string | null;
    /** Its category */
    categoryId: string;
    /** Length of its appointments, in minutes */
    durationMinutes: number;
    /** SAR, at most 2 decimals; for partners without a price of their own */
    defaultPrice: number;
    /** What a price of 0 means for a PLATFORM partner: nothing to pay (in progress), or paid later (success) */
    zeroPriceMeans: "free" | "deferred";
    /** Whether the team is assigned at once, or once the operator has confirmed it */
    assignment: "instant" | "deferred";
    /** Slots that start sooner than this are not offered */
    minimumNoticeMinutes: number;
    /** Slots further ahead than this are not offered */
    bookingHorizonDays: number;
    /** Whether it can be booked */
    isActive: boolean;
    /** Prices from days after today on, in place of those that are there. Left out, these stay; one that is not listed is taken back. The moment of sale counts, not the day of the visit */
    comingPrices: {
        /** Sales from this day on have the price, from midnight in Riyadh; after today, and each day once */
        from: string;
        /** SAR, at most 2 decimals; for partners without a price of their own */
        price: number;
    }[];
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
};

export type ServicePageResponse = {
    success: true;
    data: Service[];
    meta: PageMeta;
};

export type ServiceResponse = {
    success: true;
    data: Service;
};

export type Session = {
    /** Session */
    id: string;
    /** The token of the person; null: the first one, OPERATOR_TOKEN */
    tokenId: string | null;
    /** Name of the token; null: the first one */
    name: string | null;
    /** What it may do */
    role: "viewer" | "dispatcher" | "admin";
    /** The browser; null: not recognised */
    browser: string | null;
    /** What the browser runs on; null: not recognised */
    system: string | null;
    /** Whether this request used it */
    isCurrent: boolean;
    /** When it was opened, in real time */
    createdAt: string;
    /** Updated every few seconds, in real time */
    lastSeenAt: string;
    /** When it ends unless it is used before, in real time */
    expiresAt: string;
};

export type SessionPageResponse = {
    success: true;
    data: Session[];
    meta: PageMeta;
};

export type SignInLink = {
    /** The link, to be resolved against the address of the console; only shown in this response. What is behind # is sent to no server */
    url: string;
    /** Until when it may be used, in real time */
    expiresAt: string;
};

export type SignInLinkResponse = {
    success: true;
    data: SignInLink;
};

export type SkipSeriesVisitRequest = {
    /** From the cancellation reasons; must be given when a visit is placed already */
    reasonId?: string | undefined;
    /** Your own notes on the cancellations */
    cancellationNotes?: string | undefined;
    /** SAR that each visit may cost; when one costs more, nothing is changed. Not in later responses: `fees` of the bookings say what they cost */
    maxFee?: number | undefined;
    /** Only says what would come of it. Not in later responses: nothing is stored */
    preview?: boolean | undefined;
};

export type Statement = {
    /** Statement */
    id: string;
    /** Ascending, and never used twice; null: a draft */
    number: string | null;
    /** Riyadh month of the service dates */
    month: string;
    totals: StatementTotals;
    /** When it was issued; null: a draft */
    issuedAt: string | null;
    /** As it was then; null: a draft */
    seller: Party | null;
    /** As it was then; null: a draft */
    buyer: Party | null;
    /** What the operator has marked; null: not paid yet */
    paid: {
        /** Of the payment */
        reference: string;
        /** Riyadh date */
        paidOn: string;
    } | null;
    /** Partner */
    partnerId: string;
    /** Its name now */
    partnerName: string;
    /** DRAFT: can be made anew; ISSUED: never changes */
    status: "DRAFT" | "ISSUED";
    /** When the draft was made last */
    createdAt: string;
    /** Who made it */
    createdBy: string;
    /** Who issued it; null: a draft */
    issuedBy: string | null;
};

export type StatementAccount = {
    /** Partner */
    partnerId: string;
    buyer: Party;
    /** Service dates before it are on no statement; fixed once one is issued */
    openedOn: string;
};

export type StatementAccountResponse = {
    success: true;
    data: StatementAccount;
};

export type StatementCheck = {
    /** Partners that get statements */
    partners: {
        /** Partner */
        partnerId: string;
        /** Its name */
        partnerName: string;
        /** Sum of all lines of its issued statements, SAR */
        statements: number;
        /** Sum of all that is owed, and was collected and not given back, SAR */
        owed: number;
        /** Of that, of months that are not issued yet, SAR */
        later: number;
        /** Bookings of issued months that were told otherwise; the first hundred */
        differences: {
            /** Booking */
            bookingId: string;
            /** Its name */
            trackingReference: string;
            /** By issued statements, SAR */
            told: number;
            /** Now, SAR */
            owed: number;
            /** It has changed since, and is on the next statement; false: statements and bookings do not add up */
            isNext: boolean;
        }[];
        /** Their number */
        differing: number;
    }[];
    /** Numbers that no statement has */
    gaps: {
        /** The first number that is missing */
        from: string;
        /** The last one */
        to: string;
        /** Left out after a restore or a failover, when numbers may have been lost */
        restored: boolean;
    }[];
    /** Whether everything adds up, but for what is on the next statement */
    isSound: boolean;
};

export type StatementCheckResponse = {
    success: true;
    data: StatementCheck;
};

export type StatementLine = {
    /** Its place, from 1 */
    line: number;
    /** Booking */
    bookingId: string;
    /** Its name */
    trackingReference: string;
    /** The partner's reference then; null: none */
    externalReference: string | null;
    /** Service */
    serviceId: string;
    /** As it was sold */
    serviceNameEn: string;
    /** As it was sold; null: none */
    serviceNameAr: string | null;
    /** Riyadh date of the visit */
    serviceDate: string;
    /** VISIT; FEE: of ending the booking, with its moves; WAIVER: given back of these; COLLECTED and GIVEN_BACK: money of the customer */
    kind: "VISIT" | "FEE" | "WAIVER" | "COLLECTED" | "GIVEN_BACK";
    /** SAR */
    net: number;
    /** SAR */
    vat: number;
    /** SAR; a correction may be negative */
    gross: number;
    /**
     * null: the customer's money, no supply to the partner
     * @enum {string|null}
     */
    vatCategory: "S" | "Z" | "E" | "O" | null;
    /** Percent; null as the category */
    vatPercent: number | null;
    /** Number of the last statement that told of the booking; null: none */
    corrects: string | null;
};

export type StatementLinePageResponse = {
    success: true;
    data: StatementLine[];
    meta: PageMeta;
};

export type StatementPageResponse = {
    success: true;
    data: Statement[];
    meta: PageMeta;
};

export type StatementResponse = {
    success: true;
    data: Statement;
};

export type StatementSettings = {
    /** null: not given yet, and nothing can be issued */
    seller: Party | null;
    /** The standard rate, which prices include, by service date */
    vatRates: {
        /** The first service date */
        from: string;
        /** Percent */
        percent: number;
    }[];
    vatCategories: {
        /** S: the standard rate of the date; Z: zero-rated; E: exempt; O: outside of VAT */
        VISIT: "S" | "Z" | "E" | "O";
        /** S: the standard rate of the date; Z: zero-rated; E: exempt; O: outside of VAT */
        FEE: "S" | "Z" | "E" | "O";
    };
};

export type StatementSettingsResponse = {
    success: true;
    data: StatementSettings;
};

export type StatementTotals = {
    /** Number of lines */
    lines: number;
    /** Owed without VAT, SAR */
    net: number;
    /** VAT in it, SAR */
    vat: number;
    /** Owed by the partner, SAR */
    gross: number;
    /** The same by category and rate */
    taxes: {
        /** S: the standard rate of the date; Z: zero-rated; E: exempt; O: outside of VAT */
        category: "S" | "Z" | "E" | "O";
        /** Percent */
        percent: number;
        /** SAR */
        net: number;
        /** SAR */
        vat: number;
        /** SAR */
        gross: number;
    }[];
    /** Came from the partner's customers by payment links, SAR: for information, not in `gross` */
    collected: number;
    /** Of that given back, SAR, not positive */
    givenBack: number;
    /** Of that kept, SAR */
    kept: number;
};

export type Team = {
    /** Team */
    id: string;
    /** Unique name */
    name: string;
    /** Arabic name; null: none, the English name is shown */
    nameAr: string | null;
    /** E.164; for viewers masked (`+966••••••567`), see `POST /operator/teams/{id}/reveal`. null: none */
    phone: string | null;
    /** Zones it serves */
    zoneIds: string[];
    /** Zone under which the board lists it; null, or one that it does not serve: the first that it serves, by name */
    homeZoneId: string | null;
    /** Services it can do */
    serviceIds: string[];
    /** Minutes kept free before and after an appointment that is booked or moved from now on; one that was sold with more keeps them */
    travelBufferMinutes: number;
    /** Weekly shifts in Riyadh time, without overlaps */
    shifts: {
        /** Day on which it starts, 1 (Monday) to 7 (Sunday) */
        weekday: number;
        /** Start, Riyadh time, on a whole minute */
        startAt: string;
        /** End; before the start: on the next day; equal to it: 24 hours later */
        endAt: string;
    }[];
    /** Whether it can be booked */
    isActive: boolean;
    /** Changes with every change; what `If-Match` names */
    version: number;
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
};

export type TeamDelay = {
    /** Without `apply`: what the team has to begin yet on the date, by start */
    plan: DelayPlanRow[] | null;
    /** With `apply`: the moved ones, by start */
    appointments: Appointment[] | null;
    /** What the audit entries of these moves have in common */
    groupId: string | null;
};

export type TeamDelayResponse = {
    success: true;
    data: TeamDelay;
};

export type TeamPageResponse = {
    success: true;
    data: Team[];
    meta: PageMeta;
};

export type TeamResponse = {
    success: true;
    data: Team;
};

export type TimeOff = {
    /** Time off */
    id: string;
    /** Its team */
    teamId: string;
    /** Start, ISO 8601 with offset */
    startsAt: string;
    /** End (exclusive), after the start */
    endsAt: string;
    /** Only visible to the operator */
    reason: string;
    /** ISO 8601 with offset */
    createdAt: string;
    /** Appointments of the team in this time, not cancelled: they stay until they are moved */
    appointments: {
        /** Appointment */
        id: string;
        /** Tracking reference */
        name: string;
        /** Its booking */
        bookingId: string;
        /** Start */
        startsAt: string;
        /** End */
        endsAt: string;
        /** Appointment status */
        status: string;
    }[];
};

export type TimeOffOfTeam = {
    /** Time off */
    id: string;
    /** Its team */
    teamId: string;
    /** Start, ISO 8601 with offset */
    startsAt: string;
    /** End (exclusive), after the start */
    endsAt: string;
    /** Only visible to the operator */
    reason: string;
    /** ISO 8601 with offset */
    createdAt: string;
    /** Appointments of the team in this time, not cancelled: they stay until they are moved */
    appointments: {
        /** Appointment */
        id: string;
        /** Tracking reference */
        name: string;
        /** Its booking */
        bookingId: string;
        /** Start */
        startsAt: string;
        /** End */
        endsAt: string;
        /** Appointment status */
        status: string;
    }[];
    /** Its name */
    teamName: string;
    /** Its Arabic name; null: none */
    teamNameAr: string | null;
};

export type TimeOffOfTeamPageResponse = {
    success: true;
    data: TimeOffOfTeam[];
    meta: PageMeta;
};

export type TimeOffPageResponse = {
    success: true;
    data: TimeOff[];
    meta: PageMeta;
};

export type Timeslot = {
    /** Start, Riyadh time, as offered */
    startAt: string;
    /** End, Riyadh time, as offered; not after the start means the next day */
    endAt: string;
    /** As answered; need not be sent, and must agree with `startAt` and `endAt` */
    endsAtNextDay?: boolean | undefined;
    /** As in `alternatives`; need not be sent, and must agree with a `date` beside the timeslot (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date?: string | undefined;
};

export type Token = {
    /** Token */
    id: string;
    /** The person, or the purpose of the token */
    name: string;
    /** viewer: reads; dispatcher: also field work and bookings; admin: everything */
    role: "admin" | "dispatcher" | "viewer";
    /** A person, for whom a link was made; else a program */
    isPerson: boolean;
    /** A revoked token stays revoked */
    status: "ACTIVE" | "REVOKED";
    /** First characters of the token */
    prefix: string;
    /** Last 4 characters of the token */
    last4: string;
    /** When it ends, in real time; null: never */
    expiresAt: string | null;
    /** Updated every few seconds; null: never used */
    lastUsedAt: string | null;
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
};

export type TokenPageResponse = {
    success: true;
    data: Token[];
    meta: PageMeta;
};

export type TokenResponse = {
    success: true;
    data: Token;
};

export type TokenWithSecret = {
    /** Token */
    id: string;
    /** The person, or the purpose of the token */
    name: string;
    /** viewer: reads; dispatcher: also field work and bookings; admin: everything */
    role: "admin" | "dispatcher" | "viewer";
    /** A person, for whom a link was made; else a program */
    isPerson: boolean;
    /** A revoked token stays revoked */
    status: "ACTIVE" | "REVOKED";
    /** First characters of the token */
    prefix: string;
    /** Last 4 characters of the token */
    last4: string;
    /** When it ends, in real time; null: never */
    expiresAt: string | null;
    /** Updated every few seconds; null: never used */
    lastUsedAt: string | null;
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
    /** The token; only shown in this response */
    token: string;
};

export type TokenWithSecretResponse = {
    success: true;
    data: TokenWithSecret;
};

export type UndoReassignmentsRequest = {
    /** Appointments to move back, each once, in this order: the last moved first, where one has taken the time of another */
    apply: {
        /** Appointment */
        appointmentId: string;
        /** As it was read; heeded as `If-Match` is. Not in later responses: the change makes it the next one */
        version: number;
        /** Team that it had */
        teamId: string;
        /** Riyadh date that it had (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
        date: string;
        timeslot: Timeslot;
        /** Its status at that time, which is `Scheduled` otherwise */
        status?: "Confirmed" | undefined;
        /** Holds that may end for the move, if no other team is free for their slots: confirm those that a refusal (`HELD`) or a plan names. Not in later responses: the audit log has each */
        displaceHolds?: string[] | undefined;
    }[];
    timeOff?: {
        /** Team that was marked as away */
        teamId: string;
        /** Its time off, to be removed */
        timeOffId: string;
    } | undefined;
};

export type UpdateAppointmentRequest = {
    /** Appointment status */
    status?: ("New" | "Scheduled" | "Confirmed" | "In The Way" | "In The location" | "In Progress" | "Finished" | "Completed" | "Cannot Complete" | "Cancelled") | undefined;
    /** New team; given alone, the time stays */
    teamId?: string | undefined;
    /** New Riyadh date; given alone, the times stay (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    date?: string | undefined;
    timeslot?: Timeslot | undefined;
    /** Ignore notice, horizon, grid, duration, shifts, time off, skills and zone: only an overlap with another appointment of the team is refused. Also allows completing an appointment before its start */
    force?: boolean | undefined;
    /** Why, with `force`; the audit log keeps it as `forcedBecause`, beside `forced`, which stands there without it too */
    reason?: string | undefined;
    /** Holds that may end for the move, if no other team is free for their slots: confirm those that a refusal (`HELD`) or a plan names. Not in later responses: the audit log has each */
    displaceHolds?: string[] | undefined;
    /** The customer asked for it: it costs what the partner's own change would (GET /operator/bookings/:id/quote), and the partner is told so. Left out: it is your decision, and costs nothing. Not in later responses: the audit log and, under a policy, `feeHistory` of the booking have it */
    onBehalfOf?: "CUSTOMER" | undefined;
    /** With a fee: refused with `FEE_CHANGED` when it would cost more, SAR. Not in later responses: it is for this request */
    maxFee?: number | undefined;
    /** Why the status changes. For operators: the history and the audit log keep it */
    statusReason?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "WRONG_ADDRESS" | "SCOPE_DIFFERS" | "CREW" | "OTHER") | undefined;
    /** With `Cannot Complete`: why, also for the partner. Left out: that of `statusReason`, if it has one */
    outcome?: ("CUSTOMER_ABSENT" | "NO_ACCESS" | "REFUSED" | "UNSAFE" | "CREW" | "WEATHER") | undefined;
    /** Why, in your words; for operators */
    statusNotes?: string | undefined;
};

export type UpdateCancellationReasonRequest = {
    /** English name */
    nameEn?: string | undefined;
    /** Arabic name */
    nameAr?: string | undefined;
    /** An inactive reason cannot be used */
    isActive?: boolean | undefined;
    /** Whether partners see it; otherwise only the operator can use it */
    isCustomerFacing?: boolean | undefined;
    /** Sort order, ascending */
    sortOrder?: number | undefined;
};

export type UpdateCatalogueServiceQuery = {
    /** true: only says what would come of it. Default false */
    preview?: ("true" | "false") | undefined;
    /** The `digest` of the preview. When the change hits other appointments by now, one that was sold since for instance, it is refused with 409 `CONFLICT` and the new list in `details.conflicts` */
    expect?: string | undefined;
};

export type UpdateCatalogueServiceRequest = {
    /** Alias of `nameEn`; one of the two is required */
    name?: string | undefined;
    /** English name */
    nameEn?: string | undefined;
    /** Arabic name; null: none, the English name is shown */
    nameAr?: (string | null) | undefined;
    /** Its category */
    categoryId?: string | undefined;
    /** Length of its appointments, in minutes */
    durationMinutes?: number | undefined;
    /** SAR, at most 2 decimals; for partners without a price of their own */
    defaultPrice?: number | undefined;
    /** What a price of 0 means for a PLATFORM partner: nothing to pay (in progress), or paid later (success) */
    zeroPriceMeans?: ("free" | "deferred") | undefined;
    /** Whether the team is assigned at once, or once the operator has confirmed it */
    assignment?: ("instant" | "deferred") | undefined;
    /** Slots that start sooner than this are not offered */
    minimumNoticeMinutes?: number | undefined;
    /** Slots further ahead than this are not offered */
    bookingHorizonDays?: number | undefined;
    /** Whether it can be booked */
    isActive?: boolean | undefined;
    /** Prices from days after today on, in place of those that are there. Left out, these stay; one that is not listed is taken back. The moment of sale counts, not the day of the visit */
    comingPrices?: {
        /** Sales from this day on have the price, from midnight in Riyadh; after today, and each day once */
        from: string;
        /** SAR, at most 2 decimals; for partners without a price of their own */
        price: number;
    }[] | undefined;
};

export type UpdateCategoryQuery = {
    /** true: only says what would come of it. Default false */
    preview?: ("true" | "false") | undefined;
    /** The `digest` of the preview. When the change hits other appointments by now, one that was sold since for instance, it is refused with 409 `CONFLICT` and the new list in `details.conflicts` */
    expect?: string | undefined;
};

export type UpdateCategoryRequest = {
    /** Unique code, or null */
    code?: (string | null) | undefined;
    /** English name */
    nameEn?: string | undefined;
    /** Arabic name */
    nameAr?: string | undefined;
    /** English description */
    descriptionEn?: string | undefined;
    /** Arabic description */
    descriptionAr?: string | undefined;
    /** Sort order, ascending; default 0 */
    sortOrder?: number | undefined;
    /** An inactive category hides its services; default true */
    isActive?: boolean | undefined;
};

export type UpdateCustomerAddressRequest = {
    /** Decimal degrees, -90 to 90; ignored without longitude */
    latitude?: string | undefined;
    /** Decimal degrees, -180 to 180; ignored without latitude */
    longitude?: string | undefined;
    /** City of the service address */
    cityName?: (string | null) | undefined;
    /** District of the service address */
    districtName?: (string | null) | undefined;
    /** Street of the service address */
    streetName?: (string | null) | undefined;
    /** Short address of the National Address: four letters and four digits; stored in capitals */
    shortAddress?: (string | null) | undefined;
    /** Number of the building; another one is another address */
    buildingNumber?: (string | null) | undefined;
    /** Flat, villa or office in the building; another one is another address */
    unit?: (string | null) | undefined;
    /** Floor */
    floor?: (string | null) | undefined;
    /** Postal code: five digits */
    postalCode?: (string | null) | undefined;
    /** Where the door is, for the crew */
    directions?: (string | null) | undefined;
};

export type UpdateCustomerRequest = {
    /** The customer's full name */
    name?: string | undefined;
    /**
     * Language of messages to the customer; null: not known
     * @enum {string|null}
     */
    language?: ("ar" | "en" | null) | undefined;
};

export type UpdateKeyRequest = {
    /** Purpose of the key */
    name?: string | undefined;
    /** What the key may be used for (section 5) */
    permissions?: ("partner_bookings_create" | "partner_bookings_read" | "partner_bookings_update" | "partner_bookings_cancel" | "partner_bookings_confirm_payment" | "partner_services_read" | "partner_timeslots_read" | "partner_contacts_read" | "partner_pricing_read" | "partner_webhooks_manage" | "partner_contacts_erase" | "partner_statements_read")[] | undefined;
    /** Addresses and CIDRs, IPv4 or IPv6, that may use the key; empty: any */
    ipAllowlist?: string[] | undefined;
    /** When the key expires: ISO 8601 with offset, years 2000 to 2100; null: never */
    expiresAt?: (string | null) | undefined;
    /** A revoked key stays revoked */
    status?: ("ACTIVE" | "REVOKED") | undefined;
};

export type UpdatePartnerRequest = {
    /** Unique, case-insensitive; becomes the utmSource of its contacts */
    name?: string | undefined;
    /** The keys of a suspended partner do not work */
    status?: ("ACTIVE" | "SUSPENDED") | undefined;
    /** Who collects the money for new bookings */
    paymentResponsibility?: ("PARTNER" | "PLATFORM") | undefined;
    /** Requests per key in any 60 seconds; null: no limit */
    rateLimitPerMinute?: (number | null) | undefined;
    /** Slots that it may hold at once; default 50 */
    maxHolds?: number | undefined;
    /** Domains that requests may come from, subdomains included; empty: any. Bare host names, no scheme, port or path; stored in lower-case ASCII */
    allowedDomains?: string[] | undefined;
    /** Allowed domains refused while SANDBOX_DOMAIN_CHECK is on. Bare host names, no scheme, port or path; stored in lower-case ASCII */
    sandboxDomains?: string[] | undefined;
    /** Domains that webhooks may go to, subdomains included. Bare host names, no scheme, port or path; stored in lower-case ASCII */
    allowedWebhookDomains?: string[] | undefined;
    /** Refuse webhook URLs without TLS */
    requireHttpsWebhooks?: boolean | undefined;
    /** Language of the service names in its responses; default en */
    language?: ("en" | "ar") | undefined;
    /** Whether its customers have a page for each booking, at the `trackingUrl` of the booking; default false */
    trackingPage?: boolean | undefined;
    /** Colour of the head of these pages; null: a neutral one */
    pageColour?: (string | null) | undefined;
    /** How a customer reaches the partner, on the English page; null: nothing */
    contactTextEn?: (string | null) | undefined;
    /** How a customer reaches the partner, on the Arabic page; null: nothing */
    contactTextAr?: (string | null) | undefined;
    /** Telephone of the partner on these pages; null: none */
    contactNumber?: (string | null) | undefined;
    /** Messages that its customers get, from their next change on: `BOOKED`, `DAY_BEFORE`, `ON_THE_WAY`, `LATE`, `DONE`. Whoever was told of a visit is also told that it was moved, cancelled or could not be done. Between 21:00 and 09:00 in Riyadh only what concerns the next twelve hours is sent. Only where `NOTIFIER` sends them. Default none */
    customerMessages?: ("BOOKED" | "DAY_BEFORE" | "ON_THE_WAY" | "LATE" | "DONE")[] | undefined;
};

export type UpdatePolicyRequest = {
    /** English name */
    nameEn?: string | undefined;
    /** Arabic name */
    nameAr?: string | undefined;
    /** Minutes after the booking in which nothing costs anything */
    graceMinutes?: number | undefined;
    /** Fees of cancelling. The step nearest to the start holds; none: no fee */
    cancel?: {
        /** The fee is due when fewer hours than these are left before the start */
        hoursBefore: number;
        /** Part of the price, rounded half up; or `amount` */
        percent?: number | undefined;
        /** SAR; or `percent` */
        amount?: number | undefined;
    }[] | undefined;
    /** Fees of rescheduling. The step nearest to the start holds; none: no fee */
    reschedule?: {
        /** The fee is due when fewer hours than these are left before the start */
        hoursBefore: number;
        /** Part of the price, rounded half up; or `amount` */
        percent?: number | undefined;
        /** SAR; or `percent` */
        amount?: number | undefined;
    }[] | undefined;
    /** Part of the price once the work has begun, or the start has passed and the crew is there. The clock alone begins no work */
    afterStartPercent?: number | undefined;
    /** Part of the price when the customer is the cause that a visit was not done */
    noShowPercent?: number | undefined;
    /** Times that a partner may reschedule a booking; null: any number */
    maxReschedules?: (number | null) | undefined;
    /** For whose bookings it holds from now on: of a partner, a service, or both. Both wins over a partner, a partner over a service */
    assignments?: {
        /** Its bookings; null: those of every partner */
        partnerId?: (string | null) | undefined;
        /** Its bookings; null: those of every service */
        serviceId?: (string | null) | undefined;
    }[] | undefined;
};

export type UpdatePricingTierRequest = {
    /** Inclusive lower bound of the duration, in minutes */
    minMinutes?: number | undefined;
    /** Inclusive upper bound, in minutes; null: no upper limit */
    maxMinutes?: (number | null) | undefined;
    /** Multiplies the base price; at most 4 decimals. 0.9: 10 % off */
    factor?: number | undefined;
    /** Display order, lower first */
    sorting?: number | undefined;
};

export type UpdateScheduleQuery = {
    /** true: only says what would come of it. Default false */
    preview?: ("true" | "false") | undefined;
    /** The `digest` of the preview. When the change hits other appointments by now, one that was sold since for instance, it is refused with 409 `CONFLICT` and the new list in `details.conflicts` */
    expect?: string | undefined;
};

export type UpdateScheduleRequest = {
    /** English name */
    nameEn?: string | undefined;
    /** Arabic name */
    nameAr?: string | undefined;
    /** First Riyadh date; or yearly (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    from?: (string | null) | undefined;
    /** Last Riyadh date; null: without an end (or `2026-12-01T00:00:00.000Z`, as bookings have it) */
    to?: (string | null) | undefined;
    /** A date of each year instead of from and to */
    yearly?: ({
        /** Calendar of month and day */
        calendar: "gregorian" | "islamic-umalqura";
        /** Month */
        month: number;
        /** Day of the month */
        day: number;
        /** Number of days */
        days: number;
        /** Years in which it begins on another day, by the sighted moon for instance */
        shifts: {
            /** Year of the calendar */
            year: number;
            /** Days later, or earlier */
            days: number;
        }[];
    } | null) | undefined;
    /** Teams that serve one of these zones; null: not limited by zones */
    zoneIds?: (string[] | null) | undefined;
    /** These teams; with neither zoneIds nor teamIds all teams */
    teamIds?: (string[] | null) | undefined;
    /** Whether nobody works on these dates */
    closed?: boolean | undefined;
    /** Hours instead of the weekly shifts of the teams; null: they keep them */
    weekly?: ({
        /** Day on which it starts, 1 (Monday) to 7 (Sunday) */
        weekday: number;
        /** Start, Riyadh time, on a whole minute */
        startAt: string;
        /** End; before the start: on the next day; equal to it: 24 hours later */
        endAt: string;
    }[] | null) | undefined;
    /** Times in which no visit may lie, with other hours and with the weekly shifts */
    breaks?: {
        /** Left out: every day */
        weekdays?: number[] | undefined;
        /** Start, Riyadh time, on a whole minute */
        startAt: string;
        /** End; not after the start: on the next day */
        endAt: string;
    }[] | undefined;
    /** Where several set the hours of a team on a date, the highest wins; of equal ones the last made */
    priority?: number | undefined;
};

export type UpdateSeriesRequest = {
    /** The first visit that changes; earlier ones stay as they are. Not in later responses: the visits are */
    fromIndex: number;
    /** Start from then on, Riyadh time */
    startAt?: string | undefined;
    /** Day from then on, in the same weeks; 1 (Monday) to 7 (Sunday) */
    weekday?: number | undefined;
    /** Whether the crew of the first visit comes again if it can; `keepsTeam` of each visit says whether it does */
    sameCrew?: boolean | undefined;
    /** An earlier booking, usually of the customer: its team comes again if it is free, else another. Not in later responses: `keepsTeam` in that of this request says what came of it */
    preferTeamOf?: string | undefined;
    /** For the operator. Not in later responses: those of its bookings have them */
    notes?: string | undefined;
    /** Access instructions for the crews of each booking, encrypted. Not in later responses: crews alone see them */
    instructions?: string | undefined;
    /** Code of a door or gate, encrypted. Not in later responses: crews alone see it */
    accessCode?: string | undefined;
    /** SAR that each visit may cost; when one costs more, nothing is changed. Not in later responses: `fees` of the bookings say what they cost */
    maxFee?: number | undefined;
    /** Only says what would come of it. Not in later responses: nothing is stored */
    preview?: boolean | undefined;
};

export type UpdateTeamQuery = {
    /** true: only says what would come of it. Default false */
    preview?: ("true" | "false") | undefined;
    /** The `digest` of the preview. When the change hits other appointments by now, one that was sold since for instance, it is refused with 409 `CONFLICT` and the new list in `details.conflicts` */
    expect?: string | undefined;
};

export type UpdateTeamRequest = {
    /** Unique name */
    name?: string | undefined;
    /** Arabic name; null: none, the English name is shown */
    nameAr?: (string | null) | undefined;
    /** E.164 */
    phone?: (string | null) | undefined;
    /** Zones it serves */
    zoneIds?: string[] | undefined;
    /** Zone under which the board lists it; null, or one that it does not serve: the first that it serves, by name */
    homeZoneId?: (string | null) | undefined;
    /** Services it can do */
    serviceIds?: string[] | undefined;
    /** Minutes kept free before and after an appointment that is booked or moved from now on; one that was sold with more keeps them */
    travelBufferMinutes?: number | undefined;
    /** Weekly shifts in Riyadh time, without overlaps */
    shifts?: {
        /** Day on which it starts, 1 (Monday) to 7 (Sunday) */
        weekday: number;
        /** Start, Riyadh time, on a whole minute */
        startAt: string;
        /** End; before the start: on the next day; equal to it: 24 hours later */
        endAt: string;
    }[] | undefined;
    /** Whether it can be booked */
    isActive?: boolean | undefined;
};

export type UpdateTokenRequest = {
    /** The person, or the purpose of the token */
    name?: string | undefined;
    /** viewer: reads; dispatcher: also field work and bookings; admin: everything */
    role?: ("admin" | "dispatcher" | "viewer") | undefined;
    /** A revoked token stays revoked */
    status?: ("ACTIVE" | "REVOKED") | undefined;
    /** When the token and its sessions end, in real time: ISO 8601 with offset, years 2000 to 2100; null: never */
    expiresAt?: (string | null) | undefined;
};

export type UpdateZoneQuery = {
    /** true: only says what would come of it. Default false */
    preview?: ("true" | "false") | undefined;
    /** The `digest` of the preview. When the change hits other appointments by now, one that was sold since for instance, it is refused with 409 `CONFLICT` and the new list in `details.conflicts` */
    expect?: string | undefined;
};

export type UpdateZoneRequest = {
    /** Unique name */
    name?: string | undefined;
    area?: {
        type: "Polygon";
        /** One closed ring of 4 to 2,000 positions [longitude, latitude], without holes */
        coordinates: number[][][];
    } | undefined;
    /** Arabic name; null: none, the English name is shown */
    nameAr?: (string | null) | undefined;
    /** Services that can be booked in the zone */
    serviceIds?: string[] | undefined;
    /** Slots start at multiples of this many minutes after midnight */
    slotGridMinutes?: number | undefined;
    /** Where zones overlap, the one with the lower priority, then the first by name, covers the point */
    priority?: number | undefined;
    /** Whether the zone covers addresses */
    isActive?: boolean | undefined;
    /** Whether overlaps with zones of equal priority, which are refused else, are wanted: all that the zone has */
    confirmOverlap?: boolean | undefined;
};

export type Utilisation = {
    /** First date */
    from: string;
    /** Last date */
    to: string;
    /** Minutes of shifts, without time off */
    workableMinutes: number;
    /** Minutes of appointments that are not cancelled, without travel */
    bookedMinutes: number;
    /** Booked of workable minutes; above 1: booked outside shifts. null: nobody works */
    utilisation: number | null;
    /** Active zones, and those with appointments, by name */
    zones: UtilisationZone[];
    /** Active teams, and those with appointments, by name */
    teams: UtilisationTeam[];
};

export type UtilisationDay = {
    /** Riyadh date */
    date: string;
    /** Minutes of shifts, without time off */
    workableMinutes: number;
    /** Minutes of appointments that are not cancelled, without travel */
    bookedMinutes: number;
    /** Booked of workable minutes; above 1: booked outside shifts. null: nobody works */
    utilisation: number | null;
};

export type UtilisationResponse = {
    success: true;
    data: Utilisation;
};

export type UtilisationTeam = {
    /** Team */
    id: string;
    /** Its name */
    name: string;
    /** Its Arabic name; null: none */
    nameAr: string | null;
    /** Whether it can be booked */
    isActive: boolean;
    /** Minutes of shifts, without time off */
    workableMinutes: number;
    /** Minutes of appointments that are not cancelled, without travel */
    bookedMinutes: number;
    /** Booked of workable minutes; above 1: booked outside shifts. null: nobody works */
    utilisation: number | null;
};

export type UtilisationZone = {
    /** Zone */
    id: string;
    /** Its name */
    name: string;
    /** Its Arabic name; null: none */
    nameAr: string | null;
    /** Minutes of shifts, without time off */
    workableMinutes: number;
    /** Minutes of appointments that are not cancelled, without travel */
    bookedMinutes: number;
    /** Booked of workable minutes; above 1: booked outside shifts. null: nobody works */
    utilisation: number | null;
    /** Each date, in order */
    days: UtilisationDay[];
};

export type VisitCall = {
    /** The customer's answer */
    answer: "AGREED" | "DECLINED" | "NO_ANSWER" | "CALL_BACK";
    /** The start that she was called about: present, or proposed */
    startsAt: string;
    /** When */
    at: string;
    /** Actor of the call */
    by: string;
    /** Name that its token has now; null: it has none */
    byName: string | null;
} | null;

export type WaiveFeesRequest = {
    /** SAR: what is given back in all, with earlier waivers, so that it can be repeated; read as `feesGivenBack` */
    amount: number;
    /** Why, in your words; for operators */
    reason: string;
};

export type WebhookAttempt = {
    /** When */
    attemptedAt: string;
    /** Milliseconds */
    durationMs: number;
    /** null: no response */
    statusCode: number | null;
    /** null: it succeeded */
    error: string | null;
    /** The first 1,024 bytes at most, phones, coordinates and credentials masked */
    responseBody: string;
    /** Of a redirect: where it leads (`Location`). Redirects are not followed */
    location?: string | undefined;
};

export type WebhookDelivery = {
    /** Delivery; the same on every attempt */
    id: string;
    /** Subscription */
    subscriptionId: string;
    /** What happened */
    event: "booking.created" | "booking.updated" | "booking.cancelled" | "booking.payment_failed" | "booking.payment_confirmed" | "booking.appointment_status_changed" | "booking.payment_succeeded" | "booking.failed" | "booking.refunded" | "booking.fees_changed";
    /** FAILED: no attempt follows by itself */
    status: "PENDING" | "DELIVERED" | "FAILED";
    /** Number of attempts */
    attemptCount: number;
    /** Status code of the last response; null: no response */
    statusCode: number | null;
    /** Why the last attempt failed, or SUBSCRIPTION_REMOVED; null: it did not */
    error: string | null;
    /** When the next attempt is due; null: no attempt was made yet, it is due already or under way, its subscription is inactive, or none follows */
    nextRetryAt: string | null;
    /** null: not delivered */
    deliveredAt: string | null;
    /** When the event happened; of a replay: when it was asked for */
    createdAt: string;
    /** 0: sent because the event happened; 1 and more: which replay of it this is */
    replay: number;
    /** Event, as in the event feed */
    eventId: string;
    /** Booking */
    bookingId: string;
    /** The partner it belongs to */
    partnerId: string;
    /** Its name */
    partnerName: string;
};

export type WebhookDeliveryDetail = {
    /** Delivery; the same on every attempt */
    id: string;
    /** Subscription */
    subscriptionId: string;
    /** What happened */
    event: "booking.created" | "booking.updated" | "booking.cancelled" | "booking.payment_failed" | "booking.payment_confirmed" | "booking.appointment_status_changed" | "booking.payment_succeeded" | "booking.failed" | "booking.refunded" | "booking.fees_changed";
    /** FAILED: no attempt follows by itself */
    status: "PENDING" | "DELIVERED" | "FAILED";
    /** Number of attempts */
    attemptCount: number;
    /** Status code of the last response; null: no response */
    statusCode: number | null;
    /** Why the last attempt failed, or SUBSCRIPTION_REMOVED; null: it did not */
    error: string | null;
    /** When the next attempt is due; null: no attempt was made yet, it is due already or under way, its subscription is inactive, or none follows */
    nextRetryAt: string | null;
    /** null: not delivered */
    deliveredAt: string | null;
    /** When the event happened; of a replay: when it was asked for */
    createdAt: string;
    /** 0: sent because the event happened; 1 and more: which replay of it this is */
    replay: number;
    /** Event, as in the event feed */
    eventId: string;
    /** Booking */
    bookingId: string;
    /** Payload, as partners receive it */
    payload: Record<string, never>;
    /** Oldest first */
    attempts: WebhookAttempt[];
    /** The partner it belongs to */
    partnerId: string;
    /** Its name */
    partnerName: string;
};

export type WebhookDeliveryDetailResponse = {
    success: true;
    data: WebhookDeliveryDetail;
};

export type WebhookDeliveryPageResponse = {
    success: true;
    data: WebhookDelivery[];
    meta: PageMeta;
};

export type WebhookDeliveryResponse = {
    success: true;
    data: WebhookDelivery;
};

export type WebhookSubscription = {
    /** Subscription */
    id: string;
    /** The partner account */
    partnerClientId: string;
    /** Where deliveries go: https, in one of the account's allowed webhook domains, no credentials, not this machine or a private network */
    url: string;
    /** Events to deliver */
    events: ("booking.created" | "booking.updated" | "booking.cancelled" | "booking.payment_failed" | "booking.payment_confirmed" | "booking.appointment_status_changed" | "booking.payment_succeeded" | "booking.failed" | "booking.refunded" | "booking.fees_changed")[];
    /** Deliveries of an inactive subscription wait until it is active again */
    status: "ACTIVE" | "INACTIVE";
    /** When the previous secret stops signing, after a rotation; null: it no longer signs */
    previousSecretEndsAt: string | null;
    /** When it was created */
    createdAt: string;
    /** When it was last changed */
    updatedAt: string;
    /** The partner it belongs to */
    partnerId: string;
    /** Its name */
    partnerName: string;
    /** Failed attempts since the last success */
    failures: number;
};

export type WebhookSubscriptionPageResponse = {
    success: true;
    data: WebhookSubscription[];
    meta: PageMeta;
};

export type WebhookSubscriptionResponse = {
    success: true;
    data: WebhookSubscription;
};

export type WebhookTestResult = {
    /** As in the header X-Service-Delivery-Id */
    deliveryId: string;
    /** The event that was sent */
    event: "webhook.test";
    /** Whether the receiver responded with 2xx within 10 seconds */
    ok: boolean;
    /** null: no response */
    statusCode: number | null;
    /** null: ok */
    error: string | null;
    /** Duration of the whole attempt in milliseconds */
    durationMs: number;
    timings: WebhookTimings;
    /** null: no TLS */
    tls: WebhookTls | null;
    /** The first 1,024 bytes at most, phones, coordinates and credentials masked */
    responseBody: string;
    /** Of a redirect: where it leads (`Location`). Redirects are not followed */
    location?: string | undefined;
};

export type WebhookTestResultResponse = {
    success: true;
    data: WebhookTestResult;
};

export type WebhookTimings = {
    /** Milliseconds to resolve the name; null: there was none to resolve */
    dnsMs: number | null;
    /** Milliseconds to connect, TLS included; null: an open connection was used */
    connectMs: number | null;
};

export type WebhookTls = {
    /** Its version */
    protocol: string;
};

export type Zone = {
    /** Zone */
    id: string;
    /** Unique name */
    name: string;
    /** Arabic name; null: none, the English name is shown */
    nameAr: string | null;
    area: {
        type: "Polygon";
        /** One closed ring of 4 to 2,000 positions [longitude, latitude], without holes */
        coordinates: number[][][];
    };
    /** Services that can be booked in the zone */
    serviceIds: string[];
    /** Slots start at multiples of this many minutes after midnight */
    slotGridMinutes: number;
    /** Where zones overlap, the one with the lower priority, then the first by name, covers the point */
    priority: number;
    /** Whether the zone covers addresses */
    isActive: boolean;
    /** Zones of equal priority whose overlap with it was confirmed; `version` does not count them */
    confirmedOverlaps: string[];
    /** Changes with every change; what `If-Match` names */
    version: number;
    /** ISO 8601 with offset */
    createdAt: string;
    /** ISO 8601 with offset */
    updatedAt: string;
};

export type ZoneChanges = {
    /** false: it was a preview */
    isApplied: boolean;
    /** The zones as they are, or would be */
    zones: Zone[];
    /** Overlaps of equal priority that the changes make or alter, the first ones; without `confirmOverlap` they are refused */
    overlaps: ZoneOverlap[];
    addresses: {
        /** Addresses that lie in another zone */
        moved: number;
        /** By both zones, the most first */
        moves: AddressMove[];
    };
    conflicts: Conflicts;
    bookings: {
        /** Appointments still to begin at these addresses; they keep their team and time */
        moved: number;
        /** The first by start */
        rows: BookingMove[];
    };
};

export type ZoneChangesResponse = {
    success: true;
    data: ZoneChanges;
};

export type ZoneOverlap = {
    /** A zone that was changed */
    zone: {
        /** Zone */
        id: string;
        /** Its name */
        name: string;
        /** Its Arabic name; null: none */
        nameAr: string | null;
    };
    /** The zone of equal priority that it overlaps */
    other: {
        /** Zone */
        id: string;
        /** Its name */
        name: string;
        /** Its Arabic name; null: none */
        nameAr: string | null;
    };
    /** The zone that covers what they have in common: the first by name */
    coveredBy: string;
    /** Addresses in both */
    addresses: number;
    /** Appointments still to begin at these addresses */
    appointments: number;
};

export type ZonePageResponse = {
    success: true;
    data: Zone[];
    meta: PageMeta;
};

export type ZoneResponse = {
    success: true;
    data: Zone;
};
