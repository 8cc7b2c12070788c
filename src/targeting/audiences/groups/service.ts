import type { Context, Tx } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import { FairQueue } from '../../../base/http/fair-queue'
import { SECOND } from '../../../base/lib/clock'
import { countErasedKeys } from '../../../people/subscribers/erased-keys'
import type { OnErase } from '../../../people/subscribers/hooks'
import { listAudienceNames } from '../queries'
import { Group, type MemberHasher } from './group'
import type { LivingMembers, StoredMembers } from './living'
import * as queries from './queries'

declare module '../../../base/state' {
  interface SliceState {
    memberHasher: MemberHasher
    memberQueue: FairQueue
  }
}

/** The calls that send a list of ids. Who waits has sent a list of 8 MiB, which is in memory, so few wait. */
export const memberQueue = (): FairQueue =>
  new FairQueue({ places: 4, placesOfGroup: 1, waitingOfGroup: 2, patienceMs: 15 * SECOND })

export type { MembersRow } from './queries'
export const { listMembers } = queries

export interface GroupFacts {
  /** How many ids the list has. */
  size: number
  /** Hashed with another master key than that of this deployment: it matches no subscriber until it is sent again. */
  isStale: boolean
}

/** The lists of the audiences of a project, by audience; those without a list are not in it. */
export async function listGroups(
  handle: Handle & Pick<Context, 'state'>,
  projectId: string,
): Promise<Map<string, GroupFacts>> {
  const fingerprint = handle.state.memberHasher.fingerprint()
  const rows = await queries.listGroups(handle, projectId)
  return new Map(rows.map(({ audienceId, size, keyedBy }) => [audienceId, { size, isStale: keyedBy !== fingerprint }]))
}

/** The names of the audiences whose lists were hashed with another master key; null = there is no lasting key. */
export async function listStaleAudiences(
  handle: Handle,
  projectId: string,
  fingerprint: string | null,
): Promise<string[]> {
  const stale = (await queries.listGroups(handle, projectId)).filter(({ keyedBy }) => keyedBy !== fingerprint)
  if (stale.length === 0) return []
  const names = await listAudienceNames(handle, projectId)
  return stale.map(({ audienceId }) => names.get(audienceId) ?? audienceId).sort()
}

/** Writes the list of an audience; one without ids is deleted. The caller calls `touchConfig`. */
export async function writeMembers(
  tx: Tx,
  projectId: string,
  audienceId: string,
  { hashes, size }: StoredMembers,
): Promise<void> {
  if (size === 0) return queries.deleteMembers(tx, [audienceId])
  await lockLists(tx, projectId)
  const keyedBy = tx.state.memberHasher.fingerprint()
  await queries.putMembers(tx, { audienceId, projectId, size, hashes, keyedBy, updatedAt: tx.clock.now() })
}

/** Whether no one was erased since the list was read. No one is erased until the end of the transaction. */
export async function isUpToDate(tx: Tx, projectId: string, { erasedKeys }: LivingMembers): Promise<boolean> {
  await lockLists(tx, projectId)
  return (await countErasedKeys(tx, projectId)) === erasedKeys
}

/** At an erasure: the hashes of a person's device keys and labels leave every list. */
export const eraseFromGroups: OnErase = async (tx, { id: projectId }, _row, { deviceKeys, labels }) => {
  const hashes = [...deviceKeys, ...labels].map((id) => tx.state.memberHasher.hash(projectId, id))
  // Also where no list has the person: one that is being written may have them, and the lock waits for it.
  await lockLists(tx, projectId)
  const reduced = await listReduced(tx, projectId, hashes)
  for (const { audienceId, kept } of reduced) {
    const change = { hashes: kept, size: new Group(kept).size, updatedAt: tx.clock.now() }
    await queries.updateMembers(tx, audienceId, change)
  }
  return { audience_members: { reduced: reduced.length } }
}

/** A list is written as a whole, so of two writers at once one would write back what the other has taken out. */
const lockLists = (tx: Tx, projectId: string): Promise<void> => tx.lock(`groups:${projectId}`)

/** The lists that have one of these hashes, and what is left of them without it. */
const listReduced = async (tx: Tx, projectId: string, hashes: readonly Buffer[]) =>
  (await queries.listMembers(tx, projectId)).flatMap((row) => {
    const kept = new Group(row.hashes).without(hashes)
    return kept === null ? [] : [{ audienceId: row.audienceId, kept }]
  })
