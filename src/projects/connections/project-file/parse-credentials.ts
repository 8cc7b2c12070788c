import { canonicalJson } from '../../../base/lib/hash'
import { type Members, object, type Read, type Spot, text, toJson } from '../../project-file/reader'
import { readSecret, type Sources, type WantedSecret } from '../../project-file/secret'
import {
  type CredentialReason,
  checkIosPrivateKey,
  isIssuerId,
  isKeyId,
  readServiceAccount,
} from '../credential-checks'

interface IosKey {
  keyId: string
  issuerId: string
}

/** The part of an iOS store key that is not secret; its private key is added to `secrets`. */
export function iosKey(
  members: Members,
  name: string,
  sources: Sources,
  secrets: Record<string, WantedSecret>,
): IosKey | null {
  const key = object((parts) => ({
    keyId: parts.required('keyId', credential('ios', 'keyId', isKeyId, 'A key id has ten letters or digits'), ''),
    issuerId: parts.required('issuerId', credential('ios', 'issuerId', isIssuerId, 'An issuer id is a UUID'), ''),
    privateKey: parts.required('privateKey', iosPrivateKey(sources), { missing: '' }),
  }))
  const found = members.optional<ReturnType<typeof key> | null>(name, key, null)
  if (!found) return null
  secrets[`${name}.privateKey`] = found.privateKey
  return { keyId: found.keyId, issuerId: found.issuerId }
}

const credential =
  (store: 'ios' | 'android', field: string, isGood: (value: string) => boolean, complaint: string): Read<string> =>
  (spot) => {
    const value = text(255)(spot)
    if (value === undefined || isGood(value)) return value
    return refuseCredential(spot, store, field, 'unreadable', complaint)
  }

const refuseCredential = (
  spot: Spot,
  store: 'ios' | 'android',
  field: string,
  reason: CredentialReason,
  message: string,
): undefined => spot.fail(message, 'STORE_CREDENTIALS_INVALID', { store, field, reason })

const iosPrivateKey =
  (sources: Sources): Read<WantedSecret> =>
  (spot) => {
    const secret = readSecret(spot, sources)
    const reason = secret && 'value' in secret ? checkIosPrivateKey(secret.value) : null
    if (reason === null) return secret
    return refuseCredential(spot, 'ios', 'privateKey', reason, 'This must be an EC P-256 key as PKCS#8 PEM')
  }

/** JSON text, or the document as a mapping. `clientEmail` is read from the document; null without a document. */
export const serviceAccount =
  (sources: Sources): Read<{ clientEmail: string | null; secret: WantedSecret }> =>
  (spot) => {
    if (spot.draws(() => ({ anyOf: [{ type: 'string', minLength: 1 }, { type: 'object' }] }))) return undefined
    const secret = spot.node.kind === 'map' ? { value: JSON.stringify(toJson(spot.node)) } : readSecret(spot, sources)
    if (secret === undefined || 'missing' in secret) return secret && { clientEmail: null, secret }
    const account = readServiceAccount(secret.value)
    if (typeof account !== 'string')
      return { clientEmail: account.clientEmail, secret: { value: canonicalJson(account.document) } }
    return refuseCredential(spot, 'android', 'serviceAccount', account, SERVICE_ACCOUNT)
  }

const SERVICE_ACCOUNT = 'This must be the JSON of a service account with client_email and private_key (RSA, PKCS#8 PEM)'

export const apiSecret =
  (sources: Sources): Read<WantedSecret> =>
  (spot) => {
    const secret = readSecret(spot, sources)
    if (!secret || 'missing' in secret || /^[\x21-\x7e]{1,500}$/.test(secret.value)) return secret
    return spot.fail('This secret must be 1 to 500 visible characters without spaces')
  }
