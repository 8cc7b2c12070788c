import type { Context } from '../../base/context'
import type { Page, Paged } from '../../base/db/page'
import { AppError, notFound } from '../../base/errors'
import { pageOf } from '../../base/http/id-list'
import type { AuditEntry } from '../../projects/audit/audit'
import { requireRevision } from '../../projects/audit/revisions'
import { MAX_FORWARDS } from '../../projects/connections/credential-checks'
import { forwardFault, toForwardFault } from '../../projects/connections/forwards/address'
import {
  adoptForwards,
  FORWARD_SECTIONS,
  type ForwardRow,
  listForwardRows,
  storesToAdopt,
  writeForwards,
} from '../../projects/connections/forwards/forwards'
import type { ForwardStore } from '../../projects/connections/forwards/tables'
import { conflict, type Edit, editProject, type ProjectActor } from '../../projects/project/edit'
import { findStoreSettings } from '../../projects/project/service'
import { countFailures } from '../deliveries/failures'
import { type ForwardView, toForwardView } from './operator-wire'

export interface ForwardInput {
  store: ForwardStore
  url: string
}

/** The newest first. */
export async function listForwards(ctx: Context, projectId: string, page: Page): Promise<Paged<ForwardView>> {
  const old = await storesToAdopt(ctx, projectId)
  // Lists that an earlier version has saved get their ids here, or with the next notification.
  if (old.length > 0)
    await ctx.write(async (tx) => {
      for (const store of old) await adoptForwards(tx, projectId, store)
    })
  const { items, hasMore } = pageOf(await listForwardRows(ctx, projectId), page)
  const ids = items.map(({ id }) => id)
  const failures = await countFailures(ctx, ids, ctx.clock.now())
  return { items: items.map((row) => toForwardView(row, failures.get(row.id) ?? 0)), hasMore }
}

/**
 * 400 `WEBHOOK_URL_REJECTED` by the address; 400 `STORE_NOT_CONFIGURED` for a store without settings, whose forwards no
 * project file could contain; 409 `CONFLICT` for an address that the store has; 409 `NOTIFICATION_FORWARD_LIMIT`.
 */
export async function createForward(ctx: Context, by: ProjectActor, input: ForwardInput): Promise<ForwardView> {
  await refuseAddress(ctx, input.url)
  return editProject(ctx, by, async (edit) => toForwardView(await addForward(edit, input), 0))
}

async function refuseAddress(ctx: Context, url: string): Promise<void> {
  const reason = await ctx.state.outgoing.faultOf(url)
  const fault = reason ? toForwardFault(reason) : forwardFault(url, ctx.config)
  if (!fault) return
  throw new AppError('WEBHOOK_URL_REJECTED', { reason: fault.reason }, { message: `url ${fault.message}` })
}

async function addForward({ tx, projectId, entries }: Edit, { store, url }: ForwardInput): Promise<ForwardRow> {
  const section = FORWARD_SECTIONS[store]
  if (!(await findStoreSettings(tx, projectId, section))) throw new AppError('STORE_NOT_CONFIGURED')
  await adoptForwards(tx, projectId, store)
  const urls = (await listForwardRows(tx, projectId, store)).map((row) => row.url)
  if (urls.some((saved) => isSameAddress(saved, url)))
    throw conflict('The notifications of this store are forwarded to this address already')
  if (urls.length >= MAX_FORWARDS) throw new AppError('NOTIFICATION_FORWARD_LIMIT', { store, max: MAX_FORWARDS })
  await writeForwards(tx, projectId, section, [...urls, url])
  const row = (await listForwardRows(tx, projectId, store)).find((saved) => saved.url === url)
  if (!row) throw new Error('a forward vanished while it was being made')
  entries.push(forwardEntry('create', null, row))
  return row
}

const isSameAddress = (a: string, b: string): boolean => a === b || URL.parse(a)?.href === URL.parse(b)?.href

/** What waits to be sent there ends as DEAD. */
export const deleteForward = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editProject(ctx, by, async ({ tx, projectId, entries }) => {
    const rows = await listForwardRows(tx, projectId)
    const row = rows.find((saved) => saved.id === id)
    if (!row) throw notFound('forward', id)
    await requireRevision(tx, projectId, id, by.expected ?? null)
    const kept = rows.filter(({ store, id: other }) => store === row.store && other !== id)
    await adoptForwards(tx, projectId, row.store)
    await writeForwards(
      tx,
      projectId,
      FORWARD_SECTIONS[row.store],
      kept.map(({ url }) => url),
    )
    entries.push(forwardEntry('delete', row, null))
  })

function forwardEntry(verb: string, before: ForwardRow | null, after: ForwardRow | null): AuditEntry {
  const image = (row: ForwardRow | null) => row && { store: row.store, url: row.url }
  return {
    action: `notificationForward.${verb}`,
    target: { type: 'notificationForward', id: (after ?? before)?.id ?? '' },
    before: image(before),
    after: image(after),
  }
}
