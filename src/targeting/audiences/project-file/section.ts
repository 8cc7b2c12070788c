import type { RowChanges } from '../../../base/db/row-changes'
import { contentByName, sortDeep, withoutNulls } from '../../../projects/project-file/content'
import { description } from '../../../projects/project-file/fields'
import { objects } from '../../../projects/project-file/objects'
import { gone, isChanged, planObjects } from '../../../projects/project-file/pair'
import { type Problem, problem } from '../../../projects/project-file/problem'
import { checkedText } from '../../../projects/project-file/reader'
import type { Checking, Section } from '../../../projects/project-file/section'
import { changed, savedAs } from '../../../projects/project-file/stored'
import { DEFAULT_FIXED } from '../check'
import { type Audience, listAudiences, writeAudiences } from '../service'
import { AUDIENCES, type AudienceState, checkAudienceName } from './model'
import { groupsIn, rules } from './rules'

type Rows = readonly Audience[]

/** The audiences of a project. The default audience contains everybody; it cannot be changed and is never exported. */
export const audienceSection: Section<AudienceState, Rows, AudienceState, RowChanges<Audience>> = {
  key: AUDIENCES,
  idPrefix: 'aud',
  holdsJson: true,
  parse: objects(
    (members) => ({
      description: members.optional<string | null>('description', description, null),
      rules: members.required('rules', rules, {}),
    }),
    { check: checkAudienceName, read: checkedText(255, checkAudienceName) },
  ),
  load: ({ handle, project }) => listAudiences(handle, project.id),
  names: (rows) => new Map(rows.map(({ id, name }) => [id, name])),
  current: (rows, names) =>
    rows.map((row) =>
      savedAs(names.of(AUDIENCES), row.id, row.name, { description: row.description, rules: row.rules }),
    ),
  plan: (given) => {
    const defaultIds = defaultIdsOf(given.rows)
    return planObjects(given, ({ id, state }) => (defaultIds.has(id) ? state : null))
  },
  uses: ({ rules }) => [{ of: AUDIENCES, names: groupsIn(rules) }],
  check: (given) => [...changedDefault(given), ...usedAudiences(given)],
  named: (name) => ({ name }),
  rows: ({ pairs }) => changed(pairs, (id, name, state) => ({ id, name, ...state, isDefault: false })),
  write: writeAudiences,
  content: (saved, rows) => {
    const defaultIds = defaultIdsOf(rows)
    return contentByName(
      saved.filter(({ id }) => !defaultIds.has(id)),
      ({ description, rules }) => withoutNulls({ description, rules: sortDeep(rules) }),
    )
  },
}

const defaultIdsOf = (rows: Rows): ReadonlySet<string> =>
  new Set(rows.filter(({ isDefault }) => isDefault).map(({ id }) => id))

type Given = Checking<AudienceState, Rows, AudienceState>

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
