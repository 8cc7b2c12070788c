import type { Examination } from '../../base/cli/doctor'
import { finding, firstNames, namesText } from '../../core/finding/findings'
import { loadCatalogRows } from '../../projects/catalog/service'
import { findStoreSettings } from '../../projects/project/service'
import { readSdkDoor, SECTION } from './settings'

/** Checks that apps on the former SDK get what they need, while they are answered. */
export const sdkDoorExamination: Examination = {
  name: 'sdk-door',
  async project({ handle }, { id }) {
    const { enabled, testStore } = readSdkDoor((await findStoreSettings(handle, id, SECTION))?.config ?? {})
    if (!enabled) return {}
    const [ios, android] = [await findStoreSettings(handle, id, 'ios'), await findStoreSettings(handle, id, 'android')]
    const gaps = [...(testStore ? [TEST_STORE] : []), ...(ios || android ? [] : [NO_STORE])]
    return { gaps: android ? [...gaps, ...planless((await loadCatalogRows(handle, id)).products)] : gaps }
  },
}

const TEST_STORE = finding(
  'SDK_DOOR_TEST_STORE',
  {},
  'Every app with the public key can buy at the test store; switch it off after your tests: svc sdk-door enable --test-store off.',
)
const NO_STORE = finding(
  'SDK_DOOR_NO_STORE',
  {},
  'Apps on the former SDK are answered, but no store is connected, so their purchases wait on the phones; save stores.ios or stores.android.',
)

const MAX_NAMED = 5

function planless(products: Awaited<ReturnType<typeof loadCatalogRows>>['products']) {
  const names = products
    .filter(
      (one) => one.isActive && one.type === 'SUBSCRIPTION' && one.androidId !== null && one.androidBasePlanId === null,
    )
    .map(({ identifier }) => identifier)
  if (names.length === 0) return []
  const shown = firstNames(names, MAX_NAMED)
  const sentence = `Android apps on the former SDK do not show subscriptions without a base plan: ${namesText(shown)}.`
  return [finding('SDK_DOOR_NO_PLANS', shown, sentence)]
}
