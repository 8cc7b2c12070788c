import { Type } from '@sinclair/typebox'
import type { ProjectState } from '../../projects/project/state'
import { toTransactionItem, transactionMembers } from './operator-wire'
import { type Named, PersonRefSchema, toProductRef } from './person-ref'
import type { PurchaseRow, TransactionRow } from './queries'
import { statusAt } from './status'
import { PurchaseViewSchema, toPurchaseView } from './wire'

const strict = { additionalProperties: false } as const
const textOrNull = Type.Union([Type.String(), Type.Null()])
const person = Type.Union([PersonRefSchema, Type.Null()], { description: 'Null when it belongs to nobody' })

/** A subscription in lists, with its person and the name of its product. */
export const ListedPurchaseSchema = Type.Object(
  { ...PurchaseViewSchema.properties, productName: textOrNull, person },
  { ...strict, title: 'ListedPurchase' },
)

export const toListedPurchase =
  (project: ProjectState, now: number) =>
  ({ row, person: who }: Named<PurchaseRow>) => ({
    ...toPurchaseView(project, row, statusAt(row.fold, now)),
    productName: toProductRef(project, row.productId)?.name ?? null,
    person: who,
  })

export const ListedTransactionSchema = Type.Object(
  { ...transactionMembers, productIdentifier: textOrNull, productName: textOrNull, storeProductId: textOrNull, person },
  { ...strict, title: 'TransactionItem' },
)

export const toListedTransaction =
  (project: ProjectState) =>
  ({ row, person: who }: Named<TransactionRow>) => {
    const product = toProductRef(project, row.productId)
    return {
      ...toTransactionItem(row),
      productIdentifier: product?.identifier ?? null,
      productName: product?.name ?? null,
      storeProductId: row.storeProductId,
      person: who,
    }
  }
