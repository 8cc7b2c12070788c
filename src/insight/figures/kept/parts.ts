import type { Context } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import type { SumScope } from '../sums'
import type { Version } from './answer'
import { ownersAt } from './owners'
import { listMovesAfter, listOwned, listOwnedAfter, type Owned } from './queries'

/** Purchases that are read at once. Between two reads others have their turn. */
const SOME = 400

export interface PartRequest<Entry> {
  scope: SumScope
  version: Version
  read: (handle: Handle, purchaseIds: readonly string[]) => Promise<Entry[]>
  isStopping?: () => boolean
}

/** The entries of some people as of the version, and who owned their purchases then. */
type UsePart<Entry> = (entries: readonly Entry[], owners: ReadonlyMap<string, string>) => void

/**
 * Goes through the entries of everybody, part by part, as of a version. All purchases of a person are in one part. False
 * when it was stopped before the end.
 */
export async function eachPart<Entry extends { position: number }>(
  ctx: Context,
  { scope, version, read, isStopping = () => false }: PartRequest<Entry>,
  use: UsePart<Entry>,
): Promise<boolean> {
  const inPieces = ctx.state.longTurns.parts({ ...ctx.turn, group: scope.projectId })
  for (let after: string | null = ''; after !== null; ) {
    if (isStopping()) return false
    const from: string = after
    const part = await ctx.storage.readInThread(async (handle) => {
      const { owners, next } = await readOwners(handle, scope, version, from)
      return { owners, next, entries: await read(handle, [...owners.keys()]) }
    })
    const known = part.entries.filter(({ position }) => position <= version.position)
    await inPieces(() => use(known, part.owners))
    after = part.next
  }
  return true
}

/** Who owned purchases at the version: those whose id comes after one, and up to which. Null = up to the end. */
async function readOwners(
  handle: Handle,
  { projectId }: SumScope,
  version: Version,
  after: string,
): Promise<{ owners: Map<string, string>; next: string | null }> {
  const found = await listOwnedAfter(handle, after, SOME)
  const next = found.length < SOME ? null : (found.at(-1)?.subscriberId ?? null)
  const own = found.filter((one) => one.projectId === projectId)
  // The last one may have more purchases than were read.
  const isLastOwn = next !== null && own.at(-1)?.subscriberId === next
  const rest = isLastOwn ? await listOwned(handle, 'subscriberId', [next]) : []
  const moves = await listMovesAfter(handle, projectId, version.moved)
  const moved = await listOwned(handle, 'id', [...new Set(moves.map(({ purchaseId }) => purchaseId))])
  const owned: Owned[] = [...own, ...rest, ...moved]
  const isOfPart = (id: string): boolean => id > after && (next === null || id <= next)
  return { owners: new Map([...ownersAt(owned, moves, version.moved)].filter(([, one]) => isOfPart(one))), next }
}
