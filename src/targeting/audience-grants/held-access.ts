import type { AccessMap } from '../../people/subscribers/access-map'

/** What a grant gives: the identifiers of accesses, and the end; null = never. */
export interface Given {
  access: readonly string[]
  expiresAt: number | null
}

/** Whether somebody has all that a grant gives, for at least as long, so that their access stays as it is. */
export const holdsAsLong = (held: AccessMap, { access, expiresAt }: Given): boolean =>
  access.every((name) => Object.hasOwn(held, name) && lastsAsLong(held[name]?.expiresDate ?? null, expiresAt))

const lastsAsLong = (end: string | null, expiresAt: number | null): boolean =>
  end === null || (expiresAt !== null && Date.parse(end) >= expiresAt)
