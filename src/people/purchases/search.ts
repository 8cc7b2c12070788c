import type { Handle } from '../../base/db/handle'
import type { PersonRef } from '../../projects/project/refs'
import type { Hit, SearchObjects } from '../../projects/project/search-hook'
import type { ProjectState } from '../../projects/project/state'
import type { Store } from '../../stores/observation'
import { listByAlias } from './alias-queries'
import { listByOriginal, listLinesByStoreId } from './list-queries'
import { listPersonRefs, toProductRef } from './person-ref'
import { findPurchaseById, findTransaction, type PurchaseRow, type TransactionRow } from './queries'
import { NOBODY } from './unlisted-sales'

const STORES: readonly Store[] = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT', 'MANUAL']

/** Purchases and transactions by their own id and by the ids that the stores give them: transaction, order, invoice. */
export const searchPurchases: SearchObjects = async (ctx, project, text, limit) => {
  const [purchases, lines] = await Promise.all([
    findPurchases(ctx, project.id, text, limit),
    findLines(ctx, project.id, text, limit),
  ])
  const people = await listPersonRefs(
    ctx,
    project.id,
    [...purchases, ...lines].map(({ subscriberId }) => subscriberId),
  )
  return [
    ...purchases.map((row): Hit => {
      const { id, originalTransactionId: title, store, status } = row
      const { price: amount, purchaseDate: date } = row.fold
      const sale = { ...saleOf(project, people, row), purchaseId: id, amount, date }
      return { kind: 'purchase', id, title, subtitle: `${store} ${status}`, isExact: [id, title].includes(text), sale }
    }),
    ...lines.map((row): Hit => {
      const { id, storeTransactionId: title, store, kind, purchaseId, occurredAt: date } = row
      const sale = { ...saleOf(project, people, row), purchaseId, amount: amountOf(row), date }
      return { kind: 'transaction', id, title, subtitle: `${store} ${kind}`, isExact: [id, title].includes(text), sale }
    }),
  ]
}

const saleOf = (
  project: ProjectState,
  people: ReadonlyMap<string, PersonRef>,
  { subscriberId, productId, store, environment }: PurchaseRow | TransactionRow,
) => ({
  subscriberId: subscriberId === NOBODY ? null : subscriberId,
  person: people.get(subscriberId) ?? null,
  product: toProductRef(project, productId),
  store,
  environment,
})

const amountOf = ({ amountMicros, currency }: TransactionRow) =>
  amountMicros === null || currency === null ? null : { amountMicros, currency }

/** Shorter texts start too many ids of the stores. */
const SHORTEST = 6

/** Whose purchases and transactions have this id, or one of a store that starts with the text; sorted, at most 100. */
export async function ownersOfIds(handle: Handle, projectId: string, text: string): Promise<string[]> {
  if (text.length < SHORTEST) return []
  const [purchases, lines] = await Promise.all([
    findPurchases(handle, projectId, text, MOST_OWNERS),
    findLines(handle, projectId, text, MOST_OWNERS),
  ])
  const owners = [...purchases, ...lines].map(({ subscriberId }) => subscriberId)
  return [...new Set(owners.filter((id) => id !== NOBODY))].sort().slice(0, MOST_OWNERS)
}

const MOST_OWNERS = 100

async function findPurchases(handle: Handle, projectId: string, text: string, limit: number): Promise<PurchaseRow[]> {
  const named = text.startsWith('pur_') ? await findPurchaseById(handle, projectId, text) : null
  if (named) return [named]
  const lists = STORES.map((store) => listByOriginal(handle, projectId, store, text, limit))
  // Only the iOS store gives copies of a transaction ids of their own.
  const rows = (await Promise.all([...lists, listByAlias(handle, projectId, 'IOS_STORE', text, limit)])).flat()
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

async function findLines(handle: Handle, projectId: string, text: string, limit: number): Promise<TransactionRow[]> {
  const named = text.startsWith('txn_') ? await findTransaction(handle, projectId, text) : null
  if (named) return [named]
  const lists = STORES.map((store) => listLinesByStoreId(handle, projectId, store, text, limit))
  return (await Promise.all(lists)).flat()
}
