import { ERRORS } from '../../base/error-codes'
import type { ErrorCode } from '../../base/errors'
import type { Json } from '../../base/lib/json-schema'

/** Descriptions of success responses, by status, for routes that give none. */
export const SUCCESS: Record<string, string> = {
  '200': 'Done.',
  '202': 'Taken; there is no body.',
  '204': 'Done; there is no body.',
  '304': 'The copy that If-None-Match names is still true; there is no body.',
}

interface Refusal {
  name: string
  description: string
  example: ErrorCode
  details?: Json
}

const REFUSALS: Record<number, Refusal> = {
  400: {
    name: 'BadRequest',
    description: 'The request is not as described; the message names what to change.',
    example: 'VALIDATION_ERROR',
  },
  401: {
    name: 'Unauthorized',
    description: 'The API key is missing, malformed, unknown, revoked or expired.',
    example: 'INVALID_API_KEY',
  },
  402: {
    name: 'PaymentRequired',
    description: 'The limit of the plan or storage is reached.',
    example: 'ASSET_QUOTA_EXCEEDED',
  },
  403: { name: 'Forbidden', description: 'The key is of the other kind, or may not do that.', example: 'FORBIDDEN' },
  404: {
    name: 'NotFound',
    description: 'There is nothing with that id or address; the message names it.',
    example: 'NOT_FOUND',
  },
  408: { name: 'RequestTimeout', description: 'The body did not arrive within 10 seconds.', example: 'HTTP_ERROR' },
  409: {
    name: 'Conflict',
    description:
      'The request collides with the current state, or its Idempotency-Key is still in use. `Retry-After: 1` marks the latter: repeat it then with the same key.',
    example: 'CONFLICT',
  },
  410: { name: 'Gone', description: 'What was asked for is no longer kept.', example: 'WEBHOOK_EVENT_EXPIRED' },
  412: {
    name: 'PreconditionFailed',
    description: 'Something must be set up first.',
    example: 'ASSISTANT_NOT_CONFIGURED',
  },
  413: { name: 'PayloadTooLarge', description: 'The body is over 1 MiB.', example: 'PAYLOAD_TOO_LARGE' },
  422: {
    name: 'Unprocessable',
    description: 'Cannot be carried out as sent, such as an Idempotency-Key used with another body before.',
    example: 'HTTP_ERROR',
  },
  429: {
    name: 'RateLimited',
    description: 'Too many requests; Retry-After says when to go on.',
    example: 'RATE_LIMITED',
    details: { retryAfterSeconds: 23 },
  },
  500: {
    name: 'InternalError',
    description: 'A fault of the server; the request id finds it in the log.',
    example: 'INTERNAL_ERROR',
  },
  501: { name: 'NotImplemented', description: 'Reserved.', example: 'NOT_IMPLEMENTED' },
  502: { name: 'BadGateway', description: 'The store or provider answered with an error.', example: 'STORE_API_ERROR' },
  503: {
    name: 'Unavailable',
    description: 'Trouble of the deployment; the same request will work later.',
    example: 'DATABASE_UNAVAILABLE',
  },
}

/** Reference to the shared response for the status of a refusal. Throws for a status without a shared response. */
export function refusalRef(status: number): Json {
  const refusal = REFUSALS[status]
  if (!refusal) throw new Error(`The API description has no shared response for status ${status}`)
  return { $ref: `#/components/responses/${refusal.name}` }
}

function refusalResponse({ description, example, details }: Refusal): Json {
  const error = { code: example, message: ERRORS[example].message, ...(details && { details }) }
  const canWait = 'retryAfter' in ERRORS[example] || example === 'RATE_LIMITED' || example === 'CONFLICT'
  return {
    description,
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...(canWait && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
    },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' }, example: { error } } },
  }
}

const Failure: Json = {
  type: 'object',
  description: 'Every failure. Act on `code`; `message` is for people.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(ERRORS) },
        message: { type: 'string' },
        details: { type: 'object', description: 'Its keys depend on the code.', additionalProperties: true },
      },
      additionalProperties: true,
    },
  },
  additionalProperties: false,
}

const header = (name: string, description: string, schema: Json, required = false): Json => ({
  name,
  in: 'header',
  description,
  required,
  schema: { type: 'string', ...schema },
})

const DEVICE_KEY = { minLength: 1, maxLength: 128 }
const appUserIdHeader = (required: boolean): Json =>
  header('X-Svc-App-User-Id', 'The device key of the calling install.', DEVICE_KEY, required)
const userIdHeader = header('X-Svc-User-Id', 'The device key of the calling install.', DEVICE_KEY)
const platformHeader = header(
  'X-Svc-Platform',
  '`ios`, `android` or `web`: becomes the attribute `platform` of a subscriber that this call creates.',
  { maxLength: 16 },
)
const subscriberIdQuery: Json = {
  name: 'subscriberId',
  in: 'query',
  description: 'The device key of the calling install; takes precedence over the headers.',
  required: false,
  schema: { type: 'string', ...DEVICE_KEY },
}

/** The parameters in which a family of routes reads the calling device. `deviceKeyOf` reads them. */
export function identityParameters(family: unknown): Json[] {
  if (family === 'device') return [appUserIdHeader(true), platformHeader]
  if (family === 'config') return [subscriberIdQuery, userIdHeader, platformHeader]
  if (family === 'optional') return [subscriberIdQuery, userIdHeader, appUserIdHeader(false)]
  if (family === 'body') return [appUserIdHeader(false), userIdHeader, platformHeader]
  return []
}

/** Descriptions of parameters with the same meaning on every route, for routes that give none. */
export const KNOWN_PARAMETERS: Record<string, string> = {
  bundleId: 'The bundle id of an app in the App Store',
  chartId: 'Id of a chart, as the list of charts gives it',
  contentHash: 'SHA-256 of the file, as the list of fonts gives it',
  code: 'The code that the provider sends back',
  endpointId: 'Only deliveries to this webhook endpoint (`whe_…`)',
  environment: '`PRODUCTION` or `SANDBOX`: only what belongs to it',
  faceId: 'Id of the font face (`ffc_…`)',
  familyId: 'Id of the font family (`ffm_…`)',
  format: 'The format of the answer',
  from: 'The first day or instant that counts',
  grain: 'The length of one cell',
  groupBy: 'What each value is divided by',
  id: 'Id of the object, as its list gives it',
  invitationToken: 'The token of the invitation that the person follows',
  key: 'Key of the flag',
  keyId: 'Id of the API key (`key_…`)',
  kind: 'Only those of this kind',
  limit: 'The largest number of items in the answer',
  messageId: 'Id of the message (`cms_…`)',
  mode: 'Whether the account is connected for tests or for real sales',
  name: 'Only those with this name',
  outcome: 'Only those with this outcome',
  platform: 'Only people on this platform',
  productId: 'Only those of this product (`prd_…`)',
  projectId: 'Id of the project (`prj_…`)',
  provider: 'The provider of the sign-in: `google`, `github` or `oidc`',
  purchaseId: 'Id of the purchase (`pur_…`)',
  q: 'Only those in which this text occurs',
  returnUrl: 'The page that the person comes back to',
  state: 'Only those in this state',
  status: 'Only those with this status',
  store: 'The store',
  subscriberId: 'Only those of this subscriber: a `sub_` id',
  suspended: 'Only projects that are suspended, or only those that are not',
  to: 'The last day or instant that counts',
  token: 'The token of the link',
  type: 'Only those of this type',
  userId: 'Id of the user (`usr_…`)',
  appUserId:
    'The subscriber. With a public key the exact device key; with a secret key a `sub_` id, else your own label, else a device key.',
}

const answerHeader = (description: string, schema: Json): Json => ({ description, schema })

export const components = {
  securitySchemes: {
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'A public key (`svc_pub_...`) for apps and pages, or a secret key (`svc_sec_...`) for servers.',
    },
  },
  parameters: {
    IdempotencyKey: header(
      'Idempotency-Key',
      'Makes a repetition safe: for 24 hours the same key with the same body gets the first answer again, and one that was too large to be kept from the current state. The keys of public and secret API keys are apart.',
      { minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    ),
    IfMatch: header(
      'If-Match',
      'The revision that the object must still have, such as `"3"`; without it the last write wins.',
      {
        maxLength: 40,
      },
    ),
    IfNoneMatch: header('If-None-Match', 'ETags that the caller holds, or `*`.', { maxLength: 8192 }),
    RequestId: header('X-Request-Id', 'Names the request in answer and log; another form is replaced.', {
      pattern: '^[A-Za-z0-9_-]{8,64}$',
    }),
  },
  headers: {
    ETag: answerHeader('Differs between subscribers and with the answer.', { type: 'string' }),
    Experiment: answerHeader('`<key>:<variantId>`, when the answer came through an experiment.', { type: 'string' }),
    IdempotentReplay: answerHeader('Present when an earlier request with the same Idempotency-Key did the work.', {
      const: 'true',
    }),
    RequestId: answerHeader('The id of the request in the log.', { type: 'string' }),
    RetryAfter: answerHeader('Seconds until the same request is worth another try.', { type: 'integer', minimum: 1 }),
  },
  responses: Object.fromEntries(Object.values(REFUSALS).map((refusal) => [refusal.name, refusalResponse(refusal)])),
  schemas: { Failure },
}
