import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { type IosApiStage, iosApiStage, saveKey } from '../support/ios-api'
import { deliver, notificationBody } from '../support/notify'
import { type Staff, staff } from '../support/staff'
import { refusalOf } from '../support/store-setup'

let s: IosApiStage
let team: Staff
beforeEach(async () => {
  s = await iosApiStage()
  team = staff(s)
})
afterEach(() => s.close())

const PATH = '/apps/ios/test-notification'
const ask = (environment = 'sandbox') => team.as('DEVELOPER').post(PATH, { environment })
const look = (token: string) => team.as('DEVELOPER').get(`${PATH}/${token}`)

describe('a test notification', () => {
  test('is asked for and followed until it has arrived', async () => {
    const { status, body } = await ask()
    expect([status, body.data.expiresAt]).toEqual([200, toIso(s.ctx.clock.now() + 180 * DAY)])
    const { token } = body.data
    const sent = notificationBody(s, ['TEST', null], null)
    s.server.facts.tests.set('test-token', { ...sent, sendAttempts: [] })
    const endpoint = `<PUBLIC_BASE_URL>/webhooks/ios/${s.project.id}`
    expect((await look(token)).body.data).toEqual({ status: 'PENDING', receivedAt: null, attempts: [], endpoint })
    await deliver(s, sent)
    const attemptDate = s.ctx.clock.now()
    s.server.facts.tests.set('test-token', { ...sent, sendAttempts: [{ attemptDate, sendAttemptResult: 'SUCCESS' }] })
    const at = toIso(attemptDate)
    expect((await look(token)).body.data).toEqual({
      status: 'RECEIVED',
      receivedAt: at,
      attempts: [{ at, result: 'SUCCESS' }],
      endpoint,
    })
  })

  test('that failed says why', async () => {
    const { token } = (await ask()).body.data
    const attemptDate = s.ctx.clock.now()
    const sendAttempts = [{ attemptDate, sendAttemptResult: 'TLS_ISSUE' }]
    s.server.facts.tests.set('test-token', { ...notificationBody(s, ['TEST', null], null), sendAttempts })
    expect((await look(token)).body.data).toMatchObject({ status: 'FAILED', attempts: [{ result: 'TLS_ISSUE' }] })
  })

  test('is looked for in the environment for which it was asked', async () => {
    const tokens = await Promise.all(['production', 'sandbox'].map(async (one) => (await ask(one)).body.data.token))
    expect(new Set(tokens).size).toBe(2)
  })
})

describe('refusals', () => {
  const unknown = [400, 'STORE_TEST_NOTIFICATION_TOKEN_UNKNOWN']

  test('a token that nobody was given', async () => {
    for (const token of [
      'x',
      'test-token',
      'sandbox_',
      'staging_test-token',
      `sandbox_${'x'.repeat(501)}`,
      'sandbox_%20',
    ])
      expect([token, ...refusalOf(await look(token))]).toEqual([token, ...unknown])
    expect(s.server.requests).toEqual([])
  })

  test('a token that the store does not know, or no longer', async () => {
    expect(refusalOf(await look('sandbox_other'))).toEqual(unknown)
    s.server.trouble = { status: 400, errorCode: 4000020 }
    expect(refusalOf(await look('production_old'))).toEqual(unknown)
  })

  test('no in-app purchase key', async () => {
    await saveKey(s, null)
    const missing = [400, 'STORE_KEY_MISSING', { key: 'inAppPurchase' }]
    expect(refusalOf(await ask())).toEqual(missing)
    expect(refusalOf(await look('sandbox_x'))).toEqual(missing)
    expect(s.server.requests).toEqual([])
  })

  test('no app', async () => {
    await team.as('OWNER').delete('/credentials/ios')
    expect(refusalOf(await ask())).toEqual([400, 'STORE_NOT_CONFIGURED'])
  })

  test.each<[name: string, trouble: object, refusal: unknown[]]>([
    ['the key is refused', { status: 401 }, [502, 'STORE_API_ERROR']],
    ['no address is saved at the store', { status: 404, errorCode: 4040007 }, [502, 'STORE_API_ERROR']],
    ['the store is away', { status: 500 }, [503, 'STORE_UNAVAILABLE']],
  ])('%s', async (_name, trouble, refusal) => {
    s.server.trouble = trouble
    expect(refusalOf(await ask())).toEqual(refusal)
  })

  test('who may not, and what is no environment', async () => {
    for (const role of ['GROWTH', 'CUSTOMER_SUPPORT'] as const) {
      expect(refusalOf(await team.as(role).post(PATH, { environment: 'sandbox' }))[1]).toBe('ROLE_REQUIRED')
      expect(refusalOf(await team.as(role).get(`${PATH}/sandbox_x`))[1]).toBe('ROLE_REQUIRED')
    }
    for (const body of [{}, { environment: 'both' }, { environment: 'sandbox', more: 1 }])
      expect(refusalOf(await team.as('DEVELOPER').post(PATH, body))[1]).toBe('VALIDATION_ERROR')
    expect(s.server.requests).toEqual([])
  })
})
