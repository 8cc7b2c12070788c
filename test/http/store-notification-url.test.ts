import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { BUNDLE } from '../support/cast'
import {
  BASE,
  CONNECT_KEY_ID,
  iosKey,
  NOBODY_KEY_ID,
  READER_KEY_ID,
  refusalOf,
  type SetupStage,
  setupStage,
} from '../support/store-setup'

let s: SetupStage
beforeEach(async () => {
  s = await setupStage({ isPublic: true })
})
afterEach(() => s.close())

const PATH = '/apps/ios/notification-url'
const OTHER = 'https://old.example.com/hook'
const ours = () => `${BASE}/webhooks/ios/${s.project.id}`

/** Saves a store-connect key and forgets the calls so far. */
async function connect(keyId = CONNECT_KEY_ID): Promise<void> {
  const body = { bundleId: BUNDLE, appId: '1234567890', storeConnectKey: iosKey(keyId) }
  expect((await s.as('OWNER').put('/credentials/ios?probe=false', body)).status).toBe(200)
  s.connect.requests.length = 0
}

const app = () => {
  const found = s.connect.apps.find(({ attributes }) => attributes.bundleId === BUNDLE)
  if (!found) throw new Error('no app')
  return found
}
const set = (body: object = { environment: 'both' }) => s.as('ADMIN').post(PATH, body)
const read = () => s.as('DEVELOPER').get(PATH)
const patches = () => s.connect.requests.filter(({ method }) => method === 'PATCH')

const urlRows = async () => (await s.audit()).filter(({ action }) => action === 'notificationUrl.update')

async function expectNothingSet(): Promise<void> {
  expect(patches()).toEqual([])
  expect(await urlRows()).toEqual([])
}

describe('reading', () => {
  test('says what is saved at the store, and whether it is ours', async () => {
    await connect(READER_KEY_ID)
    const none = { current: null, matches: false }
    expect((await read()).body.data).toEqual({ url: ours(), production: none, sandbox: none })
    app().attributes.subscriptionStatusUrl = ours()
    app().attributes.subscriptionStatusUrlVersion = 'V2'
    app().attributes.subscriptionStatusUrlForSandbox = OTHER
    app().attributes.subscriptionStatusUrlVersionForSandbox = 'V2'
    const { production, sandbox } = (await read()).body.data
    expect([production, sandbox]).toEqual([
      { current: ours(), matches: true },
      { current: OTHER, matches: false },
    ])
  })

  test('our address with notifications of version 1 is not enough', async () => {
    await connect()
    app().attributes.subscriptionStatusUrl = ours()
    app().attributes.subscriptionStatusUrlVersion = 'V1'
    expect((await read()).body.data.production).toEqual({ current: ours(), matches: false })
  })

  test('needs a developer, and changes nothing', async () => {
    await connect()
    expect(refusalOf(await s.as('GROWTH').get(PATH))[1]).toBe('ROLE_REQUIRED')
    await read()
    await expectNothingSet()
  })

  test('is refused like setting, but works without a public address', async () => {
    const hidden = await setupStage()
    const body = { bundleId: BUNDLE, storeConnectKey: iosKey(CONNECT_KEY_ID) }
    expect(refusalOf(await hidden.as('DEVELOPER').get(PATH))).toEqual([
      400,
      'STORE_KEY_MISSING',
      { key: 'storeConnect' },
    ])
    await hidden.as('OWNER').put('/credentials/ios', body)
    expect((await hidden.as('DEVELOPER').get(PATH)).body.data.url).toBeNull()
    await hidden.close()
  })
})

describe('setting', () => {
  test('both addresses in one call, with one audit row', async () => {
    await connect()
    const url = ours()
    expect((await set()).body.data).toEqual({
      url,
      applied: [
        { environment: 'production', previous: null, current: url },
        { environment: 'sandbox', previous: null, current: url },
      ],
    })
    expect(patches().map(({ path, body }) => [path, body])).toEqual([
      [
        '/v1/apps/1234567890',
        {
          data: {
            type: 'apps',
            id: '1234567890',
            attributes: {
              subscriptionStatusUrl: url,
              subscriptionStatusUrlVersion: 'V2',
              subscriptionStatusUrlForSandbox: url,
              subscriptionStatusUrlVersionForSandbox: 'V2',
            },
          },
        },
      ],
    ])
    expect(await urlRows()).toMatchObject([
      {
        actor: { kind: 'USER', id: 'usr_admin' },
        target: { type: 'notificationUrl' },
        before: { production: null, sandbox: null },
        after: { production: url, sandbox: url },
      },
    ])
    expect((await read()).body.data).toMatchObject({ production: { matches: true }, sandbox: { matches: true } })
  })

  test('again calls the store for nothing and writes nothing', async () => {
    await connect()
    await set()
    expect((await set()).body.data.applied[0]).toEqual({ environment: 'production', previous: ours(), current: ours() })
    expect([patches().length, (await urlRows()).length]).toEqual([1, 1])
  })

  test('one environment leaves the other alone', async () => {
    await connect()
    app().attributes.subscriptionStatusUrl = OTHER
    const { status, body } = await set({ environment: 'sandbox' })
    expect([status, body.data.applied]).toEqual([200, [{ environment: 'sandbox', previous: null, current: ours() }]])
    expect(app().attributes.subscriptionStatusUrl).toBe(OTHER)
  })

  test('our own address of version 1 is not another one', async () => {
    await connect()
    app().attributes.subscriptionStatusUrl = ours()
    app().attributes.subscriptionStatusUrlVersion = 'V1'
    expect((await set({ environment: 'production' })).status).toBe(200)
    expect(app().attributes.subscriptionStatusUrlVersion).toBe('V2')
  })

  test('another address is replaced only when that is said', async () => {
    await connect()
    app().attributes.subscriptionStatusUrlForSandbox = OTHER
    expect(refusalOf(await set())).toEqual([
      409,
      'STORE_NOTIFICATION_URL_IN_USE',
      { current: OTHER, otherServiceProject: false },
    ])
    await expectNothingSet()
    const { body } = await set({ environment: 'both', replaceExisting: true })
    expect(body.data.applied[1]).toEqual({ environment: 'sandbox', previous: OTHER, current: ours() })
  })

  test('the address of another project of this deployment is named as such', async () => {
    await connect()
    const current = `${BASE}/webhooks/ios/${s.other.id}`
    app().attributes.subscriptionStatusUrl = current
    expect(refusalOf(await set())[2]).toEqual({ current, otherServiceProject: true })
  })

  test('does not change the revision of the credentials', async () => {
    await connect()
    const revision = async () => (await s.as('OWNER').get('/credentials')).body.data.ios.revision
    const before = await revision()
    await set()
    expect(await revision()).toBe(before)
  })
})

describe('the first refusal in the order is told', () => {
  test.each([
    [undefined],
    ['http://svc.example.com'],
    ['https://localhost:3000'],
    ['https://10.0.0.1'],
    ['https://svc.local'],
  ])('a base that is not public https: %s', async (base) => {
    const own = await setupStage({ env: base === undefined ? {} : { PUBLIC_BASE_URL: base } })
    own.connect.trouble = { status: 401 }
    const headers =
      base === undefined
        ? {}
        : { origin: base, cookie: `${base.startsWith('https') ? '__Host-' : ''}svc_session=ADMIN` }
    const answer = await own.team.as('ADMIN').post(PATH, { environment: 'both' }, { headers })
    const url = base === undefined ? null : `${base}/webhooks/ios/${own.project.id}`
    expect(refusalOf(answer)).toEqual([400, 'STORE_NOTIFICATION_URL_NOT_PUBLIC', { url }])
    expect(own.connect.requests).toEqual([])
    await own.close()
  })

  test('no store-connect key', async () => {
    expect(refusalOf(await set())).toEqual([400, 'STORE_KEY_MISSING', { key: 'storeConnect' }])
    expect(s.connect.requests).toEqual([])
  })

  const cases: [name: string, keyId: string, trouble: object | null, refusal: unknown[]][] = [
    ['a role that sees nothing', NOBODY_KEY_ID, null, [403, 'STORE_KEY_INSUFFICIENT_ROLE', { key: 'storeConnect' }]],
    ['a role that may not change', READER_KEY_ID, null, [403, 'STORE_KEY_INSUFFICIENT_ROLE', { key: 'storeConnect' }]],
    [
      'the store refuses the address',
      CONNECT_KEY_ID,
      { status: 409, code: 'ENTITY_ERROR.ATTRIBUTE.INVALID', detail: 'The URL is not valid', asked: /^PATCH/ },
      [400, 'STORE_NOTIFICATION_URL_REJECTED', { url: true, storeMessage: 'The URL is not valid' }],
    ],
    ['a key that was revoked', 'REVOKED001', null, [502, 'STORE_API_ERROR']],
    ['an answer that cannot be read', CONNECT_KEY_ID, { status: 200, text: '{}' }, [502, 'STORE_API_ERROR']],
    ['the store is away', CONNECT_KEY_ID, { status: 500 }, [503, 'STORE_UNAVAILABLE']],
    ['the store is away for the change', CONNECT_KEY_ID, { status: 503, asked: /^PATCH/ }, [503, 'STORE_UNAVAILABLE']],
  ]
  test.each(cases)('%s', async (_name, keyId, trouble, refusal) => {
    await connect(keyId)
    s.connect.trouble = trouble as never
    const [status, code, details] = refusal as [number, string, Record<string, unknown>?]
    const wanted = details && 'url' in details ? { ...details, url: ours() } : details
    expect(refusalOf(await set())).toEqual(wanted ? [status, code, wanted] : [status, code])
    expect(app().attributes.subscriptionStatusUrl).toBeNull()
    expect(await urlRows()).toEqual([])
  })

  test('an app that the key no longer sees', async () => {
    await connect()
    s.connect.apps.length = 0
    expect(refusalOf(await set())).toEqual([502, 'STORE_API_ERROR'])
  })

  test('who may not, and what is no order', async () => {
    await connect()
    for (const role of ['DEVELOPER', 'GROWTH', 'CUSTOMER_SUPPORT'] as const)
      expect(refusalOf(await s.as(role).post(PATH, {}))[1]).toBe('ROLE_REQUIRED')
    expect(refusalOf(await s.as('SUPPORT_READ').post(PATH, {}))[1]).toBe('SUPPORT_ACCESS_READ_ONLY')
    for (const body of [
      {},
      { environment: 'all' },
      { environment: 'PRODUCTION' },
      { environment: 'both', replaceExisting: 'yes' },
      { environment: 'both', url: OTHER },
    ])
      expect(refusalOf(await set(body))[1]).toBe('VALIDATION_ERROR')
    await expectNothingSet()
    expect(s.connect.requests).toEqual([])
  })
})
