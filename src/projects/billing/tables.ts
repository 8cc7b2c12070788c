import { sql } from 'drizzle-orm'
import type { Tier } from '../../base/config-cloud'
import type { Kit } from '../../base/db/kit'
import type { BillingDetails } from './details'
import type { Life, SubscriptionReport } from './life'

export const billingTables = (k: Kit) => ({
  /** Plans that were given by hand. */
  planChanges: k.table(
    'plan_changes',
    {
      position: k.serial(),
      projectId: k.str().notNull(),
      changedAt: k.int().notNull(),
      tier: k.str().$type<Tier>().notNull(),
      /** From then on the project has what is paid for; null = until the next change. */
      until: k.int(),
      note: k.str().notNull(),
    },
    (t) => [k.index('plan_changes_project').on(t.projectId, t.position)],
  ),
  /** How a project pays for its plan. */
  billingAccounts: k.table('billing_accounts', {
    projectId: k.str().primaryKey(),
    /** The fold of the project's billing events. */
    life: k.json<Life>().notNull(),
    /** How far the clock of the test store is ahead of ours; 0 at the real provider. */
    leadMs: k.int().notNull(),
    /** Name, address and tax id for the invoices; null = not given yet. */
    details: k.json<BillingDetails>(),
    /** The mails to the owners of a paused project: of which pause, and when. */
    mailedPause: k.int(),
    firstMailAt: k.int(),
    secondMailAt: k.int(),
    /** The subscription whose billing was closed, because it was not paid. */
    closedSubscription: k.str(),
    /** Until then the new owner of a project must add a card. */
    cardNeededBy: k.int(),
  }),
  /** Customers at the provider: one for each project and owner, and those that were deleted there. */
  billingCustomers: k.table(
    'billing_customers',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      /** Empty for a project without an owner. */
      ownerId: k.str().notNull(),
      createdAt: k.int().notNull(),
      /** When it was found to be deleted at the provider. Its invoices and late events are still those of the project. */
      goneAt: k.int(),
    },
    (t) => [k.unique('billing_customers_present').on(t.projectId, t.ownerId).where(sql`gone_at is null`)],
  ),
  /** Reports of the provider about subscriptions. */
  billingEvents: k.table(
    'billing_events',
    {
      projectId: k.str().notNull(),
      id: k.str().notNull(),
      at: k.int().notNull(),
      rank: k.int().notNull(),
      report: k.json<SubscriptionReport>().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.id] })],
  ),
})

type BillingTables = ReturnType<typeof billingTables>

declare module '../../base/db/tables' {
  interface Tables extends BillingTables {}
}
