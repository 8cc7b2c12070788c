import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import { bySome } from '../../base/db/by-some'
import type { Handle } from '../../base/db/handle'
import { toIso } from '../../base/lib/time'
import { isMailAddress } from '../../core/text/addresses'
import { forgetMails } from '../../operators/mail/forget'
import { listPurchasesOfAll } from '../../people/purchases/holdings'
import type { ErasedPerson, OnErase, OnExport } from '../../people/subscribers/hooks'
import { BUYER_MAILS } from './model'
import { paymentsOf } from './paid'

/**
 * At an erasure: deletes the tokens, the links in mails and the openings of the sessions of a person, also of sessions
 * that were only paid with the same address, and the mails to the addresses of the person. That a purchase moved stays, without a person.
 */
export const eraseClaims: OnErase = async (tx, project, _subscriber, person) => {
  const { sessionIds, emailHashes } = await sessionsOf(tx, project.id, person)
  const { funnelTokens: t, funnelLinks: l, funnelOpenings: o } = tx.tables
  const tokens = tx.db.delete(t).where(inArray(t.sessionId, sessionIds))
  const links = tx.db.delete(l).where(and(eq(l.projectId, project.id), inArray(l.emailHash, emailHashes)))
  const openings = tx.db.delete(o).where(and(eq(o.projectId, project.id), inArray(o.sessionId, sessionIds)))
  const { emailHash } = paymentsOf(tx)
  const isTheirs = (address: string) => emailHashes.includes(emailHash(tx, project.id, address))
  const mails = await forgetMails(tx, { projectId: project.id, kinds: BUYER_MAILS }, isTheirs)
  return {
    mails: { removed: mails },
    funnel_tokens: { removed: (await tokens.returning({ id: t.sessionId })).length },
    funnel_links: { removed: (await links.returning({ hash: l.hash })).length },
    funnel_openings: { removed: (await openings.returning({ id: o.id })).length },
  }
}

/** The sessions of a person, and those that were paid with an address of theirs; the hashes of those addresses. */
async function sessionsOf(tx: Tx, projectId: string, { ids, texts }: ErasedPerson) {
  const payments = paymentsOf(tx)
  const own = await ownSessions(tx, ids)
  const told = texts.chosen.filter(isMailAddress)
  const hashes = new Set(told.map((address) => payments.emailHash(tx, projectId, address)))
  for (const sessionId of own) {
    const payment = await payments.paymentOf(tx, sessionId)
    if (payment?.emailHash) hashes.add(payment.emailHash)
  }
  const sessionIds = new Set(own)
  for (const hash of hashes)
    for (const { sessionId } of await payments.settledPayments(tx, projectId, hash)) sessionIds.add(sessionId)
  return { sessionIds: [...sessionIds], emailHashes: [...hashes] }
}

const ownSessions = async (
  { db, tables: { funnelSessions: f } }: Handle,
  subscriberIds: readonly string[],
): Promise<string[]> => {
  const rows = await bySome(subscriberIds, (some) =>
    db.select({ id: f.id }).from(f).where(inArray(f.subscriberId, some)),
  )
  return rows.map(({ id }) => id)
}

/** For the data export of a person: when claims moved purchases to them. */
export const exportClaims: OnExport = (handle, _project, { ids }) => ({
  'funnels.jsonl': (async function* () {
    const { funnelMoves: m } = handle.tables
    const owned = await listPurchasesOfAll(handle, ids)
    for (const { id: purchaseId } of [...owned.values()].flat())
      for (const { sessionId, movedAt } of await handle.db.select().from(m).where(eq(m.purchaseId, purchaseId)))
        yield { record: 'move', sessionId, purchaseId, movedAt: toIso(movedAt) }
  })(),
})
