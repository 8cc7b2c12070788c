import type { Tx } from '../../../base/context'
import { sha256Hex } from '../../../base/lib/hash'
import { listErasedAmong, type PersonKey } from '../../../people/subscribers/erased-keys'
import { listByLabels } from '../../../people/subscribers/many-queries'

/** A person as a file names them. */
export interface NamedPerson {
  label: string
  /** As the file has it. */
  deviceKey: string | null
  /** Of the row of the person. */
  key: string
  hasLabel: boolean
}

/**
 * Those of the labels whose people were erased: nothing is imported for them. An erased row has a hash in the place of
 * its label, and the keyed hashes know every label and device key that the person had (wire 5.17).
 */
export async function findErased(
  tx: Tx,
  projectId: string,
  people: readonly NamedPerson[],
): Promise<ReadonlySet<string>> {
  const labelOf = new Map(people.map(({ label }) => [erasedLabel(projectId, label), label]))
  const rows = await listByLabels(tx, projectId, [...labelOf.keys()])
  const keys = await listErasedAmong(tx, projectId, people.flatMap(keysOf))
  const isErased = new Set(keys.map(({ kind, value }) => `${kind} ${value}`))
  const byKey = people.filter((one) => keysOf(one).some(({ kind, value }) => isErased.has(`${kind} ${value}`)))
  return new Set([
    ...rows.flatMap(({ appUserId }) => labelOf.get(appUserId ?? '') ?? []),
    ...byKey.map(({ label }) => label),
  ])
}

const keysOf = ({ label, key }: NamedPerson): PersonKey[] => [
  { kind: 'LABEL', value: label },
  { kind: 'DEVICE', value: key },
]

const erasedLabel = (projectId: string, label: string): string =>
  `anon:${sha256Hex(`${projectId}|${label}`).slice(0, 32)}`
