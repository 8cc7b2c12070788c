import { eq } from 'drizzle-orm'
import type { Tx } from '../../../src/base/context'
import { present } from '../../../src/intake/recording/model'
import { recordObservations } from '../../../src/intake/recording/record-observations'
import { causeOf } from '../../../src/people/events/model'
import { findByChain } from '../../../src/people/purchases/queries'
import { ensureSubscriber } from '../../../src/people/subscribers/service'
import type { StoredAttributes } from '../../../src/people/subscribers/tables'
import type { ProjectState } from '../../../src/projects/project/state'
import type { Observation, Store } from '../../../src/stores/observation'
import type { CastProject, Stage } from '../cast'
import { compareText, type History, type Purchase } from './history'

/** The ids of the stage for those of the history. */
export interface Seeded {
  purchases: Map<string, string>
  subscribers: Map<string, string>
}

export interface SeedOptions {
  /** Instead of the first project of the stage. */
  project?: Pick<CastProject, 'id'>
  /** Records that share a transaction: 1, as in life, unless many projects are to be written quickly. */
  together?: number
  /** What is done once, at an instant after all that was recorded until then. */
  pause?: { at: number; run: () => Promise<void> }
}

/**
 * Writes a history into a project of a stage: its time zone, its products, and then each observation as it was recorded,
 * by the clock of that time. The stage must begin before the history, and its clock stands at the last record
 * afterwards. A further history must go into another project. Exchange rates are not written here.
 */
export async function seedHistory(s: Stage, history: History, options: SeedOptions = {}): Promise<Seeded> {
  const { project: { id } = s.project, together = 1, pause } = options
  await writeProject(s, id, history)
  const project = await s.ctx.state.projects.get(id)
  const seeded: Seeded = { purchases: new Map(), subscribers: new Map() }
  const writeAll = async (records: readonly RecordAt[]) => {
    for (let first = 0; first < records.length; first += together)
      await s.ctx.write(async (tx) => {
        for (const one of records.slice(first, first + together)) {
          s.ctx.clock.set(one.at)
          await record(tx, project, one, seeded)
        }
      })
  }
  const records = recordsOf(history)
  if (pause) {
    await writeAll(records.filter(({ at }) => at <= pause.at))
    s.ctx.clock.set(pause.at)
    await pause.run()
  }
  await writeAll(pause ? records.filter(({ at }) => at > pause.at) : records)
  return seeded
}

interface RecordAt {
  at: number
  purchase: Purchase
  observations: Observation[]
}

/** What was recorded of one purchase at one instant, in the order of records. */
function recordsOf({ purchases }: History): RecordAt[] {
  const records = purchases.flatMap((purchase) =>
    [...Map.groupBy(purchase.observations, ({ recordedAt }) => recordedAt)].map(([at, recorded]) => ({
      at,
      purchase,
      observations: once(recorded.map(({ recordedAt: _recordedAt, ...observation }) => observation)),
    })),
  )
  return records.sort((a, b) => a.at - b.at || compareText(a.purchase.id, b.purchase.id))
}

/** A store that says a thing twice in one breath is read once. */
const once = (observations: readonly Observation[]): Observation[] => [
  ...new Map(observations.map((one) => [`${one.kind} ${one.id}`, one])).values(),
]

async function record(tx: Tx, project: ProjectState, { purchase, observations }: RecordAt, seeded: Seeded) {
  const { id, store, subscriberId, environment, productType } = purchase
  const { row, isNew } = await ensureSubscriber(tx, project.id, `svc_${subscriberId}`, null)
  const subscriber = isNew ? { ...row, attributes: await describe(tx, row.id, purchase) } : row
  seeded.subscribers.set(subscriberId, subscriber.id)
  // The chain of a grant is its own id, which no other project may have.
  const chainKey = store === 'MANUAL' ? (seeded.purchases.get(id) ?? tx.ids.next('pur')) : id
  const held = await findByChain(tx, project.id, store, chainKey)
  const context = {
    accountToken: null,
    presentedContext: shownBefore(purchase),
    accessIds: store === 'MANUAL' ? [] : null,
  }
  const chain = { store, environment, chainKey, originalTransactionId: id, productType }
  const cause = causeOf('STORE_NOTIFICATION', null, store, 'history')
  const report = { ...chain, ...context, observations }
  const recorded = await recordObservations(tx, project, present(subscriber), held, report, cause)
  if (recorded.purchase) seeded.purchases.set(id, recorded.purchase.id)
}

/** What the app attaches to its receipt. */
function shownBefore({ offering, placement, variant }: Purchase): Record<string, unknown> | null {
  if (offering === undefined && placement === undefined && variant === undefined) return null
  const [experimentKey, variantId] = variant?.split(':') ?? []
  const told = { offeringIdentifier: offering, placementId: placement, experimentKey, variantId }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
}

/** Country and platform are those of the person. */
async function describe(tx: Tx, subscriberId: string, { country, platform }: Purchase): Promise<StoredAttributes> {
  const { subscribers } = tx.tables
  const told = Object.entries({ country, platform }).filter(([, value]) => value !== null)
  const attributes = Object.fromEntries(
    told.map(([name, value]) => [name, { value: String(value), source: 'sdk', updatedAt: tx.clock.now() }]),
  )
  await tx.db.update(subscribers).set({ attributes }).where(eq(subscribers.id, subscriberId))
  return attributes
}

/** The time zone, a product for each store product of the history, and what its purchases were shown by. */
async function writeProject(s: Stage, projectId: string, history: History): Promise<void> {
  const { timezone, products, purchases } = history
  const sold = purchases
    .filter(({ store }) => store !== 'MANUAL')
    .flatMap(({ store, productType: type, ...purchase }) =>
      storeProductsOf(purchase).map((identifier) => ({
        store,
        type,
        identifier,
        period: products?.[identifier] ?? (identifier === purchase.storeProductId ? purchase.productPeriod : null),
      })),
    )
  const different = [...new Map(sold.map((product) => [product.identifier, product])).values()]
  const now = s.ctx.clock.now()
  const rows = different.map(({ store, type, identifier, period }) => ({
    ...{ id: s.ctx.ids.next('prd'), projectId, identifier, displayName: identifier },
    ...{ type, period, [STORE_IDS[store]]: identifier, accessIds: [], isActive: true, metadata: {} },
    ...{ createdAt: now, updatedAt: now },
  }))
  await s.ctx.write(async (tx) => {
    await tx.db.update(tx.tables.projects).set({ timezone }).where(eq(tx.tables.projects.id, projectId))
    if (rows.length > 0) await tx.db.insert(tx.tables.products).values(rows)
    await writeShown(tx, projectId, history)
  })
  s.ctx.state.projects.forget(projectId)
}

/** The offerings, placements and experiments that purchases of the history name. */
async function writeShown(tx: Tx, projectId: string, { purchases }: History): Promise<void> {
  const { offerings, placements, experiments } = tx.tables
  const stamps = { projectId, createdAt: tx.clock.now(), updatedAt: tx.clock.now() }
  const named = (pick: (purchase: Purchase) => string | undefined) => [
    ...new Set(purchases.flatMap((one) => pick(one) ?? [])),
  ]
  for (const identifier of named(({ offering }) => offering))
    await tx.db
      .insert(offerings)
      .values({ ...stamps, id: tx.ids.next('off'), identifier, isDefault: false, packages: [], metadata: {} })
  for (const identifier of named(({ placement }) => placement))
    await tx.db.insert(placements).values({
      ...stamps,
      id: tx.ids.next('plc'),
      identifier,
      name: identifier,
      revision: 1,
      isActive: true,
      rows: [],
    })
  const variants = Map.groupBy(
    named(({ variant }) => variant),
    (variant) => variant.split(':')[0] ?? '',
  )
  for (const [key, own] of variants)
    await tx.db.insert(experiments).values({
      ...{ ...stamps, id: tx.ids.next('exp'), key, name: key, type: 'FLAG', status: 'RUNNING', metrics: [] },
      variants: own.map((one) => ({ id: one.slice(key.length + 1), name: one, weight: 1 / own.length, value: one })),
    })
}

const STORE_IDS: Record<Store, string> = {
  IOS_STORE: 'iosId',
  ANDROID_STORE: 'androidId',
  PAYMENT: 'paymentId',
  MANUAL: 'identifier',
}

const storeProductsOf = ({ observations }: Pick<Purchase, 'observations'>): string[] =>
  observations.flatMap((one) => {
    if (one.kind !== 'REPORT' || !one.transaction) return []
    const { storeProductId, chargedStoreProductId } = one.transaction
    return chargedStoreProductId === undefined ? [storeProductId] : [storeProductId, chargedStoreProductId]
  })
