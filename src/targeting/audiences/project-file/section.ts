import { sha256Hex } from '../../../base/lib/hash'
import { contentByName, sortDeep, withoutNulls } from '../../../projects/project-file/content'
import { description } from '../../../projects/project-file/fields'
import { objects } from '../../../projects/project-file/objects'
import { gone, isChanged, planObjects } from '../../../projects/project-file/pair'
import { type Problem, problem } from '../../../projects/project-file/problem'
import { checkedText } from '../../../projects/project-file/reader'
import type { Checking, Section } from '../../../projects/project-file/section'
import { changed, savedAs } from '../../../projects/project-file/stored'
import { DEFAULT_FIXED, rulesWarnings } from '../check'
import { memberList } from './members'
import { AUDIENCES, type AudienceEntry, type AudienceState, checkAudienceName } from './model'
import { type Changes, listChanges, loadRows, type Rows, stateOf, writeChanges } from './rows'
import { groupsIn, rules } from './rules'

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
  warnings: ({ rules: document }) => rulesWarnings(document, 'rules'),
  uses: ({ rules }) => [{ of: AUDIENCES, names: groupsIn(rules) }],
  check: (given) => [...changedDefault(given), ...usedAudiences(given)],
  named: (name) => ({ name }),
  rows: ({ pairs }) => ({
    audiences: changed(pairs, (id, name, { description: text, rules: document }) => ({
      ...{ id, name, description: text, rules: document, isDefault: false },
    })),
    members: listChanges(pairs),
  }),
  write: writeChanges,
  content: (saved, rows) => {
    const defaultIds = defaultIdsOf(rows)
    return contentByName(
      saved.filter(({ id }) => !defaultIds.has(id)),
      ({ description, rules }) => withoutNulls({ description, rules: sortDeep(rules) }),
    )
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
