import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import type { AuditEntry } from '../audit/audit'
import { requireRevision } from '../audit/revisions'
import {
  loadStoreSettings,
  removeStoreSettings,
  type SavedSettings,
  type Secrets,
  type StoreSection,
  saveStoreSettings,
} from '../connections/credentials'
import { readConfig, storeView } from '../connections/project-file/model'
import { savedState } from '../connections/project-file/plan'
import { type Edit, editProject, isSame, type ProjectActor } from '../project/edit'
import type { StoreName } from './model'

/** A change of the settings of one store. */
export interface StoreEdit {
  by: ProjectActor
  /** The revision that the settings must have; null = any. */
  expected: number | null
}

/** The saved settings of one store, with decrypted secrets; null without settings. */
export const findSettings = async (
  ctx: Pick<Context, 'db' | 'tables' | 'vault'>,
  projectId: string,
  store: StoreSection,
): Promise<SavedSettings | null> => (await loadStoreSettings(ctx, ctx.vault, projectId)).get(store) ?? null

/** May refuse a change in its transaction, by what is saved at that moment. */
type Check<Saved> = (saved: Saved, edit: Edit) => void | Promise<void>

/** The new members of a store's settings. Saved members that it does not name, such as forwards, stay. */
export interface NewStore {
  config: Record<string, unknown>
  secrets: Secrets
}

/**
 * Saves the settings of a store with one audit row; writes nothing when they are as before. `check` may refuse the
 * settings that are saved at that moment.
 */
export const saveStore = (
  ctx: Context,
  { by, expected }: StoreEdit,
  store: StoreName,
  { config, secrets }: NewStore,
  check: Check<SavedSettings | null> = () => {},
): Promise<void> =>
  editProject(ctx, by, async (edit) => {
    const { tx, projectId, entries } = edit
    const saved = await findSettings(tx, projectId, store)
    await requireRevision(tx, projectId, store, expected, saved ? 1 : 0)
    await check(saved, edit)
    const after = { config: { ...saved?.config, ...config }, secrets }
    if (saved && isUnchanged(store, saved, after)) return
    await saveStoreSettings(tx, projectId, store, after)
    entries.push(storeEntry(store, saved, { ...after, hasSecrets: true }))
  })

const isUnchanged = (store: StoreName, saved: SavedSettings, { config, secrets }: NewStore): boolean =>
  saved.secrets !== null &&
  isSame(saved.secrets, secrets) &&
  isSame(readConfig(store, saved.config), readConfig(store, config))

/** Removes the settings of a store; 404 without settings. */
export const removeStore = (
  ctx: Context,
  { by, expected }: StoreEdit,
  store: StoreName,
  check: Check<SavedSettings> = () => {},
): Promise<void> => editProject(ctx, by, (edit) => removeIn(edit, expected, store, check))

async function removeIn(
  edit: Edit,
  expected: number | null,
  store: StoreName,
  check: Check<SavedSettings>,
): Promise<void> {
  const { tx, projectId, entries } = edit
  const saved = await findSettings(tx, projectId, store)
  if (!saved) throw notFound('credentials of the store', store)
  await requireRevision(tx, projectId, store, expected)
  await check(saved, edit)
  await removeStoreSettings(tx, projectId, store)
  entries.push(storeEntry(store, saved, null))
}

/** The audit entry that the project file writes for the same change: it has a word in place of each secret. */
function storeEntry(store: StoreName, before: SavedSettings | null, after: SavedSettings | null): AuditEntry {
  const verb = before === null ? 'create' : after === null ? 'delete' : 'update'
  return {
    action: `store.${verb}`,
    target: { type: 'store', id: store },
    before: before && storeView(savedState(store, before, Object.keys(before.secrets ?? {}))),
    after:
      after && storeView({ ...savedState(store, after, Object.keys(after.secrets ?? {})), ...newPaths(before, after) }),
  }
}

const newPaths = (before: SavedSettings | null, { secrets }: SavedSettings) => ({
  newSecretPaths: Object.entries(secrets ?? {}).flatMap(([path, value]) =>
    before?.secrets?.[path] === value ? [] : [path],
  ),
})
