import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { storeEventsCommand } from '../../src/intake/catch-up/command'
import { readIosTest, requestIosTest } from '../../src/intake/ios/notification-test'
import { runBeside } from '../support/command'
import { type IosApiStage, iosApiStage, saveKey } from '../support/ios-api'
import { deliver, notificationBody } from '../support/notify'

let s: IosApiStage
beforeEach(async () => {
  s = await iosApiStage()
})
afterEach(() => s.close())

const project = () => s.ctx.state.projects.get(s.project.id)
const request = async () => requestIosTest(s.ctx, await project(), 'SANDBOX')
const read = async (token: string) => readIosTest(s.ctx, await project(), 'SANDBOX', token)
const run = (...args: string[]) =>
  runBeside(s, storeEventsCommand, 'test', '--project', 'project-1', '--environment', 'sandbox', ...args)

type Result = 'SUCCESS' | 'TIMED_OUT' | 'TLS_ISSUE'

/** A notification that the store has sent, with these results so far. */
function sent(...results: Result[]): { signedPayload: string } {
  const body = notificationBody(s, ['TEST', null], null)
  const attemptDate = s.ctx.clock.now()
  const sendAttempts = results.map((sendAttemptResult) => ({ attemptDate, sendAttemptResult }))
  s.server.facts.tests.set('test-token', { ...body, sendAttempts })
  return body
}

test('a test is asked for and gives its token', async () => {
  expect(await request()).toEqual({ token: 'test-token', expiresAt: s.ctx.clock.now() + 180 * DAY })
  expect(s.server.requests).toMatchObject([{ method: 'POST', path: '/inApps/v1/notifications/test' }])
})

test('it is pending until the store has tried, and received once it came here', async () => {
  const body = sent()
  expect(await read('test-token')).toEqual({ status: 'PENDING', receivedAt: null, attempts: [] })
  await deliver(s, body)
  s.server.facts.tests.set('test-token', { ...body, sendAttempts: [{ attemptDate: 5, sendAttemptResult: 'SUCCESS' }] })
  const attempts = [{ at: 5, result: 'SUCCESS' }]
  expect(await read('test-token')).toEqual({ status: 'RECEIVED', receivedAt: s.ctx.clock.now(), attempts })
})

test('one that another address has taken did not come here', async () => {
  sent('SUCCESS')
  await deliver(s, notificationBody(s, ['TEST', null], null)) // The notification of another test.
  expect(await read('test-token')).toMatchObject({ status: 'RECEIVED', receivedAt: null })
})

test('one whose attempts all failed has failed, until one succeeds', async () => {
  sent('TIMED_OUT', 'TLS_ISSUE')
  expect((await read('test-token')).status).toBe('FAILED')
  sent('TIMED_OUT', 'SUCCESS')
  expect((await read('test-token')).status).toBe('RECEIVED')
})

test('an unknown token is 400, and other refusals of the store are 502 or 503', async () => {
  await expect(read('other')).rejects.toMatchObject({ refusal: 'STORE_TEST_NOTIFICATION_TOKEN_UNKNOWN', status: 400 })
  s.server.trouble = { status: 400, errorCode: 4000020 }
  await read('x').catch((error) => expect(error.refusal).toBe('STORE_TEST_NOTIFICATION_TOKEN_UNKNOWN'))
  s.server.trouble = { status: 403 }
  await request().catch((error) => expect([error.refusal, error.status]).toEqual(['STORE_API_ERROR', 502]))
  s.server.trouble = { status: 429, retryAfter: '7' }
  await request().catch((error) => expect([error.status, error.retryAfter]).toEqual([503, 7]))
  expect.assertions(4)
})

test('without a key nothing is asked', async () => {
  await saveKey(s, null)
  await expect(request()).rejects.toMatchObject({ refusal: 'STORE_KEY_MISSING', details: { key: 'inAppPurchase' } })
  await expect(read('x')).rejects.toMatchObject({ refusal: 'STORE_KEY_MISSING' })
  expect(s.server.requests).toEqual([])
})

const verdicts: [name: string, prepare: () => unknown, code: number, says: string][] = [
  ['it came here', async () => deliver(s, sent('SUCCESS')), 0, 'was received at'],
  ['another address took it', () => sent('SUCCESS'), 1, 'not to this deployment'],
  ['the store could not reach us', () => sent('TIMED_OUT'), 1, 'could not deliver its test notification (TIMED_OUT)'],
  ['the store has not tried', () => sent(), 1, '--environment sandbox --token test-token'],
]
for (const [name, prepare, code, says] of verdicts)
  test(`svc store-events test, when ${name}`, async () => {
    await prepare()
    const ran = await run('--wait', '0')
    expect([ran.code, ran.out]).toEqual([code, expect.stringContaining(says)])
    expect(ran.out.split('\n').length).toBe(1)
  })

test('svc store-events test waits for the store, and looks at an earlier one', async () => {
  const body = sent()
  const waiting = run('--wait', '600')
  while (s.server.requests.length < 2) await Bun.sleep(1)
  await deliver(s, body)
  s.server.facts.tests.set('test-token', { ...body, sendAttempts: [{ attemptDate: 5, sendAttemptResult: 'SUCCESS' }] })
  expect((await waiting).code).toBe(0)
  const again = await run('--token', 'test-token', '--json')
  expect(JSON.parse(again.out)).toMatchObject({ token: 'test-token', status: 'RECEIVED' })
  expect(s.server.requests.filter(({ method }) => method === 'POST').length).toBe(1)
})

const refusals: [name: string, trouble: object, says: string][] = [
  ['no address is saved at the store', { status: 404, errorCode: 4040007 }, '/webhooks/ios/prj_'],
  ['the key is refused', { status: 401 }, 'save a valid stores.ios.inAppPurchaseKey'],
  ['the store is away', { status: 503 }, 'does not answer'],
]
for (const [name, trouble, says] of refusals)
  test(`svc store-events test says what to do when ${name}`, async () => {
    s.server.trouble = trouble
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining(says) })
  })

test('svc store-events test says what to save without a key, and refuses what it cannot mean', async () => {
  await saveKey(s, null)
  expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('Save stores.ios.inAppPurchaseKey') })
  for (const args of [['--wait', 'x'], ['--store', 'payment'], ['more']]) expect((await run(...args)).code).toBe(2)
})
