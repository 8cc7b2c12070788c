import { and, inArray, isNotNull, or } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import { bySome } from '../../base/db/by-some'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { SliceHooks } from '../../base/state'
import { isMailAddress } from '../../core/text/addresses'
import type { OnErase, OnExport } from '../../people/subscribers/hooks'
import { emailHash, opened } from './email'
import type { PaymentRow } from './queries'

/**
 * The sessions in which a person has typed an address of theirs: one that the app has sent, or one that they paid with.
 */
export const sessionsOfAddresses: SliceHooks['funnelSessionsOf'] = async (tx, projectId, { ids, texts }) => {
  const told = texts.chosen.filter(isMailAddress).map((address) => emailHash(tx, projectId, address))
  const paid = await hashesOf(tx, ids)
  return [...new Set((await paymentsOf(tx, projectId, [...told, ...paid])).map(({ sessionId }) => sessionId))]
}

async function hashesOf({ db, tables }: Tx, subscriberIds: readonly string[]): Promise<string[]> {
  const { funnelPayments: p, funnelSessions: s } = tables
  const rows = await bySome(subscriberIds, (some) => {
    const own = db.select({ id: s.id }).from(s).where(inArray(s.subscriberId, some))
    return db.selectDistinct({ hash: p.emailHash }).from(p).where(inArray(p.sessionId, own))
  })
  return rows.flatMap(({ hash }) => hash ?? [])
}

async function paymentsOf({ db, tables }: Tx, projectId: string, hashes: readonly string[]): Promise<PaymentRow[]> {
  const { funnelPayments: p } = tables
  const rows = await bySome(hashes, (some) => db.select().from(p).where(inArray(p.emailHash, some)))
  return rows.filter((row) => row.projectId === projectId)
}

/** At an erasure: payments stay for the books, without the address and without the secret of the page. */
export const erasePayments: OnErase = async (tx, project, _subscriber, person) => {
  const { funnelPayments: p, funnelSessions: s } = tx.tables
  const named = await sessionsOfAddresses(tx, project.id, person)
  const own = tx.db
    .select({ id: s.id })
    .from(s)
    .where(inArray(s.subscriberId, [...person.ids]))
  const isTheirs = or(inArray(p.sessionId, own), named.length > 0 ? inArray(p.sessionId, named) : undefined)
  const says = or(isNotNull(p.email), isNotNull(p.emailHash), isNotNull(p.clientSecret))
  const cleared = tx.db.update(p).set({ email: null, emailHash: null, clientSecret: null })
  return { funnel_payments: { reduced: (await cleared.where(and(isTheirs, says)).returning({ id: p.id })).length } }
}

/** For the data export of a person: what they paid in funnels, and with which address. */
export const exportPayments: OnExport = ({ db, tables }, _project, { ids }, keys) => ({
  'funnels.jsonl': (async function* () {
    const { funnelPayments: p, funnelSessions: s } = tables
    const own = db
      .select({ id: s.id })
      .from(s)
      .where(inArray(s.subscriberId, [...ids]))
    for (const row of await db.select().from(p).where(inArray(p.sessionId, own)).orderBy(p.id))
      yield {
        ...{ record: 'payment', id: row.id, sessionId: row.sessionId, pageId: row.pageId, provider: row.provider },
        ...{ status: row.status, packageIdentifier: row.packageIdentifier, productId: row.productId },
        ...{ amountMicros: row.amountMicros, currency: row.currency, purchaseId: row.purchaseId },
        email: opened(keys, row.id, row.email),
        ...{
          createdAt: toIso(row.createdAt),
          paidAt: toIsoOrNull(row.paidAt),
          refundedAt: toIsoOrNull(row.refundedAt),
        },
      }
  })(),
})

/** Payments of sessions in which nothing was bought. */
export const forgetPayments: SliceHooks['forgetFunnelSessions'] = async ({ db, tables }, sessionIds) => {
  const { funnelPayments: p } = tables
  await db.delete(p).where(inArray(p.sessionId, [...sessionIds]))
}
