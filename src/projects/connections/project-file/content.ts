import { type Content, withoutEmpty } from '../../project-file/content'
import { SecretVariable } from '../../project-file/placeholders'
import type { SavedSettings, StoreSection } from '../credentials'
import { readConfig } from './config'

/** The content of a saved section in an exported file. */
export const storeContent = (section: StoreSection, { config }: SavedSettings): Content =>
  withoutEmpty(CONTENTS[section](readConfig(section, config)))

/** Secrets are never exported: the file names an environment variable in place of each. */
const CONTENTS: Record<StoreSection, (config: Content) => Content> = {
  ios: ({ bundleId, appId, inAppPurchaseKey, storeConnectKey, notificationForwards }) => ({
    bundleId,
    appId,
    inAppPurchaseKey: iosKeyContent(inAppPurchaseKey, 'IOS_IN_APP_PURCHASE_KEY'),
    storeConnectKey: iosKeyContent(storeConnectKey, 'IOS_STORE_CONNECT_KEY'),
    notificationForwards,
  }),
  android: ({ packageName, notificationForwards }) => ({
    packageName,
    serviceAccount: placeholder('ANDROID_SERVICE_ACCOUNT'),
    notificationForwards,
  }),
  payment: ({ mode, accountId, notificationForwards }) => ({
    mode,
    ...(accountId === null
      ? { secretKey: placeholder('PAYMENT_SECRET_KEY'), webhookSecret: placeholder('PAYMENT_WEBHOOK_SECRET') }
      : { accountId }),
    notificationForwards,
  }),
  refundShield: (config) => config,
  commissionRates: (config) => config,
}

const placeholder = (variable: string): SecretVariable => new SecretVariable(variable)

function iosKeyContent(key: unknown, variable: string): Content | null {
  if (typeof key !== 'object' || key === null) return null
  const { keyId, issuerId } = key as Content
  return { keyId, issuerId, privateKey: placeholder(variable) }
}
