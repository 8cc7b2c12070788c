import type { Surroundings } from '../audiences/subject'
import { evaluateFlag } from '../flags/evaluate'
import type { FlagEnvironment } from '../flags/model'
import type { RemoteSnapshot } from './snapshot'

/** The flags of an environment and the groups of a project, as rules read them. Without an id no flag has a value. */
export const surroundingsOf = (
  { environments }: Pick<RemoteSnapshot, 'environments'>,
  env: FlagEnvironment,
  bucketingId: string | null,
): Surroundings => ({
  flag(key, subject) {
    const flag = environments[env].byKey.get(key)
    if (!flag?.isEnabled || bucketingId === null) return undefined
    return textOf(evaluateFlag(flag, subject, bucketingId).value)
  },
  isInGroup: () => false,
})

/** A text stays as it is; any other value is written as JSON. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
