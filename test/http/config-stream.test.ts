import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type Stage, stage } from '../support/cast'
import { clearRemote, configOf, configure } from '../support/remote'
import { openStream } from '../support/stream'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterEach(() => clearRemote(s))
afterAll(() => s.close())

describe('frames', () => {
  test('initial is what config answers, and invalidate follows a change', async () => {
    await configure(s, { flags: [{ key: 'one' }] })
    const held = await openStream(s, 'subscriberId=svc_ada')
    const { data } = (await configOf(s, 'svc_ada')).body
    expect(await held.data('initial')).toEqual({ ...data, projectId: s.project.id })
    await configure(s, { flags: [{ key: 'two' }] })
    expect((await held.data('invalidate')).flags).toEqual({ one: false, two: false })
    await held.leave()
  })
})
