import type { Context } from '../../base/context'
import type { Surroundings } from '../../core/audience/subject'
import { evaluateFlag } from '../../core/flag/evaluate'
import type { FlagEnvironment } from '../../core/flag/names'
import { flagText } from '../../core/flag/preview'
import type { RemoteSnapshot } from './snapshot'

/** The hash of an id, as the lists of ids of a project have it. */
export type HashMember = (id: string) => Buffer

export const memberHash =
  ({ state }: Pick<Context, 'state'>, { id }: { id: string }): HashMember =>
  (text) =>
    state.memberHasher.hash(id, text)

/** The flags of an environment and the groups of a project, as rules read them. Without an id no flag has a value. */
export const surroundingsOf = (
  { environments, groups }: Pick<RemoteSnapshot, 'environments' | 'groups'>,
  env: FlagEnvironment,
  bucketingId: string | null,
  hash: HashMember,
): Surroundings => ({
  flag(key, subject) {
    const flag = environments[env].byKey.get(key)
    if (!flag?.isEnabled || bucketingId === null) return undefined
    return flagText(evaluateFlag(flag, subject, bucketingId).value)
  },
  isInGroup: (audience, text) => groups.get(audience)?.has(hash(text)) ?? false,
})
