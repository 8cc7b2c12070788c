import { afterAll, beforeAll, expect, test } from 'bun:test'
import { compactVerify, createLocalJWKSet, createRemoteJWKSet } from 'jose'
import { eraseSubscriber } from '../../src/moving/erasure/erase'
import { type EverywhereStage, everywhereStage, personEverywhere } from '../support/person-everywhere'

let s: EverywhereStage
beforeAll(async () => {
  s = await everywhereStage()
})
afterAll(() => s.close())

test('a person', async () => {
  const person = await personEverywhere(s, 'zanzibar')
  const project = await s.ctx.state.projects.get(s.project.id)
  const now = s.ctx.clock.now()
  const request = {
    ...{
      id: 'dsr_1',
      projectId: s.project.id,
      subscriberId: person.id,
      type: 'ERASURE' as const,
      status: 'RUNNING' as const,
    },
    ...{
      requestedBy: 'support',
      artefactKey: null,
      certificate: null,
      error: null,
      claimedAt: null,
      completedAt: null,
    },
    ...{ expiresAt: null, createdAt: now, updatedAt: now },
  }
  const jws = await eraseSubscriber(s.ctx, project, request)
  console.log(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())
  expect(jws).toBeString()
})
