import type { Examination } from '../../base/cli/doctor'
import type { Config } from '../../base/config'
import { type Finding, finding } from '../../core/finding/findings'
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
): Finding[] {
  if (settings) return settings.secrets === null ? [] : settingsGaps(settings, platform)
  const isSold = [...catalog.products.values()].some(({ isActive, paymentId }) => isActive && paymentId !== null)
  return isSold ? [NO_ACCOUNT] : []
}

function settingsGaps({ config, secrets }: SavedSettings, platform: Config['paymentConnect']): Finding[] {
  const mode = config.mode === 'live' ? 'live' : 'test'
  if (typeof config.accountId === 'string') return platform[mode] ? [] : [noPlatform(mode)]
  const { secretKey, webhookSecret } = secrets ?? {}
  const keyMode = KEY.exec(secretKey ?? '')?.[1] ?? mode
  const gaps: [isThere: boolean, gap: Finding][] = [
    [!secretKey, NO_SECRET_KEY],
    [!webhookSecret, NO_WEBHOOK_SECRET],
    [keyMode !== mode, modesDiffer(keyMode, mode)],
  ]
  return gaps.flatMap(([isThere, gap]) => (isThere ? [gap] : []))
}

const NO_ACCOUNT = finding(
  'NO_PAYMENT_ACCOUNT',
  {},
  'Products have a payment id, but no payment account is set; set stores.payment.',
)

const NO_SECRET_KEY = finding(
  'NO_PAYMENT_SECRET_KEY',
  {},
  'No payment secret key is saved, so nothing is sold on the web; set stores.payment.secretKey.',
)

const NO_WEBHOOK_SECRET = finding(
  'NO_PAYMENT_WEBHOOK_SECRET',
  {},
  'No payment webhook secret is saved, so every event is refused; set stores.payment.webhookSecret.',
)

const modesDiffer = (keyMode: string, mode: string): Finding =>
  finding(
    'PAYMENT_MODES_DIFFER',
    { keyMode, mode },
    `The payment secret key is of ${keyMode} mode, and stores.payment.mode is ${mode}.`,
  )

function noPlatform(mode: string): Finding {
  const [key, secret] = ['KEY', 'WEBHOOK_SECRET'].map((end) => `SVC_PAYMENT_CONNECT_${mode.toUpperCase()}_${end}`)
  return finding('NO_PLATFORM_KEYS', { mode }, `It sells through a connected account; set ${key} and ${secret}.`)
}
