import type { RowChanges } from '../../../base/db/row-changes'
import type { Wanted } from '../../../projects/project-file/model'
import { planObjects } from '../../../projects/project-file/pair'
import type { Section } from '../../../projects/project-file/section'
import { AUDIENCES } from '../../audiences/project-file/model'
import { groupsIn } from '../../audiences/project-file/rules'
import { conditionWarnings } from '../condition-warnings'
import { type FlagState, flagName, flagState } from '../file-state'
import { type Flag, listFlags, writeFlags } from '../service'
import { checkFlags } from './check'
import { flagsContent } from './content'
import { ENVIRONMENTS, FLAGS, type FlagEntry, splitFlagName } from './model'
import { parseFlags } from './parse'
import { flagRows } from './rows'

type Rows = readonly Flag[]

/** The flags of a project. Each environment of a flag is a separate object; a rename applies to all of them. */
export const flagSection: Section<FlagEntry, Rows, FlagState, RowChanges<Flag>> = {
  key: FLAGS,
  idPrefix: 'flg',
  holdsJson: true,
  parse: parseFlags,
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
  warnings: ({ rules }) => conditionWarnings(rules),
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
