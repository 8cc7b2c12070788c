import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY, outsideNow, SECOND } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { NOW } from '../support/context'
import { identifyWith, makeSecret, NOT_VALID, refusalOf, tokenFor } from '../support/identity'
import { dataOf } from '../support/operator'
import { staff } from '../support/staff'
import { opened, postSessions } from '../support/telemetry'

const OFFSET = 40 * DAY

let s: Stage
let key: string
beforeAll(async () => {
  const env = { SVC_MODE: 'development', SVC_TEST_CLOCK_OFFSET: String(OFFSET / SECOND) }
  s = await stage({ env, settings: { identityVerification: 'labels' } })
  key = await makeSecret(s)
})
afterAll(() => s.close())

test('everything of the process has the moved time', async () => {
  expect([s.ctx.clock.now(), outsideNow(s.ctx)]).toEqual([NOW + OFFSET, NOW])
  const { period } = await dataOf(staff(s).as('OWNER').get('/usage'))
  expect(period.start).toBe('2026-12-01T00:00:00.000Z')
  expect((await postSessions(s, 'svc_clock', [opened(s)])).status).toBe(202)
})

test('a token that another machine signed now is valid, and one of the moved time is not', async () => {
  const iat = NOW / SECOND
  const theirs = await tokenFor(s, 'user_1', { key, claims: { iat, exp: iat + 600 } })
  expect((await identifyWith(s, 'svc_clock', 'user_1', theirs)).status).toBe(200)
  expect(refusalOf(await identifyWith(s, 'svc_clock', 'user_1', await tokenFor(s, 'user_1', { key })))).toEqual(
    NOT_VALID,
  )
})
