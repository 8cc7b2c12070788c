import type { Examination } from '../../base/cli/doctor'
import type { Config } from '../../base/config'
import { loadCatalogSnapshot } from '../../projects/catalog/service'
import type { CatalogSnapshot } from '../../projects/catalog/snapshot'
import { loadStoreSettings, type SavedSettings } from '../../projects/connections/credentials'

/** Whether products can be sold on the web. */
export const checkoutExamination: Examination = {
  name: 'checkout',
  async project({ handle, vault, config }, { id }) {
    const settings = await loadStoreSettings(handle, vault, id)
    const catalog = await loadCatalogSnapshot(handle, id)
    return { gaps: paymentGaps(settings.get('payment'), catalog, config.paymentConnect) }
  },
}

/** Keys of the provider contain their mode. A key without a mode is not checked. */
const KEY = /^[a-z]+_(test|live)_/

/** The reasons why a project cannot sell through the payment provider, one sentence each. */
function paymentGaps(
  settings: SavedSettings | undefined,
  catalog: CatalogSnapshot,
  platform: Config['paymentConnect'],
): string[] {
  if (settings) return settings.secrets === null ? [] : settingsGaps(settings, platform)
  const isSold = [...catalog.products.values()].some(({ isActive, paymentId }) => isActive && paymentId !== null)
  return isSold ? ['Products have a payment id, but no payment account is set; set stores.payment.'] : []
}

function settingsGaps({ config, secrets }: SavedSettings, platform: Config['paymentConnect']): string[] {
  const mode = config.mode === 'live' ? 'live' : 'test'
  if (typeof config.accountId === 'string') return platform[mode] ? [] : [PLATFORM.replaceAll('*', mode.toUpperCase())]
  const { secretKey, webhookSecret } = secrets ?? {}
  const keyMode = KEY.exec(secretKey ?? '')?.[1] ?? mode
  const gaps: [isThere: boolean, sentence: string][] = [
    [!secretKey, 'No payment secret key is saved, so nothing is sold on the web; set stores.payment.secretKey.'],
    [
      !webhookSecret,
      'No payment webhook secret is saved, so every event is refused; set stores.payment.webhookSecret.',
    ],
    [keyMode !== mode, `The payment secret key is of ${keyMode} mode, and stores.payment.mode is ${mode}.`],
  ]
  return gaps.flatMap(([isThere, sentence]) => (isThere ? [sentence] : []))
}

const PLATFORM =
  'It sells through a connected account; set SVC_PAYMENT_CONNECT_*_KEY and SVC_PAYMENT_CONNECT_*_WEBHOOK_SECRET.'
