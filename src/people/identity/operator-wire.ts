import { Type } from '@sinclair/typebox'
import { Int64 } from '../../base/http/int64-schema'
import { toIso } from '../../base/lib/time'
import type { TransferRow } from '../subscribers/service'
import { UNDO_MS } from './transfer'
import { TransferAnswer } from './transfer-wire'

const strict = { additionalProperties: false } as const

export const AttributesBody = Type.Object(
  {
    attributes: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
      maxProperties: 200,
      description: 'Key to string, or null to delete',
    }),
  },
  strict,
)

export const EditedSubscriber = Type.Object(
  {
    id: Type.String(),
    appUserId: Type.Union([Type.String(), Type.Null()]),
    attributes: Type.Record(Type.String(), Type.String()),
    revision: Type.Integer({ description: 'Grows by 1 with every change of the dashboard' }),
  },
  { ...strict, title: 'EditedSubscriber' },
)

export const OperatorTransferBody = Type.Object(
  {
    toSubscriberId: Type.String({ pattern: '^sub_[0-9a-hjkmnp-tv-z]{26}$', description: 'The target' }),
    dryRun: Type.Optional(Type.Boolean({ description: 'Answers what would happen, and writes nothing' })),
    purchaseIds: Type.Optional(
      Type.Array(Type.String({ pattern: '^pur_[0-9a-hjkmnp-tv-z]{26}$' }), {
        minItems: 1,
        maxItems: 1000,
        description: 'Only these move, and the source stays live',
      }),
    ),
  },
  { ...strict, title: 'OperatorTransferRequest' },
)

const balancesOfSides = Type.Optional(
  Type.Object({ from: Type.Record(Type.String(), Int64()), to: Type.Record(Type.String(), Int64()) }, strict),
)

/** As for the customer's server; a dry run has the last three members too. */
export const OperatorTransferAnswer = Type.Object(
  {
    data: Type.Object(
      {
        ...TransferAnswer.properties.data.properties,
        balancesBefore: balancesOfSides,
        balancesAfter: balancesOfSides,
        eventTypes: Type.Optional(
          Type.Object({ from: Type.Array(Type.String()), to: Type.Array(Type.String()) }, strict),
        ),
      },
      { ...strict, title: 'OperatorTransfer' },
    ),
  },
  strict,
)

export const TransferItem = Type.Object(
  {
    id: Type.String({ description: 'trf_ id' }),
    cause: Type.String({ description: 'IDENTIFY, RECEIPT, RESTORE, API or FUNNEL' }),
    fromSubscriberId: Type.String(),
    toSubscriberId: Type.String(),
    undoableUntil: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Null when it was undone or is too old',
    }),
    undone: Type.Boolean(),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { ...strict, title: 'TransferItem' },
)

export function toTransferItem({ id, cause, fromSubscriberId, toSubscriberId, ...row }: TransferRow, now: number) {
  const { undoneAt, createdAt } = row
  const end = createdAt + UNDO_MS
  return {
    id,
    cause,
    fromSubscriberId,
    toSubscriberId,
    undoableUntil: undoneAt === null && now <= end ? toIso(end) : null,
    undone: undoneAt !== null,
    createdAt: toIso(createdAt),
  }
}
