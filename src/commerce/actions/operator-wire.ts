import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Int64 } from '../../base/http/int64-schema'
import { toIso } from '../../base/lib/time'
import { PurchaseViewSchema, TransactionView } from '../../people/purchases/wire'
import { AccessMapSchema } from '../../people/subscribers/access-map'
import type { Preview } from './preview'
import type { ActionRow, CancellationPreview } from './schedule'
import { toActionView } from './wire'

const strict = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })

const id = Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*$' })
const dryRun = Type.Optional(Type.Boolean({ description: 'Answers what would happen, and writes nothing' }))
const reason = Type.Optional(
  Type.String({ maxLength: 255, description: 'One line of at most 200 characters, for the event and the audit log' }),
)
const instant = (description: string) => Type.String({ minLength: 10, maxLength: 40, description })

export const GrantBody = Type.Object(
  {
    productId: Type.Optional(id),
    accessIds: Type.Optional(Type.Array(id, { minItems: 1, maxItems: 100 })),
    expiresAt: Type.Optional(Type.Union([instant('When it ends; null or absent = never'), Type.Null()])),
    reason,
    dryRun,
  },
  { ...strict, title: 'GrantRequest', description: 'Either productId or accessIds, each by id or identifier' },
)

export const ScheduleBody = Type.Object(
  {
    action: Type.Literal('CANCEL'),
    dueAt: instant('From 60 seconds to two years from now'),
    revokeImmediately: Type.Optional(Type.Boolean({ description: 'Only for granted access: end it at dueAt' })),
    dryRun,
  },
  { ...strict, title: 'ScheduleRequest' },
)

export const RefundBody = Type.Object(
  {
    reason,
    wholeOrder: Type.Optional(
      Type.Boolean({
        description:
          'All lines of the order are meant, where Google Play cannot refund one alone: a one-time order of several products, or an earlier period of a subscription with several',
      }),
    ),
    dryRun,
  },
  { ...strict, title: 'RefundRequest' },
)

export const SubscriberParams = Type.Object(
  { id: Type.String({ maxLength: 255, description: 'sub_ id, label or device key' }) },
  { additionalProperties: true }, // The path also contains the project.
)
export const PurchaseParams = Type.Object(
  { purchaseId: Type.String({ maxLength: 64 }) },
  { additionalProperties: true },
)
export const TransactionParams = Type.Object({ id: Type.String({ maxLength: 64 }) }, { additionalProperties: true })

export const ActionStatusSchema = Type.Union([
  Type.Literal('PENDING'),
  Type.Literal('EXECUTED'),
  Type.Literal('CANCELLED'),
  Type.Literal('FAILED'),
])

export const ScheduledAction = Type.Object(
  {
    id: Type.String(),
    purchaseId: Type.String(),
    action: Type.Literal('CANCEL'),
    dueAt: time,
    revokeImmediately: Type.Boolean({ description: 'Granted access ends at dueAt' }),
    status: ActionStatusSchema,
    error: Type.Union([Type.String(), Type.Null()]),
    createdAt: time,
    updatedAt: time,
  },
  { ...strict, title: 'ScheduledAction' },
)

/** The action as it would be created, and the purchases that it would cancel. */
export const CancellationPreviewed = Type.Object(
  {
    ...ScheduledAction.properties,
    purchaseIds: Type.Array(Type.String(), { description: 'All lines of the subscription, the named one first' }),
  },
  { ...strict, title: 'CancellationPreview' },
)

export const RefundResult = Type.Object(
  {
    purchase: PurchaseViewSchema,
    transaction: TransactionView,
    purchaseIds: Type.Array(Type.String(), { description: 'All lines that the refund concerns, the named one first' }),
  },
  { ...strict, title: 'RefundResult' },
)

const sides = <Side extends TSchema>(side: Side) => Type.Object({ before: side, after: side }, strict)

/** The answer of a route with `dryRun`. */
export const previewOf = <Result extends TSchema>(title: string, result: Result) =>
  Type.Object(
    {
      dryRun: Type.Literal(true),
      result,
      access: sides(AccessMapSchema),
      balances: sides(Type.Record(Type.String(), Int64(), { description: 'Balance by currency code' })),
      eventTypes: Type.Array(Type.String({ description: 'An event that would be written' })),
    },
    { ...strict, title, description: 'What the same request without dryRun would do' },
  )

export const answer = <Data extends TSchema>(data: Data) => Type.Object({ data }, strict)

export const toOperatorAction = (row: ActionRow): Static<typeof ScheduledAction> => ({
  ...toActionView(row),
  revokeImmediately: row.revokeImmediately,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export const toCancellationPreview = ({ action, purchaseIds }: CancellationPreview) => ({
  ...toOperatorAction(action),
  purchaseIds,
})

export const toPreview = <Row, View>({ result, ...preview }: Preview<Row>, toView: (row: Row) => View) => ({
  dryRun: true as const,
  result: toView(result),
  ...preview,
})
