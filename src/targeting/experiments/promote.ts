import { conflict, type Edit } from '../../projects/project/edit'
import { addFlag, changeFlag } from '../flags/admin'
import type { FlagEnvironment, FlagType } from '../flags/model'
import { listFlagsOfKey } from '../flags/service'

const ENVIRONMENTS: readonly FlagEnvironment[] = ['PROD', 'STAGING', 'DEVELOPMENT']

/**
 * Writes the winner's value as the default of the flag under the experiment's key, in every environment: an experiment
 * runs in all of them, and apps ask for it by its key (wire 2.23), so they keep getting an answer without a new
 * release. The experiment is COMPLETED by then, so its key names the flag only. A flag can exist already only if
 * somebody wrote it into the tables; then its default changes and its rules stay.
 */
export async function promoteWinner(edit: Edit, key: string, value: unknown): Promise<void> {
  const there = await listFlagsOfKey(edit.tx, edit.projectId, key)
  const type = there[0]?.type ?? typeOf(value)
  if (type !== 'JSON' && type !== typeOf(value)) throw conflict(`The flag ${key} is of type ${type}; delete it first`)
  for (const env of ENVIRONMENTS) {
    const flag = there.find((row) => row.env === env)
    if (flag) await changeFlag(edit, flag, { defaultValue: value })
    else await addFlag(edit, { key, env, type, defaultValue: value })
  }
}

function typeOf(value: unknown): FlagType {
  if (typeof value === 'boolean') return 'BOOLEAN'
  if (typeof value === 'string') return 'STRING'
  return typeof value === 'number' ? 'NUMBER' : 'JSON'
}
