import { canonicalJson, sha256Hex } from '../../../base/lib/hash'
import type { IntentBase } from '../tables'

/** What a person approves: SHA-256 over the canonical JSON (RFC 8785) of action, arguments and base. */
export const digestOf = (what: { action: string; arguments: object; base: readonly IntentBase[] }): string =>
  sha256Hex(canonicalJson({ action: what.action, arguments: what.arguments, base: what.base }))
