import type { RowChanges } from '../../../base/db/row-changes'
import { sha256Hex } from '../../../base/lib/hash'
import { contentByName, sortDeep, withoutNulls } from '../../../projects/project-file/content'
import { description } from '../../../projects/project-file/fields'
import type { Wanted } from '../../../projects/project-file/model'
import { objects } from '../../../projects/project-file/objects'
import { gone, isChanged, planObjects } from '../../../projects/project-file/pair'
import { type Problem, problem } from '../../../projects/project-file/problem'
import { checkedText } from '../../../projects/project-file/reader'
import type { Checking, Section } from '../../../projects/project-file/section'
import { changed, savedAs } from '../../../projects/project-file/stored'
import { DEFAULT_FIXED } from '../check'
import { hashMembers, listMembers, writeMembers } from '../groups/service'
import { type Audience, listAudiences, writeAudiences } from '../service'
import { memberList } from './members'
import { AUDIENCES, type AudienceEntry, type AudienceState, checkAudienceName, type StoredMembers } from './model'
import { groupsIn, rules } from './rules'

interface Rows {
  audiences: readonly Audience[]
  /** The saved lists of ids, by the id of the audience. */
  members: ReadonlyMap<string, StoredMembers>
  /** The lists that the file gives, by the name of the audience in the file. */
  given: ReadonlyMap<string, StoredMembers>
}

interface Changes {
  audiences: RowChanges<Audience>
  members: ({ audienceId: string } & StoredMembers)[]
}

/** The audiences of a project. The default audience contains everybody; it cannot be changed and is never exported. */
export const audienceSection: Section<AudienceEntry, Rows, AudienceState, Changes> = {
  key: AUDIENCES,
  idPrefix: 'aud',
  holdsJson: true,
  parse: (spot, sources) =>
    objects(
      (members) => ({
        description: members.optional<string | null>('description', description, null),
        rules: members.required('rules', rules, {}),
        members: members.optional<readonly string[] | null>('members', memberList(sources), null),
      }),
      { check: checkAudienceName, read: checkedText(255, checkAudienceName) },
    )(spot),
  async load({ handle, project }, wanted) {
    const [audiences, saved] = await Promise.all([listAudiences(handle, project.id), listMembers(handle, project.id)])
    const given = new Map<string, StoredMembers>()
    for (const { name, state } of wanted ?? [])
      if (state.members)
        given.set(name, { hashes: await hashMembers(handle, project.id, state.members), size: state.members.length })
    return { audiences, members: new Map(saved.map((row) => [row.audienceId, storedOf(row)])), given }
  },
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
  uses: ({ rules }) => [{ of: AUDIENCES, names: groupsIn(rules) }],
  check: (given) => [...changedDefault(given), ...usedAudiences(given)],
  named: (name) => ({ name }),
  rows: ({ pairs }) => ({
    audiences: changed(pairs, (id, name, { description: text, rules: document }) => ({
      ...{ id, name, description: text, rules: document, isDefault: false },
    })),
    members: pairs.flatMap(({ id, before, after }) =>
      after && after.members?.hashes !== before?.members?.hashes
        ? [{ audienceId: id, ...(after.members ?? NO_MEMBERS) }]
        : [],
    ),
  }),
  async write(tx, projectId, { audiences, members }) {
    await writeAudiences(tx, projectId, audiences)
    for (const { audienceId, ...list } of members) await writeMembers(tx, projectId, audienceId, list)
  },
  content: (saved, rows) => {
    const defaultIds = defaultIdsOf(rows)
    return contentByName(
      saved.filter(({ id }) => !defaultIds.has(id)),
      ({ description, rules }) => withoutNulls({ description, rules: sortDeep(rules) }),
    )
  },
}

const NO_MEMBERS: StoredMembers = { hashes: '', size: 0 }

const storedOf = ({ hashes, size }: StoredMembers): StoredMembers => ({ hashes, size })

/** A list that the file does not name stays as it is saved. */
const stateOf = (
  { name, was, state: { members, ...state } }: Wanted<AudienceEntry>,
  { given }: Rows,
  saved: ReadonlyMap<string, StoredMembers | null>,
): AudienceState => ({
  ...state,
  members: members ? (given.get(name) ?? null) : (saved.get(name) ?? saved.get(was ?? name) ?? null),
})

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
