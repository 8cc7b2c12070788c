import type { Schemas } from '../../../api/schemas'
import type { Credentials } from './model'

export interface KeyDraft {
  keyId: string
  issuerId: string
  /** Empty: the saved key with the same id stays. */
  privateKey: string
}

export interface IosDraft {
  bundleId: string
  appId: string
  inAppPurchaseKey: KeyDraft
  storeConnectKey: KeyDraft
}

const keyOf = (saved: Credentials['ios']['storeConnectKey']): KeyDraft => ({
  ...{ keyId: saved?.keyId ?? '', issuerId: saved?.issuerId ?? '', privateKey: '' },
})

export const draftOf = ({ bundleId, appId, inAppPurchaseKey, storeConnectKey }: Credentials['ios']): IosDraft => ({
  bundleId: bundleId ?? '',
  appId: appId ?? '',
  inAppPurchaseKey: keyOf(inAppPurchaseKey),
  storeConnectKey: keyOf(storeConnectKey),
})

/** Keys of which nothing is given are left out, which removes them. */
export function bodyOf({
  bundleId,
  appId,
  inAppPurchaseKey,
  storeConnectKey,
}: IosDraft): Schemas['IosCredentialsInput'] {
  return {
    bundleId: bundleId.trim(),
    ...(appId.trim() !== '' && { appId: appId.trim() }),
    ...(isGiven(inAppPurchaseKey) && { inAppPurchaseKey: keyBody(inAppPurchaseKey) }),
    ...(isGiven(storeConnectKey) && { storeConnectKey: keyBody(storeConnectKey) }),
  }
}

const isGiven = ({ keyId, issuerId, privateKey }: KeyDraft): boolean => `${keyId}${issuerId}${privateKey}`.trim() !== ''

const keyBody = ({ keyId, issuerId, privateKey }: KeyDraft): Schemas['IosKeyInput'] => ({
  keyId: keyId.trim(),
  issuerId: issuerId.trim(),
  ...(privateKey.trim() !== '' && { privateKey }),
})

/** `AuthKey_ABC123DEFG.p8` and `SubscriptionKey_ABC123DEFG.p8` have the id in their names. */
export const keyIdIn = (fileName: string): string | null => /_([A-Z0-9]{10})\.p8$/i.exec(fileName)?.[1] ?? null
