const HIDDEN = '***'

/** Shorter texts are no secrets, and would be found everywhere. */
const SHORTEST = 4

/** The text without these secrets: many receivers repeat the request in their answer. */
export function redacted(text: string, secrets: readonly string[]): string {
  const spellings = secrets.filter((secret) => secret.length >= SHORTEST).flatMap(spellingsOf)
  // The longest first: one may be a prefix of another.
  const longestFirst = [...new Set(spellings)].sort((a, b) => b.length - a.length)
  const clean = longestFirst.reduce((left, spelling) => left.replaceAll(spelling, HIDDEN), text)
  return withoutBeginning(clean, longestFirst)
}

/** The value of `Authorization`, as a whole and without the scheme. */
export const authorizationTexts = (value: string): string[] => [value, value.slice(value.lastIndexOf(' ') + 1)]

/** As it is, in JSON, in an address, in a form, and in HTML. */
function spellingsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    json.replaceAll('+', '\\u002B'),
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams({ '': secret }).toString().slice(1),
    Bun.escapeHTML(secret),
  ]
}

/** An answer that was cut may end with a part of a secret. */
function withoutBeginning(text: string, spellings: readonly string[]): string {
  for (const spelling of spellings)
    for (let length = spelling.length - 1; length >= SHORTEST; length--)
      if (text.endsWith(spelling.slice(0, length))) return text.slice(0, -length) + HIDDEN
  return text
}
