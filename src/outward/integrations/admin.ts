import type { Context } from '../../base/context'
import { type Page, type Paged, paged } from '../../base/db/page'
import { AppError, invalid, notFound, requireVault } from '../../base/errors'
import type { Fault } from '../../core/text/fault'
import { listRevisionsWith, requireRevision, revisionAfter } from '../../projects/audit/revisions'
import { type Edit, editProject, given, isSame, type ProjectActor, refuseFaults } from '../../projects/project/edit'
import { closeTarget, lockTargets, openTarget } from '../deliveries/targets'
import { type IntegrationView, toIntegrationView } from './admin-wire'
import { integrationEntry } from './audit-entry'
import { type Credentials, openCredentials, sealCredentials, shownCredentials, withSavedSecrets } from './credentials'
import { probeCredentials } from './probe'
import type { Provider } from './provider'
import {
  deleteIntegration,
  findIntegration,
  findOnlyOne,
  type IntegrationRow,
  insertIntegration,
  pageIntegrations,
  updateIntegration,
} from './queries'
import { findProvider } from './registry'
import { isKnownFilter } from './scope'

export interface IntegrationInput {
  provider: string
  credentials: Credentials
  enabledEvents: string[]
  eventMapping?: Record<string, string>
  includeSandbox?: boolean
  isEnabled?: boolean
}

export type IntegrationChange = Partial<Omit<IntegrationInput, 'provider'>>

/** The newest first. */
export async function listIntegrationViews(
  ctx: Context,
  projectId: string,
  page: Page,
): Promise<Paged<IntegrationView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'int')
  const { items, hasMore } = await paged(page, (limit) => pageIntegrations(ctx, projectId, { ...page, limit }))
  return { items: items.map((row) => viewOf(ctx, row, revisions.get(row.id) ?? 1)), hasMore }
}

export async function getIntegration(ctx: Context, projectId: string, id: string): Promise<IntegrationRow> {
  const row = await findIntegration(ctx, projectId, id)
  if (!row) throw notFound('integration', id)
  return row
}

/** Asks the provider about credentials and saves nothing. Refusals as for `createIntegration`. */
export const validateCredentials = (ctx: Context, name: string, credentials: Credentials): Promise<void> =>
  probeCredentials(ctx, getProvider(name), credentials)

/**
 * Connects a provider. 409 `INTEGRATION_ALREADY_CONNECTED`, 400 `INTEGRATION_CREDENTIALS_REJECTED` `{reason}` and
 * `WEBHOOK_URL_REJECTED` `{reason}` before anything is saved, 503 `FEATURE_NOT_CONFIGURED` without a master key.
 */
export async function createIntegration(
  ctx: Context,
  by: ProjectActor,
  input: IntegrationInput,
): Promise<IntegrationView> {
  const { credentials, enabledEvents, eventMapping = {}, includeSandbox = false, isEnabled = true } = input
  const provider = getProvider(input.provider)
  requireVault(ctx)
  refuseFaults(settingFaults({ enabledEvents, eventMapping }))
  await refuseSecond(ctx, by.projectId, provider)
  await probeCredentials(ctx, provider, credentials)
  return editProject(ctx, by, async (edit) => {
    const { tx, projectId, now } = edit
    await refuseSecond(tx, projectId, provider)
    const id = tx.ids.next('int')
    const row: IntegrationRow = {
      ...{ id, projectId, provider: provider.name, slot: provider.isRepeatable ? id : '' },
      ...{ hint: provider.hint(credentials), sealedCredentials: sealCredentials(tx, id, credentials) },
      ...{ enabledEvents, eventMapping, includeSandbox, isEnabled, enabledAt: now },
      ...{ lastError: null, lastSuccessAt: null, createdAt: now, updatedAt: now },
    }
    await insertIntegration(tx, row)
    if (isEnabled) await openTarget(tx, targetOf(row))
    return viewAfter(edit, 'create', null, row)
  })
}

/**
 * Members that are left out keep their value. Credentials are replaced as a whole, but for the secrets that they do not
 * name. Refusals as for the creation; 409 `CONFLICT` when the saved secrets were changed meanwhile.
 */
export async function changeIntegration(
  ctx: Context,
  by: ProjectActor,
  id: string,
  { credentials, ...settings }: IntegrationChange,
): Promise<IntegrationView> {
  const present = await getIntegration(ctx, by.projectId, id)
  refuseFaults(settingFaults(settings))
  await requireRevision(ctx, by.projectId, id, by.expected ?? null)
  const wanted = credentials && mergedCredentials(ctx, present, credentials)
  if (wanted) await probeNew(ctx, present, wanted)
  return editProject(ctx, by, async (edit) => {
    const { tx, now } = edit
    const before = await requireIntegration(edit, id, by.expected)
    if (credentials && wanted && !isSame(mergedCredentials(tx, before, credentials), wanted))
      throw new AppError('CONFLICT')
    const draft = { ...before, ...given(settings), ...(wanted && credentialColumns(tx, before, wanted)) }
    if (isSame(before, draft)) return viewAfter(edit, null, before, before)
    const isSwitchedOn = draft.isEnabled && !before.isEnabled
    const row = { ...draft, updatedAt: now, ...(isSwitchedOn && { enabledAt: now, lastError: null }) }
    await updateIntegration(tx, id, row)
    if (isSwitchedOn) await openTarget(tx, targetOf(row))
    else if (before.isEnabled && !row.isEnabled) await closeTarget(tx, targetOf(row), 'integration_disabled')
    return viewAfter(edit, 'update', before, row)
  })
}

/** What waits for the connection ends, and its credentials are deleted. Its deliveries stay in the log. */
export const removeIntegration = (ctx: Context, by: ProjectActor, id: string): Promise<void> =>
  editProject(ctx, by, async (edit) => {
    const row = await requireIntegration(edit, id, by.expected)
    if (row.isEnabled) await closeTarget(edit.tx, targetOf(row), 'integration_deleted')
    await deleteIntegration(edit.tx, id)
    edit.entries.push(integrationEntry('delete', row, null))
  })

const targetOf = ({ id, projectId }: IntegrationRow) => ({
  ...{ targetId: id, kind: 'INTEGRATION' as const, projectId, isOrdered: false },
})

function getProvider(name: string): Provider {
  const provider = findProvider(name)
  if (!provider) throw invalid('provider: is not one of the providers')
  return provider
}

/** A second connection could not be distinguished from the first. */
async function refuseSecond(handle: Parameters<typeof findOnlyOne>[0], projectId: string, provider: Provider) {
  if (provider.isRepeatable) return
  if (await findOnlyOne(handle, projectId, provider.name)) throw new AppError('INTEGRATION_ALREADY_CONNECTED')
}

async function probeNew(ctx: Context, { provider }: IntegrationRow, credentials: Credentials): Promise<void> {
  requireVault(ctx)
  await probeCredentials(ctx, getProvider(provider), credentials)
}

const mergedCredentials = (ctx: Pick<Context, 'vault'>, row: IntegrationRow, credentials: Credentials): Credentials =>
  withSavedSecrets(getProvider(row.provider), openCredentials(ctx, row), credentials)

/** Sealing the same text gives another envelope each time, so equal credentials are not written again. */
function credentialColumns(tx: Edit['tx'], before: IntegrationRow, credentials: Credentials) {
  const saved = openCredentials(tx, before)
  if (saved && isSame(saved, credentials)) return {}
  const { id } = before
  return {
    hint: getProvider(before.provider).hint(credentials),
    sealedCredentials: sealCredentials(tx, id, credentials),
  }
}

async function requireIntegration(
  { tx, projectId }: Edit,
  id: string,
  expected: number | null = null,
): Promise<IntegrationRow> {
  // The dispatcher, which locks it too, may switch the connection off at any time, and saves how it answers.
  await lockTargets(tx, [id])
  const row = await findIntegration(tx, projectId, id)
  if (!row) throw notFound('integration', id)
  await requireRevision(tx, projectId, id, expected)
  return row
}

const viewOf = (ctx: Pick<Context, 'vault'>, row: IntegrationRow, revision: number): IntegrationView =>
  toIntegrationView(row, revision, shownCredentials(ctx, findProvider(row.provider), row))

async function viewAfter(
  edit: Edit,
  verb: string | null,
  before: IntegrationRow | null,
  after: IntegrationRow,
): Promise<IntegrationView> {
  if (verb !== null) edit.entries.push(integrationEntry(verb, before, after))
  return viewOf(edit.tx, after, await revisionAfter(edit, after.id))
}

const MAX_NAME_CHARACTERS = 100

/** Everything that is wrong with the settings of a connection that are the same for all providers. */
function settingFaults({
  enabledEvents = [],
  eventMapping = {},
}: {
  enabledEvents?: readonly string[]
  eventMapping?: Readonly<Record<string, string>>
}): Fault[] {
  const scope = enabledEvents.flatMap((filter, at) =>
    isKnownFilter(filter)
      ? []
      : [faultAt(`enabledEvents[${at}]`, 'must be *, an event type, or the beginning of some such as purchase.*')],
  )
  const isPlain = Object.entries(eventMapping).flat().every(isPlainName)
  const names = `must have texts of 1 to ${MAX_NAME_CHARACTERS} visible characters on both sides`
  return isPlain ? scope : [...scope, faultAt('eventMapping', names)]
}

const faultAt = (path: string, message: string): Fault => ({ path, message: `${path} ${message}` })

const isPlainName = (text: string): boolean =>
  text.trim() !== '' && text.length <= MAX_NAME_CHARACTERS && !/\p{Cc}/u.test(text) && text.isWellFormed()
