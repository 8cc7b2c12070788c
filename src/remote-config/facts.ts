import type { SubjectFacts } from '../audiences/built-ins'
import { withContext } from '../audiences/subject'
import type { Context } from '../context'
import { sandboxGrants } from '../entitlements/compute'
import { entitlementsOf } from '../entitlements/service'
import type { ProjectState } from '../projects/state'
import { listMoneyLines, listPurchases } from '../purchases/holdings'
import { lifetimeMoney } from '../refund-shield/lifetime'
import type { PurchaseEnvironment } from '../stores/observation'
import type { SubscriberRow } from '../subscribers/service'
import type { FactsNeeded } from './needs'

/** What rules may ask of a subscriber; the database is read for what they mention only. */
export async function gatherFacts(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  needs: FactsNeeded,
  extra: Readonly<Record<string, unknown>>,
): Promise<SubjectFacts> {
  const { appUserId: label, deviceKey, firstSeenAt, lastSeenAt, erasedAt } = subscriber
  const { sandboxAccess, sandboxTesters } = project.settings
  const isErased = erasedAt !== null
  const isSandboxCounted = sandboxGrants({ sandboxAccess, sandboxTesters, label, deviceKey })
  const environments: PurchaseEnvironment[] = isSandboxCounted ? ['PRODUCTION', 'SANDBOX'] : ['PRODUCTION']
  const [rows, spentUsdMicros] = await Promise.all([
    needs.purchases && !isErased ? listPurchases(ctx, subscriber.id) : [],
    needs.spend && !isErased ? spentBy(ctx, subscriber.id, environments) : 0,
  ])
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
    purchases: rows.filter(({ environment }) => environments.includes(environment)),
    spentUsdMicros,
  }
}

const flat = ({ attributes }: SubscriberRow): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([name, { value }]) => [name, value]))

/** Paid less given back, of the purchases that count. */
async function spentBy(
  ctx: Context,
  subscriberId: string,
  environments: readonly PurchaseEnvironment[],
): Promise<number | null> {
  const lines = await Promise.all(environments.map((environment) => listMoneyLines(ctx, subscriberId, environment)))
  const { purchasedUsdMicros: paid, refundedUsdMicros: refunded } = lifetimeMoney(lines.flat())
  return paid === null || refunded === null ? null : paid - refunded
}
