import { eraseSubscriber } from '../../src/moving/erasure/erase'
import type { ErasedPerson } from '../../src/people/subscribers/hooks'
import type { Stage } from './cast'
import type { EverywherePerson } from './person-everywhere'

/** A person with one row, for a test of what one slice does at an erasure. */
export const personOf = ({ id, deviceKey }: { id: string; deviceKey: string }): ErasedPerson => ({
  ...{
    ids: [id],
    deviceKeys: [deviceKey],
    labels: [],
    purchaseIds: [],
    storeEventIds: [],
    texts: { ids: [], chosen: [] },
  },
})

/** Erases a person as the job of a data request does; returns the certificate. */
export async function erase(s: Stage, subscriberId: string, id = `dsr_of_${subscriberId}`): Promise<string> {
  const now = s.ctx.clock.now()
  return eraseSubscriber(s.ctx, await s.ctx.state.projects.get(s.project.id), {
    ...{ id, projectId: s.project.id, subscriberId, type: 'ERASURE', status: 'RUNNING', requestedBy: 'support' },
    ...{ artefactKey: null, certificate: null, error: null, claimedAt: null, completedAt: null, expiresAt: null },
    ...{ createdAt: now, updatedAt: now },
  })
}

/** Not the tag alone: the names of the cohort and of the leaderboard have it too. */
export const textsOf = ({ tag, accountToken, customerId }: EverywherePerson): string[] => [
  ...[`${tag}-`, `_${tag}_phone`, `${tag}@`, `${tag}.billing`, accountToken, customerId],
]
