import type { RowChanges } from '../../../base/db/row-changes'
import type { IdsByName, Writing } from '../../../projects/project-file/section'
import { changed, idOrNull } from '../../../projects/project-file/stored'
import { AUDIENCES } from '../../audiences/project-file/model'
import type { FlagRuleState, FlagState } from '../file-state'
import type { FlagEnvironment, FlagRule } from '../model'
import { type Flag, plainRule } from '../service'
import { splitFlagName } from './model'

/** The rows of the flags that a plan changes. */
export function flagRows({ pairs, ids }: Writing<unknown, FlagState>): RowChanges<Flag> {
  return changed(pairs, (id, name, { rules, ...state }) => {
    const { key, env } = splitFlagName(name)
    const ruleRows = rules.map((rule) => ruleRow(rule, ids))
    return { id, key, env: env as FlagEnvironment, ...state, rules: ruleRows } // `flagName` made the name from an environment.
  })
}

const ruleRow = ({ audience, ...rule }: FlagRuleState, ids: IdsByName): FlagRule =>
  plainRule({ ...rule, audienceId: idOrNull(ids.of(AUDIENCES), audience) })
