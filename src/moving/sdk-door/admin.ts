import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { invalid, notFound } from '../../base/errors'
import { DAY } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { listRevisions, requireRevision } from '../../projects/audit/revisions'
import { upsertStoreSettings } from '../../projects/project/admin-queries'
import { conflict, type Edit, editProject, isSame, type ProjectActor } from '../../projects/project/edit'
import { findStoreSettings } from '../../projects/project/service'
import { toSdkDoorView } from './operator-wire'
import {
  countDevices,
  deleteFormerKey,
  type FormerKeyRow,
  findFormerKey,
  insertFormerKey,
  listCalls,
  listFormerKeys,
} from './queries'
import type { SdkPlatform } from './select'
import { MAX_OLD_KEYS, oldKeyFault, readSdkDoor, type SdkDoorSettings, SECTION } from './settings'

/** A key of the former vendor: one with an id is kept, one with a key is added. */
export interface OldKeyInput {
  id?: string | undefined
  key?: string | undefined
  platform: SdkPlatform
}

/** Members that are left out keep their values. */
export type SdkDoorChange = { [Name in keyof SdkDoorSettings]?: SdkDoorSettings[Name] | undefined } & {
  oldKeys?: readonly OldKeyInput[] | undefined
}

/** The settings of a project, with defaults in the place of missing ones. */
export const loadSdkDoor = async (handle: Handle, projectId: string): Promise<SdkDoorSettings> =>
  readSdkDoor((await findStoreSettings(handle, projectId, SECTION))?.config ?? {})

export async function getSdkDoorView(handle: Handle, projectId: string) {
  // Before the settings: a change between the two reads makes a later `If-Match` fail.
  const revisions = await listRevisions(handle, projectId, [SECTION])
  const saved = await findStoreSettings(handle, projectId, SECTION)
  const keys = await listFormerKeys(handle, projectId)
  return toSdkDoorView(readSdkDoor(saved?.config ?? {}), keys, revisions.get(SECTION) ?? unchanged(saved))
}

/** The revision of settings that were never saved is 0, so that two first saves conflict. */
const unchanged = (saved: unknown): 0 | 1 => (saved ? 1 : 0)

/** Changes the settings. Equal settings are no change. 409 `CONFLICT` by the revision, and for a key in use. */
export async function saveSdkDoor(ctx: Context, by: ProjectActor, change: SdkDoorChange, expected: number | null) {
  await editProject(ctx, by, async (edit) => {
    const { tx, projectId, entries } = edit
    const saved = await findStoreSettings(tx, projectId, SECTION)
    await requireRevision(tx, projectId, SECTION, expected, unchanged(saved))
    const { oldKeys, ...members } = change
    const before = { ...readSdkDoor(saved?.config ?? {}), oldKeys: publicKeys(await listFormerKeys(tx, projectId)) }
    if (oldKeys) await saveOldKeys(edit, oldKeys)
    const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
    const settings = readSdkDoor({ ...saved?.config, ...given })
    const after = { ...settings, oldKeys: publicKeys(await listFormerKeys(tx, projectId)) }
    if (saved && isSame(before, after)) return
    await writeSettings(tx, projectId, settings)
    const action = saved ? 'store.update' : 'store.create'
    entries.push({ action, target: { type: 'store', id: SECTION }, before: saved ? before : null, after })
  })
}

/** Saves the settings. Called after a change of the keys, which are forgotten in memory at the commit. */
export async function writeSettings(tx: Tx, projectId: string, settings: SdkDoorSettings): Promise<void> {
  const saved = await findStoreSettings(tx, projectId, SECTION)
  const updatedAt = tx.clock.now()
  const { createdAt = updatedAt, sealed = null } = saved ?? {}
  await upsertStoreSettings(tx, { projectId, section: SECTION, config: { ...settings }, sealed, createdAt, updatedAt })
  tx.afterCommit(() => tx.state.formerSdkKeys.forget())
}

const publicKeys = (rows: readonly FormerKeyRow[]) => rows.map(({ id, platform, last4 }) => ({ id, platform, last4 }))

async function saveOldKeys({ tx, projectId, now }: Edit, inputs: readonly OldKeyInput[]): Promise<void> {
  if (inputs.length > MAX_OLD_KEYS) throw invalid(`oldKeys: at most ${MAX_OLD_KEYS}`)
  const held = await listFormerKeys(tx, projectId)
  const kept = new Set(inputs.flatMap(({ id }) => id ?? []))
  for (const id of kept) if (!held.some((row) => row.id === id)) throw notFound('old key', id)
  for (const { id } of held) if (!kept.has(id)) await deleteFormerKey(tx, projectId, id)
  for (const { id, key, platform } of inputs) {
    if (id !== undefined) continue
    const whole = checkOldKey(key)
    if (await findFormerKey(tx, sha256Hex(whole))) throw conflict('oldKeys: a project has this key already')
    await addOldKey({ tx, projectId, now }, whole, platform)
  }
}

/** Stores a key that was checked: its hash and its last characters. */
export async function addOldKey(
  { tx, projectId, now }: Pick<Edit, 'tx' | 'projectId' | 'now'>,
  whole: string,
  platform: SdkPlatform,
): Promise<void> {
  const row = { id: tx.ids.next('fsk'), projectId, keyHash: sha256Hex(whole), last4: whole.slice(-4) }
  await insertFormerKey(tx, { ...row, platform, createdAt: now })
}

function checkOldKey(key: string | undefined): string {
  const whole = key?.trim() ?? ''
  const fault = oldKeyFault(whole)
  if (fault !== null) throw invalid(`oldKeys: ${fault}`)
  return whole
}

const SHOWN_DAYS = 30

const firstShownDay = ({ clock }: Context): number => (Math.floor(clock.now() / DAY) - SHOWN_DAYS + 1) * DAY

/** Writes what was seen of the SDKs and waits in memory. */
export async function flushSeen(ctx: Context): Promise<void> {
  await ctx.state.sdkCalls.flush(ctx)
  await ctx.state.sdkDevices.flush(ctx)
}

/** The calls of the last 30 days, by SDK, version, call and outcome. */
export async function listSdkCalls(ctx: Context, projectId: string) {
  await ctx.state.sdkCalls.flush(ctx)
  return listCalls(ctx, projectId, firstShownDay(ctx))
}

/** How many devices called in the last 30 days, by the SDK and the app version of their last call. */
export async function listSdkDevices(ctx: Context, projectId: string) {
  await ctx.state.sdkDevices.flush(ctx)
  const since = firstShownDay(ctx)
  return ctx.storage.readInThread((handle: Handle) => countDevices(handle, projectId, since), { group: projectId })
}
