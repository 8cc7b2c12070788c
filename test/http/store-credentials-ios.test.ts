import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { MINUTE } from '../../src/base/lib/clock'
import { loadStoreSettings } from '../../src/projects/connections/credentials'
import { CONNECT_PEM } from '../support/app-store-connect'
import { BUNDLE, stage } from '../support/cast'
import { staff } from '../support/staff'
import {
  CONNECT_KEY_ID,
  IAP_KEY_ID,
  IOS_BODY,
  ISSUER,
  iosKey,
  NOBODY_KEY_ID,
  READER_KEY_ID,
  refusalOf,
  type SetupStage,
  setupStage,
} from '../support/store-setup'

let s: SetupStage
beforeEach(async () => {
  s = await setupStage()
})
afterEach(() => s.close())

const owner = () => s.as('OWNER')
const put = (body: unknown, query = '') => owner().put(`/credentials/ios${query}`, body)
const saved = async () => (await s.as('CUSTOMER_SUPPORT').get('/credentials')).body.data.ios

const BEFORE = {
  configured: true,
  bundleId: BUNDLE,
  appId: null,
  inAppPurchaseKey: null,
  storeConnectKey: null,
  revision: 1,
}

/** That nothing was saved, and that no audit row states so. */
async function expectNothingSaved(): Promise<void> {
  expect(await saved()).toEqual(BEFORE)
  expect(await s.audit()).toEqual([])
}

const pemOf = (namedCurve: string): string =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

describe('keys that the store accepts', () => {
  test('are saved, and never come back', async () => {
    const { status, body } = await put(IOS_BODY)
    expect(status).toBe(200)
    expect(body.data.ios).toEqual({
      configured: true,
      bundleId: BUNDLE,
      appId: '1234567890',
      inAppPurchaseKey: { keyId: IAP_KEY_ID, issuerId: ISSUER },
      storeConnectKey: { keyId: CONNECT_KEY_ID, issuerId: ISSUER },
      revision: 2,
    })
    expect(await saved()).toEqual(body.data.ios)
    const told = JSON.stringify([body, await s.audit(), s.ctx.lines])
    expect(told).not.toContain('PRIVATE KEY')
    expect(told).not.toContain(CONNECT_PEM.split('\n')[1] ?? '?')
  })

  test('are sealed in the database', async () => {
    await put(IOS_BODY)
    const { storeSettings: t } = s.ctx.tables
    const rows = JSON.stringify(await s.ctx.db.select().from(t))
    expect(rows).toContain(IAP_KEY_ID)
    expect(rows).not.toContain('PRIVATE')
    expect(rows).not.toContain(CONNECT_PEM.split('\n')[1] ?? '?')
  })

  test('are used for the next call to the store', async () => {
    await put(IOS_BODY)
    const asked = await s.as('DEVELOPER').post('/apps/ios/test-notification', { environment: 'sandbox' })
    expect(asked.status).toBe(200)
  })

  test('write one audit row with the actor and without secrets, and none when nothing changed', async () => {
    await put(IOS_BODY)
    const rows = await s.audit()
    expect(rows).toEqual([
      {
        action: 'store.update',
        target: { type: 'store', id: 'ios' },
        actor: { kind: 'USER', id: 'usr_owner', email: 'usr_owner@example.com' },
        before: expect.objectContaining({ bundleId: BUNDLE, inAppPurchaseKey: null }),
        after: expect.objectContaining({
          appId: '1234567890',
          inAppPurchaseKey: { keyId: IAP_KEY_ID, issuerId: ISSUER, privateKey: '(new)' },
        }),
      },
    ])
    expect((await put(IOS_BODY)).body.data.ios.revision).toBe(2)
    expect(await s.audit()).toEqual(rows)
  })

  test('are tried without a token that lives longer than Apple allows, and name no bundle id there', async () => {
    await put(IOS_BODY)
    const [{ claims } = { claims: null }] = s.connect.requests
    expect(claims).toMatchObject({ iss: ISSUER, aud: 'appstoreconnect-v1' })
    expect(Number(claims?.exp) - Number(claims?.iat)).toBeLessThanOrEqual(1200)
    expect(claims).not.toHaveProperty('bid')
  })

  test('of an app that was never released are known in the sandbox only', async () => {
    s.server.trouble = { status: 401, times: 1 }
    const { storeConnectKey: _, ...body } = IOS_BODY
    expect((await put(body)).status).toBe(200)
  })

  test('stay when the form sends them without the private key', async () => {
    await put(IOS_BODY)
    const named = { keyId: IAP_KEY_ID, issuerId: ISSUER }
    const { body } = await put({ ...IOS_BODY, appId: '1234567890', inAppPurchaseKey: named })
    expect(body.data.ios.inAppPurchaseKey).toEqual(named)
    expect((await s.as('DEVELOPER').post('/apps/ios/test-notification', { environment: 'sandbox' })).status).toBe(200)
  })

  test('that were tried are named: none when none was given, and none when they were not to be tried', async () => {
    const bare = { bundleId: BUNDLE, appId: '1234567890' }
    const { status, body } = await put(bare)
    expect([status, body.data.probed]).toEqual([200, []])
    expect((await put(IOS_BODY)).body.data.probed).toEqual(['inAppPurchaseKey', 'storeConnectKey'])
    expect((await put(IOS_BODY, '?probe=false')).body.data.probed).toEqual([])
  })

  test('are removed when they are left out', async () => {
    await put(IOS_BODY)
    const { body } = await put({ bundleId: BUNDLE, appId: '1234567890' })
    expect(body.data.ios).toMatchObject({ inAppPurchaseKey: null, storeConnectKey: null, revision: 3 })
    const asked = await s.as('DEVELOPER').post('/apps/ios/test-notification', { environment: 'sandbox' })
    expect(refusalOf(asked)).toEqual([400, 'STORE_KEY_MISSING', { key: 'inAppPurchase' }])
  })

  test('are saved without a call to the store by ?probe=false', async () => {
    s.server.trouble = { status: 500 }
    s.connect.trouble = { status: 500 }
    const { status, body } = await put({ ...IOS_BODY, appId: '7' }, '?probe=false')
    expect([status, body.data.ios.appId]).toEqual([200, '7'])
    expect([...s.server.requests, ...s.connect.requests]).toEqual([])
  })

  test('leave the forwards of the project file alone', async () => {
    const { storeSettings: t } = s.ctx.tables
    const notificationForwards = ['https://old.example.com/ios']
    await s.ctx.write((tx) => tx.db.update(t).set({ config: { bundleId: BUNDLE, notificationForwards } }))
    await put(IOS_BODY)
    const saved = await loadStoreSettings(s.ctx, s.ctx.vault, s.project.id)
    expect(saved.get('ios')?.config).toMatchObject({ notificationForwards, bundleId: BUNDLE })
  })
})

describe('the schema comes first', () => {
  const bad: [name: string, body: object, fields: string[]][] = [
    ['no bundle id', {}, ['credentials.bundleId']],
    ['a bundle id with a space', { bundleId: 'a b' }, ['credentials.bundleId']],
    ['a bundle id that is a number', { bundleId: 5 }, ['credentials.bundleId']],
    ['an app id with letters', { bundleId: BUNDLE, appId: 'x1' }, ['credentials.appId']],
    ['an app id as a number', { bundleId: BUNDLE, appId: 12 }, ['credentials.appId']],
    ['an unknown member', { bundleId: BUNDLE, teamId: 'x' }, ['credentials.teamId']],
    [
      'a key without its id',
      { ...IOS_BODY, inAppPurchaseKey: { issuerId: ISSUER, privateKey: 'x' } },
      ['credentials.inAppPurchaseKey.keyId'],
    ],
    [
      'a key with an unknown member',
      { ...IOS_BODY, storeConnectKey: iosKey(CONNECT_KEY_ID, { role: 'x' }) },
      ['credentials.storeConnectKey.role'],
    ],
    [
      'an empty private key',
      { ...IOS_BODY, storeConnectKey: iosKey(CONNECT_KEY_ID, { privateKey: '' }) },
      ['credentials.storeConnectKey.privateKey'],
    ],
    [
      'no private key, and none saved',
      { bundleId: BUNDLE, inAppPurchaseKey: { keyId: IAP_KEY_ID, issuerId: ISSUER } },
      ['credentials.inAppPurchaseKey.privateKey'],
    ],
  ]
  test.each(bad)('%s', async (_name, body, fields) => {
    expect(refusalOf(await put(body))).toEqual([400, 'VALIDATION_ERROR', { fields }])
    expect([...s.server.requests, ...s.connect.requests]).toEqual([])
    await expectNothingSaved()
  })

  test('the message does not repeat what was sent', async () => {
    const { body } = await put({ ...IOS_BODY, inAppPurchaseKey: { ...iosKey(IAP_KEY_ID), more: 'swordfish' } })
    expect(JSON.stringify(body)).not.toContain('swordfish')
    expect(JSON.stringify(body)).not.toContain('PRIVATE KEY')
  })

  test('a query that is not known', async () => {
    for (const query of ['?probe=no', '?probe=', '?x=1'])
      expect(refusalOf(await put(IOS_BODY, query))[1]).toBe('VALIDATION_ERROR')
    await expectNothingSaved()
  })
})

describe('then the form of the keys, without a call', () => {
  const bad: [name: string, key: object, field: string, reason: string][] = [
    ['a key id of nine characters', { keyId: 'ABC123DEF' }, 'keyId', 'unreadable'],
    ['a key id with a dash', { keyId: 'ABC-23DEF4' }, 'keyId', 'unreadable'],
    ['an issuer that is no UUID', { issuerId: 'me' }, 'issuerId', 'unreadable'],
    ['a private key that is no PEM', { privateKey: 'x' }, 'privateKey', 'unreadable'],
    ['a damaged PEM', { privateKey: CONNECT_PEM.replace(/\n.{8}/, '\nAAAAAAAA') }, 'privateKey', 'unreadable'],
    ['an RSA key', { privateKey: RSA }, 'privateKey', 'wrong_key_type'],
    ['a key of another curve', { privateKey: pemOf('P-384') }, 'privateKey', 'wrong_key_type'],
  ]
  for (const name of ['inAppPurchaseKey', 'storeConnectKey'] as const)
    test.each(bad)(`${name}: %s`, async (_name, key, field, reason) => {
      const answer = await put({ bundleId: BUNDLE, [name]: iosKey(IAP_KEY_ID, key) })
      const details = { store: 'ios', field: `${name}.${field}`, reason }
      expect(refusalOf(answer)).toEqual([400, 'STORE_CREDENTIALS_INVALID', details])
      expect([...s.server.requests, ...s.connect.requests]).toEqual([])
      await expectNothingSaved()
    })
})

test('after five probes without an answer the App Store is not asked for a minute', async () => {
  s.server.trouble = { status: 500 }
  const body = { bundleId: BUNDLE, inAppPurchaseKey: iosKey(IAP_KEY_ID) }
  for (let count = 0; count < 5; count++) expect(refusalOf(await put(body))).toEqual([503, 'STORE_UNAVAILABLE'])
  const asked = s.server.requests.length
  expect(refusalOf(await put(body))).toEqual([503, 'STORE_UNAVAILABLE'])
  expect(s.server.requests).toHaveLength(asked)
  await expectNothingSaved()
  s.server.trouble = null
  s.ctx.clock.advance(MINUTE)
  expect((await put(body)).status).toBe(200)
})

describe('then what the store says', () => {
  const UNKNOWN = 'UNKNOWN001'
  const both = (inApp: string, connect: string) => ({
    bundleId: BUNDLE,
    inAppPurchaseKey: iosKey(inApp),
    storeConnectKey: iosKey(connect),
  })
  const invalid = (field: string, reason: string) => ['STORE_CREDENTIALS_INVALID', { store: 'ios', field, reason }]

  const cases: [name: string, body: object, prepare: () => void, status: number, refusal: unknown[]][] = [
    [
      'a store-connect key in the place of the in-app purchase key',
      { bundleId: BUNDLE, inAppPurchaseKey: iosKey(CONNECT_KEY_ID) },
      () => {
        s.server.trouble = { status: 401 }
      },
      400,
      ['STORE_KEY_WRONG_TYPE', { expected: 'inAppPurchase', field: 'inAppPurchaseKey' }],
    ],
    [
      'such a key whose role sees no apps',
      { bundleId: BUNDLE, inAppPurchaseKey: iosKey(NOBODY_KEY_ID) },
      () => {
        s.server.trouble = { status: 401 }
      },
      400,
      ['STORE_KEY_WRONG_TYPE', { expected: 'inAppPurchase', field: 'inAppPurchaseKey' }],
    ],
    [
      'an in-app purchase key in the place of the store-connect key',
      { bundleId: BUNDLE, storeConnectKey: iosKey(IAP_KEY_ID) },
      () => {},
      400,
      ['STORE_KEY_WRONG_TYPE', { expected: 'storeConnect', field: 'storeConnectKey' }],
    ],
    [
      'an in-app purchase key that the store refuses',
      { bundleId: BUNDLE, inAppPurchaseKey: iosKey(UNKNOWN) },
      () => {
        s.server.trouble = { status: 401 }
      },
      400,
      invalid('inAppPurchaseKey', 'rejected_by_store'),
    ],
    [
      'a store-connect key that the store refuses',
      both(UNKNOWN, UNKNOWN),
      () => {
        s.server.trouble = { status: 401 }
      },
      400,
      invalid('inAppPurchaseKey', 'rejected_by_store'),
    ],
    [
      'only the store-connect key refused',
      { bundleId: BUNDLE, storeConnectKey: iosKey(UNKNOWN) },
      () => {
        s.server.trouble = { status: 401 }
      },
      400,
      invalid('storeConnectKey', 'rejected_by_store'),
    ],
    [
      'a bundle id that the team does not have',
      { bundleId: 'com.example.other', storeConnectKey: iosKey(CONNECT_KEY_ID) },
      () => {},
      400,
      invalid('bundleId', 'app_not_found'),
    ],
    [
      'a bundle id of which only a longer one exists',
      { bundleId: `${BUNDLE}.wat`, storeConnectKey: iosKey(CONNECT_KEY_ID) },
      () => {},
      400,
      invalid('bundleId', 'app_not_found'),
    ],
    [
      'a bundle id that the App Store does not know',
      { bundleId: BUNDLE, inAppPurchaseKey: iosKey(IAP_KEY_ID) },
      () => {
        s.server.trouble = { status: 404, errorCode: 4040003 }
      },
      400,
      invalid('bundleId', 'app_not_found'),
    ],
    [
      'an app id of another app',
      { ...both(IAP_KEY_ID, CONNECT_KEY_ID), appId: '99' },
      () => {},
      400,
      invalid('appId', 'app_not_found'),
    ],
    [
      'a role of the store-connect key that sees no apps',
      { bundleId: BUNDLE, storeConnectKey: iosKey(NOBODY_KEY_ID) },
      () => {},
      403,
      invalid('storeConnectKey', 'insufficient_role'),
    ],
    [
      'a role of the in-app purchase key that is too low',
      { bundleId: BUNDLE, inAppPurchaseKey: iosKey(IAP_KEY_ID) },
      () => {
        s.server.trouble = { status: 403 }
      },
      403,
      invalid('inAppPurchaseKey', 'insufficient_role'),
    ],
    [
      'the App Store Server API away',
      both(IAP_KEY_ID, CONNECT_KEY_ID),
      () => {
        s.server.trouble = { status: 500 }
      },
      503,
      ['STORE_UNAVAILABLE'],
    ],
    [
      'App Store Connect away',
      both(IAP_KEY_ID, CONNECT_KEY_ID),
      () => {
        s.connect.trouble = { status: 503 }
      },
      503,
      ['STORE_UNAVAILABLE'],
    ],
    [
      'too many calls to App Store Connect',
      both(IAP_KEY_ID, CONNECT_KEY_ID),
      () => {
        s.connect.trouble = { status: 429 }
      },
      503,
      ['STORE_UNAVAILABLE'],
    ],
    [
      'an answer of App Store Connect that cannot be read',
      both(IAP_KEY_ID, CONNECT_KEY_ID),
      () => {
        s.connect.trouble = { status: 200, text: '<html>' }
      },
      502,
      ['STORE_API_ERROR'],
    ],
    [
      'an answer of the App Store that cannot be read',
      both(IAP_KEY_ID, CONNECT_KEY_ID),
      () => {
        s.server.trouble = { status: 404, body: '<html>' }
      },
      502,
      ['STORE_API_ERROR'],
    ],
    [
      'an agreement that nobody has accepted',
      both(IAP_KEY_ID, CONNECT_KEY_ID),
      () => {
        s.connect.trouble = { status: 403, code: 'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED' }
      },
      502,
      ['STORE_API_ERROR'],
    ],
  ]
  test.each(cases)('%s', async (_name, body, prepare, status, refusal) => {
    prepare()
    expect(refusalOf(await put(body))).toEqual([status, ...refusal])
    await expectNothingSaved()
  })

  test('the first refusal in the order is told, whichever key it is about', async () => {
    s.server.trouble = { status: 500 }
    expect(refusalOf(await put(both(IAP_KEY_ID, NOBODY_KEY_ID)))[1]).toBe('STORE_CREDENTIALS_INVALID')
    s.server.trouble = { status: 403 }
    const other = { ...both(IAP_KEY_ID, CONNECT_KEY_ID), bundleId: 'com.example.other' }
    expect(refusalOf(await put(other))[2]).toMatchObject({ reason: 'app_not_found' })
    await expectNothingSaved()
  })

  test('a reader of App Store Connect is enough', async () => {
    expect((await put(both(IAP_KEY_ID, READER_KEY_ID))).status).toBe(200)
  })

  test('five failures of App Store Connect in a row end further calls for a minute', async () => {
    s.connect.trouble = { status: 500 }
    const body = { bundleId: BUNDLE, storeConnectKey: iosKey(CONNECT_KEY_ID) }
    for (let count = 0; count < 7; count++) expect((await put(body)).status).toBe(503)
    expect(s.connect.requests.length).toBe(5)
    s.connect.trouble = null
    s.ctx.clock.advance(60_000)
    expect((await put(body)).status).toBe(200)
  })
})

describe('who and what is refused before', () => {
  test('everybody but the owner, with a right or a wrong body', async () => {
    for (const role of ['ADMIN', 'DEVELOPER', 'GROWTH', 'CUSTOMER_SUPPORT'] as const)
      for (const body of [IOS_BODY, {}])
        expect(refusalOf(await s.as(role).put('/credentials/ios', body))).toEqual([
          403,
          'ROLE_REQUIRED',
          { role, requiredRole: 'OWNER' },
        ])
    expect(refusalOf(await s.as('SUPPORT_READ').put('/credentials/ios', IOS_BODY))).toEqual([
      403,
      'SUPPORT_ACCESS_READ_ONLY',
    ])
    expect(refusalOf(await s.as('STRANGER').put('/credentials/ios', IOS_BODY))).toEqual([404, 'NOT_FOUND'])
    expect(refusalOf(await owner().put('/credentials/ios', IOS_BODY, { projectId: s.other.id }))).toEqual([
      404,
      'NOT_FOUND',
    ])
    await expectNothingSaved()
  })

  test('a revision of before', async () => {
    await put(IOS_BODY)
    const stale = await owner().put(
      '/credentials/ios',
      { bundleId: 'com.example.new' },
      { headers: { 'if-match': '"1"' } },
    )
    expect(refusalOf(stale)).toEqual([
      409,
      'CONFLICT',
      { revision: 2, updatedBy: 'usr_owner@example.com', updatedAt: expect.any(String) },
    ])
    expect((await saved()).bundleId).toBe(BUNDLE)
    const fresh = await owner().put('/credentials/ios', IOS_BODY, { headers: { 'if-match': '"2"' } })
    expect(fresh.status).toBe(200)
  })

  test('everything where the master key is off', async () => {
    const bare = await stage({ env: { SVC_MASTER_KEY: 'off' } })
    const team = staff(bare)
    for (const [path, body] of [
      ['/credentials/ios', { bundleId: BUNDLE }],
      ['/credentials/payment', { secretKey: 'sk_test_1', webhookSecret: 'whsec_1', mode: 'test' }],
    ] as const)
      expect(refusalOf(await team.as('OWNER').put(path, body))).toEqual([
        503,
        'FEATURE_NOT_CONFIGURED',
        { feature: 'credential_encryption' },
      ])
    await bare.close()
  })
})

describe('two owners at once', () => {
  test('one of the two states is saved whole', async () => {
    const other = { bundleId: 'com.example.second', appId: '5' }
    await Promise.all([put(IOS_BODY), put(other, '?probe=false')])
    const { bundleId, appId, inAppPurchaseKey } = await saved()
    const isFirst = bundleId === BUNDLE
    expect([bundleId, appId, inAppPurchaseKey]).toEqual(
      isFirst ? [BUNDLE, '1234567890', { keyId: IAP_KEY_ID, issuerId: ISSUER }] : ['com.example.second', '5', null],
    )
    expect((await s.audit()).length).toBe(2)
  })
})

describe('removal', () => {
  test('takes the app and its keys away, once', async () => {
    await put(IOS_BODY)
    expect((await owner().delete('/credentials/ios')).body).toEqual({ data: { deleted: true } })
    expect(await saved()).toMatchObject({ configured: false, bundleId: null, inAppPurchaseKey: null })
    expect(refusalOf(await owner().delete('/credentials/ios'))).toEqual([404, 'NOT_FOUND'])
    expect((await s.audit()).map(({ action }) => action)).toEqual(['store.update', 'store.delete'])
  })

  test('is refused to others, with an old revision and for a store that does not exist', async () => {
    expect(refusalOf(await s.as('ADMIN').delete('/credentials/ios'))[1]).toBe('ROLE_REQUIRED')
    const stale = await owner().delete('/credentials/ios', { headers: { 'if-match': '"7"' } })
    expect(refusalOf(stale).slice(0, 2)).toEqual([409, 'CONFLICT'])
    for (const store of ['windows', 'IOS', 'refundShield'])
      expect(refusalOf(await owner().delete(`/credentials/${store}`))).toEqual([404, 'NOT_FOUND'])
    await expectNothingSaved()
  })

  test('of one project leaves the other alone', async () => {
    await owner().delete('/credentials/ios')
    expect(await s.ctx.state.projects.get(s.other.id)).toMatchObject({ ios: { bundleId: BUNDLE } })
  })
})
