import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as pathOf } from 'node:path'
import { SECOND } from '../../src/base/lib/clock'
import { tokenCommand } from '../../src/operators/access-tokens/command'
import { allRows } from '../support/actions'
import { type AndroidStage, androidStage, PACKAGE } from '../support/android'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import { arrive, auditOf, join } from '../support/crew'
import { type IosApiStage, iosApiStage, saveKey } from '../support/ios-api'
import { deliver, notificationBody } from '../support/notify'
import { listen, machineEnv, type RemoteServer, runWith } from '../support/remote-command'
import type { StaffRole } from '../support/staff'

const P = ['--project', 'project-1']
const folder = mkdtempSync(pathOf(tmpdir(), 'svc-changes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('svc key at a server', () => {
  let s: Stage
  let server: RemoteServer
  beforeEach(async () => {
    s = await stage()
    server = listen(s)
  })
  afterEach(async () => {
    await server.close()
    await s.close()
  })
  const run = (role: StaffRole, ...args: string[]) =>
    runWith(s, ['key', ...args], { env: { SVC_URL: server.url, SVC_TOKEN: server.tokenOf(role) } })
  const keys = async () => JSON.parse((await run('OWNER', 'list', ...P, '--json')).out).keys

  test('a key is made, changed, given another secret and revoked, in the name of the person', async () => {
    const made = JSON.parse((await run('ADMIN', 'create', ...P, '--label', 'ci', '--json')).out)
    expect(made).toEqual({
      id: expect.stringMatching(/^key_/),
      publicKey: expect.stringMatching(/^svc_pub_/),
      secretKey: expect.stringMatching(/^svc_sec_/),
    })
    const changed = await run('ADMIN', 'update', made.id, '--origin', 'https://a.example', '--rate', '0')
    expect(changed.out).toBe(`${made.id}: pages of https://a.example may use it; no limit.`)
    const rotated = JSON.parse((await run('ADMIN', 'rotate', made.id, '--overlap', '2', '--json')).out)
    expect(rotated).toMatchObject({ id: made.id, publicKey: made.publicKey })
    expect(rotated.secretKey).not.toBe(made.secretKey)
    for (const _ of ['once', 'again'])
      expect((await run('ADMIN', 'revoke', made.id)).out).toBe(`${made.id} is revoked.`)
    expect((await keys()).at(-1)).toMatchObject({
      id: made.id,
      label: 'ci',
      ratePerMinute: 0,
      revokedAt: expect.any(String),
    })
    const actor = { kind: 'USER', id: 'usr_admin' }
    expect(await auditOf(s)).toMatchObject(
      ['create', 'update', 'rotate', 'revoke'].map((verb) => ({ actor, action: `apiKey.${verb}` })),
    )
    expect(JSON.stringify(await auditOf(s))).not.toContain(made.secretKey)
  })

  test('its id finds the project among several, and no project of others', async () => {
    server.team.sessions.roles.set(`usr_owner ${s.other.id}`, 'ADMIN')
    const { out } = await run('OWNER', 'update', s.other.keyId, '--label', 'theirs', '--json')
    expect(JSON.parse(out)).toMatchObject({ id: s.other.keyId, label: 'theirs' })
    const before = await allRows(s)
    for (const args of [
      ['update', s.other.keyId, '--label', 'mine'],
      ['rotate', s.other.keyId],
      ['revoke', s.other.keyId],
      ['revoke', s.other.keyId, ...P],
    ]) {
      const ran = await run('ADMIN', ...args, '--json')
      expect([args, ran.code, JSON.parse(ran.out).error.code]).toEqual([args, 1, 'NOT_FOUND'])
    }
    expect(await allRows(s)).toEqual(before)
  })

  test('is refused to who may not change keys', async () => {
    const before = await allRows(s)
    for (const args of [
      ['create', ...P],
      ['update', s.project.keyId, '--label', 'x'],
      ['revoke', s.project.keyId],
    ]) {
      const ran = await run('DEVELOPER', ...args, '--json')
      expect([args, ran.code, JSON.parse(ran.out).error.code]).toEqual([args, 1, 'ROLE_REQUIRED'])
    }
    expect((await run('DEVELOPER', 'list', ...P)).code).toBe(0)
    expect(await allRows(s)).toEqual(before)
  })

  test('on the machine itself the id is enough too', async () => {
    const ran = await runWith(s, ['key', 'update', s.other.keyId, '--label', 'other'], { env: machineEnv(s) })
    expect(ran).toMatchObject({ code: 0, out: `${s.other.keyId}: its label is other.` })
    expect(server.heard).toEqual([])
  })
})

describe('svc member at a server', () => {
  let s: Stage
  let url = ''
  let token = ''
  let stop = async () => {}
  beforeEach(async () => {
    s = await stage()
    const ada = await join(s, 'ada', 'OWNER')
    s.ctx.clock.advance(SECOND)
    token = JSON.parse((await runBeside(s, tokenCommand, 'create', ada.id, '--json')).out).token
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => s.app.handle(request) })
    url = `http://127.0.0.1:${server.port}`
    stop = () => server.stop(true)
  })
  afterEach(async () => {
    await stop()
    await s.close()
  })
  const run = (...args: string[]) => runWith(s, ['member', ...args, ...P], { env: { SVC_URL: url, SVC_TOKEN: token } })

  test('members are listed, get another role and are removed, in the name of the person', async () => {
    const bo = await join(s, 'bo', 'DEVELOPER')
    expect((await run('list')).out).toMatch(/bo@example\.com +bo +DEVELOPER/)
    expect((await run('role', 'BO@example.com', '--role', 'growth')).out).toBe('bo@example.com is a member as GROWTH.')
    const removed = await run('remove', bo.email, '--json')
    expect([removed.code, removed.out]).toEqual([0, JSON.stringify({ email: bo.email, removed: true })])
    expect(JSON.parse((await run('list', '--json')).out).members).toMatchObject([{ email: 'ada@example.com' }])
    const changes = (await auditOf(s)).filter(({ action }) => action.startsWith('member.'))
    expect(changes).toMatchObject([
      { action: 'member.update', actor: { kind: 'USER', email: 'ada@example.com' } },
      { action: 'member.remove', actor: { kind: 'USER', email: 'ada@example.com' } },
    ])
    expect((await run('remove', 'ada@example.com')).err).toContain('last owner')
  })

  test('a person is invited, and the link is printed as the server shows it', async () => {
    const { code, out, err } = await run('invite', 'cy@example.com', '--role', 'growth')
    expect([code, out, err]).toEqual([0, expect.stringMatching(/^http:\/\/\S+\/join\/[0-9A-Za-z]{43}$/), ''])
    const { invitations } = JSON.parse((await run('invitations', '--json')).out)
    expect(invitations).toMatchObject([{ email: 'cy@example.com', role: 'GROWTH', state: 'OPEN', link: out }])
    expect(invitations[0]).not.toHaveProperty('revision')
  })

  test('add is refused by one sentence, and no account is looked up', async () => {
    await arrive(s, 'bo')
    const before = await allRows(s)
    const add = ['member', 'add', 'bo@example.com', '--role', 'ADMIN', ...P]
    for (const [args, env] of [
      [add, { ...machineEnv(s), SVC_URL: url, SVC_TOKEN: token }],
      [[...add, '--url', url], { ...machineEnv(s), SVC_TOKEN: token }],
    ] as const) {
      const ran = await runWith(s, args, { env })
      expect([ran.code, ran.out]).toEqual([2, ''])
      expect(ran.err).toStartWith('member add works on the machine of the server only')
      expect(ran.err).toContain('svc member invite')
    }
    expect(await allRows(s)).toEqual(before)
    const { dataDir } = s.ctx.config
    const here = await runWith(s, [...add, '--data', dataDir], { env: { ...machineEnv(s), SVC_URL: url } })
    expect([here.code, here.out]).toEqual([0, 'bo@example.com is a member as ADMIN.'])
  })
})

describe('svc store at a server', () => {
  test('connects Google Play with the key file of the caller, and waits for its test notification', async () => {
    const s: AndroidStage = await androidStage()
    const server = listen(s)
    try {
      const key = pathOf(folder, 'key.json')
      writeFileSync(key, JSON.stringify(await s.server.serviceAccountFile()))
      const run = (role: StaffRole, ...args: string[]) =>
        runWith(s, ['store', ...args, '--project', s.project.id], {
          env: { SVC_URL: server.url, SVC_TOKEN: server.tokenOf(role) },
        })
      const refused = await run('ADMIN', 'connect', 'android', '--service-account', key, '--json')
      expect([refused.code, JSON.parse(refused.out).error.code]).toEqual([1, 'ROLE_REQUIRED'])
      const connected = await run('OWNER', 'connect', 'android', '--service-account', key)
      expect([connected.code, connected.out]).toEqual([0, expect.stringContaining(`is connected: ${PACKAGE}.`)])
      expect((await run('ADMIN', 'pubsub', 'connect', '--json')).code).toBe(0)
      s.ctx.clock.advance(SECOND)
      const tested = JSON.parse((await run('ADMIN', 'pubsub', 'test', '--json')).out)
      expect(tested).toEqual({ messageId: expect.any(String), receivedAt: new Date(s.ctx.clock.now()).toISOString() })
      expect((await run('ADMIN', 'pubsub', 'disconnect')).out).toContain('DISCONNECTED')
    } finally {
      await server.close()
      await s.close()
    }
  })

  test('asks the App Store for a test, with the access token from the environment', async () => {
    const s: IosApiStage = await iosApiStage()
    const server = listen(s)
    try {
      await saveKey(s)
      const body = notificationBody(s, ['TEST', null], null)
      const sendAttempts = [{ attemptDate: s.ctx.clock.now(), sendAttemptResult: 'SUCCESS' }]
      s.server.facts.tests.set('test-token', { ...body, sendAttempts })
      const env = { SVC_URL: server.url, SVC_TOKEN: server.tokenOf('DEVELOPER') }
      const ask = (...args: string[]) => runWith(s, [...args, ...P, '--environment', 'sandbox', '--wait', '0'], { env })
      const elsewhere = await ask('store', 'test')
      expect([elsewhere.code, elsewhere.out]).toEqual([1, expect.stringContaining(`/webhooks/ios/${s.project.id}`)])
      await deliver(s, body)
      const came = await ask('store-events', 'test', '--token', 'test-token', '--json')
      expect([came.code, JSON.parse(came.out)]).toMatchObject([0, { token: 'test-token', status: 'RECEIVED' }])
      const listed = await ask('store-events', 'list', '--url', server.url)
      expect([listed.code, listed.out]).toEqual([0, expect.stringContaining('TEST')])
    } finally {
      await server.close()
      await s.close()
    }
  })
})

describe('svc simulate at a server', () => {
  let s: Stage
  let server: RemoteServer
  beforeEach(async () => {
    s = await stage()
    server = listen(s)
  })
  afterEach(async () => {
    await server.close()
    await s.close()
  })
  const run = (role: StaffRole, ...args: string[]) =>
    runWith(s, ['simulate', ...args, ...P, '--json'], { env: { SVC_URL: server.url, SVC_TOKEN: server.tokenOf(role) } })

  test('buys in the sandbox in the name of the person, and the row names no device', async () => {
    const bought = await run('DEVELOPER', 'purchase', '--device', 'svc_ada', '--product', 'pro_monthly')
    const { subscriberId, access } = JSON.parse(bought.out)
    expect(access).toEqual({ pro: expect.anything() })
    const purchases = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect(purchases.map(({ environment }) => environment)).toEqual(['SANDBOX'])
    const [row, ...more] = await auditOf(s)
    expect(more).toEqual([])
    expect(row).toMatchObject({
      actor: { kind: 'USER', id: 'usr_developer' },
      action: 'test_store.simulate',
      target: { type: 'subscriber', id: subscriberId },
      after: { action: 'purchase', product: 'pro_monthly' },
    })
    expect(JSON.stringify(row)).not.toContain('svc_ada')
  })

  test('is refused to who may not give the virtual currency that it may book', async () => {
    await run('ADMIN', 'purchase', '--device', 'svc_ada', '--product', 'pro_monthly')
    const before = await allRows(s)
    for (const [role, code, args] of [
      ['GROWTH', 'ROLE_REQUIRED', ['status']],
      ['GROWTH', 'ROLE_REQUIRED', ['purchase', '--device', 'svc_ada', '--product', 'pro_monthly']],
      ['DEVELOPER', 'CAPABILITY_REQUIRED', ['purchase', '--device', 'svc_ada', '--product', 'coins_100']],
      ['DEVELOPER', 'CAPABILITY_REQUIRED', ['renew', '--device', 'svc_ada']],
      ['DEVELOPER', 'CAPABILITY_REQUIRED', ['advance', '40d']],
    ] as const) {
      const ran = await run(role, ...args)
      expect([args, ran.code, JSON.parse(ran.out).error.code]).toEqual([args, 1, code])
    }
    expect(await allRows(s)).toEqual(before)
    expect((await run('DEVELOPER', 'status')).code).toBe(0)
    expect((await run('ADMIN', 'advance', '40d')).code).toBe(0)
  })

  test('billing is of this machine only', async () => {
    const { code, err } = await runWith(s, ['simulate', 'billing', 'status', '--url', server.url], { env: {} })
    expect([code, err]).toEqual([2, expect.stringContaining('only on the database of this machine')])
    expect(server.heard).toEqual([])
  })
})

describe('svc store-events at a server', () => {
  test('replays and fetches in the name of the person', async () => {
    const s = await iosApiStage()
    const server = listen(s)
    try {
      await saveKey(s)
      const env = { SVC_URL: server.url, SVC_TOKEN: server.tokenOf('DEVELOPER') }
      const run = (...args: string[]) => runWith(s, ['store-events', ...args, ...P, '--json'], { env })
      s.server.facts.notifications.push({
        ...notificationBody(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy(MONTHLY)),
        sendAttempts: [{ attemptDate: s.ctx.clock.now(), sendAttemptResult: 'TIMED_OUT' }],
      })
      const fetched = await run('fetch', '--environment', 'sandbox')
      expect([fetched.code, JSON.parse(fetched.out)]).toMatchObject([0, { new: 1, known: 0, failed: 0, stopped: null }])
      const [event] = JSON.parse((await run('list')).out).items
      expect(event).toMatchObject({ status: 'PROCESSED', attempts: 1, projectId: s.project.id })
      const replayed = await run('replay', event.id)
      expect(JSON.parse(replayed.out).items).toMatchObject([{ id: event.id, status: 'PROCESSED', attempts: 2 }])
      const actor = { kind: 'USER', id: 'usr_developer' }
      expect(await auditOf(s)).toMatchObject([
        { actor, action: 'storeEvent.fetch', target: { type: 'store', id: 'IOS_STORE' } },
        { actor, action: 'storeEvent.reprocess', target: { type: 'storeEvent', id: event.id } },
      ])
    } finally {
      await server.close()
      await s.close()
    }
  })
})
