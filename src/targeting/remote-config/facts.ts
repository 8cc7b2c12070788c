import type { Context } from '../../base/context'
import { withContext } from '../../core/audience/subject'
import { lifetimeMoney } from '../../intake/refund-shield/lifetime'
import { sandboxGrants } from '../../people/entitlements/compute'
import { entitlementsOf } from '../../people/entitlements/service'
import { listMoneyLines, listPurchases, listPurchasesOfAll, type PurchaseRow } from '../../people/purchases/holdings'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment } from '../../stores/observation'
import type { SubjectFacts } from '../audiences/built-ins'
import type { FactsNeeded } from './needs'

/** What rules can read of a subscriber. The database is read only for what they mention. */
export const gatherFacts = async (
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  needs: FactsNeeded,
  extra: Readonly<Record<string, unknown>>,
): Promise<SubjectFacts> =>
  factsOf(ctx, project, subscriber, await readHoldings(ctx, project, subscriber, needs), extra)

/** Reads what rules need of a subscriber besides the row, as far as they mention it. */
export async function readHoldings(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  needs: FactsNeeded,
): Promise<Holdings> {
  const isErased = subscriber.erasedAt !== null
  const [purchases, spentUsdMicros] = await Promise.all([
    needs.purchases && !isErased ? listPurchases(ctx, subscriber.id) : [],
    needs.spend ? spentBy(ctx, project, subscriber) : 0,
  ])
  return { purchases, spentUsdMicros }
}

/** Like `readHoldings`, for many subscribers, whose purchases are read at once. */
export async function readHoldingsOfAll(
  ctx: Context,
  project: ProjectState,
  subscribers: readonly SubscriberRow[],
  needs: Pick<FactsNeeded, 'purchases' | 'spend'>,
): Promise<(row: SubscriberRow) => Holdings> {
  const live = subscribers.filter(({ erasedAt }) => erasedAt === null)
  const ids = live.map(({ id }) => id)
  const purchases = needs.purchases ? await listPurchasesOfAll(ctx, ids) : new Map<string, PurchaseRow[]>()
  const spent = needs.spend ? await spentByAll(ctx, project, live) : new Map<string, number | null>()
  return ({ id }) => ({
    purchases: purchases.get(id) ?? [],
    spentUsdMicros: spent.has(id) ? (spent.get(id) ?? null) : 0,
  })
}

/** How many charges are read at the same time. */
const AT_ONCE = 25

async function spentByAll(ctx: Context, project: ProjectState, rows: readonly SubscriberRow[]) {
  const spent = new Map<string, number | null>()
  for (let start = 0; start < rows.length; start += AT_ONCE)
    await Promise.all(
      rows.slice(start, start + AT_ONCE).map(async (row) => spent.set(row.id, await spentBy(ctx, project, row))),
    )
  return spent
}

/** What was read of a subscriber besides the row; empty where no rule needs it. */
export interface Holdings {
  purchases: readonly PurchaseRow[]
  spentUsdMicros: number | null
}

/** What rules can read of a subscriber at this moment, from what was loaded. */
export function factsOf(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  { purchases: rows, spentUsdMicros }: Holdings,
  extra: Readonly<Record<string, unknown>>,
): SubjectFacts {
  const { appUserId: label, deviceKey, firstSeenAt, lastSeenAt, erasedAt } = subscriber
  const isErased = erasedAt !== null
  const environments = countedEnvironments(project, subscriber)
  const now = ctx.clock.now()
  const attributes = isErased ? {} : flat(subscriber)
  return {
    now,
    person: {
      appUserId: isErased ? null : label,
      deviceKey,
      firstSeenAt,
      lastSeenAt,
      platform: attributes.platform ?? null,
    },
    attributes: withContext(attributes, extra),
    entitlements: entitlementsOf(project, subscriber, rows, now),
    purchases: rows
      .filter(({ environment }) => environments.includes(environment))
      .map(({ id, store, fold, productId }) => ({ id, store, fold, product: identifierOf(project, productId) })),
    spentUsdMicros,
  }
}

const identifierOf = ({ catalog }: ProjectState, productId: string | null): string | null =>
  productId === null ? null : (catalog.products.get(productId)?.identifier ?? null)

const flat = ({ attributes }: SubscriberRow): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([name, { value }]) => [name, value]))

function countedEnvironments({ settings }: ProjectState, { appUserId: label, deviceKey }: SubscriberRow) {
  const { sandboxAccess, sandboxTesters } = settings
  const isSandboxCounted = sandboxGrants({ sandboxAccess, sandboxTesters, label, deviceKey })
  const environments: PurchaseEnvironment[] = isSandboxCounted ? ['PRODUCTION', 'SANDBOX'] : ['PRODUCTION']
  return environments
}

/**
 * What was paid less what was refunded, of the purchases that count; null when the amount of one part is not known in
 * dollars.
 */
export async function spentBy(ctx: Context, project: ProjectState, subscriber: SubscriberRow): Promise<number | null> {
  if (subscriber.erasedAt !== null) return 0
  const environments = countedEnvironments(project, subscriber)
  const lines = await Promise.all(environments.map((environment) => listMoneyLines(ctx, subscriber.id, environment)))
  const { purchasedUsdMicros: paid, refundedUsdMicros: refunded } = lifetimeMoney(lines.flat())
  return paid === null || refunded === null ? null : paid - refunded
}
