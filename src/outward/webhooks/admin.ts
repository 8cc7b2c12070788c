import type { Context } from '../../base/context'
import { AppError, notFound, requireVault } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import { requireRevision, revisionAfter } from '../../projects/audit/revisions'
import { type Edit, editProject, given, isSame, type ProjectActor } from '../../projects/project/edit'
import { type EndpointView, toEndpointView } from './admin-wire'
import { changesAuthorization, endpointEntry } from './audit-entry'
import {
  addEndpoint,
  changeEndpoint,
  lockEndpoint,
  type NewAuthorization,
  removeEndpoint,
  rotateEndpoint,
} from './endpoints'
import { DEFAULTS, type EndpointSettings, MAX_ENDPOINTS } from './model'
import { type EndpointRow, findEndpoint, listEndpoints } from './queries'
import { refuseFaulty, refuseTaken, refuseUrl } from './refusals'
import { newSecret, OVERLAP_MS } from './secrets'
import { settingsOf, tidied } from './settings'
import { viewOf } from './views'

export interface EndpointInput extends Pick<EndpointSettings, 'name' | 'url' | 'eventTypes'> {
  environments?: EndpointSettings['environments']
  isOrdered?: boolean
  format?: EndpointSettings['format']
  isEnabled?: boolean
  /** Sent as `Authorization` where the format has it; null = none. */
  authorization?: string | null
}

/** An endpoint and its signing secret, which is shown now and never again. */
export type EndpointWithSecret = EndpointView & { secret: string }

/**
 * A new endpoint with its secret. 400 `VALIDATION_ERROR`, 400 `WEBHOOK_URL_REJECTED`, 409 `IDENTIFIER_TAKEN` for a name
 * that is taken, 409 `WEBHOOK_ENDPOINT_LIMIT` for the eleventh, 503 `FEATURE_NOT_CONFIGURED` without a master key.
 */
export async function createEndpoint(
  ctx: Context,
  by: ProjectActor,
  input: EndpointInput,
): Promise<EndpointWithSecret> {
  requireVault(ctx)
  const { authorization = null, name, url, eventTypes, ...options } = input
  const settings = tidied({ ...DEFAULTS, ...given(options), name, url, eventTypes })
  refuseFaulty(settings, authorization)
  await refuseUrl(ctx, settings.url)
  return editProject(ctx, by, async (edit) => {
    const { tx, projectId, entries, now } = edit
    const saved = await listEndpoints(tx, projectId)
    if (saved.length >= MAX_ENDPOINTS) throw new AppError('WEBHOOK_ENDPOINT_LIMIT', { limit: MAX_ENDPOINTS })
    refuseTaken(saved, settings.name, null)
    const [id, secret] = [tx.ids.next('whe'), newSecret()]
    const row = await addEndpoint(tx, {
      id,
      projectId,
      settings,
      authorization: toAuthorization(authorization),
      secret,
    })
    entries.push(endpointEntry('create', null, row, true))
    return { ...toEndpointView(row, null, await revisionAfter(edit, row.id), now), secret }
  })
}

/** Members that are left out stay. Refusals as for `createEndpoint`. */
export async function updateEndpoint(
  ctx: Context,
  by: ProjectActor,
  id: string,
  change: Partial<EndpointInput>,
): Promise<EndpointView> {
  const known = await findEndpoint(ctx, by.projectId, id)
  if (!known) throw notFound('webhook endpoint', id)
  const { authorization, ...members } = change
  const wanted = tidied({ ...settingsOf(known), ...given(members) })
  refuseFaulty(wanted, authorization ?? null)
  if (authorization) requireVault(ctx)
  // Outside of the transaction, because it looks up the host.
  if (change.url !== undefined) await refuseUrl(ctx, change.url)
  const [row, revision] = await editProject(ctx, by, async (edit) => {
    const saved = await requireOwn(edit, id, by.expected)
    const after = await writeChange(edit, saved, tidied({ ...settingsOf(saved), ...given(members) }), authorization)
    return [after, await revisionAfter(edit, id)] as const
  })
  return viewOf(ctx, row, revision)
}

async function writeChange(
  { tx, projectId, entries }: Edit,
  saved: EndpointRow,
  settings: EndpointSettings,
  given: string | null | undefined,
): Promise<EndpointRow> {
  const authorization = given === undefined ? 'keep' : toAuthorization(given)
  const isNew = changesAuthorization(tx, saved, authorization)
  if (isSame(settingsOf(saved), settings) && !isNew) return saved
  refuseTaken(await listEndpoints(tx, projectId), settings.name, saved.id)
  const row = await changeEndpoint(tx, saved, settings, isNew ? authorization : 'keep')
  entries.push(endpointEntry('update', saved, row, isNew))
  return row
}

/** 404 when there is no such endpoint, so also when it is repeated. */
export const deleteEndpoint = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editProject(ctx, by, async (edit) => {
    const row = await requireOwn(edit, id, by.expected)
    await removeEndpoint(edit.tx, row)
    edit.entries.push(endpointEntry('delete', row, null))
  })

/** Another signing secret. Both sign for 24 hours, so that the receiver can change over without losing anything. */
export const rotateSecret = (
  ctx: Context,
  by: ProjectActor,
  id: string,
): Promise<{ secret: string; previousValidUntil: string }> =>
  editProject(ctx, by, async (edit) => {
    const before = await requireOwn(edit, id, by.expected)
    const secret = newSecret()
    const row = await rotateEndpoint(edit.tx, before, secret)
    edit.entries.push(endpointEntry('rotate', before, row))
    return { secret, previousValidUntil: toIso(edit.now + OVERLAP_MS) }
  })

async function requireOwn({ tx, projectId }: Edit, id: string, expected: number | null = null): Promise<EndpointRow> {
  const row = await lockEndpoint(tx, projectId, id)
  if (!row) throw notFound('webhook endpoint', id)
  await requireRevision(tx, projectId, id, expected)
  return row
}

const toAuthorization = (value: string | null): NewAuthorization => (value === null ? 'none' : { value })
