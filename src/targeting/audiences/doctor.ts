import type { Examination } from '../../base/cli/doctor'
import { findMac } from '../../base/master-key'
import { type Finding, finding, firstNames, namesText } from '../../core/finding/findings'
import { MemberHasher } from './groups/group'
import { listStaleAudiences } from './groups/service'

const MAX_NAMED = 10

/** Whether the lists of ids of the audiences can find anybody. */
export const audienceExamination: Examination = {
  name: 'audiences',
  async project({ handle, config }, { id }) {
    const mac = findMac(config)
    const names = await listStaleAudiences(handle, id, mac && new MemberHasher(mac).fingerprint())
    return names.length === 0 ? {} : { gaps: [gapOf(names)] }
  },
}

function gapOf(audiences: readonly string[]): Finding {
  const named = firstNames(audiences, MAX_NAMED)
  return finding(
    'AUDIENCE_LISTS_STALE',
    named,
    `The lists of ids of these audiences were hashed with another master key and match nobody: ${namesText(named)}. Bring back the master key of before, or send the lists again.`,
  )
}
