import { createPrivateKey, type KeyObject } from 'node:crypto'
import { parseJson } from '../../base/lib/json'

/** The Android store's service account, and the private key that it signs with. */
export interface ServiceAccount {
  clientEmail: string
  privateKey: KeyObject
  /** Id of the key at Google; null when the file does not name one. */
  keyId: string | null
}

/** Why the key file cannot be used; `field` names the member. The reasons are those of `STORE_CREDENTIALS_INVALID`. */
export interface AccountRefusal {
  ok: false
  field: 'serviceAccount' | 'client_email' | 'private_key' | 'token_uri'
  reason: 'missing' | 'unreadable' | 'wrong_key_type'
}

export type AccountResult = { ok: true; account: ServiceAccount } | AccountRefusal

/** A key file has about 2.4 kB. */
const MAX_CHARS = 32 * 1024
const MIN_RSA_BITS = 2048

/**
 * Reads a service account's key file, as its JSON text or already parsed. Its `token_uri` must be a valid address, but
 * assertions are not sent there. Their address is a setting of the deployment, so that no uploaded file can redirect
 * requests.
 */
export function readServiceAccount(input: unknown): AccountResult {
  const file = typeof input === 'string' ? readJson(input) : input
  if (!isRecord(file)) return refuse('serviceAccount', 'unreadable')
  const { client_email: clientEmail, private_key: pem, private_key_id: keyId, token_uri: tokenUri } = file
  if (!isFilled(clientEmail)) return refuse('client_email', 'missing')
  if (!/^[^\s@]{1,128}@[^\s@]{1,192}$/.test(clientEmail)) return refuse('client_email', 'unreadable')
  if (!isFilled(pem)) return refuse('private_key', 'missing')
  if (tokenUri !== undefined && !isAddress(tokenUri)) return refuse('token_uri', 'unreadable')
  const key = readKey(pem)
  if (typeof key === 'string') return refuse('private_key', key)
  return { ok: true, account: { clientEmail, privateKey: key, keyId: isFilled(keyId) ? keyId : null } }
}

/** An RSA key in PKCS#8 PEM, or the reason why it cannot be used. */
function readKey(pem: string): KeyObject | 'unreadable' | 'wrong_key_type' {
  const key = readPkcs8(pem)
  if (!key) return 'unreadable'
  const isStrongRsa = key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS
  return isStrongRsa ? key : 'wrong_key_type'
}

function readPkcs8(pem: string): KeyObject | null {
  if (pem.length > MAX_CHARS || !/^\s*-----BEGIN PRIVATE KEY-----\s/.test(pem)) return null
  try {
    return createPrivateKey({ key: pem, format: 'pem' })
  } catch {
    return null // The bytes between the PEM lines are not a key.
  }
}

const readJson = (text: string): unknown => (text.length > MAX_CHARS ? null : parseJson(text))

const isAddress = (value: unknown): boolean =>
  typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const refuse = (field: AccountRefusal['field'], reason: AccountRefusal['reason']): AccountRefusal => ({
  ok: false,
  field,
  reason,
})
