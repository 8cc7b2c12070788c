import type { Examination } from '../../base/cli/doctor'
import type { Handle } from '../../base/db/handle'
import { type Finding, finding } from '../../core/finding/findings'
import { loadStoreSettings, type SavedSettings, type StoreSection } from './credentials'
import { hasRefusedOrders } from './order-permission'

/**
 * Checks that the store credentials can be decrypted, that the iOS bundle id and app id are set, and that Google shows
 * orders to the service account.
 */
export const connectionExamination: Examination = {
  name: 'connections',
  async project({ handle, vault }, { id }) {
    const settings = await loadStoreSettings(handle, vault, id)
    return {
      faults: sealedSections(settings).map(sealed),
      gaps: [...iosGaps(settings), ...(await orderGaps(handle, id, settings))],
    }
  },
}

type Settings = ReadonlyMap<StoreSection, SavedSettings>

const sealed = (section: StoreSection): Finding =>
  finding(
    'CREDENTIALS_SEALED',
    { section },
    `The ${section} credentials do not open; bring back the master key of before, or save them again.`,
  )

const sealedSections = (settings: Settings): StoreSection[] =>
  [...settings].flatMap(([section, { secrets }]) => (secrets === null ? [section] : []))

async function orderGaps(handle: Handle, projectId: string, settings: Settings): Promise<Finding[]> {
  return settings.has('android') && (await hasRefusedOrders(handle, projectId)) ? [NO_ORDERS] : []
}

const NO_ORDERS = finding(
  'NO_ANDROID_ORDERS',
  {},
  'Google Play does not show orders to the service account, so one-time purchases and prorations have no money; ' +
    'give it the right to see financial data in the Play Console.',
)

function iosGaps(settings: Settings): Finding[] {
  const { bundleId, appId } = settings.get('ios')?.config ?? {}
  if (!bundleId) return [NO_BUNDLE_ID]
  return appId ? [] : [NO_APP_ID]
}

const NO_BUNDLE_ID = finding(
  'NO_IOS_BUNDLE_ID',
  {},
  'No iOS bundle id is set, so receipts from iOS are refused; set stores.ios.bundleId.',
)
const NO_APP_ID = finding(
  'NO_IOS_APP_ID',
  {},
  'No iOS app id is set, so production notifications must wait; set stores.ios.appId.',
)
