/** Funnels of a project. */
export const MAX_FUNNELS = 200
/** Languages of a funnel. */
export const MAX_LOCALES = 100

const RESERVED = new Set(['manage', '-', '__proto__'])

/** Why a text cannot be the slug of a funnel; null = it can. Some have another meaning in its address (funnels 11). */
export const slugFault = (slug: string): string | null =>
  RESERVED.has(slug) || slug.startsWith('@') ? `must not be ${slug}: that has another meaning in the address` : null
