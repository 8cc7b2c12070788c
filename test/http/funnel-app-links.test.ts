import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Stage, stage } from '../support/cast'
import { schemaFaults } from '../support/file-schema'
import { changes, dataOf, ifMatch, refused } from '../support/operator'
import { type Staff, type StaffCalls, staff, staffId } from '../support/staff'

let s: Stage
let people: Staff
let dev: StaffCalls
beforeAll(async () => {
  s = await stage({ env: { PUBLIC_BASE_URL: 'https://svc.example.com' } })
  people = staff(s)
  dev = people.as('DEVELOPER')
})
afterAll(() => s.close())

const FINGERPRINT = Array.from({ length: 32 }, () => 'AB').join(':')
const IOS = { teamId: 'TEAM123456', bundleIds: ['com.example.sleep'], scheme: 'sleep', storeUrl: null }
const ANDROID = {
  packageNames: ['com.example.sleep'],
  sha256Fingerprints: [FINGERPRINT],
  scheme: 'sleep',
  storeUrl: 'https://play.google.com/store/apps/details?id=com.example.sleep',
}

const fileOf = async (name: string, host = 'svc.example.com') => {
  const answer = await s.app.handle(new Request(`http://${host}/.well-known/${name}`))
  return { status: answer.status, type: answer.headers.get('content-type'), body: JSON.parse(await answer.text()) }
}
const APPLE = 'apple-app-site-association'
const GOOGLE = 'assetlinks.json'

test('while nothing is saved, both files are an empty 404 and the settings of the stores are suggested', async () => {
  for (const name of [APPLE, GOOGLE])
    expect(await fileOf(name)).toEqual({ status: 404, type: 'application/json', body: {} })
  const data = await dataOf(people.as('CUSTOMER_SUPPORT').get('/app-links'))
  expect(data).toMatchObject({ ios: null, android: null, applePayAssociation: null, revision: 0 })
  expect(data.suggested.ios.bundleIds).toEqual(['com.example.sleep'])
  expect(await dataOf(dev.get('/app-links/check'))).toEqual([])
})

test('saved apps are in both files, of the own host only, and one audit row tells of the change', async () => {
  const body = { ios: IOS, android: { ...ANDROID, sha256Fingerprints: [FINGERPRINT.toLowerCase()] } }
  const saved = await changes(s, () => dev.put('/app-links', body), ['appLinks.create'])
  expect(saved).toMatchObject({ ios: IOS, android: ANDROID, applePayAssociation: null, revision: 1 })
  expect(await changes(s, () => dev.put('/app-links', body), [])).toEqual(saved)
  const { applinks } = (await fileOf(APPLE)).body as { applinks: { details: unknown } }
  expect(applinks.details).toEqual([
    {
      appIDs: ['TEAM123456.com.example.sleep'],
      components: [expect.objectContaining({ '/': '/universal/funnels/open/*' })],
    },
  ])
  expect((await fileOf(GOOGLE)).body).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'com.example.sleep',
        sha256_cert_fingerprints: [FINGERPRINT],
      },
    },
  ])
  for (const name of [APPLE, GOOGLE])
    expect(await fileOf(name, 'elsewhere.example.com')).toMatchObject({ status: 404, body: {} })
})

test('left-out ids are those of the saved app, and another revision is refused', async () => {
  const { teamId, scheme } = IOS
  const body = { ios: { teamId, scheme }, android: null }
  await refused(s, () => dev.put('/app-links', body, ifMatch(7)), 409, 'CONFLICT')
  const data = await changes(s, () => dev.put('/app-links', body, ifMatch(1)), ['appLinks.update'])
  expect(data).toMatchObject({ ios: IOS, android: null, revision: 2 })
})

describe('refused with its place is', () => {
  const cases: [path: string, body: object][] = [
    ['ios.teamId', { ios: { ...IOS, teamId: 'team123456' }, android: null }],
    ['ios.bundleIds[0]', { ios: { ...IOS, bundleIds: ['app'] }, android: null }],
    ['ios.bundleIds', { ios: { ...IOS, bundleIds: [] }, android: null }],
    ['ios.bundleIds', { ios: { ...IOS, bundleIds: ['com.a.b', 'com.a.b'] }, android: null }],
    ...['http', 'https', 'javascript', 'data', 'file', 'a', 'My', 'a b', 'x'.repeat(32)].map(
      (scheme): [string, object] => ['ios.scheme', { ios: { ...IOS, scheme }, android: null }],
    ),
    ...['http://a.example', 'javascript:alert(1)', 'https://u:p@a.example', 'x'].map((storeUrl): [string, object] => [
      'android.storeUrl',
      { ios: null, android: { ...ANDROID, storeUrl } },
    ]),
    ['android.packageNames[0]', { ios: null, android: { ...ANDROID, packageNames: ['app'] } }],
    ['android.sha256Fingerprints[0]', { ios: null, android: { ...ANDROID, sha256Fingerprints: ['AB:CD'] } }],
    ['applePayAssociation', { ios: null, android: null, applePayAssociation: 'é'.repeat(8193) }],
    ['applePayAssociation', { ios: null, android: null, applePayAssociation: ' ' }],
  ]
  for (const [path, body] of cases)
    test(`${path} of ${JSON.stringify(body).slice(0, 90)}`, async () => {
      expect((await refused(s, () => dev.put('/app-links', body), 400, 'VALIDATION_ERROR')).fields).toEqual([path])
    })

  test('too many apps, unknown members, and people without the role', async () => {
    const bundleIds = Array.from({ length: 6 }, (_, index) => `com.a.b${index}`)
    for (const ios of [
      { ...IOS, bundleIds },
      { ...IOS, more: 1 },
    ])
      await refused(s, () => dev.put('/app-links', { ios, android: null }), 400, 'VALIDATION_ERROR')
    const call = () => people.as('CUSTOMER_SUPPORT').put('/app-links', { ios: null, android: null })
    await refused(s, call, 403, 'ROLE_REQUIRED')
    await refused(s, () => people.as('STRANGER').get('/app-links'), 404, 'NOT_FOUND')
  })
})

test('the file for Apple Pay is served as it was saved, on the own host, from the oldest project', async () => {
  const read = async (host = 'svc.example.com') => {
    const path = '/.well-known/apple-developer-merchantid-domain-association'
    const answer = await s.app.handle(new Request(`http://${host}${path}`))
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }
  const type = 'text/plain; charset=utf-8'
  expect(await read()).toEqual({ status: 404, type, text: '' })
  const text = '7B227073704964<script>é\n'
  people.sessions.roles.set(`${staffId('DEVELOPER')} ${s.other.id}`, 'DEVELOPER')
  const younger = { ios: null, android: null, applePayAssociation: text.repeat(2) }
  expect((await dev.put('/app-links', younger, { projectId: s.other.id })).status).toBe(200)
  expect((await read()).text).toBe(text.repeat(2))
  await changes(s, () => dev.put('/app-links', { ios: IOS, android: null, applePayAssociation: text }), [
    'appLinks.update',
  ])
  expect(await read()).toEqual({ status: 200, type, text })
  expect(await read('elsewhere.example.com')).toEqual({ status: 404, type, text: '' })
  await changes(s, () => dev.put('/app-links', { ios: IOS, android: null, applePayAssociation: null }), [
    'appLinks.update',
  ])
  expect((await read()).text).toBe(text.repeat(2))
})

test('without apps nothing is saved any more', async () => {
  await changes(s, () => dev.put('/app-links', { ios: null, android: null }), ['appLinks.delete'])
  expect((await fileOf(APPLE)).status).toBe(404)
})

describe('in the project file', () => {
  const file = (body: string) => `version: 1\nappLinks: ${body}\n`
  const apply = (body: string) => dev.post('/project-file/apply', { file: file(body) })
  const exported = async (): Promise<string> => (await dataOf(dev.get('/project-file'))).yaml
  const APPS = `{ ios: { teamId: TEAM123456, bundleIds: [com.example.sleep], scheme: sleep, storeUrl: 'https://apps.apple.com/app/id1' }, android: { packageNames: [com.example.sleep], sha256Fingerprints: ['${FINGERPRINT}'], scheme: sleep }, applePayAssociation: abc }`

  test('the apps go in and come out the same', async () => {
    await changes(s, () => apply(APPS), ['appLinks.create'])
    expect(schemaFaults(file(APPS))).toEqual([])
    expect((await fileOf(APPLE)).status).toBe(200)
    const yaml = await exported()
    expect(yaml).toContain('appLinks:')
    const again = await changes(s, () => people.as('OWNER').post('/project-file/apply', { file: yaml }), [])
    expect(again.lines).toEqual(['no changes'])
    expect(await dataOf(dev.get('/app-links'))).toMatchObject({
      applePayAssociation: 'abc',
      revision: expect.any(Number),
    })
  })

  test('a file without the section changes nothing, and one with an empty section removes them', async () => {
    await changes(s, () => dev.post('/project-file/apply', { file: 'version: 1\n', prune: true }), [])
    const removed = await changes(s, () => apply('{}'), ['appLinks.delete'])
    expect(removed.applied).toBe(true)
    expect((await dataOf(dev.get('/app-links'))).ios).toBe(null)
    await changes(s, () => apply('{}'), [])
    expect(await exported()).not.toContain('appLinks')
  })

  test('every fault is named with its line', async () => {
    const wrong = `{ ios: { teamId: x, bundleIds: [a], scheme: http }, more: 1 }`
    const { body } = await dev.post('/project-file/plan', { file: file(wrong) })
    expect(JSON.stringify(body)).toContain('appLinks')
    const faulty = `{ ios: { teamId: x, bundleIds: [a], scheme: http } }`
    const text = JSON.stringify((await dev.post('/project-file/plan', { file: file(faulty) })).body)
    for (const place of ['appLinks.ios.teamId', 'appLinks.ios.bundleIds', 'appLinks.ios.scheme'])
      expect(text).toContain(place)
  })
})
