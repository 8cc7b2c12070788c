import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * Signs texts that this deployment sends out and later gets back: HMAC-SHA256 with a separate key for each purpose (RFC
 * 5869).
 */
export interface Mac {
  sign(text: string, purpose: string): string
  isSigned(text: string, purpose: string, signature: string): boolean
}

export function createMac(master: Uint8Array): Mac {
  const keys = new Map<string, Buffer>()
  const keyOf = (purpose: string): Buffer => {
    const key = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', master, '', `svc ${purpose}`, 32))
    keys.set(purpose, key)
    return key
  }
  const digest = (text: string, purpose: string) => createHmac('sha256', keyOf(purpose)).update(text).digest()
  return {
    sign: (text, purpose) => digest(text, purpose).toString('base64url'),
    isSigned(text, purpose, signature) {
      const given = Buffer.from(signature, 'base64url')
      const right = digest(text, purpose)
      return given.length === right.length && timingSafeEqual(given, right)
    },
  }
}
