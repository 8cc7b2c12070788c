import { applyAttributes } from '../../../people/subscribers/attributes'
import type { SubscriberRow } from '../../../people/subscribers/service'
import type { StoredAttribute, StoredAttributes } from '../../../people/subscribers/tables'
import type { ImportRow } from '../row'
import type { SubscriberBefore } from '../tables'

/** What the rows of a batch say about one person. */
export interface PersonFacts {
  attributes: ReadonlyMap<string, StoredAttribute>
  firstSeenAt: number | null
  lastSeenAt: number | null
}

/** Of several values of one attribute that of the row that was changed last. */
export function factsOf(rows: readonly ImportRow[], importedAt: number): PersonFacts {
  const attributes = new Map<string, StoredAttribute>()
  for (const row of rows) {
    const updatedAt = Math.min(row.updatedAt ?? importedAt, importedAt)
    for (const [key, value] of Object.entries(stated(row))) {
      const known = attributes.get(key)
      const isNewer = !known || updatedAt > known.updatedAt || (updatedAt === known.updatedAt && value > known.value)
      if (isNewer) attributes.set(key, { value, source: 'import', updatedAt })
    }
  }
  const seen = (pick: (row: ImportRow) => number | null) => rows.flatMap((row) => pick(row) ?? [])
  const first = seen(({ firstSeenAt }) => firstSeenAt)
  const last = seen(({ lastSeenAt }) => lastSeenAt)
  return {
    attributes,
    firstSeenAt: first.length === 0 ? null : Math.min(...first, importedAt),
    lastSeenAt: last.length === 0 ? null : Math.min(Math.max(...last), importedAt),
  }
}

/** Audiences and figures read the country of a person from the attribute. */
const stated = ({ attributes, email, displayName, country }: ImportRow): Record<string, string> => ({
  ...(country !== null && { country }),
  ...attributes,
  ...(email !== null && { $email: email }),
  ...(displayName !== null && { $displayName: displayName }),
})

/**
 * The attributes after the import. A value that was set later here stays. What a caller could not set either is left
 * out, key by key: one bad value does not cost the others.
 */
export function withFacts(
  stored: StoredAttributes,
  { attributes }: PersonFacts,
  extraReservedKeys: boolean,
): StoredAttributes {
  let after = stored
  for (const [key, { value, source, updatedAt }] of attributes) {
    const known = Object.hasOwn(stored, key) ? stored[key] : undefined
    if (known && (known.value === value || known.updatedAt > updatedAt)) continue
    const result = applyAttributes(after, { [key]: value }, { now: updatedAt, source, extraReservedKeys })
    if (result.ok) after = result.attributes
  }
  return after
}

/** What an import changes of a row that was there before; null = nothing. Times are only widened. */
export function changeOf(
  row: SubscriberRow,
  facts: PersonFacts,
  extraReservedKeys: boolean,
): { change: Partial<SubscriberRow>; before: SubscriberBefore } | null {
  const attributes = withFacts(row.attributes, facts, extraReservedKeys)
  const firstSeenAt = Math.min(row.firstSeenAt, facts.firstSeenAt ?? row.firstSeenAt)
  const lastSeenAt = Math.max(row.lastSeenAt, facts.lastSeenAt ?? row.lastSeenAt)
  const isSame = attributes === row.attributes && firstSeenAt === row.firstSeenAt && lastSeenAt === row.lastSeenAt
  if (isSame) return null
  const changed = Object.keys(attributes).filter((key) => attributes[key] !== row.attributes[key])
  const before = {
    attributes: Object.fromEntries(changed.map((key) => [key, row.attributes[key] ?? null])),
    firstSeenAt: row.firstSeenAt,
    lastSeenAt: row.lastSeenAt,
  }
  return { change: { attributes, firstSeenAt, lastSeenAt }, before }
}
