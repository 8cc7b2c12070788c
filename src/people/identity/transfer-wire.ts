import { Type } from '@sinclair/typebox'
import { Int64, SumOfInt64 } from '../../base/http/int64-schema'
import { sumOf, toJsonInteger } from '../../base/lib/int64'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseRow } from '../purchases/holdings'
import { statusAt } from '../purchases/status'
import { AccessMapSchema } from '../subscribers/access-map'
import type { Transferred } from './transfer'
import type { Undone } from './undo'

const strict = { additionalProperties: false } as const
const MAX_PURCHASES = 1000

const reference = (description: string) =>
  Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*$', description })

export const TransferBody = Type.Object(
  {
    fromAppUserId: reference('Subscriber reference of the source'),
    toAppUserId: reference('Subscriber reference of the target'),
    dryRun: Type.Optional(Type.Boolean({ description: 'Answers what would happen, and writes nothing' })),
    purchaseIds: Type.Optional(
      Type.Array(Type.String({ pattern: '^pur_[0-9a-hjkmnp-tv-z]{26}$' }), {
        minItems: 1,
        maxItems: MAX_PURCHASES,
        description: 'Only these move, and the source stays live',
      }),
    ),
  },
  { ...strict, title: 'TransferRequest' },
)

export const UndoBody = Type.Object({}, strict)

export const UndoParams = Type.Object(
  { id: Type.String({ maxLength: 64, description: 'transferId of the transfer' }) },
  { additionalProperties: true }, // The path for browsers also contains the public key.
)

const MovedPurchase = Type.Object(
  { id: Type.String(), productIdentifier: Type.String(), store: Type.String(), status: Type.String() },
  { ...strict, title: 'MovedPurchase' },
)

const Sides = Type.Object({ from: AccessMapSchema, to: AccessMapSchema }, strict)

export const TransferAnswer = Type.Object(
  {
    data: Type.Object(
      {
        transferId: Type.Union([Type.String(), Type.Null()]),
        fromSubscriberId: Type.String(),
        toSubscriberId: Type.String(),
        creditsTransferred: SumOfInt64('Sum over the currencies'),
        dryRun: Type.Boolean(),
        purchases: Type.Array(MovedPurchase),
        balances: Type.Record(Type.String(), Int64(), { description: 'Currency code to the amount moved' }),
        experimentsDropped: Type.Array(Type.String({ description: 'Experiment key' })),
        accessBefore: Sides,
        accessAfter: Sides,
        undoableUntil: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
      },
      { ...strict, title: 'Transfer' },
    ),
  },
  strict,
)

export const UndoAnswer = Type.Object(
  {
    data: Type.Object(
      {
        transferId: Type.String(),
        undone: Type.Literal(true),
        restoredSubscriberId: Type.String(),
        purchases: Type.Array(MovedPurchase),
        creditsReturned: SumOfInt64('Sum over the currencies'),
        creditsShortfall: SumOfInt64('What was spent since and could not be given back'),
      },
      { ...strict, title: 'TransferUndo' },
    ),
  },
  strict,
)

export const toMoved = ({ catalog }: ProjectState, { id, productId, store, fold }: PurchaseRow, now: number) => ({
  id,
  productIdentifier: (productId === null ? undefined : catalog.products.get(productId))?.identifier ?? 'unknown',
  store,
  status: statusAt(fold, now).status,
})

/** A dry run has no transfer id and no end of an undo period, because it moved nothing. */
export const toTransferView = (project: ProjectState, done: Transferred, dryRun: boolean, now: number) => ({
  transferId: dryRun ? null : done.transferId,
  fromSubscriberId: done.from.id,
  toSubscriberId: done.to.id,
  creditsTransferred: toJsonInteger(sumOf(done.balances)),
  dryRun,
  purchases: done.purchases.map((row) => toMoved(project, row, now)),
  balances: done.balances,
  experimentsDropped: done.experimentsDropped,
  accessBefore: done.accessBefore,
  accessAfter: done.accessAfter,
  undoableUntil: dryRun ? null : toIso(done.undoableUntil),
})

export const toUndoView = (project: ProjectState, { purchases, ...done }: Undone, now: number) => ({
  ...done,
  undone: true as const,
  purchases: purchases.map((row) => toMoved(project, row, now)),
})
