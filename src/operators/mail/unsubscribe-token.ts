import type { Mac } from '../../base/lib/mac'
import { hashAddress } from './suppression'

const PURPOSE = 'unsubscribe'

/** Names an address without containing it, and never expires: old mails keep their way out. */
export function unsubscribeToken(mac: Mac, address: string): string {
  const hash = hashAddress(address)
  return `${hash}.${mac.sign(hash, PURPOSE)}`
}

/** The hash of the address that a token names; null when this deployment has not signed it. */
export function readUnsubscribeToken(mac: Mac, token: string): string | null {
  const [, hash, signature] = /^([\da-f]{64})\.([\w-]{43})$/.exec(token) ?? []
  return hash !== undefined && signature !== undefined && mac.isSigned(hash, PURPOSE, signature) ? hash : null
}

/** Null without a public address: then no link can lead here. */
export const unsubscribeUrl = (publicBaseUrl: string | null, mac: Mac, address: string): string | null =>
  publicBaseUrl === null ? null : `${publicBaseUrl}/unsubscribe?token=${unsubscribeToken(mac, address)}`
