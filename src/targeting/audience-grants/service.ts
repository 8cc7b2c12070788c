import type { Context, Tx } from '../../base/context'
import { contextWithin } from '../../base/context-within'
import { notFound } from '../../base/errors'
import type { ActionOrigin } from '../../commerce/actions/actor'
import { type CheckedGrant, checkGrant, type GrantTerms, grantToAll } from '../../commerce/actions/grants'
import { compileAudience } from '../../core/rules/compile'
import { lockLive, type SubscriberRow } from '../../people/subscribers/service'
import { requireRevision } from '../../projects/audit/revisions'
import { conflict, isSame } from '../../projects/project/edit'
import type { ProjectState } from '../../projects/project/state'
import { type AudienceRow, findAudience } from '../audiences/service'
import { matchingAmong } from '../remote-config/matching'
import { type Given, holdsAsLong } from './held-access'
import { isLive, listMatchingPeople } from './matching-people'

export interface AudienceGrantOrder extends GrantTerms {
  audienceId: string
  /** The revision that the audience must have (`If-Match`); null = any. */
  expected: number | null
  origin: ActionOrigin
}

/** What a grant to an audience has done, or would do. */
export interface AudienceGranted {
  audience: AudienceRow
  /** The people whom the audience matches, by their ids. */
  people: readonly SubscriberRow[]
  /** How many of them had all of the access for at least as long, so that their access stays as it is. */
  unchanged: number
  expiresAt: number | null
}

/**
 * Gives access without a payment to everyone whom an audience matches now, to each as `grantAccess` does, in one
 * transaction. The people are searched before it and judged again in it, under the lock of each, so that no person gets it who
 * has been erased or does not match any more. 400 `VALIDATION_ERROR` when they are too many; 409 `CONFLICT` when the
 * audience has changed meanwhile.
 */
export async function grantToAudience(
  ctx: Context,
  project: ProjectState,
  order: AudienceGrantOrder,
): Promise<AudienceGranted> {
  const { checked, audience, people: found } = await prepare(ctx, project, order)
  return ctx.write(async (tx) => {
    const now = await readAudience(tx, project, order)
    if (!isSame(now.rules, audience.rules)) throw conflict(CHANGED)
    const people = await matchingNow(ctx, tx, project, audience, found)
    const granted = grantedTo(project, audience, people, checked)
    await grantToAll(tx, project, people, order.origin, checked, { audienceId: audience.id })
    return granted
  })
}

/** What `grantToAudience` would do, with the same refusals. Nothing is written. */
export async function previewAudienceGrant(
  ctx: Context,
  project: ProjectState,
  order: AudienceGrantOrder,
): Promise<AudienceGranted> {
  const { checked, audience, people } = await prepare(ctx, project, order)
  return grantedTo(project, audience, people, checked)
}

const CHANGED = 'The audience was changed meanwhile; look again at whom it matches, and repeat the grant'

async function prepare(ctx: Context, project: ProjectState, order: AudienceGrantOrder) {
  const audience = await readAudience(ctx, project, order)
  const checked = checkGrant(ctx, project, order)
  return { checked, audience, people: await listMatchingPeople(ctx, project, audience) }
}

async function readAudience(
  handle: Tx | Context,
  project: ProjectState,
  { audienceId, expected }: AudienceGrantOrder,
): Promise<AudienceRow> {
  const audience = await findAudience(handle, project.id, audienceId)
  if (!audience) throw notFound('audience', audienceId)
  await requireRevision(handle, project.id, audienceId, expected)
  return audience
}

/** Locks the people, always in the same order, and returns those who still match. Of two who were merged, one is left. */
async function matchingNow(
  ctx: Context,
  tx: Tx,
  project: ProjectState,
  { rules }: AudienceRow,
  found: readonly SubscriberRow[],
): Promise<SubscriberRow[]> {
  const locked = new Map<string, SubscriberRow>()
  for (const one of found) {
    const row = await lockLive(tx, one)
    if (isLive(row)) locked.set(row.id, row)
  }
  return matchingAmong(contextWithin(ctx, tx), project, [...locked.values()], compileAudience(rules))
}

function grantedTo(
  project: ProjectState,
  audience: AudienceRow,
  people: readonly SubscriberRow[],
  { plan }: CheckedGrant,
): AudienceGranted {
  const given = givenBy(project, plan)
  const unchanged = people.filter(({ toldAccess }) => holdsAsLong(toldAccess, given)).length
  return { audience, people, unchanged, expiresAt: plan.expiresAt }
}

function givenBy({ catalog }: ProjectState, { accessIds, storeProductId, expiresAt }: CheckedGrant['plan']): Given {
  const ids = accessIds ?? catalog.products.get(storeProductId)?.accessIds ?? []
  return { access: ids.flatMap((id) => catalog.access.get(id)?.identifier ?? []), expiresAt }
}
