import type { Context } from '../../base/context'
import type { JsonInteger } from '../../base/lib/int64'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment } from '../../stores/observation'
import { visibleBalances } from '../currencies/service'
import { toAccessMap } from '../entitlements/compute'
import { leadingAccess } from '../entitlements/leading'
import { entitlementsOf } from '../entitlements/service'
import { listPurchases, type PurchaseRow } from '../purchases/holdings'
import type { AccessMap } from '../subscribers/access-map'
import { getSubscriber, listMergedInto, type SubscriberRow } from '../subscribers/service'
import { boughtIn, environmentOfPerson } from './environment'
import type { HeldVariant } from './hooks'

/** Everything about one subscriber. Of an erased one, only what money depends on. */
export interface Person {
  row: SubscriberRow
  access: AccessMap
  leadingAccess: string | null
  environment: PurchaseEnvironment
  purchases: PurchaseRow[]
  balances: Record<string, JsonInteger>
  variants: HeldVariant[]
  /** The rows that were merged into this one. */
  merged: SubscriberRow[]
}

/** The most purchases and the most merged rows that are answered, the newest and the oldest of them. */
const MOST_PURCHASES = 500
const MOST_ALIASES = 200

/** The subscriber with this id, also when it was merged or erased; 404 when the project has none. */
export async function getPersonWithAll(ctx: Context, project: ProjectState, id: string): Promise<Person> {
  const row = await getSubscriber(ctx, project.id, id)
  const [purchases, balances, merged, variants] = await Promise.all([
    listPurchases(ctx, id),
    visibleBalances(ctx, project, row),
    listMergedInto(ctx, id, MOST_ALIASES),
    variantsOf(ctx, row),
  ])
  const entitlements = row.erasedAt === null ? entitlementsOf(project, row, purchases, ctx.clock.now()) : []
  return {
    ...{ row, access: toAccessMap(entitlements), leadingAccess: leadingAccess(entitlements, purchases) },
    environment: environmentOfPerson(boughtIn(purchases)),
    ...{ purchases: purchases.toReversed().slice(0, MOST_PURCHASES), balances, variants, merged },
  }
}

async function variantsOf(ctx: Context, { id, projectId, erasedAt }: SubscriberRow): Promise<HeldVariant[]> {
  if (erasedAt !== null) return []
  const lists = (ctx.hooks.listHeldVariants ?? []).map((list) => list(ctx, projectId, id))
  return (await Promise.all(lists)).flat()
}
