import type { Handle } from '../../base/db/handle'
import { listObservationsOf } from '../../people/purchases/many-queries'
import { listOfOriginals, listOriginals, readSearched } from './charge-queries'
import { isChain, namedCopies } from './former-charges'

export const PAGE = 200

/** The original transaction ids among these that have a charge with a copy of before. */
export async function copiedIn(handle: Handle, projectId: string, originals: readonly string[]): Promise<string[]> {
  const chains = (await listOfOriginals(handle, projectId, originals)).filter(isChain)
  const observations = await listObservationsOf(
    handle,
    chains.map(({ id }) => id),
  )
  const copied = chains.filter(({ id }) => namedCopies(observations.get(id) ?? []).length > 0)
  return [...new Set(copied.map((row) => row.originalTransactionId))]
}

/** The doctor looks at no more: a project that was never searched can have millions of purchases. */
const MOST_PAGES = 10

/** How many of the purchases that are looked at next have charges to join. */
export async function countCopied(handle: Handle, projectId: string): Promise<number> {
  const { upTo, isDone } = await readSearched(handle, projectId)
  let count = 0
  for (let page = 0, after = upTo; page < MOST_PAGES && !isDone; page++) {
    const originals = await listOriginals(handle, projectId, after, PAGE)
    count += (await copiedIn(handle, projectId, originals)).length
    const last = originals.at(-1)
    if (last === undefined) break
    after = last
  }
  return count
}
