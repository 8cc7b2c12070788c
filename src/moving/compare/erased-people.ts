import type { Tx } from '../../base/context'
import { listErasedAmong, type PersonKey } from '../../people/subscribers/erased-keys'
import type { OnErase } from '../../people/subscribers/hooks'
import type { PersonResult } from './ask'
import { deletePerson } from './queries'

/** At an erasure: the findings about a person name them. */
export const eraseFindings: OnErase = async (tx, { id: projectId }, row, { labels, deviceKeys }) => {
  await lockFindings(tx, projectId)
  return deletePerson(tx, row, [...labels, ...deviceKeys])
}

/**
 * Results in which nothing is said about people who were erased while the other people of their part were read. No one else
 * is erased before the end of the transaction.
 */
export async function withoutErased(
  tx: Tx,
  projectId: string,
  results: readonly PersonResult[],
): Promise<PersonResult[]> {
  await lockFindings(tx, projectId)
  const found = await listErasedAmong(tx, projectId, results.flatMap(keysOf))
  const erased = new Set(found.map(({ value }) => value))
  return results.map((result) =>
    keysOf(result).some(({ value }) => erased.has(value))
      ? { id: result.id, person: result.person, kind: 'GONE' }
      : result,
  )
}

/** The vendor's id is one of ours: a label or a device key. Imported people have a key that is made of it. */
const keysOf = ({ person }: PersonResult): PersonKey[] =>
  [person, `import:${person}`].flatMap((value) => (['LABEL', 'DEVICE'] as const).map((kind) => ({ kind, value })))

/** Findings are written and erased one after the other, so that neither misses the other. */
const lockFindings = (tx: Tx, projectId: string): Promise<void> => tx.lock(`compare findings:${projectId}`)
