import type { Tx } from '../../../base/context'
import { isDeviceKey } from '../../../people/subscribers/device-key'
import {
  insertSubscribers,
  listByLabels,
  listByManyDevices,
  listByManyIds,
} from '../../../people/subscribers/many-queries'
import { newSubscriber, type SubscriberRow, updateSubscriber } from '../../../people/subscribers/service'
import type { ProjectState } from '../../../projects/project/state'
import type { ImportRow } from '../row'
import type { SubscriberBefore } from '../tables'
import { findErased, type NamedPerson } from './erased'
import { changeOf, factsOf, withFacts } from './person-facts'
import { personOf } from './row-identity'

/** The subscriber of a person whom rows name. */
export interface ImportedPerson {
  /** As it will be after the batch, but for the published access. */
  row: SubscriberRow
  /** The batch makes the row. */
  isNew: boolean
  isInserted: boolean
  /** Columns that are still to be written. */
  change: Partial<SubscriberRow>
  before: SubscriberBefore | null
}

/** Changes columns of a person; `writePeople` writes them. */
export function changePerson(person: ImportedPerson, change: Partial<SubscriberRow>): void {
  Object.assign(person.row, change)
  if (person.isInserted) Object.assign(person.change, change)
}

/** Writes the rest. */
export async function writePeople(tx: Tx, people: Iterable<ImportedPerson>): Promise<void> {
  const all = [...new Set(people)]
  const fresh = all.filter(({ isInserted }) => !isInserted)
  await insertSubscribers(
    tx,
    fresh.map(({ row }) => row),
  )
  for (const person of all) {
    if (person.isInserted && Object.keys(person.change).length > 0)
      await updateSubscriber(tx, person.row.id, { ...person.change, updatedAt: tx.clock.now() })
    person.isInserted = true
    person.change = {}
  }
}

/**
 * The subscribers of the rows of a batch, by `personOf`. A live subscriber with the label or the device key is used;
 * for anybody else a row is made, but not written. People who were erased are left out.
 */
export async function resolvePeople(
  tx: Tx,
  project: ProjectState,
  rows: readonly ImportRow[],
  importedAt: number,
): Promise<Map<string, ImportedPerson>> {
  const rowsOf = Map.groupBy(rows, personOf)
  const named = [...rowsOf].flatMap(([person, [first]]) => (first ? [[person, toNamed(first)] as const] : []))
  const people = named.map(([, one]) => one)
  await lockNames(tx, project.id, people)
  const known = await findKnown(tx, project.id, people)
  const erased = await findErased(
    tx,
    project.id,
    people.filter((one) => !known.of(one)),
  )
  const rowOf = new Map<string, SubscriberRow>()
  const made = new Map<string, SubscriberRow>()
  for (const [person, one] of named) {
    const held = known.of(one) ?? made.get(one.label)
    if (erased.has(one.label) || (held && held.erasedAt !== null)) continue
    const row = held ?? newRow(tx, project.id, one)
    if (!held) made.set(one.label, row)
    rowOf.set(person, row)
  }
  const isNew = new Set([...made.values()].map(({ id }) => id))
  return withFactsOf(project, rowsOf, rowOf, isNew, importedAt)
}

/** A file may name one subscriber in several ways: they then share its values. */
function withFactsOf(
  project: ProjectState,
  rowsOf: ReadonlyMap<string, readonly ImportRow[]>,
  rowOf: ReadonlyMap<string, SubscriberRow>,
  isNew: ReadonlySet<string>,
  importedAt: number,
): Map<string, ImportedPerson> {
  const people = new Map<string, ImportedPerson>()
  for (const named of Map.groupBy(rowOf, ([, { id }]) => id).values()) {
    const [first] = named
    if (!first) continue
    const rows = named.flatMap(([person]) => rowsOf.get(person) ?? [])
    const imported = withRows(project, first[1], isNew.has(first[1].id), rows, importedAt)
    for (const [person] of named) people.set(person, imported)
  }
  return people
}

/** Our own export names a person without a label by the key of the row. */
const toNamed = ({ subscriberExternalId: label, deviceKey }: ImportRow): NamedPerson => ({
  ...{ label, deviceKey, key: deviceKey ?? importKey(label) },
  hasLabel: label !== deviceKey,
})

/** As an identify call and a first call of a device do, so that no two rows are made for one person. */
async function lockNames(tx: Tx, projectId: string, people: readonly NamedPerson[]): Promise<void> {
  if (!tx.needsLocks) return
  const names = people.flatMap(({ label, deviceKey }) => [
    `label:${projectId}:${label}`,
    ...(deviceKey === null ? [] : [`device:${projectId}:${deviceKey}`]),
  ])
  await Promise.all([...new Set(names)].sort().map((name) => tx.lock(name)))
}

interface KnownPeople {
  of(person: NamedPerson): SubscriberRow | undefined
}

async function findKnown(tx: Tx, projectId: string, people: readonly NamedPerson[]): Promise<KnownPeople> {
  const labelled = await listByLabels(
    tx,
    projectId,
    people.map(({ label }) => label),
  )
  const ofDevices = await listByManyDevices(
    tx,
    projectId,
    people.map(({ key }) => key),
  )
  const survivors = await survivorsOf(tx, ofDevices)
  const byLabel = new Map(labelled.map((row) => [row.appUserId, row]))
  const byDevice = new Map(ofDevices.map((row) => [row.deviceKey, survivors.get(row.mergedInto ?? row.id) ?? row]))
  return {
    of: ({ label, deviceKey, key, hasLabel }) =>
      (deviceKey === null ? undefined : byDevice.get(deviceKey)) ??
      (hasLabel ? byLabel.get(label) : undefined) ??
      byDevice.get(key),
  }
}

/** Where no device uses the person's row yet (wire 5.6). */
const importKey = (label: string): string => `import:${label}`

/** By the id of a row, the row at the end of its merge chain. */
async function survivorsOf(tx: Tx, rows: readonly SubscriberRow[]): Promise<Map<string, SubscriberRow>> {
  const survivors = new Map(rows.filter((row) => row.mergedInto === null).map((row) => [row.id, row]))
  let open = [...new Set(rows.flatMap(({ mergedInto }) => mergedInto ?? []))]
  const nexts = new Map<string, string>()
  while (open.length > 0) {
    const found = await listByManyIds(tx, open)
    for (const row of found) {
      if (row.mergedInto === null) survivors.set(row.id, row)
      else nexts.set(row.id, row.mergedInto)
    }
    open = found.flatMap(({ mergedInto }) => (mergedInto !== null && !nexts.has(mergedInto) ? [mergedInto] : []))
  }
  for (const id of nexts.keys()) {
    const end = survivors.get(endOf(id, nexts))
    if (end) survivors.set(id, end)
  }
  return survivors
}

function endOf(id: string, nexts: ReadonlyMap<string, string>): string {
  let end = id
  for (let hop = 0; hop <= nexts.size; hop++) end = nexts.get(end) ?? end
  return end
}

function newRow(tx: Tx, projectId: string, { label, key, hasLabel }: NamedPerson): SubscriberRow {
  const row = newSubscriber(tx, projectId, key, null)
  return { ...row, appUserId: hasLabel ? label : null, isSynthetic: !isDeviceKey(key) }
}

function withRows(
  { settings }: ProjectState,
  row: SubscriberRow,
  isNew: boolean,
  rows: readonly ImportRow[],
  importedAt: number,
): ImportedPerson {
  const facts = factsOf(rows, importedAt)
  const { extraReservedKeys } = settings
  if (!isNew) {
    const changed = changeOf(row, facts, extraReservedKeys)
    const change = changed?.change ?? {}
    return { row: { ...row, ...change }, isNew, isInserted: true, change, before: changed?.before ?? null }
  }
  row.attributes = withFacts(row.attributes, facts, extraReservedKeys)
  row.firstSeenAt = facts.firstSeenAt ?? importedAt
  row.lastSeenAt = facts.lastSeenAt ?? row.firstSeenAt
  return { row, isNew, isInserted: false, change: {}, before: null }
}
