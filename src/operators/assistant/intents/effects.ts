import type { WrittenEvent } from '../../../base/db/tx'
import { canonicalJson } from '../../../base/lib/hash'
import type { AccessPeople, IntentBase, IntentChange, IntentPreview } from '../tables'

/** What was written to the audit log, the oldest first. */
export interface Written {
  target: { type: string; id: string }
  before: unknown
  after: unknown
}

/** All that a change has written, as far as people are to see it. */
export interface Effect {
  rows: readonly Written[]
  events: readonly WrittenEvent[]
  /** The revisions after the change, by the ids of the objects. */
  revisions: ReadonlyMap<string, number>
  /** An id that was made before the change started. */
  before: string
  given: Readonly<Record<string, unknown>>
}

const MOST_CHANGES = 200
const MOST_EVENTS = 200

/** What people see of a change before they approve it. */
export function previewOf(effect: Effect): IntentPreview {
  const { events } = effect
  const changes = namedAnew(effect).flatMap(changesOf)
  const people = new Set(events.flatMap(({ subscriberId }) => subscriberId ?? []))
  const types = events.map(({ type }) => type)
  return {
    changes: changes.slice(0, MOST_CHANGES),
    effects: {
      people: people.size === 0 ? null : people.size,
      ...accessEffects(events),
      money: null,
      events: types.length > MOST_EVENTS ? [...new Set(types)] : types,
    },
    warnings: [
      ...(changes.length > MOST_CHANGES
        ? [`${changes.length} values change; the first ${MOST_CHANGES} are shown`]
        : []),
      ...(types.length > MOST_EVENTS ? [`${types.length} events are written; each type is shown once`] : []),
    ],
  }
}

/** The objects that were there before, at the revisions that they had. */
export function baseOf({ rows, events, revisions }: Effect): IntentBase[] {
  const base: IntentBase[] = []
  for (const [id, own] of byKey(rows, ({ target }) => target.id)) {
    const [first] = own
    if (!first || first.before === null) continue
    base.push({ type: first.target.type, id, revision: (revisions.get(id) ?? 1) - own.length })
  }
  for (const [id, own] of byKey(events, ({ subscriberId }) => subscriberId)) {
    const first = own[0]?.seq
    if (id !== null && typeof first === 'number') base.push({ type: 'subscriber.events', id, revision: first - 1 })
  }
  return base.sort((a, b) => (a.type + a.id < b.type + b.id ? -1 : 1))
}

function byKey<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return groups
}

const ID = /\b[a-z]{2,5}_([0-9a-hjkmnp-tv-z]{26})\b/g

/** Ids sort by the time at which they were made, within a process also those of the same millisecond. */
const orderOf = (id: string): string => id.slice(id.indexOf('_') + 1)

/** A new object has another id at each attempt, so its id is not shown. */
function namedAnew({ rows, before, given }: Effect): Written[] {
  const text = JSON.stringify(rows)
  const known = knownIds(rows, given)
  const names = new Map<string, string>()
  for (const [id] of text.matchAll(ID))
    if (!names.has(id) && !known.has(id) && orderOf(id) > orderOf(before))
      names.set(id, names.size === 0 ? 'new' : `new-${names.size + 1}`)
  return names.size === 0 ? [...rows] : (JSON.parse(text.replace(ID, (id) => names.get(id) ?? id)) as Written[])
}

/** Ids that the change has not made, however they sort: a text that somebody wrote may have any. */
function knownIds(rows: readonly Written[], given: object): Set<string> {
  const images = [...byKey(rows, ({ target }) => target.id).values()].map(([first]) => first?.before)
  return new Set([...JSON.stringify([given, images]).matchAll(ID)].map(([id]) => id))
}

function changesOf({ target, before, after }: Written): IntentChange[] {
  return differences(`${target.type}/${target.id}`, before ?? null, after ?? null)
}

function differences(path: string, before: unknown, after: unknown): IntentChange[] {
  if (canonicalJson(before) === canonicalJson(after)) return []
  if (!isPlain(before) && !isPlain(after)) return [{ path, before, after }]
  if ((before !== null && !isPlain(before)) || (after !== null && !isPlain(after))) return [{ path, before, after }]
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.flatMap((name) => differences(`${path}/${name}`, memberOf(before, name), memberOf(after, name)))
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const memberOf = (value: unknown, name: string): unknown => (isPlain(value) ? (value[name] ?? null) : null)

function accessEffects(events: readonly WrittenEvent[]) {
  const groups = [...byKey(events, ({ subscriberId }) => subscriberId)].filter(([id]) => id !== null)
  return accessBetween(
    groups.map(([, own]) => ({ before: accessMapIn(own[0]?.before), after: accessMapIn(own.at(-1)?.after) })),
  )
}

/** How many people gain and lose each access; `people` are the accesses of each before and after. */
export function accessBetween(people: readonly { before: object; after: object }[]) {
  const [gained, lost] = [new Map<string, number>(), new Map<string, number>()]
  for (const { before, after } of people) {
    for (const access of Object.keys(after)) if (!Object.hasOwn(before, access)) count(gained, access)
    for (const access of Object.keys(before)) if (!Object.hasOwn(after, access)) count(lost, access)
  }
  return { accessGained: listed(gained), accessLost: listed(lost) }
}

const accessMapIn = (image: unknown): object =>
  (isPlain(image) ? (image.access as object | undefined) : undefined) ?? {}

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

const listed = (counts: ReadonlyMap<string, number>): AccessPeople[] =>
  [...counts].map(([access, people]) => ({ access, people })).sort((a, b) => (a.access < b.access ? -1 : 1))

/** Instants differ between two attempts. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const withoutInstants = (_name: string, value: unknown): unknown => {
  if (typeof value === 'string' && INSTANT.test(value)) return 'an instant'
  return typeof value === 'number' && value > 1_000_000_000_000 && value < 10_000_000_000_000 ? 'an instant' : value
}

/** A database may give the members of an object in another order. */
const comparable = (preview: IntentPreview): string =>
  canonicalJson(JSON.parse(JSON.stringify(preview, withoutInstants)))

/** Whether two attempts have the same effect. */
export const isSameEffect = (a: IntentPreview, b: IntentPreview): boolean => comparable(a) === comparable(b)

/** Whether two attempts change the same objects: a preview shows only the first of many. */
export const areSameObjects = (a: readonly IntentBase[], b: readonly IntentBase[]): boolean =>
  canonicalJson(a.map(nameOf)) === canonicalJson(b.map(nameOf))

const nameOf = ({ type, id }: IntentBase): string => `${type} ${id}`

/** Whether an attempt is the one that a person was shown. */
export const isAsShown = (now: Shown, shown: Shown): boolean =>
  isSameEffect(now.preview, shown.preview) && canonicalJson(now.base) === canonicalJson(shown.base)

interface Shown {
  preview: IntentPreview
  base: readonly IntentBase[]
}
