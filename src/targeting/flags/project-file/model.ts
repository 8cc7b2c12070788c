import { sectionKey } from '../../../projects/project-file/model'
import type { FlagState } from '../file-state'
import type { FlagEnvironment, FlagType } from '../model'

/** A flag with its environments, in the form of the file. */
export interface FlagEntry {
  type: FlagType
  environments: Partial<Record<FlagEnvironment, FlagState>>
}

/** The name of an object consists of the key and the environment. */
export const FLAGS = sectionKey<FlagState, FlagEntry>('flags', 'flag')

export const ENVIRONMENTS: readonly FlagEnvironment[] = ['PROD', 'STAGING', 'DEVELOPMENT']

/** The key and the environment in a name that `flagName` made. */
export function splitFlagName(name: string): { key: string; env: string } {
  const at = name.lastIndexOf(' ')
  return { key: name.slice(0, at), env: name.slice(at + 2, -1) }
}
