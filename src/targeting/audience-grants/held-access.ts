import type { AccessMap } from '../../people/subscribers/access-map'

/** What a grant gives: the identifiers of accesses, and the end; null = never. */
export interface Given {
  access: readonly string[]
  expiresAt: number | null
}

/** Whether a person already has all access of a grant, for at least as long. */
export const holdsAsLong = (held: AccessMap, { access, expiresAt }: Given): boolean =>
  access.every((name) => Object.hasOwn(held, name) && lastsAsLong(held[name]?.expiresDate ?? null, expiresAt))

const lastsAsLong = (end: string | null, expiresAt: number | null): boolean =>
  end === null || (expiresAt !== null && Date.parse(end) >= expiresAt)
