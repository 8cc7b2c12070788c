import type { Matchers, Matches } from './matches'

type Attributes = Record<string, string>
type Document = Record<string, unknown>

/**
 * The smallest audience language that the test cases need: an object whose members must equal texts. A member that
 * starts an operator is a broken document.
 */
export function simpleMatchers(audiences: Record<string, Document>): Matchers<Attributes> {
  const compiled = (document: unknown): Matches<Attributes> => {
    const members = Object.entries(document as Document)
    for (const [, wanted] of members)
      if (typeof wanted !== 'string') throw new TypeError(`${Object.keys(wanted as Document)[0]} is no operator`)
    return (attributes) => members.every(([name, wanted]) => attributes[name] === wanted)
  }
  return {
    audience: (id) => {
      const document = Object.hasOwn(audiences, id) ? audiences[id] : undefined
      return document ? compiled(document) : null
    },
    conditions: compiled,
    attribute: (name) => (attributes) => attributes[name],
  }
}
