import { sha256Hex } from '../../base/lib/hash'
import type { HashedSignals } from './provider'

/** Plaintext signals of a person; absent, null and empty ones are not known. */
export type PlainSignals = { readonly [Name in keyof HashedSignals]?: string | null | undefined }

const lowered = (text: string): string => text.trim().toLowerCase()

/** How each signal is written before it is hashed (wire 5.10). */
const NORMAL: { readonly [Name in keyof HashedSignals]: (text: string) => string } = {
  email: lowered,
  phone: (text) => text.replace(/\D/g, ''),
  externalId: (text) => text.trim(),
  firstName: lowered,
  lastName: lowered,
  city: lowered,
  country: lowered,
}

function hashed(name: keyof HashedSignals, text: string | null | undefined): string | null {
  const normal = NORMAL[name](text ?? '')
  return normal === '' ? null : sha256Hex(normal)
}

/** The signals as SHA-256 hex. Empty values give null; a hash of an empty text would match no one. */
export const hashSignals = (plain: PlainSignals): HashedSignals => ({
  email: hashed('email', plain.email),
  phone: hashed('phone', plain.phone),
  externalId: hashed('externalId', plain.externalId),
  firstName: hashed('firstName', plain.firstName),
  lastName: hashed('lastName', plain.lastName),
  city: hashed('city', plain.city),
  country: hashed('country', plain.country),
})
