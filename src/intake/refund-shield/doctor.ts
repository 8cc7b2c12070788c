import type { Examination } from '../../base/cli/doctor'
import { finding } from '../../core/finding/findings'
import { loadStoreSettings } from '../../projects/connections/credentials'
import { readRefundShield } from './settings'

/** Checks that an enabled refund shield can answer the iOS store. */
export const refundShieldExamination: Examination = {
  name: 'refund-shield',
  async project({ handle, vault }, { id }) {
    const settings = await loadStoreSettings(handle, vault, id)
    const { enabled, customerConsented } = readRefundShield(settings.get('refundShield')?.config ?? {})
    if (!enabled) return {}
    const hasKey = !!settings.get('ios')?.config.inAppPurchaseKey
    return { gaps: [...(customerConsented ? [] : [NO_CONSENT]), ...(hasKey ? [] : [NO_IOS_KEY])] }
  },
}

const NO_CONSENT = finding(
  'SHIELD_NO_CONSENT',
  {},
  'The refund shield answers nothing until your customers agreed; then set stores.refundShield.customerConsented.',
)
const NO_IOS_KEY = finding(
  'SHIELD_NO_KEY',
  {},
  'The refund shield has no key to answer with; save stores.ios.inAppPurchaseKey.',
)
