import type { RowChanges } from '../../../base/db/row-changes'
import { conditionWarnings } from '../../../core/flag/check'
import { type FlagEntry, type FlagRuleState, type FlagState, flagState, flagsContent } from '../../../core/flag/file'
import { ENVIRONMENTS, type FlagEnvironment, flagName, splitFlagName } from '../../../core/flag/names'
import type { FlagRule } from '../../../core/flag/schema'
import { objects } from '../../../projects/project-file/form'
import type { Wanted } from '../../../projects/project-file/model'
import { changed, idOrNull, planObjects } from '../../../projects/project-file/pair'
import type { IdsByName, Section, Writing } from '../../../projects/project-file/section'
import { AUDIENCES, groupsIn } from '../../audiences/project-file/form'
import { type Flag, listFlags, plainRule, writeFlags } from '../service'
import { checkFlags, FLAGS } from './check'
import { readFlag } from './form'

type Rows = readonly Flag[]

/** The flags of a project. Each environment of a flag is a separate object; a rename applies to all of them. */
export const flagSection: Section<FlagEntry, Rows, FlagState, RowChanges<Flag>> = {
  key: FLAGS,
  idPrefix: 'flg',
  holdsJson: true,
  parse: objects(readFlag),
  load: ({ handle, project }) => listFlags(handle, project.id),
  // By key instead of id, because a rename changes the key in all environments.
  names: (rows) => new Map(rows.map(({ key }) => [key, key])),
  current: (rows, names) =>
    rows.map((row) => ({
      id: row.id,
      name: flagName(names.of(FLAGS).get(row.key) ?? row.key, row.env),
      formerName: flagName(row.key, row.env),
      state: flagState(row, { audiences: names.of(AUDIENCES) }),
    })),
  plan: ({ wanted, saved, prune }) => planObjects({ wanted: wanted?.flatMap(environmentsOf) ?? null, saved, prune }),
  warnings: ({ after: { rules } }) => conditionWarnings(rules),
  uses: ({ rules }) => [
    {
      of: AUDIENCES,
      names: rules.flatMap(({ audience, conditions }) => [
        ...(audience === null ? [] : [audience]),
        ...groupsIn(conditions),
      ]),
    },
  ],
  check: checkFlags,
  named: splitFlagName,
  rows: flagRows,
  write: writeFlags,
  content: flagsContent,
  leaves: ({ state: { environments } }, _wanted, prune) =>
    prune ? [] : ENVIRONMENTS.filter((env) => !environments[env]).map((env) => ['environments', env]),
  places: (rows) => rows.map(({ key, env, id }) => [[FLAGS.name, key, 'environments', env], id]),
}

const environmentsOf = ({ name, was, path, state }: Wanted<FlagEntry>): Wanted<FlagState>[] =>
  ENVIRONMENTS.flatMap((env) => {
    const found = state.environments[env]
    if (!found) return []
    const formerName = was === null ? null : flagName(was, env)
    return [{ name: flagName(name, env), was: formerName, path: [...path, 'environments', env], state: found }]
  })

/** The rows of the flags that a plan changes. */
function flagRows({ pairs, ids }: Writing<unknown, FlagState>): RowChanges<Flag> {
  return changed(pairs, (id, name, { rules, ...state }) => {
    const { key, env } = splitFlagName(name)
    const ruleRows = rules.map((rule) => ruleRow(rule, ids))
    return { id, key, env: env as FlagEnvironment, ...state, rules: ruleRows } // `flagName` made the name from an environment.
  })
}

const ruleRow = ({ audience, ...rule }: FlagRuleState, ids: IdsByName): FlagRule =>
  plainRule({ ...rule, audienceId: idOrNull(ids.of(AUDIENCES), audience) })
