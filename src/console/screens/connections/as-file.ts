import type { FileDraft } from '../../lib/file-draft'
import type { IosDraft, KeyDraft } from './stores/ios-draft'
import type { Credentials } from './stores/model'
import type { Draft } from './webhooks/model'

type SavedKey = Credentials['ios']['storeConnectKey']

/** In place of a secret, which is never in a file. */
const variable = (name: string): string => `\${env:${name}}`

/** Only a new value for the header needs a member for it; the file has one as soon as the endpoint has a header. */
export const endpointAsFile = (draft: Draft): FileDraft => ({
  name: draft.name,
  members: {
    url: draft.url,
    eventTypes: draft.eventTypes,
    environments: draft.environments.length === 2 ? null : draft.environments,
    ordered: draft.ordered ? true : null,
    format: draft.format === 'standard' ? null : draft.format,
    authorization: draft.authorization === '' ? undefined : variable(authorizationOf(draft.name)),
    isEnabled: undefined,
  },
})

const authorizationOf = (name: string): string =>
  `WEBHOOK_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_AUTHORIZATION`

export const iosAsFile = (draft: IosDraft, saved: Credentials['ios']): FileDraft => ({
  members: {
    bundleId: draft.bundleId.trim(),
    appId: draft.appId.trim() === '' ? null : draft.appId.trim(),
    inAppPurchaseKey: iosKeyAsFile(draft.inAppPurchaseKey, saved.inAppPurchaseKey, 'IOS_IN_APP_PURCHASE_KEY'),
    storeConnectKey: iosKeyAsFile(draft.storeConnectKey, saved.storeConnectKey, 'IOS_STORE_CONNECT_KEY'),
    notificationForwards: undefined,
  },
})

/** A key of which nothing is changed stays in the file as it is. */
function iosKeyAsFile({ keyId, issuerId, privateKey }: KeyDraft, saved: SavedKey, name: string): unknown {
  if (`${keyId}${issuerId}${privateKey}`.trim() === '') return null
  if (privateKey === '' && keyId === saved?.keyId && issuerId === saved.issuerId) return undefined
  return { keyId: keyId.trim(), issuerId: issuerId.trim(), privateKey: variable(name) }
}

export const androidAsFile = (packageName: string, isKept: boolean): FileDraft => ({
  members: {
    packageName: packageName.trim(),
    serviceAccount: isKept ? undefined : variable('ANDROID_SERVICE_ACCOUNT'),
    notificationForwards: undefined,
  },
})

interface PaymentDraft {
  mode: string
  secretKey: string
  webhookSecret: string
  publishableKey: string
}

export const paymentAsFile = ({ mode, publishableKey, ...secrets }: PaymentDraft, isSaved: boolean): FileDraft => ({
  members: {
    mode,
    accountId: null,
    secretKey: isSaved && secrets.secretKey === '' ? undefined : variable('PAYMENT_SECRET_KEY'),
    webhookSecret: isSaved && secrets.webhookSecret === '' ? undefined : variable('PAYMENT_WEBHOOK_SECRET'),
    publishableKey: publishableKey === '' ? undefined : publishableKey,
    notificationForwards: undefined,
  },
})
