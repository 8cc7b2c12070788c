import { afterEach, beforeEach, expect, test } from 'bun:test'
import { CircuitBreaker } from '../../src/base/lib/circuit'
import { MINUTE } from '../../src/base/lib/clock'
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

interface App {
  store: string
  status: string
}

const apps = async (): Promise<App[]> => (await team.as('CUSTOMER_SUPPORT').get('/apps')).body.data.items
const ios = async () => (await apps()).find(({ store }) => store === 'ios')
const ask = () => team.as('DEVELOPER').post('/apps/ios/test-notification', { environment: 'production' })
const UNUSED = { status: 'INCOMPLETE', lastNotificationAt: null, lastCallOkAt: null, circuit: 'CLOSED' }

test('every store is listed, and none is called', async () => {
  expect((await team.as('SUPPORT_READ').get('/apps')).body).toEqual({
    data: {
      items: [
        { ...UNUSED, store: 'ios', status: 'OK' },
        { ...UNUSED, store: 'android' },
        { ...UNUSED, store: 'payment' },
      ],
      nextCursor: null,
    },
  })
  expect(s.server.requests).toEqual([])
})

test('an app without its key, or without its id, is incomplete', async () => {
  await saveKey(s, null)
  expect((await ios())?.status).toBe('INCOMPLETE')
  await team.as('OWNER').delete('/credentials/ios')
  expect((await ios())?.status).toBe('INCOMPLETE')
})

test('the last notification and the last call are shown', async () => {
  await deliver(s, notificationBody(s, ['TEST', null], null))
  const lastNotificationAt = toIso(s.ctx.clock.now())
  s.ctx.clock.advance(MINUTE)
  await ask()
  expect(await ios()).toMatchObject({ lastNotificationAt, lastCallOkAt: toIso(s.ctx.clock.now()) })
  expect((await apps())[1]).toMatchObject({ lastNotificationAt: null, lastCallOkAt: null })
})

test('a store that fails is shown until it answers again', async () => {
  s.server.trouble = { status: 500 }
  for (let count = 0; count < 5; count++) await ask()
  expect(await ios()).toMatchObject({ status: 'FAILING', circuit: 'OPEN' })
  s.ctx.clock.advance(MINUTE)
  expect(await ios()).toMatchObject({ status: 'FAILING', circuit: 'HALF_OPEN' })
  s.server.trouble = null
  await ask()
  expect(await ios()).toMatchObject({ status: 'OK', circuit: 'CLOSED' })
})

test('credentials that the master key does not open are a failure', async () => {
  const { storeSettings: t } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(t).set({ sealed: 'v1.00000000.AAAA.AAAA.AAAA' }))
  expect((await ios())?.status).toBe('FAILING')
})

test('notifications of another project are not shown', async () => {
  await deliver(s, notificationBody(s, ['TEST', null], null))
  team.sessions.roles.set(`usr_owner ${s.other.id}`, 'OWNER')
  const { body } = await team.as('OWNER').get('/apps', { projectId: s.other.id })
  expect(body.data.items[0]).toMatchObject({ store: 'ios', lastNotificationAt: null })
})

test('calls of another project to Google Play are not shown', async () => {
  const circuit = new CircuitBreaker()
  s.ctx.circuits.put(s.other.id, { store: 'ANDROID_STORE', isSandbox: false, circuit })
  circuit.succeed(s.ctx.clock.now())
  for (let count = 0; count < 5; count++) circuit.fail(s.ctx.clock.now())
  expect((await apps())[1]).toEqual({ ...UNUSED, store: 'android' })
})

test('strangers see nothing', async () => {
  expect(refusalOf(await team.as('STRANGER').get('/apps'))).toEqual([404, 'NOT_FOUND'])
  expect(refusalOf(await s.call('GET', `/dashboard/projects/${s.project.id}/apps`))).toEqual([401, 'UNAUTHORIZED'])
})
