import { sha256Hex } from '../../../base/lib/hash'
import { findStoreSettings } from '../../../projects/project/service'
import type { Pair, Wanted } from '../../../projects/project-file/model'
import { isChanged } from '../../../projects/project-file/pair'
import { type Problem, problem } from '../../../projects/project-file/problem'
import type { Read } from '../../../projects/project-file/reader'
import { type KeptSecret, variableFor } from '../../../projects/project-file/secret'
import type { Checking, Loading, Planning, Section } from '../../../projects/project-file/section'
import { addOldKey, writeSettings } from '../admin'
import { deleteFormerKey, type FormerKeyRow, findFormerKey, listFormerKeys } from '../queries'
import { NO_SDK_DOOR, readSdkDoor, type SdkDoorSettings, SECTION } from '../settings'
import { SDK_DOOR, SDK_DOOR_FORM, type SdkDoorState, type WantedKey, type WantedSdkDoor } from './form'

interface Rows {
  saved: SdkDoorSettings | null
  keys: readonly FormerKeyRow[]
  /** The projects that have keys of the file, by the hash of the key. */
  taken: ReadonlyMap<string, string>
}

/** The settings for apps on the former SDK: one object. A file that gives it no member has everything off. */
export const sdkDoorSection: Section<WantedSdkDoor, Rows, SdkDoorState, SdkDoorState[]> = {
  key: SDK_DOOR,
  isOneObject: true,
  parse,
  load,
  names: ({ saved }) => new Map(saved ? [[SECTION, SECTION]] : []),
  current: (rows) => (rows.saved ? [{ id: SECTION, name: SECTION, formerName: SECTION, state: savedState(rows) }] : []),
  plan,
  keptSecrets,
  check,
  named: () => ({}),
  view: ({ oldKeys, ...settings }) => ({
    ...settings,
    oldKeys: oldKeys.map(({ id, platform, last4 }) => ({ id: id ?? '(new)', platform, last4 })),
  }),
  rows: ({ pairs }) =>
    pairs.filter((pair) => isChanged(pair, sdkDoorSection.view)).flatMap(({ after }) => (after ? [after] : [])),
  async write(tx, projectId, changes) {
    for (const { oldKeys, ...settings } of changes) {
      const kept = new Set(oldKeys.map(({ id }) => id))
      for (const { id } of await listFormerKeys(tx, projectId))
        if (!kept.has(id)) await deleteFormerKey(tx, projectId, id)
      for (const { newKey, platform } of oldKeys)
        if (newKey !== null) await addOldKey({ tx, projectId, now: tx.clock.now() }, newKey, platform)
      await writeSettings(tx, projectId, settings)
    }
  },
  content: (_saved, { saved, keys }) => {
    const oldKeys = keys.length === 0 ? null : keys.map(exportedKey)
    const content = SDK_DOOR_FORM.write({ ...(saved ?? NO_SDK_DOOR), oldKeys })
    return Object.keys(content).length === 0 ? undefined : content
  },
}

function parse(spot: Parameters<Read<unknown>>[0]): Wanted<WantedSdkDoor>[] | undefined {
  const state = SDK_DOOR_FORM(spot)
  return state === undefined || spot.sketch ? undefined : [{ name: SECTION, was: null, path: spot.path, state }]
}

async function load({ handle, project }: Loading, wanted: readonly Wanted<WantedSdkDoor>[] | null): Promise<Rows> {
  const saved = await findStoreSettings(handle, project.id, SECTION)
  const taken = new Map<string, string>()
  for (const { key } of wanted?.[0]?.state.oldKeys ?? []) {
    const row = key && 'value' in key ? await findFormerKey(handle, sha256Hex(key.value)) : null
    if (row) taken.set(row.keyHash, row.projectId)
  }
  return { saved: saved && readSdkDoor(saved.config), keys: await listFormerKeys(handle, project.id), taken }
}

/** An exported file names a variable in the place of a key. In the same project the id is enough. */
function exportedKey({ id, platform, last4 }: FormerKeyRow): WantedKey {
  const ending = last4.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
  return { id, platform, key: variableFor(`FORMER_SDK_${platform.toUpperCase()}_KEY_${ending}`) }
}

const savedState = ({ saved, keys }: Pick<Rows, 'saved' | 'keys'>): SdkDoorState => ({
  ...(saved ?? NO_SDK_DOOR),
  oldKeys: keys.map(savedKey),
})

const savedKey = ({ id, platform, last4 }: FormerKeyRow) => ({ id, platform, last4, newKey: null })

function plan({ wanted, rows }: Planning<WantedSdkDoor, Rows, SdkDoorState>): Pair<SdkDoorState>[] {
  const [given] = wanted ?? []
  const before = rows.saved && savedState(rows)
  const after = given ? wantedState(given.state, rows) : before
  const isNothing = after && !isChanged({ ...NAMES, formerName: SECTION, before: savedState(rows), after }, viewOf)
  if (after === null || (!before && isNothing)) return []
  return [{ ...NAMES, id: before && SECTION, formerName: before && SECTION, before, after, path: given?.path ?? null }]
}

const NAMES = { id: null, name: SECTION, path: null, isPruned: false } as const
const viewOf = (state: SdkDoorState): unknown => sdkDoorSection.view?.(state)

function wantedState({ oldKeys, ...settings }: WantedSdkDoor, rows: Rows): SdkDoorState {
  if (oldKeys === null) return { ...settings, oldKeys: rows.keys.map(savedKey) }
  const found = oldKeys.map((item) => ({ item, saved: findSaved(item, rows) }))
  const kept = rows.keys.filter((row) => found.some(({ saved }) => saved === row)).map(savedKey)
  const added = found.flatMap(({ item: { platform, key }, saved }) =>
    !saved && key && 'value' in key ? [{ id: null, platform, last4: key.value.slice(-4), newKey: key.value }] : [],
  )
  return { ...settings, oldKeys: [...kept, ...added] }
}

/** The saved key that an item is: by its id, else by the key itself. */
function findSaved({ id, key }: WantedKey, { keys }: Rows): FormerKeyRow | null {
  const hash = key && 'value' in key ? sha256Hex(key.value) : null
  return keys.find((row) => row.id === id) ?? keys.find(({ keyHash }) => keyHash === hash) ?? null
}

/** The keys whose placeholders could not be read, and that are needed: no saved key has the id. */
function keptSecrets(wanted: readonly Wanted<WantedSdkDoor>[], rows: Rows): KeptSecret[] {
  return wanted.flatMap(({ state: { oldKeys } }) =>
    (oldKeys ?? []).flatMap((item, index) => {
      if (!item.key || !('missing' in item.key) || findSaved(item, rows)) return []
      const at = { place: SDK_DOOR.name, kind: SDK_DOOR.kind, ref: SECTION, path: `oldKeys[${index}].key` }
      return [{ ...at, reason: item.key.missing, isSaved: false }]
    }),
  )
}

/** Problems: keys of another project, keys given twice, and ids without a saved key. */
function check({ wanted, rows, isWhole }: Checking<WantedSdkDoor, Rows, SdkDoorState>): Problem[] {
  const [given] = wanted ?? []
  if (!given || !isWhole([...given.path, 'oldKeys'])) return []
  const seen = new Set<string>()
  return (given.state.oldKeys ?? []).flatMap((item, index) => {
    const hash = item.key && 'value' in item.key ? sha256Hex(item.key.value) : null
    const name = findSaved(item, rows)?.id ?? hash
    const fault = name !== null && seen.has(name) ? TWICE : faultOf(item, hash, rows)
    if (name !== null) seen.add(name)
    return fault ? [problem([...given.path, 'oldKeys', index], ...fault)] : []
  })
}

type Fault = [message: string, code?: 'CONFLICT' | 'NOT_FOUND']

const TWICE: Fault = ['This old key is given twice', 'CONFLICT']

function faultOf(item: WantedKey, hash: string | null, rows: Rows): Fault | null {
  const saved = findSaved(item, rows)
  if (saved && saved.platform !== item.platform) return [`The saved key ${saved.id} is one of ${saved.platform}`]
  if (saved) return null
  if (item.key === null && item.id === null) return ['An old key needs its key, or the id of a saved one']
  if (item.key === null) return [`There is no old key ${item.id}`, 'NOT_FOUND']
  return hash !== null && rows.taken.has(hash) ? ['Another project has this key', 'CONFLICT'] : null
}
