import type { ProviderName } from '../../../base/config-assistant'
import type { Context } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import { AppError, notFound, requireVault } from '../../../base/errors'
import { URL_FAULTS } from '../../../base/lib/outgoing-url'
import { requireRevision } from '../../../projects/audit/revisions'
import { editDashboard, isSame, type ProjectActor } from '../../../projects/project/edit'
import type { ModelAccess } from '../models/model'
import { probeModel } from '../models/probe'
import { type CredentialsRow, deleteCredentialsRow, findCredentials, saveCredentialsRow } from './queries'

/** What an owner sends. Without a key, the saved one of the same provider and address stays. */
export interface CredentialsInput {
  provider: ProviderName
  model: string
  apiKey?: string | null | undefined
  baseUrl?: string | null | undefined
}

/** What is shown of the model that answers. */
export interface CredentialsView {
  configured: boolean
  provider: ProviderName | null
  model: string | null
  baseUrl: string | null
  keyLast4: string | null
  source: 'PROJECT' | 'SERVER' | null
  revision: number | null
}

type Vaulted = Handle & Pick<Context, 'vault' | 'config'>

/** The id under which audit log and revisions know the credentials of a project. */
const OBJECT = 'assistant-credentials'

// Part of the encrypted envelope, so that it cannot be copied to another project.
export const contextOf = (projectId: string): string => `assistant:${projectId}`

/** The model that answers in a project: its own, else that of the server; null = none. */
export async function findModel(handle: Vaulted, projectId: string): Promise<ModelAccess | null> {
  const row = await findCredentials(handle, projectId)
  if (!row) return handle.config.assistant && { ...handle.config.assistant, isOfServer: true }
  const { provider, model, baseUrl, sealedKey } = row
  const apiKey = sealedKey === null ? null : (handle.vault?.open(sealedKey, contextOf(projectId)) ?? null)
  // A key that this master key cannot open is as good as none.
  if (sealedKey !== null && apiKey === null) return null
  return { provider, model, baseUrl, apiKey, isOfServer: false }
}

export async function viewCredentials(handle: Vaulted, projectId: string, revision: number): Promise<CredentialsView> {
  const row = await findCredentials(handle, projectId)
  if (row) return { ...shownOf(row), configured: true, source: 'PROJECT', revision }
  const { assistant } = handle.config
  const none = { baseUrl: null, keyLast4: null, revision: null }
  if (!assistant) return { ...none, configured: false, provider: null, model: null, source: null }
  return { ...none, configured: true, provider: assistant.provider, model: assistant.model, source: 'SERVER' }
}

const shownOf = ({ provider, model, baseUrl, keyLast4 }: CredentialsRow) => ({ provider, model, baseUrl, keyLast4 })

/** Saves the model of a project, after it answered. 400 `VALIDATION_ERROR` with the reason when it does not. */
export async function saveCredentials(
  ctx: Context,
  by: ProjectActor,
  input: CredentialsInput,
  { isProbed }: { isProbed: boolean },
): Promise<void> {
  const access = await checkedAccess(ctx, by.projectId, input)
  const fault = isProbed ? await probeModel(ctx, access) : null
  if (fault !== null) throw refusal(fault)
  await editDashboard(ctx, by, async ({ tx, projectId, now, entries }) => {
    const before = await findCredentials(tx, projectId)
    await requireRevision(tx, projectId, OBJECT, by.expected ?? null, before ? 1 : 0)
    const row = toRow(ctx, projectId, access, { createdAt: before?.createdAt ?? now, updatedAt: now })
    if (before && isSame(shownOf(before), shownOf(row)) && isSameKey(ctx, before, access)) return
    await saveCredentialsRow(tx, row)
    entries.push(entry(before ? 'update' : 'create', before, row))
  })
}

/** 404 when the project has none of its own. */
export const removeCredentials = (ctx: Context, by: ProjectActor): Promise<void> =>
  editDashboard(ctx, by, async ({ tx, projectId, entries }) => {
    const before = await findCredentials(tx, projectId)
    if (!before) throw notFound('credentials of the assistant', projectId)
    await requireRevision(tx, projectId, OBJECT, by.expected ?? null)
    await deleteCredentialsRow(tx, projectId)
    entries.push(entry('delete', before, null))
  })

export const CREDENTIALS_OBJECT = OBJECT

async function checkedAccess(ctx: Context, projectId: string, input: CredentialsInput): Promise<ModelAccess> {
  const { provider, model } = input
  const baseUrl = input.baseUrl?.replace(/\/+$/, '') ?? null
  if (provider === 'compatible' && baseUrl === null)
    throw fieldFault('baseUrl', 'baseUrl must be the address of the server')
  const fault = baseUrl === null ? null : await ctx.state.outgoing.faultOf(baseUrl)
  if (fault !== null) throw fieldFault('baseUrl', `baseUrl ${URL_FAULTS[fault]}`)
  const apiKey = input.apiKey === undefined ? await savedKey(ctx, projectId, provider, baseUrl) : input.apiKey
  if (apiKey === null && provider !== 'compatible') throw fieldFault('apiKey', 'apiKey must be a key of the provider')
  return { provider, model, baseUrl, apiKey, isOfServer: false }
}

/** A saved key is sent nowhere else than where it was sent before. */
async function savedKey(ctx: Context, projectId: string, provider: ProviderName, baseUrl: string | null) {
  const row = await findCredentials(ctx, projectId)
  if (!row || row.provider !== provider || row.baseUrl !== baseUrl || row.sealedKey === null) return null
  return ctx.vault?.open(row.sealedKey, contextOf(projectId)) ?? null
}

function toRow(ctx: Context, projectId: string, access: ModelAccess, times: { createdAt: number; updatedAt: number }) {
  const { provider, model, baseUrl, apiKey } = access
  const sealedKey = apiKey === null ? null : requireVault(ctx).seal(apiKey, contextOf(projectId))
  return { projectId, provider, model, baseUrl, sealedKey, keyLast4: apiKey?.slice(-4) ?? null, ...times }
}

function isSameKey({ vault }: Context, { projectId, sealedKey }: CredentialsRow, { apiKey }: ModelAccess): boolean {
  if (sealedKey === null || apiKey === null) return sealedKey === apiKey
  return vault?.open(sealedKey, contextOf(projectId)) === apiKey
}

const entry = (verb: string, before: CredentialsRow | null, after: CredentialsRow | null) => ({
  action: `assistantCredentials.${verb}`,
  target: { type: 'assistantCredentials', id: OBJECT },
  before: before && shownOf(before),
  after: after && shownOf(after),
})

const fieldFault = (field: string, message: string): AppError =>
  new AppError('VALIDATION_ERROR', { field }, { message })

const SENTENCES = {
  rejected: 'The provider does not accept the key, or refuses the request',
  unreachable: 'The model cannot be reached, or answered in a form that is not understood',
  no_tools: 'The model does not call tools; use another one',
  no_model: 'The provider does not know this model',
} as const
const FIELDS = { rejected: 'apiKey', unreachable: 'baseUrl', no_tools: 'model', no_model: 'model' } as const

const refusal = (reason: keyof typeof SENTENCES): AppError =>
  new AppError('VALIDATION_ERROR', { field: FIELDS[reason], reason }, { message: SENTENCES[reason] })
