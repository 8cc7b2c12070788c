import type { Examination } from '../../base/cli/doctor'
import { findMac } from '../../base/master-key'
import { MemberHasher } from './groups/group'
import { listStaleAudiences } from './groups/service'

const MAX_NAMED = 10

/** Whether the lists of ids of the audiences can find anybody. */
export const audienceExamination: Examination = {
  name: 'audiences',
  async project({ handle, config }, { id }) {
    const mac = findMac(config)
    const names = await listStaleAudiences(handle, id, mac && new MemberHasher(mac).fingerprint())
    return names.length === 0 ? {} : { gaps: [sentenceOf(names)] }
  },
}

function sentenceOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMED
  const named = names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return `The lists of ids of these audiences were hashed with another master key and match nobody: ${named}. Bring back the master key of before, or send the lists again.`
}
