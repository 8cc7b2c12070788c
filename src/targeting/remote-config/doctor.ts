import type { Examination } from '../../base/cli/doctor'
import { type Finding, finding } from '../../core/finding/findings'
import { type ChangedRule, readRemote } from './load'

const MAX_NAMED = 10

/**
 * Whether every stored audience, flag and experiment can be evaluated, and which rules mean something else since a list
 * is compared by its items.
 */
export const remoteConfigExamination: Examination = {
  name: 'remote-config',
  project: async ({ handle }, { id }) => {
    const { faults, changed } = await readRemote(handle, id)
    const gaps = changed.slice(0, MAX_NAMED).map(changedFinding)
    const more = changed.length - gaps.length
    if (more > 0)
      gaps.push(finding('RULES_CHANGED_MORE', { count: more }, `${more} more rules compare lists by their items now.`))
    return { broken: faults, gaps }
  },
}

const changedFinding = ({ name, path, message }: ChangedRule): Finding =>
  finding(
    'RULE_CHANGED',
    { name, path, message },
    `${name}: ${path} ${message}. When it is right, save it with any change, for example of the description, and this ends.`,
  )
