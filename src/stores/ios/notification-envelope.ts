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
 * A verified App Store Server Notification V2 (Apple's ResponseBodyV2DecodedPayload), as far as it is read here. Types
 * and subtypes are plain text, for Apple adds some every year; members unknown here are ignored.
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

/** Whom a notification is for and what it is called. */
export interface Envelope {
  /** Names the notification for ever: a repeated delivery has the same. */
  notificationId: string
  type: string
  subtype: string | null
  environment: PurchaseEnvironment
  bundleId: string
  appAppleId: number | null
  signedAt: number
}

/** An envelope with what lies in it unopened. */
export interface SealedEnvelope extends Envelope {
  /** The store's own word for the environment; those of the signed parts must be the same. */
  environmentName: string
  signedTransaction: string | null
  signedRenewal: string | null
  /** Why the customer asks for a refund. */
  requestReason: string | null
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

/** Path of what a schema misses first, with dots. */
export const firstProblem = (schema: TSchema, payload: unknown): string =>
  Value.Errors(schema, payload).First()?.path.slice(1).replaceAll('/', '.') || 'payload'

/** Exactly one of the four parts is there; Apple's own verifier looks for them in this order. */
const appOf = ({ data, summary, externalPurchaseToken, appData }: NotificationPayload) =>
  data ?? summary ?? externalPurchaseToken ?? appData

/**
 * Where a notification names its environment, for the verifier: it only picks the roots there. A token for a purchase
 * outside of the store names it by its id alone. Undefined when nothing of it can be read.
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
})
