import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { Position } from '../../base/http/list'
import type { ScannedPage } from '../../base/http/scan'
import { findStoreProduct } from '../../people/purchases/store-product'
import { countsUnlisted } from '../../people/purchases/unlisted-sales'
import { type Awaited, listAwaitedAfter } from '../../people/purchases/waiting-queries'
import {
  listWaitingBefore,
  listWaitingRows,
  type WaitingRow,
  type WaitingSums,
} from '../../people/purchases/waiting-sums'
import { loadCatalogSnapshot } from '../../projects/catalog/service'
import type { ProjectState } from '../../projects/project/state'
import type { ProductType } from '../../stores/observation'
import { AWAITED_STORES } from '../relink/spans'
import { guessOf } from './guess'

type Store = (typeof AWAITED_STORES)[number]

type WaitingState = 'MISSING' | 'LINKING' | 'OUTSIDE'

/** A store product that purchases name and that the catalogue did not have when they were recorded. */
export interface WaitingProduct extends Omit<WaitingSums, 'storeProductId'> {
  store: Store
  storeProductId: string
  /** See `WaitingProductSchema`. */
  state: WaitingState
  type: ProductType
  period: string | null
}

/** A page of the store products that something waits for, by store and id. */
export async function listWaitingProducts(
  ctx: Context,
  project: ProjectState,
  { after, limit }: { after: Position | null; limit: number },
): Promise<ScannedPage<WaitingProduct>> {
  const named = await listNamed(ctx, project.id, after, limit + 1)
  const page = named.slice(0, limit)
  const last = page.at(-1)
  const catalog = await loadCatalogSnapshot(ctx, project.id)
  const rows: WaitingProduct[] = []
  for (const store of AWAITED_STORES) {
    const ids = page.filter((one) => one.store === store).map(({ storeProductId }) => storeProductId)
    rows.push(...(await describeAll(ctx, { ...project, catalog }, store, ids)))
  }
  return { rows, next: named.length > limit && last ? [last.store, last.storeProductId] : null }
}

/** What the provider sold without a price waits for nothing: no product can have an empty id. */
async function listNamed(handle: Handle, projectId: string, after: Position | null, limit: number): Promise<Awaited[]> {
  const [store = '', id = ''] = after ?? []
  const found: Awaited[] = []
  const begin = AWAITED_STORES.findIndex((one) => one === store || after === null)
  for (const one of AWAITED_STORES.slice(begin)) {
    const first = { store: one, storeProductId: one === store ? String(id) : '' }
    if (found.length < limit) found.push(...(await listAwaitedAfter(handle, projectId, first, limit - found.length)))
  }
  return found
}

async function describeAll(
  ctx: Context,
  project: ProjectState,
  store: Store,
  ids: readonly string[],
): Promise<WaitingProduct[]> {
  const all: WaitingProduct[] = []
  for (const sums of await ctx.state.waitingSums(project.id, store, ids)) {
    const { storeProductId, purchases, people } = sums
    const newest = await rowsOf(ctx, project.id, { store, storeProductId }, null, SAMPLE)
    const guess = guessOf(storeProductId, newest.map(toFold), purchases > people)
    all.push({ ...sums, store, state: stateOf(project, store, sums), ...guess })
  }
  return all
}

/** From so many of its newest purchases it is read what a product is. */
const SAMPLE = 20

const toFold = ({ row }: WaitingRow) => row.fold

const rowsOf = async (
  handle: Handle,
  projectId: string,
  awaited: Awaited,
  before: string | null,
  limit: number,
): Promise<WaitingRow[]> =>
  listWaitingRows(handle, projectId, await listWaitingBefore(handle, projectId, awaited, before, limit))

function stateOf(project: ProjectState, store: Store, { storeProductId, purchases }: WaitingSums): WaitingState {
  if (findStoreProduct(project.catalog, storeProductId, store) !== null) return 'LINKING'
  return purchases === 0 && !countsUnlisted(project) ? 'OUTSIDE' : 'MISSING'
}
