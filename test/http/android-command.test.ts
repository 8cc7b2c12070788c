import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeCommand } from '../../src/intake/store-apps/command'
import { applyCommand } from '../../src/moving/project-file/apply-command'
import { type AndroidStage, androidStage, PACKAGE } from '../support/android'
import { runBeside } from '../support/command'
import { cloudError } from '../support/pubsub'
import { type Staff, staff } from '../support/staff'

const folder = mkdtempSync(join(tmpdir(), 'svc-google-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let s: AndroidStage
let team: Staff
let key: string
beforeEach(async () => {
  s = await androidStage()
  team = staff(s)
  key = join(folder, 'key.json')
  writeFileSync(key, JSON.stringify(await s.server.serviceAccountFile()))
})
afterEach(() => s.close())

const run = (...args: string[]) => runBeside(s, storeCommand, ...args, '--project', s.project.id)
const pubsub = (...args: string[]) => run('pubsub', ...args)
const connect = (...args: string[]) => run('connect', 'android', '--service-account', key, ...args)
const topic = () => `projects/simulated/topics/svc-${s.project.id}`
const saved = async () => (await team.as('OWNER').get('/credentials')).body.data.android
const status = async () => (await team.as('OWNER').get('/apps/android/pubsub')).body.data.status
const actions = async () =>
  (await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)).map(
    ({ action, actor }) => `${actor.kind} ${action}`,
  )

describe('svc store connect android', () => {
  test('saves what Google accepts, as the dashboard does', async () => {
    await team.as('OWNER').delete('/credentials/android')
    const ran = await connect('--package-name', PACKAGE)
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toContain(PACKAGE)
    expect(JSON.stringify(ran)).not.toContain('PRIVATE KEY')
    expect(await saved()).toMatchObject({ configured: true, packageName: PACKAGE })
    expect(await actions()).toEqual(['USER store.delete', 'CLI store.create'])
  })

  test('keeps the saved package name', async () => {
    expect(JSON.parse((await connect('--json')).out).android).toMatchObject({ packageName: PACKAGE })
  })

  test.each<[name: string, args: () => string[], code: number, text: string]>([
    ['no file', () => ['connect', 'android'], 2, '--service-account'],
    ['a file that is not there', () => ['connect', 'android', '--service-account', `${key}x`], 2, 'cannot be read'],
    [
      'a bad package name',
      () => ['connect', 'android', '--service-account', key, '--package-name', '../x'],
      1,
      '--package-name',
    ],
    [
      'the package of another app',
      () => ['connect', 'android', '--service-account', key, '--package-name', 'com.example.other'],
      1,
      '--package-name: Google Play knows no app',
    ],
  ])('is refused with %s', async (_name, args, code, text) => {
    const before = await saved()
    const ran = await run(...args())
    expect(ran.code).toBe(code)
    expect(ran.err).toContain(text)
    expect(await saved()).toEqual(before)
    expect(await actions()).toEqual([])
  })

  test('is refused with a file that is no service account', async () => {
    writeFileSync(key, '{"client_email":"a@b.c"}')
    expect(await connect()).toMatchObject({ code: 1, err: expect.stringContaining('--service-account') })
    writeFileSync(key, '[]')
    expect(await connect()).toMatchObject({ code: 1, err: expect.stringContaining('--service-account') })
    expect(await actions()).toEqual([])
  })
})

describe('while another process changes the connection', () => {
  test('the command is refused, and so is svc apply where it changes the Android store', async () => {
    await connect()
    const arrived = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    s.cloud.fault = async () => {
      arrived.resolve()
      await go.promise
      return null
    }
    const connecting = team.as('ADMIN').post('/apps/android/pubsub/connect')
    await arrived.promise
    const before = await saved()
    const busy = { code: 1, err: expect.stringContaining('Another change of the store connection is running') }
    expect(await pubsub('connect')).toMatchObject(busy)
    expect(await connect('--package-name', PACKAGE)).toMatchObject(busy)
    expect(await apply('com.example.other')).toMatchObject(busy)
    expect(await saved()).toEqual(before)
    expect((await apply(PACKAGE)).code).toBe(0)
    go.resolve()
    expect((await connecting).status).toBe(200)
    expect((await apply('com.example.other')).code).toBe(0)
    const applied = 'CLI projectFile.apply'
    const last = [applied, 'CLI store.update']
    expect(await actions()).toEqual(['CLI store.update', applied, 'USER pubsub.connect', ...last])
  })

  async function apply(packageName: string) {
    const stores = { android: { packageName, serviceAccount: JSON.parse(readFileSync(key, 'utf8')) } }
    const path = join(folder, 'svc.yaml')
    writeFileSync(path, JSON.stringify({ version: 1, stores }))
    return runBeside(s, applyCommand, '-f', path, '--project', s.project.id, '--yes')
  }
})

describe('svc store pubsub', () => {
  test('connects, tests, rotates, repairs and disconnects', async () => {
    const connected = await pubsub('connect')
    expect(connected).toMatchObject({ code: 0, err: '' })
    expect(connected.out).toContain(`Enter this topic in the Play Console, under Monetization setup: ${topic()}`)
    expect(await status()).toBe('CONNECTED')
    s.ctx.clock.advance(1000)
    const tested = JSON.parse((await pubsub('test', '--json')).out)
    expect(tested.receivedAt).toBe(new Date(s.ctx.clock.now()).toISOString())
    expect(JSON.parse((await pubsub('rotate', '--json')).out).subscription).toEndWith('-2')
    s.cloud.subscriptions.clear()
    expect(JSON.parse((await pubsub('status', '--json')).out).status).toBe('BROKEN')
    expect((await pubsub('recreate')).out).toContain('CONNECTED')
    expect((await pubsub('disconnect')).out).toContain('DISCONNECTED')
    expect(s.cloud.topics.size).toBe(0)
    expect(await actions()).toEqual([
      'CLI pubsub.connect',
      'CLI pubsub.rotate',
      'CLI pubsub.recreate',
      'CLI pubsub.disconnect',
    ])
  })

  test('takes an existing topic', async () => {
    s.cloud.topics.set('projects/simulated/topics/play', {})
    expect(JSON.parse((await pubsub('connect', '--topic', 'play', '--json')).out).topic).toEndWith('/topics/play')
    expect(await pubsub('connect', '--topic', '!')).toMatchObject({ code: 1, err: expect.stringContaining('--topic') })
  })

  test('says when a test notification does not arrive', async () => {
    await pubsub('connect')
    s.cloud.subscriptions.clear()
    const ran = await pubsub('test', '--wait', '0')
    expect(ran.code).toBe(1)
    expect(ran.out).toContain('has not arrived yet')
  })

  test.each([
    [['pubsub'], 'store pubsub takes connect'],
    [['pubsub', 'destroy'], 'store pubsub takes connect'],
    [['pubsub', 'connect', 'now'], 'store pubsub takes connect'],
    [['pubsub', 'rotate', '--topic', 'play'], '--topic goes with connect'],
    [['pubsub', 'test', '--wait', 'long'], '--wait takes whole seconds'],
  ])('%j is wrong usage', async (args, text) => {
    expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringContaining(text) })
    expect(s.cloud.requests).toEqual([])
  })

  test('tells what Google refuses, and what to do', async () => {
    s.cloud.fault = () => cloudError(403, 'PERMISSION_DENIED', 'SERVICE_DISABLED')
    const ran = await pubsub('connect')
    expect(ran.code).toBe(1)
    expect(ran.err).toContain('Enable the Pub/Sub API in the cloud project simulated: https://')
    expect(await actions()).toEqual([])
  })
})
