import type { KeyState, ProjectState } from '../../projects/project/state'
import type { SdkPlatform } from './select'

/** Who calls, after the key check. */
export interface SdkCaller {
  project: ProjectState
  key: KeyState
  platform: SdkPlatform
  /** The key has the prefix `test_`: the app buys at the test store. */
  isTest: boolean
}

/** Which ids of a product a caller knows: those of its store, or ours. */
export type ProductNaming = 'IOS' | 'ANDROID' | 'OWN'

export function namingOf({ platform, isTest }: Pick<SdkCaller, 'platform' | 'isTest'>): ProductNaming {
  if (isTest || platform === 'web') return 'OWN'
  return platform === 'ios' ? 'IOS' : 'ANDROID'
}
