const MAX_NAME_CHARACTERS = 255

/** Why a name cannot be an audience's, as the end of a sentence, or null. */
export function nameTrouble(name: string): string | null {
  if (name.trim() === '' || name.length > MAX_NAME_CHARACTERS)
    return `must be a text of 1 to ${MAX_NAME_CHARACTERS} characters`
  if (/\p{Cc}/u.test(name)) return 'must not contain line breaks or other control characters'
  // It would vanish from maps by name.
  return name === '__proto__' ? 'must not be __proto__' : null
}

/** What names an audience: it cannot be deleted as long as that does. A flag is called `new_checkout (PROD)`. */
export interface AudienceReference {
  type: 'flag' | 'experiment' | 'placement'
  id: string
  name: string
}

/** Something that may name audiences, by whatever it calls them: ids or names. */
export interface AudienceUser extends AudienceReference {
  audiences: readonly (string | null | undefined)[]
}

/** Who names the audience; anybody there = 409 `audience_in_use`. */
export const referencesTo = (audience: string, users: readonly AudienceUser[]): AudienceReference[] =>
  users.filter(({ audiences }) => audiences.includes(audience)).map(({ type, id, name }) => ({ type, id, name }))

/** The sentence of the 409 `CONFLICT` that answers any change of the default audience. */
export const DEFAULT_FIXED = 'All users is the audience of everybody; it cannot be changed, renamed or deleted'
