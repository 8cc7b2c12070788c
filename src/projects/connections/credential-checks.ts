import { createPrivateKey, type KeyObject } from 'node:crypto'
import { parseObject } from '../../base/lib/json'

/** Why a credential cannot be used; the reasons of `STORE_CREDENTIALS_INVALID`. */
export type CredentialReason = 'missing' | 'unreadable' | 'wrong_key_type'

/** A key id of the iOS store has ten letters or digits. */
export const isKeyId = (text: string): boolean => /^[A-Za-z0-9]{10}$/.test(text)

export const isIssuerId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** What is wrong with the iOS store's private key (PKCS#8 PEM of an EC P-256 key), or null. */
export function checkIosPrivateKey(pem: string): CredentialReason | null {
  const key = readPkcs8(pem)
  if (key === null) return 'unreadable'
  const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  return isP256 ? null : 'wrong_key_type'
}

export interface ServiceAccount {
  clientEmail: string
  /** The parsed JSON document of the service account. */
  document: Record<string, unknown>
}

/** Reads the service account of the Android store from its JSON text, or gives the reason why it cannot be used. */
export function readServiceAccount(text: string): ServiceAccount | CredentialReason {
  const document = parseObject(text)
  if (document === null) return 'unreadable'
  const { client_email: clientEmail, private_key: privateKey } = document
  if (typeof clientEmail !== 'string' || clientEmail === '' || typeof privateKey !== 'string') return 'missing'
  const key = readPkcs8(privateKey)
  if (key === null) return 'unreadable'
  return key.asymmetricKeyType === 'rsa' ? { clientEmail, document } : 'wrong_key_type'
}

function readPkcs8(pem: string): KeyObject | null {
  if (!/^\s*-----BEGIN PRIVATE KEY-----\s/.test(pem)) return null
  try {
    return createPrivateKey({ key: pem, format: 'pem' })
  } catch {
    return null // The PEM text does not contain a key.
  }
}

export const MAX_FORWARDS = 5
