import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { MAX_INSTANT } from '../../base/lib/time'
import type { PurchaseEnvironment } from '../observation'
import type { Payload } from './jws'

const Text = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f]{1,256}$' })
const Instant = Type.Integer({ minimum: 0, maximum: MAX_INSTANT })
const AppId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const open = { additionalProperties: true }

const App = { appAppleId: Type.Optional(AppId), bundleId: Text }
const Environment = Type.Union([
  Type.Literal('Production'),
  Type.Literal('Sandbox'),
  Type.Literal('Xcode'),
  Type.Literal('LocalTesting'),
])

/**
 * A verified App Store Server Notification V2 (Apple's ResponseBodyV2DecodedPayload), with the members that are used
 * here. Types and subtypes are plain text, for Apple adds new ones each year. Other members are ignored.
 */
export const NotificationPayload = Type.Object(
  {
    notificationType: Text,
    subtype: Type.Optional(Text),
    notificationUUID: Text,
    version: Type.Optional(Type.String()),
    signedDate: Instant,
    data: Type.Optional(
      Type.Object(
        {
          ...App,
          environment: Environment,
          bundleVersion: Type.Optional(Type.String()),
          signedTransactionInfo: Type.Optional(Type.String()),
          signedRenewalInfo: Type.Optional(Type.String()),
          /** 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked. */
          status: Type.Optional(Type.Integer()),
          consumptionRequestReason: Type.Optional(Text),
        },
        open,
      ),
    ),
    summary: Type.Optional(Type.Object({ ...App, environment: Environment }, open)),
    externalPurchaseToken: Type.Optional(
      Type.Object({ ...App, externalPurchaseId: Type.Optional(Type.String()) }, open),
    ),
    appData: Type.Optional(Type.Object({ ...App, environment: Environment }, open)),
  },
  open,
)
export type NotificationPayload = Static<typeof NotificationPayload>

/** Which app a notification is for, and its id and type. */
export interface Envelope {
  /** Permanent id of the notification: a repeated delivery has the same id. */
  notificationId: string
  type: string
  subtype: string | null
  environment: PurchaseEnvironment
  bundleId: string
  appAppleId: number | null
  signedAt: number
}

/** An envelope whose inner tokens were not verified yet. */
export interface SealedEnvelope extends Envelope {
  /** The environment as the store spells it. The signed parts must name the same one. */
  environmentName: string
  signedTransaction: string | null
  signedRenewal: string | null
  /** The customer's reason for the refund request. */
  requestReason: string | null
  /** State of the subscription: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked. */
  status: number | null
}

export type EnvelopeResult =
  | { ok: true; envelope: SealedEnvelope }
  /** `detail` is the path of the first member that is missing, of a wrong type or out of range. */
  | { ok: false; reason: 'malformed'; detail: string }

/** Reads a payload whose signature was verified. */
export function decodeEnvelope(payload: unknown): EnvelopeResult {
  if (!Value.Check(NotificationPayload, payload)) return malformed(firstProblem(NotificationPayload, payload))
  const app = appOf(payload)
  const environmentName = environmentOf(payload)
  return app && environmentName ? { ok: true, envelope: toEnvelope(payload, app, environmentName) } : malformed('data')
}

const malformed = (detail: string): EnvelopeResult => ({ ok: false, reason: 'malformed', detail })

/** Path of the first member that breaks the schema, with dots. */
export const firstProblem = (schema: TSchema, payload: unknown): string =>
  Value.Errors(schema, payload).First()?.path.slice(1).replaceAll('/', '.') || 'payload'

/** Exactly one of the four parts is present. Apple's own verifier looks for them in this order. */
const appOf = ({ data, summary, externalPurchaseToken, appData }: NotificationPayload) =>
  data ?? summary ?? externalPurchaseToken ?? appData

/**
 * The environment that a notification claims, for the verifier, which uses it only to select the trusted roots. A token
 * for a purchase outside of the store shows the environment in its id alone. Undefined when it cannot be read.
 */
export function environmentOf({ data, summary, externalPurchaseToken, appData }: Payload): string | undefined {
  const part = [data, summary].find(isRecord)
  if (part) return readText(part.environment)
  if (isRecord(externalPurchaseToken)) {
    return readText(externalPurchaseToken.externalPurchaseId)?.startsWith('SANDBOX') ? 'Sandbox' : 'Production'
  }
  return isRecord(appData) ? readText(appData.environment) : undefined
}

const isRecord = (value: unknown): value is Payload => typeof value === 'object' && value !== null

const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const toEnvelope = (
  { data, ...payload }: NotificationPayload,
  { bundleId, appAppleId }: { bundleId: string; appAppleId?: number },
  environmentName: string,
): SealedEnvelope => ({
  notificationId: payload.notificationUUID,
  type: payload.notificationType,
  subtype: payload.subtype ?? null,
  environment: environmentName === 'Production' ? 'PRODUCTION' : 'SANDBOX',
  bundleId,
  appAppleId: appAppleId ?? null,
  signedAt: payload.signedDate,
  environmentName,
  signedTransaction: data?.signedTransactionInfo ?? null,
  signedRenewal: data?.signedRenewalInfo ?? null,
  requestReason: data?.consumptionRequestReason ?? null,
  status: data?.status ?? null,
})
