import type { Tx } from '../../../base/context'
import { sha256Hex } from '../../../base/lib/hash'
import { listByLabels } from '../../../people/subscribers/many-queries'

/** A person as a file names them. */
export interface NamedPerson {
  label: string
  deviceKey: string | null
}

/**
 * Those of the labels whose people were erased: nothing is imported for them. An erased row has a hash in the place of
 * its label (wire 5.17).
 */
export async function findErased(
  tx: Tx,
  projectId: string,
  people: readonly NamedPerson[],
): Promise<ReadonlySet<string>> {
  const labelOf = new Map(people.map(({ label }) => [erasedLabel(projectId, label), label]))
  const rows = await listByLabels(tx, projectId, [...labelOf.keys()])
  return new Set(rows.flatMap(({ appUserId }) => labelOf.get(appUserId ?? '') ?? []))
}

const erasedLabel = (projectId: string, label: string): string =>
  `anon:${sha256Hex(`${projectId}|${label}`).slice(0, 32)}`
