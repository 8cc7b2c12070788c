/** What happens to a purchase of another person when its receipt arrives through an SDK. */
export const RESTORE_BEHAVIORS = ['transfer', 'keep', 'project'] as const

export type RestoreBehavior = (typeof RESTORE_BEHAVIORS)[number]

/** The most keys of the former vendor that a project has, and the characters of the longest one. */
export const MAX_OLD_KEYS = 20
export const MAX_OLD_KEY = 255

/** Why a text cannot be a key of the former vendor, or null. */
export function oldKeyFault(whole: string): string | null {
  if (whole.length < 8 || whole.length > MAX_OLD_KEY || /\s/.test(whole))
    return `a key has 8 to ${MAX_OLD_KEY} characters without spaces`
  return /^(\w+_)?svc_/.test(whole) ? 'keys of this server need no entry' : null
}

export interface SdkDoorSettings {
  enabled: boolean
  /** Whether keys with the prefix `test_` are accepted, which buy at the built-in test store. */
  testStore: boolean
  restoreBehavior: RestoreBehavior
  /** Whether calls are counted by SDK, version, call and outcome. */
  logCalls: boolean
}

export const NO_SDK_DOOR: SdkDoorSettings = {
  ...{ enabled: false, testStore: false, restoreBehavior: 'transfer', logCalls: true },
}

/** The section of the store settings. */
export const SECTION = 'sdkDoor'

/** The settings in a saved section. A missing or unreadable value gets its default: everything is off, but the counts. */
export function readSdkDoor(config: Readonly<Record<string, unknown>>): SdkDoorSettings {
  const { enabled, testStore, restoreBehavior, logCalls } = config
  return {
    enabled: enabled === true,
    testStore: testStore === true,
    restoreBehavior: restoreBehavior === 'keep' || restoreBehavior === 'project' ? restoreBehavior : 'transfer',
    logCalls: logCalls !== false,
  }
}
