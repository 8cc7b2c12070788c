import type { Examination } from '../../base/cli/doctor'
import { loadStoreSettings, type SavedSettings, type StoreSection } from './credentials'

/** Checks that the store credentials can be decrypted, and that the iOS bundle id and app id are set. */
export const connectionExamination: Examination = {
  name: 'connections',
  async project({ handle, vault }, { id }) {
    const settings = await loadStoreSettings(handle, vault, id)
    return { faults: sealedSections(settings).map((section) => SEALED.replace('*', section)), gaps: iosGaps(settings) }
  },
}

type Settings = ReadonlyMap<StoreSection, SavedSettings>

const SEALED = 'The * credentials do not open; bring back the master key of before, or save them again.'

const sealedSections = (settings: Settings): StoreSection[] =>
  [...settings].flatMap(([section, { secrets }]) => (secrets === null ? [section] : []))

function iosGaps(settings: Settings): string[] {
  const { bundleId, appId } = settings.get('ios')?.config ?? {}
  if (!bundleId) return ['No iOS bundle id is set, so receipts from iOS are refused; set stores.ios.bundleId.']
  return appId ? [] : ['No iOS app id is set, so production notifications must wait; set stores.ios.appId.']
}
