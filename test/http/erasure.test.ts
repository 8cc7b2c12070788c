import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eraseSubscriber } from '../../src/moving/erasure/erase'
import { findTexts } from '../support/byte-search'
import { type EverywherePerson, type EverywhereStage, everywhereStage, personEverywhere } from '../support/person-everywhere'

let s: EverywhereStage
beforeAll(async () => {
  s = await everywhereStage()
})
afterAll(() => s.close())

const requestOf = (id: string, subscriberId: string) => ({
  ...{ id, projectId: s.project.id, subscriberId, type: 'ERASURE' as const, status: 'RUNNING' as const },
  ...{ requestedBy: 'support', artefactKey: null, certificate: null, error: null, claimedAt: null, completedAt: null },
  ...{ expiresAt: null, createdAt: s.ctx.clock.now(), updatedAt: s.ctx.clock.now() },
})

const erase = async (id: string, subscriberId: string) =>
  eraseSubscriber(s.ctx, await s.ctx.state.projects.get(s.project.id), requestOf(id, subscriberId))

/** Not the tag alone: the names of the cohort and of the leaderboard have it too. */
const textsOf = ({ tag, accountToken, customerId }: EverywherePerson) => [
  ...[`${tag}-`, `_${tag}_phone`, `${tag}@`, `${tag}.billing`, accountToken, customerId],
]

test('after an erasure no byte of the person is in any file', async () => {
  const person = await personEverywhere(s, 'zanzibar')
  const other = await personEverywhere(s, 'quetzal')
  const texts = textsOf(person)
  expect(await findTexts(s.ctx, texts)).not.toEqual([])
  await erase('dsr_1', person.id)
  expect(await findTexts(s.ctx, texts)).toEqual([])
  expect(await findTexts(s.ctx, textsOf(other))).not.toEqual([])
  expect(s.ctx.lines.join('\n')).not.toContain(`${person.tag}-`)
})
