/**
 * Every code of `error.code`, with its status, its message, the keys of its `details` and the seconds of its
 * `Retry-After`. For a row with several statuses the first is used, unless the throw names another.
 */
export const ERRORS = {
  // General
  HTTP_ERROR: { status: [422, 410, 408], message: 'The request cannot be carried out as sent' },
  VALIDATION_ERROR: {
    status: [400],
    message: 'The request is not valid; correct it and send it again',
    details: ['fields', 'field', 'reason'],
  },
  INTERNAL_ERROR: { status: [500], message: 'Internal server error' },
  UNAUTHORIZED: { status: [401], message: 'Sign in first, or present a valid signature' },
  FORBIDDEN: { status: [403], message: 'This caller may not do that', details: ['reason'] },
  NOT_FOUND: { status: [404], message: 'The address, or an id in the request, names nothing that exists' },
  CONFLICT: {
    status: [409],
    message: 'The request collides with the current state',
    details: [
      'revision',
      'updatedBy',
      'updatedAt',
      'references',
      'reason',
      'objects',
      'current_page_id',
      'amount',
      'limit',
    ],
  },
  NOT_IMPLEMENTED: { status: [501], message: 'Reserved' },
  RATE_LIMITED: { status: [429], message: 'Too many requests', details: ['retryAfterSeconds'] },
  PAYLOAD_TOO_LARGE: { status: [413], message: 'The body is larger than this route accepts' },
  SUBSCRIBER_UNRESOLVABLE: {
    status: [409],
    message: 'This device key leads to no live subscriber; do not retry, keep the local identity',
  },
  USAGE_LIMIT_EXCEEDED: {
    status: [403],
    message: 'The plan limit was passed in two billing periods; upgrade the plan to use this page again',
  },
  PROJECT_SUSPENDED: {
    status: [403],
    message: 'The project is suspended; its apps keep working, its console does not',
  },
  SUPPORT_ACCESS_READ_ONLY: { status: [403], message: 'Support access can read and change nothing' },
  // Authentication and access
  BEARER_REQUIRED: { status: [401], message: 'Send the API key as "Authorization: Bearer <key>"' },
  INVALID_API_KEY_FORMAT: { status: [401], message: 'An API key begins with svc_pub_ or svc_sec_' },
  INVALID_API_KEY: { status: [401], message: 'The API key is unknown, revoked or expired' },
  API_KEY_KIND_MISMATCH: {
    status: [403],
    message: 'This address needs an API key of the other kind',
    details: ['required'],
  },
  ORIGIN_NOT_ALLOWED: {
    status: [403],
    message:
      'Add this origin to the allowed origins of the key (svc key update ID --origin …) or of the project (project.allowedOrigins in svc.yaml)',
    details: ['origin'],
  },
  ROLE_REQUIRED: {
    status: [403],
    message: 'Your role in this project is too low for that',
    details: ['role', 'requiredRole'],
  },
  CAPABILITY_REQUIRED: {
    status: [403],
    message: 'Your role in this project lacks the capability for that',
    details: ['role', 'capability'],
  },
  ADMIN_EMAIL_DOMAIN: {
    status: [403],
    message: 'Platform administration needs a verified address on a platform domain',
  },
  ADMIN_2FA_REQUIRED: { status: [403], message: 'Platform administration needs two-factor sign-in; enable it first' },
  ADMIN_SESSION_EXPIRED: { status: [401], message: 'Sign in again: a platform session lasts 12 hours' },
  // Receipts, stores and credentials
  STORE_NOT_CONFIGURED: { status: [400], message: 'Save the store credentials of this project first' },
  RECEIPT_INVALID: { status: [400], message: 'The receipt did not pass verification; do not send it again' },
  RECEIPT_PRODUCT_UNKNOWN: {
    status: [404],
    message: 'No product of this project carries that id; add it to the catalogue',
    details: ['productId'],
  },
  RECEIPT_IN_USE: {
    status: [409],
    message: 'The receipt belongs to another subscriber; identify as them or transfer the purchase',
  },
  purchase_not_paid: { status: [400], message: 'The purchase is not paid yet; send it again once it is' },
  STORE_API_ERROR: { status: [502], message: 'The store or provider answered with an error; try again later' },
  STORE_UNAVAILABLE: {
    status: [503],
    message: 'The store does not answer at present; try again later',
    retryAfter: 60,
  },
  STORE_CREDENTIALS_INVALID: {
    status: [400, 403],
    message: 'The store credentials are not usable',
    details: ['store', 'field', 'reason'],
  },
  STORE_KEY_MISSING: { status: [400], message: 'Save the named iOS key first', details: ['key'] },
  STORE_KEY_WRONG_TYPE: {
    status: [400],
    message: 'This is a key of the other kind; nothing was saved',
    details: ['expected', 'field'],
  },
  STORE_KEY_INSUFFICIENT_ROLE: {
    status: [403],
    message: 'The role of the key at the store is too low',
    details: ['key'],
  },
  STORE_NOTIFICATION_URL_IN_USE: {
    status: [409],
    message: 'The store has another notification address; send replaceExisting to take it over',
    details: ['current', 'otherServiceProject'],
  },
  STORE_NOTIFICATION_URL_NOT_PUBLIC: {
    status: [400],
    message: 'PUBLIC_BASE_URL must be a public https address',
    details: ['url'],
  },
  STORE_NOTIFICATION_URL_REJECTED: {
    status: [400],
    message: 'The store refused the notification address',
    details: ['url', 'storeMessage'],
  },
  IOS_APP_ID_MISSING: {
    status: [503],
    message: 'Save the numeric app id of this project; the store will deliver again',
    retryAfter: 3600,
  },
  IOS_APP_ID_MISMATCH: { status: [401], message: 'The notification is for another app' },
  NOTIFICATION_FORWARD_LIMIT: {
    status: [409],
    message: 'No more forwarding addresses for this store',
    details: ['store', 'max'],
  },
  PUBSUB_API_DISABLED: {
    status: [400],
    message: 'Enable the Pub/Sub API in the cloud project',
    details: ['gcpProject', 'clientEmail', 'enableUrl'],
  },
  PUBSUB_PERMISSION_MISSING: {
    status: [400],
    message: 'The service account lacks a Pub/Sub permission',
    details: ['clientEmail', 'gcpProject'],
  },
  PUBSUB_ORG_POLICY: {
    status: [400],
    message: 'An organisation policy blocks the grant to the store publisher',
    details: ['gcpProject'],
  },
  PUBSUB_TOPIC_NOT_FOUND: { status: [400], message: 'The named topic does not exist', details: ['gcpProject'] },
  PUBSUB_ENDPOINT_NOT_HTTPS: {
    status: [400],
    message: 'The push address must be public https',
    details: ['url', 'reason', 'endpointScheme'],
  },
  PUBSUB_CONNECT_IN_PROGRESS: {
    status: [409],
    message: 'Another change of the store connection is running; try again shortly',
    details: ['action'],
  },
  WEBHOOK_IN_PROGRESS: {
    status: [409],
    message: 'This notification is being processed by another request',
    retryAfter: 5,
  },
  STORE_TEST_NOTIFICATION_TOKEN_UNKNOWN: {
    status: [400],
    message: 'The test notification is unknown or expired; request a new one',
  },
  STORE_ID_TAKEN: {
    status: [409],
    message: 'Another product carries that store id',
    details: ['store', 'storeId', 'product'],
  },
  PAYMENT_PRICE_NOT_FOUND: { status: [400], message: 'The connected payment account has no such price' },
  STORE_CANCEL_UNSUPPORTED: { status: [409], message: 'Only the customer can cancel a purchase of this store' },
  REVOKE_IMMEDIATELY_UNSUPPORTED: { status: [400], message: 'Only granted access can be revoked at once' },
  ios_offer_signing_unavailable: {
    status: [400],
    message:
      'Offers are signed with the in-app purchase key of the project, and it has none; save the bundle id, key id, issuer and private key: svc store connect ios, or in the console under Connections',
  },
  ios_offer_signing_failed: { status: [400], message: 'The offer could not be signed; save the key again' },
  STORE_LOOKUP_UNAVAILABLE: { status: [503], message: 'The store lookup does not answer; try again later' },
  // Payment provider and funnels
  PAYMENT_NOT_CONNECTED: { status: [503, 400, 409], message: 'Connect a payment account to this project first' },
  PAYMENT_CUSTOMER_NOT_FOUND: { status: [404], message: 'This subscriber has no customer at the payment provider' },
  PAYMENT_ALREADY_CONNECTED: { status: [409], message: 'A payment account is connected already' },
  PAYMENT_ALREADY_RECORDED: { status: [409], message: 'This session is paid already' },
  PAYMENT_TEMPORARILY_UNAVAILABLE: { status: [503], message: 'The payment cannot be handled at present; try again' },
  PAYMENT_IN_FLIGHT: { status: [409], message: 'Another attempt to pay this session is running' },
  PAYMENT_NOT_SETTLED_YET: {
    status: [409],
    message: 'The provider has not settled the payment yet; try again',
    details: ['status'],
  },
  PAYMENT_PROVIDER_REJECTED: {
    status: [422],
    message: 'The provider refused the payment; nothing was charged',
    details: ['providerRequestId', 'providerErrorType', 'providerErrorCode'],
  },
  PAYMENT_UNVERIFIABLE: {
    status: [409],
    message: 'The provider does not show this payment',
    details: ['providerRequestId', 'providerErrorType', 'providerErrorCode'],
  },
  INVALID_ROW_REF: {
    status: [400],
    message: 'A placement row names something that this project does not have',
    details: ['kind', 'ids'],
  },
  ROOT_FUNNEL_INVALID: { status: [400], message: 'The root funnel must be a published funnel of this project' },
  HOSTNAME_TAKEN: { status: [409], message: 'This hostname is in use' },
  HOSTNAME_INVALID: { status: [400], message: 'This hostname cannot be used', details: ['hostname', 'reason'] },
  CUSTOM_DOMAIN_LIMIT_REACHED: { status: [409], message: 'No more custom domains in this plan' },
  LEGAL_URL_IN_USE: {
    status: [409],
    message: 'A live funnel uses this address; change the funnel first',
    details: ['field', 'funnels'],
  },
  ORIGIN_INVALID: {
    status: [400],
    message: 'An origin is scheme, host and optional port, nothing else',
    details: ['origin'],
  },
  // Assets, fonts, imports
  FONT_FORMAT_UNSUPPORTED: { status: [400], message: 'Send an OTF, TTF or WOFF2 font', details: ['reason'] },
  FONT_FILE_TOO_LARGE: { status: [400], message: 'The font file is too large' },
  FONT_QUOTA_EXCEEDED: { status: [400], message: 'This project has no room for another font face' },
  FONT_FAMILY_NOT_FOUND: { status: [404], message: 'There is no such font family' },
  ASSET_FORMAT_UNSUPPORTED: {
    status: [400],
    message: 'The file is not of the kind this address takes',
    details: ['kind'],
  },
  ASSET_FILE_TOO_LARGE: { status: [413], message: 'The file is too large for its kind' },
  ASSET_QUOTA_EXCEEDED: {
    status: [402],
    message: 'The storage of this project is full; delete files, or choose a larger plan',
  },
  ASSET_STORAGE_UNAVAILABLE: { status: [503], message: 'The asset storage cannot be written at present' },
  ASSET_INVALID_NAME: {
    status: [400],
    message: 'Give a name of letters, digits, spaces, dots, dashes and underscores',
  },
  ASSET_PROCESSING_FAILED: { status: [400], message: 'The image could not be read', details: ['reason'] },
  asset_in_use: {
    status: [409],
    message: 'It is in use; remove it from what shows it first',
    details: ['references'],
  },
  asset_missing: { status: [400], message: 'The named asset does not exist', details: ['paths'] },
  IMPORT_FILE_TOO_LARGE: { status: [413], message: 'The file is too large to import; split it' },
  IMPORT_STORAGE_UNAVAILABLE: { status: [503], message: 'The import storage cannot be written at present' },
  IMPORT_JOB_STATE: {
    status: [409],
    message: 'The import cannot do that in its present state',
    details: ['action', 'state'],
  },
  IMPORT_MAPPING_INCOMPLETE: { status: [400], message: 'Map every required column first', details: ['missingFields'] },
  // Infrastructure
  ANALYTICS_UNAVAILABLE: { status: [503], message: 'Analytics is switched off in this deployment' },
  ANALYTICS_UNREACHABLE: { status: [503], message: 'The analytics database does not answer; try again', retryAfter: 5 },
  DATABASE_UNAVAILABLE: { status: [503], message: 'The database does not answer; try again', retryAfter: 5 },
  CACHE_UNAVAILABLE: { status: [503], message: 'The shared cache does not answer; try again', retryAfter: 5 },
  QUEUE_UNAVAILABLE: {
    status: [503],
    message: 'The work could not be queued; try again',
    details: ['queue'],
    retryAfter: 5,
  },
  FEATURE_NOT_CONFIGURED: {
    status: [503],
    message: 'This deployment has not set up the named feature',
    details: ['feature', 'reason', 'mode'],
  },
  TELEMETRY_UNAVAILABLE: {
    status: [503],
    message: 'Events cannot be taken at present; keep them and try again',
    retryAfter: 5,
  },
  STALE_BATCH: { status: [422], message: 'Every event of the batch is outside the 48 hours; drop it' },
  // Experiments and dashboard management
  exposure_out_of_range: {
    status: [400],
    message: 'exposedAt must lie between the start of the experiment and five minutes from now',
  },
  EXPERIMENT_NOT_RUNNING: { status: [409], message: 'The experiment does not run' },
  EXPERIMENT_STATE: {
    status: [400],
    message: 'The experiment cannot do that in its present state',
    details: ['action', 'status'],
  },
  promote_requires_flag_experiment: {
    status: [400],
    message: 'Only an experiment over a flag can be promoted to a flag',
    details: ['type'],
  },
  window_too_large: {
    status: [400],
    message: 'The time window is too large; narrow it or use a coarser grain',
    details: ['days', 'maxDays'],
  },
  audience_in_use: {
    status: [409],
    message: 'The audience is in use; remove it from what uses it first',
    details: ['references'],
  },
  IDENTIFIER_TAKEN: {
    status: [409],
    message: 'The identifier is in use; choose another',
    details: ['resource', 'identifier'],
  },
  UNKNOWN_REFERENCES: {
    status: [400],
    message: 'The request names things that this project does not have',
    details: ['resource', 'ids'],
  },
  CURRENCY_GRANT_INVALID: {
    status: [400],
    message: 'The currency grant is not possible',
    details: ['reason', 'currency'],
  },
  REFUND_NOT_POSSIBLE: {
    status: [422, 409],
    message: 'The refund cannot be made here; nothing was sent to the store',
    details: ['reason'],
  },
  SCHEDULED_ACTION_CONFLICT: {
    status: [409],
    message: 'The purchase does not allow this action now',
    details: ['reason'],
  },
  QUERY_REJECTED: { status: [400], message: 'The query was refused', details: ['reason'] },
  WEBHOOK_STATE: {
    status: [400],
    message: 'Only a dead delivery can be retried or dismissed',
    details: ['action', 'status'],
  },
  WEBHOOK_EVENT_EXPIRED: { status: [410], message: 'The event is no longer stored' },
  WEBHOOK_EVENT_UNMAPPABLE: { status: [422], message: 'Events of this type are no longer delivered' },
  TEST_DELIVERY_NOT_REDELIVERABLE: {
    status: [409],
    message: 'A test delivery cannot be delivered again; send a new test',
  },
  WEBHOOK_ENDPOINT_LIMIT: { status: [409], message: 'No more webhook endpoints in this project', details: ['limit'] },
  WEBHOOK_URL_REJECTED: { status: [400], message: 'This address cannot receive webhooks', details: ['reason'] },
  INTEGRATION_ALREADY_CONNECTED: { status: [409], message: 'This provider is connected already' },
  INTEGRATION_CREDENTIALS_REJECTED: {
    status: [400],
    message: 'The provider refused the credentials',
    details: ['reason'],
  },
  COPILOT_INTENT_SETTLED: { status: [409], message: 'The proposal is settled already', details: ['status'] },
  ASSISTANT_NOT_CONFIGURED: { status: [412], message: 'Save credentials for the assistant first' },
  ASSISTANT_QUOTA_EXCEEDED: { status: [429], message: 'The assistant is used up for this month' },
  BILLING_CARD_IN_USE: { status: [409], message: 'Add another card before removing the last one of a paid plan' },
  BILLING_CARD_OPEN_INVOICE: { status: [409], message: 'Pay the open invoice before removing the last card' },
  BILLING_NOTHING_TO_CANCEL: { status: [409], message: 'There is no paid plan to cancel' },
  BILLING_ALREADY_ACTIVE: { status: [409], message: 'The plan is active already' },
  BILLING_UPGRADE_REQUIRED: { status: [409], message: 'Choose a paid plan before adding a card' },
  CONFIRM_EMAIL_MISMATCH: { status: [400], message: 'The confirmation differs from the address of the account' },
  OWNS_PROJECTS: { status: [409], message: 'Give away or delete your projects first', details: ['projects'] },
  ALREADY_MEMBER: { status: [409], message: 'That address is a member already', details: ['email'] },
  ALREADY_OWNER: { status: [409], message: 'That member is an owner already' },
  INVITATION_NOT_SENDABLE: { status: [409], message: 'The invitation cannot be sent again', details: ['reason'] },
  INVITATION_ALREADY_ACCEPTED: { status: [409], message: 'The invitation was accepted before' },
  INVITATION_EMAIL_MISMATCH: { status: [403], message: 'Sign in with the invited address', details: ['email'] },
} as const satisfies Record<string, ErrorRow>

export interface ErrorRow {
  status: readonly number[]
  message: string
  details?: readonly string[]
  /** Seconds after which the caller may send the same request again. */
  retryAfter?: number
}
