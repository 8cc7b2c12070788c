import type { FileDraft } from '../../lib/file-draft'
import type { IosDraft, KeyDraft } from './stores/ios-draft'
import type { Draft } from './webhooks/model'

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

export const iosAsFile = ({ bundleId, appId, inAppPurchaseKey, storeConnectKey }: IosDraft): FileDraft => ({
  members: {
    bundleId: bundleId.trim(),
    appId: appId.trim() === '' ? null : appId.trim(),
    inAppPurchaseKey: iosKeyAsFile(inAppPurchaseKey, 'IOS_IN_APP_PURCHASE_KEY'),
    storeConnectKey: iosKeyAsFile(storeConnectKey, 'IOS_STORE_CONNECT_KEY'),
    notificationForwards: undefined,
  },
})

/** The form does not have the issuer of a saved key. */
function iosKeyAsFile({ keyId, issuerId, privateKey }: KeyDraft, name: string): unknown {
  if (`${keyId}${issuerId}${privateKey}`.trim() === '') return null
  if (issuerId.trim() === '') return undefined
  return { keyId: keyId.trim(), issuerId: issuerId.trim(), privateKey: variable(name) }
}

export const androidAsFile = (packageName: string): FileDraft => ({
  members: {
    packageName: packageName.trim(),
    serviceAccount: variable('ANDROID_SERVICE_ACCOUNT'),
    notificationForwards: undefined,
  },
})

export const paymentAsFile = (mode: string): FileDraft => ({
  members: {
    mode,
    accountId: null,
    secretKey: variable('PAYMENT_SECRET_KEY'),
    webhookSecret: variable('PAYMENT_WEBHOOK_SECRET'),
    notificationForwards: undefined,
  },
})
