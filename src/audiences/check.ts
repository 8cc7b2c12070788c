const MAX_NAME_CHARACTERS = 255

/** Why a name cannot be an audience's, as the end of a sentence, or null. */
export function nameTrouble(name: string): string | null {
  if (name.trim() === '' || name.length > MAX_NAME_CHARACTERS)
    return `must be a text of 1 to ${MAX_NAME_CHARACTERS} characters`
  if (/\p{Cc}/u.test(name)) return 'must not contain line breaks or other control characters'
  // It would vanish from maps by name.
  return name === '__proto__' ? 'must not be __proto__' : null
}

/** What names an audience: it cannot be deleted as long as that does. */
export type AudienceReference =
  | { kind: 'flag'; key: string; env: string }
  | { kind: 'experiment'; key: string }
  | { kind: 'placement'; identifier: string }

/** Everything that may name audiences, by whatever it calls them. */
export interface AudienceUsers {
  flags: readonly { key: string; env: string; audiences: readonly (string | null)[] }[]
  experiments: readonly { key: string; audience: string | null }[]
  placements: readonly { identifier: string; audiences: readonly (string | null)[] }[]
}

/** Who names the audience; anybody there = 409 `audience_in_use`. */
export const referencesTo = (
  audience: string,
  { flags, experiments, placements }: AudienceUsers,
): AudienceReference[] => [
  ...flags
    .filter(({ audiences }) => audiences.includes(audience))
    .map(({ key, env }) => ({ kind: 'flag' as const, key, env })),
  ...experiments.filter((user) => user.audience === audience).map(({ key }) => ({ kind: 'experiment' as const, key })),
  ...placements
    .filter(({ audiences }) => audiences.includes(audience))
    .map(({ identifier }) => ({ kind: 'placement' as const, identifier })),
]

/** The sentence of the 409 `CONFLICT` that answers any change of the default audience. */
export const DEFAULT_FIXED = 'All users is the audience of everybody; it cannot be changed, renamed or deleted'
