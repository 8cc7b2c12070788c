import { afterEach, beforeEach, expect, test } from 'bun:test'
import { HOUR, MINUTE } from '../../src/lib/clock'
import { MONTHLY } from '../support/cast'
import { type IosApiStage, iosApiStage, sold } from '../support/ios-api'
import { lastStoreEvent, notify } from '../support/notify'

let s: IosApiStage
beforeEach(async () => {
  s = await iosApiStage()
})
afterEach(() => s.close())

const ASKED = ['CONSUMPTION_REQUEST', null] as const

test('a request is answered after the delay, once', async () => {
  const month = await sold(s, 'svc_ada', MONTHLY)
  expect((await notify(s, ASKED, month)).status).toBe(200)
  expect(await lastStoreEvent(s)).toMatchObject({ status: 'PROCESSED', error: null })
  const [planned] = await s.responses()
  const now = s.ctx.clock.now()
  expect(planned).toMatchObject({ status: 'PENDING', dueAt: now + HOUR, deadlineAt: now + 12 * HOUR, sentAt: null })
  s.ctx.clock.advance(HOUR - 1)
  await s.work()
  expect(s.answers()).toEqual([])
  s.ctx.clock.advance(1)
  await s.work()
  expect(s.answers()).toMatchObject([{ transactionId: month.transactionId, customerConsented: true }])
  expect(await s.responses()).toMatchObject([{ status: 'SENT', sentAt: s.ctx.clock.now(), error: null, attempts: 1 }])
  s.ctx.clock.advance(30 * MINUTE)
  expect(await s.work()).toBe(0)
  expect(s.answers().length).toBe(1)
})
