import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { notify } from '../../operators/notices/notify'
import { type Actor, SERVER_ACTOR } from '../../projects/audit/audit'
import { listRevisions, revisionAfter } from '../../projects/audit/revisions'
import { type Edit, editDashboard } from '../../projects/project/edit'
import { domainEntry } from './admin'
import { nextCheckAt } from './lifecycle'
import { type Found, isHeldElsewhere, lifeOf, lookUp } from './look-up'
import { domainNotice } from './notices'
import { checkOthersSoon, type DomainRow, findDomain, updateDomain } from './queries'
import { certificatesOf, type DomainView, viewsOf } from './view'
import { forgetWallets } from './wallets'

/** A check by a person: also a name that failed is checked, and starts its 72 hours again. 404 for an unknown id. */
export async function verifyDomain(
  ctx: Context,
  { projectId, actor }: { projectId: string; actor: Actor },
  id: string,
): Promise<DomainView> {
  const row = await findDomain(ctx, projectId, id)
  if (!row) throw notFound('custom domain', id)
  const view = await checkDomain(ctx, row, actor)
  if (!view) throw notFound('custom domain', id)
  return view
}

/**
 * Looks a name up, and writes what was found. A change of the status has an audit row, and so has each check of a person.
 * Null when the domain is gone meanwhile. Safe to repeat.
 */
export async function checkDomain(
  ctx: Context,
  row: DomainRow,
  actor: Actor = SERVER_ACTOR,
): Promise<DomainView | null> {
  const isAsked = actor !== SERVER_ACTOR
  const known = { ...row, token: row.token || ctx.ids.token(32) }
  const found = await lookUp(ctx, known, isAsked)
  const { projectId } = row
  const view = await editDashboard(ctx, { projectId, actor }, (edit) => writeFound(edit, known, found, isAsked))
  await ctx.state.customHosts.refresh()
  return view
}

async function writeFound(edit: Edit, known: DomainRow, found: Found, isAsked: boolean): Promise<DomainView | null> {
  const { tx, projectId, entries, now } = edit
  const saved = await findDomain(tx, projectId, known.id)
  if (!saved || (saved.token !== '' && saved.token !== known.token)) {
    if (found.wallets) await forgetWallets(tx, projectId, known.hostname)
    return null
  }
  if (found.proof === 'SHOWN') await tx.lock(`hostname:${saved.hostname}`) // Only one project proves it.
  const isHeld = await isHeldElsewhere(tx, saved)
  const { status, failure, cycleAt, verifiedAt, missingSince } = lifeOf(
    saved,
    { proof: found.proof, isAsked, isHeld },
    now,
  )
  const life = { status, failure, cycleAt: cycleAt ?? now, verifiedAt, missingSince }
  // What no name server answered stays as it was seen before.
  const seen = {
    seenTexts: found.seenTexts ?? saved.seenTexts,
    address: found.address ?? saved.address,
    certificate: found.certificate,
    wallets: isHeld ? null : found.wallets,
  }
  const row = { ...saved, ...life, ...seen, token: known.token, checkedAt: now }
  const isComplete = await isWhole(edit, row)
  const after: DomainRow = { ...row, nextCheckAt: nextCheckAt(life, isComplete, now), updatedAt: now }
  await updateDomain(tx, saved.id, after)
  const isLost = saved.status === 'VERIFIED' && status !== 'VERIFIED'
  if (isLost || (isHeld && found.wallets)) await forgetWallets(tx, projectId, saved.hostname)
  if (saved.status !== 'VERIFIED' && status === 'VERIFIED') await checkOthersSoon(tx, saved, now)
  const notice = domainNotice(saved, after, isAsked)
  if (notice) await notify(tx, notice)
  if (isAsked || saved.status !== status) entries.push(domainEntry(isAsked ? 'verify' : 'check', saved, after))
  const [view] = await viewsOf(tx, [after], await revisionsAfter(edit, after.id))
  return view ?? null
}

/** Whether visitors and wallets lack nothing, so that a check a day is enough. */
async function isWhole({ tx }: Edit, row: DomainRow): Promise<boolean> {
  const certificate = (await certificatesOf(tx, [row])).get(row.hostname)
  return row.status === 'VERIFIED' && row.address?.ok === true && certificate?.status === 'ISSUED'
}

async function revisionsAfter(edit: Edit, id: string): Promise<ReadonlyMap<string, number>> {
  if (edit.entries.length === 0) return listRevisions(edit.tx, edit.projectId, [id])
  return new Map([[id, await revisionAfter(edit, id)]])
}
