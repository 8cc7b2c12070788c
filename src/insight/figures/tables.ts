import { isNotNull, sql } from 'drizzle-orm'
import type { Kit } from '../../base/db/kit'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import type { EntryKind } from './model'
import type { FigureSettings } from './settings'

export const figureTables = (k: Kit) => ({
  /**
   * What each purchase adds to the figures. Append-only: what turns out to be different later is taken back by a row
   * with the opposite values and the time of the news, so that a figure can be computed as it was known on a day.
   */
  figureEntries: k.table(
    'figure_entries',
    {
      position: k.serial(),
      projectId: k.str().notNull(),
      environment: k.str().$type<PurchaseEnvironment>().notNull(),
      purchaseId: k.str().notNull(),
      transactionId: k.str(),
      kind: k.str().$type<EntryKind>().notNull(),
      key: k.str().notNull(),
      at: k.int().notNull(),
      knownAt: k.int().notNull(),
      store: k.str().$type<Store>().notNull(),
      storeProductId: k.str().notNull(),
      /** Identifier in the catalogue when it was recorded, else the store's id. */
      product: k.str().notNull(),
      country: k.str(),
      platform: k.str(),
      /** What the presented context of the purchase named when it was first recorded. */
      offering: k.str(),
      placement: k.str(),
      variant: k.str(),
      /** Price and currency of the charge that it is about, such as `9.99 EUR`. */
      price: k.str(),
      pendingUntil: k.int(),
      gross: k.int().notNull(),
      refunds: k.int().notNull(),
      commission: k.int().notNull(),
      charges: k.int().notNull(),
      returned: k.int().notNull(),
      unconverted: k.int().notNull(),
      unconvertedCharges: k.int().notNull(),
      mrrNew: k.int().notNull(),
      mrrReactivation: k.int().notNull(),
      mrrExpansion: k.int().notNull(),
      mrrContraction: k.int().notNull(),
      mrrChurn: k.int().notNull(),
      mrrUnconverted: k.int().notNull(),
      paidIn: k.int().notNull(),
      paidAgain: k.int().notNull(),
      paidOut: k.int().notNull(),
      trialIn: k.int().notNull(),
      trialOut: k.int().notNull(),
      trialStarts: k.int().notNull(),
      trialConverted: k.int().notNull(),
      renewals: k.int().notNull(),
      due: k.int().notNull(),
      dueMicros: k.int().notNull(),
      active: k.int().notNull(),
      paused: k.int().notNull(),
      renewing: k.int().notNull(),
      billingIn: k.int().notNull(),
      billingRecovered: k.int().notNull(),
      billingLost: k.int().notNull(),
      recoveryMs: k.int().notNull(),
      graceIn: k.int().notNull(),
      graceRecovered: k.int().notNull(),
      graceLost: k.int().notNull(),
      endVoluntary: k.int().notNull(),
      endBilling: k.int().notNull(),
      endPrice: k.int().notNull(),
      endUnavailable: k.int().notNull(),
      endDeveloper: k.int().notNull(),
      endReplaced: k.int().notNull(),
      endUnknown: k.int().notNull(),
      endRefund: k.int().notNull(),
      expiredOut: k.int().notNull(),
      refundOut: k.int().notNull(),
      cancelVoluntary: k.int().notNull(),
      cancelBilling: k.int().notNull(),
      cancelPrice: k.int().notNull(),
      cancelOther: k.int().notNull(),
      uncancelled: k.int().notNull(),
      churnVoluntary: k.int().notNull(),
      churnBilling: k.int().notNull(),
      churnRefund: k.int().notNull(),
    },
    (t) => [
      k.index('figure_entries_purchase').on(t.purchaseId, t.at),
      k.index('figure_entries_time').on(t.projectId, t.environment, t.at, t.position),
      // What became known more than a day later: a chart as it was known on a day takes that from the kept sums.
      k.index('figure_entries_late').on(t.projectId, t.environment, t.knownAt).where(sql`known_at - at > 86400000`),
      k.index('figure_entries_pending').on(t.projectId, t.environment, t.pendingUntil).where(isNotNull(t.pendingUntil)),
    ],
  ),
  /** Which configuration the entries of a project were computed with. */
  figureProjects: k.table('figure_projects', {
    projectId: k.str().primaryKey(),
    configVersion: k.int().notNull(),
    /** Of the settings that entries depend on. */
    fingerprint: k.str().notNull(),
    /** While purchases are gone through: the last one that is done, empty at the start. Null = all are done. */
    doneUntil: k.str(),
    /** The settings themselves. Null in a row of before this column. */
    settings: k.json<FigureSettings | null>(),
    /**
     * While only purchases of changed products are gone through: the settings with which entries may have been computed.
     * Null = all purchases.
     */
    bases: k.json<FigureSettings[] | null>(),
  }),
})

type FigureTables = ReturnType<typeof figureTables>

declare module '../../base/db/tables' {
  interface Tables extends FigureTables {}
}
