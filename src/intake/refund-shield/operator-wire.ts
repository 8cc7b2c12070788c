import { type Static, Type } from '@sinclair/typebox'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { ResponseRow } from './queries'
import { MAX_DELAY_MINUTES, type RefundShieldSettings } from './settings'

const strict = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])
const textOrNull = Type.Union([Type.String(), Type.Null()])

const settings = {
  enabled: Type.Boolean(),
  delayMinutes: Type.Integer({ minimum: 0, maximum: MAX_DELAY_MINUTES, description: 'How long an answer waits' }),
  policy: Type.Union([Type.Literal('decline'), Type.Literal('grant'), Type.Literal('neutral')]),
  customerConsented: Type.Boolean({ description: 'Your customers agreed; without it nothing is answered' }),
}

export const SettingsBody = Type.Object(settings, { ...strict, title: 'RefundShieldRequest' })

/** Without saved settings the times are null. */
export const RefundShield = Type.Object(
  { ...settings, revision: Type.Integer(), createdAt: timeOrNull, updatedAt: timeOrNull },
  { ...strict, title: 'RefundShield' },
)

export const ResponseStatus = Type.Union([
  Type.Literal('PENDING'),
  Type.Literal('SENT'),
  Type.Literal('FAILED'),
  Type.Literal('SKIPPED_DISABLED'),
  Type.Literal('SKIPPED_NOT_FOUND'),
])

export const ResponseOutcome = Type.Union([
  Type.Literal('REFUND_APPROVED'),
  Type.Literal('REFUND_DECLINED'),
  Type.Literal('REFUND_REVERSED'),
])

export const RefundShieldResponse = Type.Object(
  {
    id: Type.String(),
    subscriberId: textOrNull,
    transactionId: Type.String({ description: "The store's id of it" }),
    status: ResponseStatus,
    outcome: textOrNull,
    attempts: Type.Integer({ description: 'How often an answer was sent' }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why no answer was accepted' }),
    askedAt: { ...time, description: 'When the store asked, by its clock' },
    dueAt: time,
    sentAt: timeOrNull,
    createdAt: time,
    updatedAt: time,
  },
  { ...strict, title: 'RefundShieldResponse' },
)

export const RefundShieldMetricsView = Type.Object(
  {
    requests: Type.Integer(),
    sent: Type.Integer(),
    declined: Type.Integer(),
    approved: Type.Integer(),
    savedMicros: Type.Integer({ description: 'Micros of the US dollar: answered charges whose refund was declined' }),
  },
  { ...strict, title: 'RefundShieldMetrics' },
)

interface Stamps {
  createdAt: number
  updatedAt: number
}

export const toSettingsView = (
  { enabled, delayMinutes, policy, customerConsented }: RefundShieldSettings,
  revision: number,
  saved: Stamps | null,
): Static<typeof RefundShield> => ({
  enabled,
  delayMinutes,
  policy,
  customerConsented,
  revision,
  createdAt: toIsoOrNull(saved?.createdAt ?? null),
  updatedAt: toIsoOrNull(saved?.updatedAt ?? null),
})

export const toResponseView = ({
  id,
  subscriberId,
  transactionId,
  status,
  outcome,
  attempts,
  error,
  ...row
}: ResponseRow): Static<typeof RefundShieldResponse> => ({
  id,
  subscriberId,
  transactionId,
  status,
  outcome,
  attempts,
  error,
  askedAt: toIso(row.askedAt),
  dueAt: toIso(row.dueAt),
  sentAt: toIsoOrNull(row.sentAt),
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})
