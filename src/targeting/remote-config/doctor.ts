import type { Examination } from '../../base/cli/doctor'
import { readRemote } from './load'

const MAX_NAMED = 10

/**
 * Whether every stored audience, flag and experiment can be evaluated, and which rules mean something else since a list
 * is compared by its items.
 */
export const remoteConfigExamination: Examination = {
  name: 'remote-config',
  project: async ({ handle }, { id }) => {
    const { faults, changed } = await readRemote(handle, id)
    const gaps = changed.slice(0, MAX_NAMED).map(({ name, path, message }) => `${name}: ${path} ${message}.`)
    const more = changed.length - gaps.length
    if (more > 0) gaps.push(`${more} more rules compare lists by their items now.`)
    return { broken: faults, gaps }
  },
}
