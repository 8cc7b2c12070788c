import { sha256Hex } from '../../../base/lib/hash'

/** A UUID in the form of version 4 that is the same at each attempt, for providers that remove duplicates by it. */
export function uuidOf(id: string): string {
  const hex = sha256Hex(`svc event ${id}`)
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
