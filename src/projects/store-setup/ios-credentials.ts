import type { Context } from '../../base/context'
import { requireVault } from '../../base/errors'
import type { ConnectKey } from '../../stores/ios/connect-token'
import { checkIosPrivateKey, isIssuerId, isKeyId } from '../connections/credential-checks'
import type { SavedSettings } from '../connections/credentials'
import { refuseFaults } from '../project/edit'
import { credentialsFault } from './body'
import { findSettings, type StoreEdit, saveStore } from './edit-store'
import { savedKey } from './ios-clients'
import { probeIosKeys, refusedKey } from './ios-probe'
import type { IosCredentialsBody, IosKeyBody } from './ios-wire'

const KEY_NAMES = ['inAppPurchaseKey', 'storeConnectKey'] as const
type KeyName = (typeof KEY_NAMES)[number]

/**
 * Saves the app and the keys of the iOS store as a whole: what is left out is removed. The keys are first tried at the
 * store, unless `isProbed` is false. Nothing is saved when one of them is refused. Returns the keys that were tried.
 */
export async function saveIosCredentials(
  ctx: Context,
  edit: StoreEdit,
  input: IosCredentialsBody,
  isProbed: boolean,
): Promise<KeyName[]> {
  requireVault(ctx)
  const saved = await findSettings(ctx, edit.by.projectId, 'ios')
  const inAppPurchaseKey = checkedKey('inAppPurchaseKey', input.inAppPurchaseKey, saved)
  const storeConnectKey = checkedKey('storeConnectKey', input.storeConnectKey, saved)
  const { bundleId } = input
  const found = isProbed ? await probeIosKeys(ctx, { bundleId, inAppPurchaseKey, storeConnectKey }) : null
  const { appId = found } = input
  if (found !== null && appId !== null && appId !== found)
    throw refusedKey('appId', 'app_not_found', 'The app of this bundle id has another id at the store')
  const keys = { inAppPurchaseKey, storeConnectKey }
  await saveStore(ctx, edit, 'ios', {
    config: { bundleId, appId: appId ?? found, ...namesOf(keys) },
    secrets: secretsOf(keys),
  })
  return isProbed ? KEY_NAMES.filter((name) => keys[name] !== null) : []
}

/** A given key in a form that can be tried, or the saved key with the same id. */
function checkedKey(name: KeyName, given: IosKeyBody | undefined, saved: SavedSettings | null): ConnectKey | null {
  if (!given) return null
  const { keyId, issuerId } = given
  if (!isKeyId(keyId)) throw refusedKey(`${name}.keyId`, 'unreadable', 'A key id has ten letters or digits')
  if (!isIssuerId(issuerId)) throw refusedKey(`${name}.issuerId`, 'unreadable', 'An issuer id is a UUID')
  const privateKey = given.privateKey ?? keptKey(name, keyId, saved)
  const reason = checkIosPrivateKey(privateKey)
  if (reason !== null) throw refusedKey(`${name}.privateKey`, reason, 'This must be an EC P-256 key as PKCS#8 PEM')
  return { keyId, issuerId, privateKey }
}

function keptKey(name: KeyName, keyId: string, saved: SavedSettings | null): string {
  const kept = savedKey(saved, name)
  if (kept?.keyId === keyId) return kept.privateKey
  refuseFaults([credentialsFault(`${name}.privateKey`, 'Give the private key: no key with this id is saved')])
  return ''
}

type Keys = Readonly<Record<KeyName, ConnectKey | null>>

/** What is saved of the keys in the clear. */
const namesOf = (keys: Keys): Record<string, unknown> =>
  Object.fromEntries(
    KEY_NAMES.map((name) => {
      const key = keys[name]
      return [name, key && { keyId: key.keyId, issuerId: key.issuerId }]
    }),
  )

const secretsOf = (keys: Keys): Record<string, string> =>
  Object.fromEntries(
    KEY_NAMES.flatMap((name) => {
      const key = keys[name]
      return key ? [[`${name}.privateKey`, key.privateKey]] : []
    }),
  )
