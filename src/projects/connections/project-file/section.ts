import { withoutEmpty } from '../../../core/project-file/content'
import { refuseLocked } from '../../credential-lock/lock'
import type { Wanted } from '../../project-file/model'
import { isChanged } from '../../project-file/pair'
import { object } from '../../project-file/reader'
import type { Section, Writing } from '../../project-file/section'
import {
  loadStoreSettings,
  type NewSettings,
  removeStoreSettings,
  STORE_SECTIONS,
  type StoreSection,
  saveStoreSettings,
} from '../credentials'
import { STORE_FORMS } from './forms'
import { readConfig, STORES, type StoreState, storeView, type WantedStore } from './model'
import { checkForwards, checkStores, keptSecrets, planStores, type StoreRows, savedState } from './plan'

/** A change of one section of the settings; `settings` null = the section is removed. */
interface Change {
  section: StoreSection
  settings: NewSettings | null
}

/** The settings of a project's stores. A diff shows a word in place of each secret; an export names a variable. */
export const storeSection: Section<WantedStore, StoreRows, StoreState, Change[]> = {
  key: STORES,
  comesLast: true,
  parse: (spot) =>
    object((members) =>
      STORE_SECTIONS.flatMap((name): Wanted<WantedStore>[] => {
        const state = members.optional<WantedStore | null>(name, STORE_FORMS[name].read, null)
        return state === null ? [] : [{ name, was: null, path: [...spot.path, name], state }]
      }),
    )(spot),
  load: async ({ handle, vault, project }) => ({
    saved: await loadStoreSettings(handle, vault, project.id),
    hasVault: vault !== null,
    config: handle.config,
  }),
  names: () => new Map(),
  current: ({ saved }) =>
    [...saved].map(([section, settings]) => ({
      id: section,
      name: section,
      formerName: section,
      state: savedState(section, settings, Object.keys(settings.secrets ?? {})),
    })),
  plan: planStores,
  keptSecrets,
  check: ({ wanted, rows }) => [...checkStores(wanted ?? [], rows), ...checkForwards(wanted ?? [], rows)],
  named: () => ({}),
  view: storeView,
  rows: rowsOf,
  async write(tx, projectId, changes) {
    // A change of the Android connection that is running relies on the present credentials.
    if (changes.some(({ section }) => section === 'android')) await refuseLocked(tx, projectId)
    for (const { section, settings } of changes)
      if (settings === null) await removeStoreSettings(tx, projectId, section)
      else await saveStoreSettings(tx, projectId, section, settings)
  },
  content: (_saved, { saved }) => {
    const found = STORE_SECTIONS.flatMap((section) => {
      const settings = saved.get(section)
      return settings ? [[section, withoutEmpty(STORE_FORMS[section].write(readConfig(section, settings.config)))]] : []
    })
    return found.length === 0 ? undefined : Object.fromEntries(found)
  },
}

function rowsOf({ pairs, rows }: Writing<StoreRows, StoreState>): Change[] {
  const changedPairs = pairs.filter((pair) => isChanged(pair, storeView))
  return changedPairs.map(({ name, after }) => {
    const section = name as StoreSection // `planStores` names each pair by its section.
    if (after === null) return { section, settings: null }
    const config = { ...rows.saved.get(section)?.config, ...after.config }
    return { section, settings: { config, secrets: after.secrets } }
  })
}
