import type { Tx } from '../../../base/context'
import type { RowChanges } from '../../../base/db/row-changes'
import type { Identified, Wanted } from '../../../projects/project-file/model'
import type { Loading } from '../../../projects/project-file/section'
import { hashMembers, listMembers, writeMembers } from '../groups/service'
import { type Audience, listAudiences, writeAudiences } from '../service'
import type { AudienceEntry, AudienceState, StoredMembers } from './model'

export interface Rows {
  audiences: readonly Audience[]
  /** The saved lists of ids, by the id of the audience. */
  members: ReadonlyMap<string, StoredMembers>
  /** The lists that the file gives, by the name of the audience in the file. */
  given: ReadonlyMap<string, StoredMembers>
}

export interface Changes {
  audiences: RowChanges<Audience>
  members: ({ audienceId: string } & StoredMembers)[]
}

export async function loadRows(
  { handle, project }: Loading,
  wanted: readonly Wanted<AudienceEntry>[] | null,
): Promise<Rows> {
  const [audiences, saved] = await Promise.all([listAudiences(handle, project.id), listMembers(handle, project.id)])
  const given = new Map<string, StoredMembers>()
  for (const { name, state } of wanted ?? [])
    if (state.members)
      given.set(name, { hashes: await hashMembers(handle, project.id, state.members), size: state.members.length })
  return { audiences, members: new Map(saved.map((row) => [row.audienceId, storedOf(row)])), given }
}

/** The lists that change. */
export const listChanges = (pairs: readonly Identified<AudienceState>[]): Changes['members'] =>
  pairs.flatMap(({ id, before, after }) =>
    after && after.members?.hashes !== before?.members?.hashes
      ? [{ audienceId: id, ...(after.members ?? NO_MEMBERS) }]
      : [],
  )

export async function writeChanges(tx: Tx, projectId: string, { audiences, members }: Changes): Promise<void> {
  await writeAudiences(tx, projectId, audiences)
  for (const { audienceId, ...list } of members) await writeMembers(tx, projectId, audienceId, list)
}

const NO_MEMBERS: StoredMembers = { hashes: '', size: 0 }

const storedOf = ({ hashes, size }: StoredMembers): StoredMembers => ({ hashes, size })

/** A list that the file does not name stays as it is saved. */
export const stateOf = (
  { name, was, state: { members, ...state } }: Wanted<AudienceEntry>,
  { given }: Rows,
  saved: ReadonlyMap<string, StoredMembers | null>,
): AudienceState => ({
  ...state,
  members: members ? (given.get(name) ?? null) : (saved.get(name) ?? saved.get(was ?? name) ?? null),
})
