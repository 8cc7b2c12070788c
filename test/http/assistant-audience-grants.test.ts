import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { join } from '../support/crew'
import { access, rowOf } from '../support/facts'
import { type Approving, approver, execute, proposed, type Shown, wholeState } from '../support/intents'
import { callTool } from '../support/mcp'

let s: Stage
let a: Approving
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  a = await approver(s)
})
afterAll(() => s.close())

const setGroup = (device: string, group: string) =>
  s.post(`/v1/config?subscriberId=${device}`, { attributes: { group } })

/** An audience of so many people; its id. */
async function audienceOf(group: string, people: number): Promise<string> {
  for (let n = 0; n < people; n++) await setGroup(`${group}_${n}`, group)
  return (await a.person.browser.post(`${a.path}/audiences`, { name: group, rules: { group } })).body.data.id
}

const give = (id: string): Promise<Shown> => proposed(a, 'grant.audience', { id, accessIds: ['coach'] })

/** Expects that an approval is refused as stale and that nobody of a group got access. */
async function expectStale(intent: Shown, devices: string[]): Promise<void> {
  const { status, body } = await execute(a, intent)
  expect([status, body.error.code, body.error.details.reason]).toEqual([409, 'CONFLICT', 'stale'])
  for (const device of devices) expect(await access(s, device)).toEqual({})
}

describe('a proposed grant to an audience', () => {
  test('names how many people it concerns, and gives it to exactly them', async () => {
    const id = await audienceOf('many', 70)
    const before = await wholeState(s)
    const intent = await give(id)
    expect(await wholeState(s)).toEqual(before)
    expect(intent).toMatchObject({
      ...{ action: 'grant.audience', risk: 'high', capability: 'subscribers:write' },
      summary: 'Give everyone of an audience access without a purchase: 70 people',
      preview: {
        effects: { people: 70, accessGained: [{ access: 'coach', people: 70 }], accessLost: [] },
        warnings: [expect.stringMatching(/^\d+ values change; the first 200 are shown$/)],
      },
    })
    expect(intent.preview.changes).toHaveLength(200)
    const executed = await execute(a, intent)
    expect(executed.body.data).toMatchObject({ status: 'EXECUTED', result: { matched: 70, granted: 70 } })
    for (const device of ['many_0', 'many_69']) expect(await access(s, device)).toEqual({ coach: null })
  })

  test('is stale when somebody else takes the place of one whom the preview no longer shows', async () => {
    const id = await audienceOf('swap', 70)
    const intent = await give(id)
    const last = (await rowOf(s, 'swap_69')).id
    expect(JSON.stringify(intent.preview)).not.toContain(last)
    await setGroup('swap_69', 'gone')
    await setGroup('swap_new', 'swap')
    await expectStale(intent, ['swap_0', 'swap_69', 'swap_new'])
  })

  test('is stale when one more matches', async () => {
    const id = await audienceOf('more', 2)
    const intent = await give(id)
    await setGroup('more_new', 'more')
    await expectStale(intent, ['more_0', 'more_1', 'more_new'])
  })

  test('needs a sign-in of the last 12 hours', async () => {
    const id = await audienceOf('late', 1)
    s.ctx.clock.advance(13 * HOUR)
    const intent = await give(id)
    const { status, body } = await execute(a, intent)
    expect([status, body.error.details]).toEqual([403, { reason: 'sign_in' }])
    expect(await access(s, 'late_0')).toEqual({})
    expect((await execute(a, intent, await join(s, 'fresh', 'CUSTOMER_SUPPORT'))).status).toBe(200)
    expect(await access(s, 'late_0')).toEqual({ coach: null })
  })

  test('cannot be made for an audience without people, of nothing, or with an end that has passed', async () => {
    const id = await audienceOf('empty', 0)
    const wrong = [
      { id, accessIds: ['coach'] },
      { id, accessIds: ['vip'] },
      { id: 'aud_none', accessIds: ['coach'] },
      { id, accessIds: ['coach'], expiresAt: new Date(s.ctx.clock.now() - DAY).toISOString() },
      { id, accessIds: ['coach'], dryRun: false },
    ]
    const codes = []
    for (const given of wrong) {
      const { isError, body } = await callTool(a.agent, 'propose_grant_audience', given)
      codes.push([isError, body.error?.code])
    }
    expect(codes).toEqual([
      [true, 'CONFLICT'],
      [true, 'UNKNOWN_REFERENCES'],
      [true, 'NOT_FOUND'],
      [true, 'VALIDATION_ERROR'],
      [true, 'VALIDATION_ERROR'],
    ])
  })
})
