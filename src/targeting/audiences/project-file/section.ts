import type { Tx } from '../../../base/context'
import type { RowChanges } from '../../../base/db/row-changes'
import { AppError } from '../../../base/errors'
import { sha256Hex } from '../../../base/lib/hash'
import { DEFAULT_FIXED, listWarnings, rulesWarnings } from '../../../core/audience/check'
import { objects } from '../../../projects/project-file/form'
import type { Identified, Wanted } from '../../../projects/project-file/model'
import { changed, gone, isChanged, planObjects, savedAs } from '../../../projects/project-file/pair'
import { type Problem, problem } from '../../../projects/project-file/problem'
import type { Checking, Loading, Section } from '../../../projects/project-file/section'
import { ERASED_MEANWHILE, hashLiving, type LivingMembers, type StoredMembers } from '../groups/living'
import { isUpToDate, listMembers, writeMembers } from '../groups/service'
import { type Audience, listAudiences, writeAudiences } from '../service'
import { AUDIENCE, AUDIENCES, type AudienceEntry, type AudienceState, audiencesContent, groupsIn, NAMING } from './form'

interface Rows {
  audiences: readonly Audience[]
  /** The saved lists of ids, by the id of the audience. */
  members: ReadonlyMap<string, StoredMembers>
  /** The lists that the file gives, by the name of the audience in the file. */
  given: ReadonlyMap<string, LivingMembers>
}

interface Changes {
  audiences: RowChanges<Audience>
  members: ({ audienceId: string } & StoredMembers)[]
  /** The lists that the file gives, as they were compared with the people who are erased. */
  given: readonly LivingMembers[]
}

/** The audiences of a project. The default audience contains everybody; it cannot be changed and is never exported. */
export const audienceSection: Section<AudienceEntry, Rows, AudienceState, Changes> = {
  key: AUDIENCES,
  idPrefix: 'aud',
  holdsJson: true,
  parse: objects(AUDIENCE.from, NAMING),
  load: loadRows,
  names: ({ audiences }) => new Map(audiences.map(({ id, name }) => [id, name])),
  current: ({ audiences, members }, names) =>
    audiences.map(({ id, name, description: text, rules: document }) =>
      savedAs(names.of(AUDIENCES), id, name, {
        ...{ description: text, rules: document },
        members: members.get(id) ?? null,
      }),
    ),
  plan: ({ wanted, saved, rows, prune }) => {
    const defaultIds = defaultIdsOf(rows)
    const lists = new Map(saved.map(({ name, state }) => [name, state.members]))
    const states = wanted?.map((one) => ({ ...one, state: stateOf(one, rows, lists) })) ?? null
    return planObjects({ wanted: states, saved, prune }, ({ id, state }) => (defaultIds.has(id) ? state : null))
  },
  view: ({ members, ...state }) => ({
    ...state,
    ...(members && { members: `${members.size} ids (${sha256Hex(members.hashes).slice(0, 8)})` }),
  }),
  warnings: ({ after: { rules: document, members } }) => [
    ...rulesWarnings(document, 'rules'),
    ...listWarnings(document, members?.size ?? 0),
  ],
  uses: ({ rules }) => [{ of: AUDIENCES, names: groupsIn(rules) }],
  check: (given) => [...changedDefault(given), ...usedAudiences(given)],
  named: (name) => ({ name }),
  rows: ({ pairs, rows }) => ({
    given: [...rows.given.values()],
    audiences: changed(pairs, (id, name, { description: text, rules: document }) => ({
      ...{ id, name, description: text, rules: document, isDefault: false },
    })),
    members: listChanges(pairs),
  }),
  write: writeChanges,
  content: (saved, rows) => {
    const defaultIds = defaultIdsOf(rows)
    return audiencesContent(saved.filter(({ id }) => !defaultIds.has(id)))
  },
}

const defaultIdsOf = ({ audiences }: Rows): ReadonlySet<string> =>
  new Set(audiences.filter(({ isDefault }) => isDefault).map(({ id }) => id))

type Given = Checking<AudienceEntry, Rows, AudienceState>

function changedDefault({ pairs, rows }: Given): Problem[] {
  const defaultIds = defaultIdsOf(rows)
  return pairs
    .filter((pair) => pair.id !== null && defaultIds.has(pair.id) && isChanged(pair))
    .map(({ path }) => problem(path ?? [AUDIENCES.name], DEFAULT_FIXED, 'CONFLICT'))
}

/** Pruned audiences that objects outside the file use. A name in the file is reported as an unknown reference. */
const usedAudiences = ({ pairs, users }: Given): Problem[] =>
  gone(pairs).flatMap(({ name }) => {
    const using = users.filter(({ names }) => names.includes(name))
    const [first] = using
    if (!first) return []
    const message = `audience ${name} cannot be pruned: ${first.kind} ${first.name} uses it`
    const references = using.map(({ kind, id, name: user }) => ({ type: kind, id, name: user }))
    return [problem([AUDIENCES.name], message, 'audience_in_use', { references })]
  })

async function loadRows({ handle, project }: Loading, wanted: readonly Wanted<AudienceEntry>[] | null): Promise<Rows> {
  const [audiences, saved] = await Promise.all([listAudiences(handle, project.id), listMembers(handle, project.id)])
  const given = new Map<string, LivingMembers>()
  for (const { name, state } of wanted ?? [])
    if (state.members) given.set(name, await hashLiving(handle, project.id, state.members))
  return { audiences, members: new Map(saved.map((row) => [row.audienceId, storedOf(row)])), given }
}

/** The lists that change. */
const listChanges = (pairs: readonly Identified<AudienceState>[]): Changes['members'] =>
  pairs.flatMap(({ id, before, after }) =>
    after && after.members?.hashes !== before?.members?.hashes
      ? [{ audienceId: id, ...(after.members ?? NO_MEMBERS) }]
      : [],
  )

async function writeChanges(tx: Tx, projectId: string, { audiences, members, given }: Changes): Promise<void> {
  await writeAudiences(tx, projectId, audiences)
  if (members.length === 0) return
  for (const list of given)
    if (!(await isUpToDate(tx, projectId, list)))
      throw new AppError('QUEUE_UNAVAILABLE', { queue: 'audience-members' }, { message: ERASED_MEANWHILE })
  for (const { audienceId, ...list } of members) await writeMembers(tx, projectId, audienceId, list)
}

const NO_MEMBERS: StoredMembers = { hashes: '', size: 0 }

function storedIn(given: Rows['given'], name: string): StoredMembers | null {
  const list = given.get(name)
  return list ? storedOf(list) : null
}

const storedOf = ({ hashes, size }: StoredMembers): StoredMembers => ({ hashes, size })

/** A list that the file does not name stays as it is saved. */
const stateOf = (
  { name, was, state: { members, ...state } }: Wanted<AudienceEntry>,
  { given }: Rows,
  saved: ReadonlyMap<string, StoredMembers | null>,
): AudienceState => ({
  ...state,
  members: members ? storedIn(given, name) : (saved.get(name) ?? saved.get(was ?? name) ?? null),
})
