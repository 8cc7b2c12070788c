import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { createApp } from '../../src/app'
import type { Context } from '../../src/base/context'
import type { Db, Storage } from '../../src/base/db/handle'
import { HOUR, MINUTE, SECOND } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { createIds } from '../../src/base/lib/ids'
import { createContext } from '../../src/create-context'
import { ConfigWatch } from '../../src/projects/project/config-watch'
import { KeyRing } from '../../src/projects/project/key-ring'
import {
  createKey,
  flushKeyUse,
  type KeyInput,
  revokeKey,
  rotateKey,
  suspendProject,
} from '../../src/projects/project/service'
import { startServer } from '../../src/server'
import { type Answer, type Stage, stage } from '../support/cast'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())

const UNKNOWN_SECRET = `svc_sec_${'0'.repeat(43)}`

/** A read that needs only a key. */
const askAs = (authorization: string | null): Promise<Answer> =>
  s.call('GET', '/v1/offerings', { key: null, headers: authorization === null ? {} : { authorization } })
const ask = (key: string): Promise<Answer> => askAs(`Bearer ${key}`)

const codeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body.error?.code]

/** A second process on the same database. */
const openBeside = (): Promise<Context> =>
  createContext(s.ctx.config, { clock: s.ctx.clock, log: s.ctx.log, ids: createIds(() => s.ctx.clock.now()) })

const makeKey = async (input: Partial<KeyInput> = {}, ctx: Context = s.ctx) => {
  const { key, publicKey, secretKey } = await createKey(ctx, s.project.id, { label: 'test', ...input })
  return { id: key.id, publicKey: publicKey ?? '', secretKey: secretKey ?? '' }
}

describe('the header', () => {
  const refusals: [name: string, header: string | null, code: string][] = [
    ['no header', null, 'BEARER_REQUIRED'],
    ['an empty header', '', 'BEARER_REQUIRED'],
    ['the scheme alone', 'Bearer', 'BEARER_REQUIRED'],
    ['the scheme and blanks', 'Bearer    ', 'BEARER_REQUIRED'],
    ['another scheme', `Basic ${btoa('a:b')}`, 'BEARER_REQUIRED'],
    ['a bare token', UNKNOWN_SECRET, 'BEARER_REQUIRED'],
    ['a scheme that only begins like Bearer', `Bearerx ${UNKNOWN_SECRET}`, 'BEARER_REQUIRED'],
    ['no blank after the scheme', `Bearer${UNKNOWN_SECRET}`, 'BEARER_REQUIRED'],
    ['neither prefix', 'Bearer abc', 'INVALID_API_KEY_FORMAT'],
    ['a prefix in upper case', `Bearer ${UNKNOWN_SECRET.toUpperCase()}`, 'INVALID_API_KEY_FORMAT'],
    ['a prefix that is not at the beginning', `Bearer x${UNKNOWN_SECRET}`, 'INVALID_API_KEY_FORMAT'],
    ['an unknown secret', `Bearer ${UNKNOWN_SECRET}`, 'INVALID_API_KEY'],
    ['an unknown public key', `Bearer svc_pub_${'0'.repeat(32)}`, 'INVALID_API_KEY'],
    ['the prefix alone', 'Bearer svc_sec_', 'INVALID_API_KEY'],
    ['one character too few', `Bearer ${UNKNOWN_SECRET.slice(0, -1)}`, 'INVALID_API_KEY'],
    ['one character too many', `Bearer ${UNKNOWN_SECRET}0`, 'INVALID_API_KEY'],
    ['a character outside of the alphabet', `Bearer ${UNKNOWN_SECRET.slice(0, -1)}-`, 'INVALID_API_KEY'],
    ['the hash of a secret instead of it', `Bearer svc_sec_${sha256Hex('x').slice(0, 43)}`, 'INVALID_API_KEY'],
    ['two headers in one', `Bearer ${UNKNOWN_SECRET}, Bearer ${UNKNOWN_SECRET}`, 'INVALID_API_KEY'],
  ]
  for (const [name, header, code] of refusals)
    test(`${name} is 401 ${code}`, async () => expect(codeOf(await askAs(header))).toEqual([401, code]))

  test('a good secret with one more character is refused, not cut', async () =>
    expect(codeOf(await ask(`${s.project.secretKey}1`))).toEqual([401, 'INVALID_API_KEY']))

  test('the secret of a key does not pass as a public key', async () =>
    expect(codeOf(await ask(s.project.secretKey.replace('sec', 'pub')))).toEqual([401, 'INVALID_API_KEY']))

  test('the scheme is read in any case and the token trimmed', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      for (const key of [s.project.publicKey, s.project.secretKey])
        expect((await askAs(`${scheme} ${key}`)).status).toBe(200)
    expect((await askAs(`  Bearer    ${s.project.secretKey}   `)).status).toBe(200)
  })

  test('a key in the query or in another header is none', async () => {
    const { secretKey } = s.project
    const answer = await s.call('GET', `/v1/offerings?key=${secretKey}`, {
      key: null,
      headers: { 'x-api-key': secretKey },
    })
    expect(codeOf(answer)).toEqual([401, 'BEARER_REQUIRED'])
  })
})

describe('kinds', () => {
  test('a public key on a secret route is 403 FORBIDDEN, before its body is read', async () => {
    const answer = await s.post('/v1/virtual-currencies/ada/coins/transactions', undefined, { raw: '{"amount":' })
    expect(codeOf(answer)).toEqual([403, 'FORBIDDEN'])
    expect(answer.body.error.message).toBe('Secret API key required')
  })

  test('a half has its own kind only', async () => {
    const [publicHalf, secretHalf] = [await makeKey({ kind: 'public' }), await makeKey({ kind: 'secret' })]
    expect(publicHalf.secretKey).toBe('')
    expect(secretHalf.publicKey).toBe('')
    expect((await ask(publicHalf.publicKey)).status).toBe(200)
    expect((await ask(secretHalf.secretKey)).status).toBe(200)
    expect((await s.get('/v1/virtual-currencies/nobody', undefined, { key: publicHalf.publicKey })).status).toBe(403)
    expect((await s.get('/v1/virtual-currencies/nobody', undefined, { key: secretHalf.secretKey })).status).toBe(404)
  })

  test('a key speaks for its own project alone', async () => {
    const mine = await s.get('/v1/me', 'svc_tenant')
    const { id } = mine.body.data.subscriber
    const path = `/v1/subscribers/${id}/access`
    expect((await s.call('GET', path, { key: s.project.secretKey })).status).toBe(200)
    const theirs = await s.call('GET', path, { key: s.other.secretKey })
    const none = id.replace(/.$/, 'z')
    const nobody = await s.call('GET', `/v1/subscribers/${none}/access`, { key: s.other.secretKey })
    expect(nobody.body.error.message).toBe(`There is no subscriber ${none}`)
    // The same but for the caller's own word.
    expect([theirs.status, JSON.stringify(theirs.body)]).toEqual([404, JSON.stringify(nobody.body).replace(none, id)])
  })
})

describe('states of a key', () => {
  test('a revoked key is refused at once, a second time too, and others go on', async () => {
    const [gone, kept] = [await makeKey(), await makeKey()]
    expect((await ask(gone.secretKey)).status).toBe(200)
    for (const _ of [1, 2]) {
      await revokeKey(s.ctx, gone.id)
      for (const half of [gone.secretKey, gone.publicKey])
        expect(codeOf(await ask(half))).toEqual([401, 'INVALID_API_KEY'])
    }
    expect((await ask(kept.secretKey)).status).toBe(200)
  })

  test('a key ends at the exact instant of its expiry, in memory and freshly read', async () => {
    const key = await makeKey({ expiresAt: s.ctx.clock.now() + HOUR })
    s.ctx.clock.advance(HOUR - 1)
    expect((await ask(key.secretKey)).status).toBe(200)
    s.ctx.clock.advance(1)
    expect(codeOf(await ask(key.secretKey))).toEqual([401, 'INVALID_API_KEY'])
    expect(codeOf(await ask(key.publicKey))).toEqual([401, 'INVALID_API_KEY'])
  })

  test('a rotation without overlap ends the old secret at once and leaves the public half', async () => {
    const key = await makeKey()
    expect((await ask(key.secretKey)).status).toBe(200)
    const { secretKey } = await rotateKey(s.ctx, key.id)
    expect(codeOf(await ask(key.secretKey))).toEqual([401, 'INVALID_API_KEY'])
    for (const live of [secretKey ?? '', key.publicKey]) expect((await ask(live)).status).toBe(200)
  })

  test('a rotation with overlap keeps the old secret until the exact instant of its end', async () => {
    const key = await makeKey()
    const { secretKey } = await rotateKey(s.ctx, key.id, 2)
    s.ctx.clock.advance(2 * HOUR - 1)
    for (const live of [secretKey ?? '', key.secretKey]) expect((await ask(live)).status).toBe(200)
    s.ctx.clock.advance(1)
    expect(codeOf(await ask(key.secretKey))).toEqual([401, 'INVALID_API_KEY'])
    expect((await ask(secretKey ?? '')).status).toBe(200)
  })

  test('a second rotation within the overlap ends the first secret', async () => {
    const key = await makeKey()
    const second = await rotateKey(s.ctx, key.id, 2)
    await rotateKey(s.ctx, key.id, 2)
    expect(codeOf(await ask(key.secretKey))).toEqual([401, 'INVALID_API_KEY'])
    expect((await ask(second.secretKey ?? '')).status).toBe(200)
  })

  test('a suspended project keeps serving its apps', async () => {
    await suspendProject(s.ctx, s.other.id)
    expect((await ask(s.other.publicKey)).status).toBe(200)
  })

  test('the keys of a deleted project are unknown', async () => {
    const { projects } = s.ctx.tables
    const deletedAt = s.ctx.clock.now()
    await s.ctx.write((tx) => tx.db.update(projects).set({ deletedAt }).where(eq(projects.id, s.other.id)))
    s.ctx.state.projects.forget(s.other.id)
    expect(codeOf(await ask(s.other.secretKey))).toEqual([401, 'INVALID_API_KEY'])
  })

  test('the last use is written at most once a minute', async () => {
    const key = await makeKey()
    const lastUsedAt = async () => {
      await ask(key.secretKey)
      await flushKeyUse(s.ctx)
      const { apiKeys } = s.ctx.tables
      const [row] = await s.ctx.db.select().from(apiKeys).where(eq(apiKeys.id, key.id))
      return row?.lastUsedAt ?? null
    }
    const first = s.ctx.clock.now()
    expect(await lastUsedAt()).toBe(first)
    s.ctx.clock.advance(MINUTE - 1)
    expect(await lastUsedAt()).toBe(first)
    s.ctx.clock.advance(1)
    expect(await lastUsedAt()).toBe(first + MINUTE)
  })
})

describe('another process', () => {
  test('makes a key that was unknown: it works 2 s after it was first refused', async () => {
    const beside = await openBeside()
    const secretKey = `svc_sec_${'A'.repeat(43)}`
    expect(codeOf(await ask(secretKey))).toEqual([401, 'INVALID_API_KEY'])
    const { id } = await makeKey({}, beside)
    const { apiKeys } = beside.tables
    await beside.write((tx) =>
      tx.db
        .update(apiKeys)
        .set({ secretHash: sha256Hex(secretKey) })
        .where(eq(apiKeys.id, id)),
    )
    s.ctx.clock.advance(2 * SECOND - 1)
    expect((await ask(secretKey)).status).toBe(401)
    s.ctx.clock.advance(1)
    expect((await ask(secretKey)).status).toBe(200)
    await beside.close()
  })

  test('makes a key that nobody asked for yet: it works at once', async () => {
    const beside = await openBeside()
    expect((await ask((await makeKey({}, beside)).secretKey)).status).toBe(200)
    await beside.close()
  })

  test('revokes, rotates and limits keys: it holds with the next look at the configuration', async () => {
    const beside = await openBeside()
    const watch = new ConfigWatch(s.ctx, (projectId) => {
      s.ctx.state.projects.forget(projectId)
      s.ctx.state.keys.forget(projectId)
    })
    const [revoked, rotated] = [await makeKey(), await makeKey()]
    await watch.check()
    for (const { secretKey } of [revoked, rotated]) expect((await ask(secretKey)).status).toBe(200)
    await revokeKey(beside, revoked.id)
    const { secretKey } = await rotateKey(beside, rotated.id)
    await watch.check()
    for (const old of [revoked, rotated]) expect(codeOf(await ask(old.secretKey))).toEqual([401, 'INVALID_API_KEY'])
    expect((await ask(secretKey ?? '')).status).toBe(200)
    await beside.close()
  })

  test('revokes a key: a running server refuses it within 2 s', async () => {
    const own = await stage({ env: { SVC_INTERNAL_PORT: '0', SVC_PORT: '0' } })
    const server = await startServer(own.ctx)
    const beside = await createContext(own.ctx.config, { clock: own.ctx.clock, log: own.ctx.log })
    const statusNow = async () => {
      const headers = { authorization: `Bearer ${own.project.publicKey}` }
      return (await fetch(`${server.url}/v1/offerings`, { headers })).status
    }
    expect(await statusNow()).toBe(200)
    await revokeKey(beside, own.project.keyId)
    while ((await statusNow()) === 200) await Bun.sleep(20)
    expect(await statusNow()).toBe(401)
    await beside.close()
    await server.stop()
  })
})

/** A context that counts its queries outside of transactions. */
async function openCounted(): Promise<{ ctx: Context; count(): number }> {
  let queries = 0
  const seen: (string | symbol)[] = ['select', 'insert', 'update', 'delete', 'run', 'all', 'get', 'values']
  const counted = (db: Db): Db =>
    new Proxy(db, {
      get(target, name) {
        if (seen.includes(name)) queries++
        return Reflect.get(target, name)
      },
    })
  const { storage } = s.ctx
  const own: Storage = { ...storage, db: counted(storage.db), close: async () => {} }
  const ctx = await createContext(s.ctx.config, { clock: s.ctx.clock, log: s.ctx.log, storage: own })
  return { ctx, count: () => queries }
}

describe('what a key check costs', () => {
  test('a slow hash on every server call', async () => {
    const { apiKeys } = s.ctx.tables
    const [row] = await s.ctx.db.select().from(apiKeys).where(eq(apiKeys.id, s.project.keyId))
    expect(row?.secretHash).toBe(sha256Hex(s.project.secretKey))
    expect(JSON.stringify(row)).not.toContain(s.project.secretKey)

    const { ctx, count } = await openCounted()
    const app = createApp(ctx)
    const headers = { authorization: `Bearer ${s.project.secretKey}` }
    const call = () => app.handle(new Request('http://localhost/v1/offerings', { headers }))
    await call()
    const before = count()
    expect(before).toBeGreaterThan(0)
    for (let index = 0; index < 100; index++) expect((await call()).status).toBe(200)
    expect(count()).toBe(before)
  })

  test('an unknown key asks the database once in 2 s, however often it comes', async () => {
    const { ctx, count } = await openCounted()
    const ring = new KeyRing(ctx, s.ctx.clock)
    const refused = async (key: string) => expect(ring.authenticate(`Bearer ${key}`)).rejects.toThrow()
    for (const unknown of [`svc_sec_${'z'.repeat(43)}`, `svc_pub_${'z'.repeat(32)}`]) {
      const before = count()
      for (let index = 0; index < 500; index++) await refused(unknown)
      expect(count() - before).toBe(1)
      s.ctx.clock.advance(2 * SECOND)
      await refused(unknown)
      expect(count() - before).toBe(2)
    }
  })

  test('a malformed key never asks the database', async () => {
    const { ctx, count } = await openCounted()
    const ring = new KeyRing(ctx, s.ctx.clock)
    for (let index = 0; index < 500; index++)
      for (const key of [`svc_pub_${index}`, `svc_sec_${'a'.repeat(8000)}${index}`, `nothing_${index}`])
        await expect(ring.authenticate(`Bearer ${key}`)).rejects.toThrow()
    expect(count()).toBe(0)
  })

  test('a change of keys that is read halfway is not remembered', async () => {
    const key = await makeKey()
    const ring = new KeyRing(s.ctx, s.ctx.clock)
    const asking = ring.authenticate(`Bearer ${key.secretKey}`)
    ring.forget(s.project.id)
    await asking
    await revokeKey(s.ctx, key.id)
    await expect(ring.authenticate(`Bearer ${key.secretKey}`)).rejects.toThrow()
  })
})

describe('every route', () => {
  const PUBLIC =
    /^GET \/(health|health\/ready|health\/stores|openapi(-dashboard)?\.json|svc\.schema\.json|docs(\/(?!example).*)?|\.well-known\/jwks\.json)$/
  /** Stores prove their identity with signatures, not with a key. */
  const SIGNED = /^POST \/(webhooks\/|billing\/webhook$)/
  /** People sign in there, or have signed in; so have the agents that they connect. */
  const OF_PEOPLE = /^(\w+ \/(dashboard|admin|api\/auth)\/|POST \/mcp$)/
  /** Links that people were sent open them. `operator-matrix.test.ts` has who may call them. */
  const OF_MAILS = /^\w+ \/(invitations\/.*|unsubscribe|f\/-\/preview)$/
  /** Visitors present the secret of their session, and none before it begins; files are for everybody who has their address. */
  const OF_VISITORS = /^\w+ \/(public|f|universal|assets)\//
  /** Phones read them; they are 404 while no app is saved. */
  const OF_PHONES =
    /^GET \/\.well-known\/(apple-app-site-association|apple-developer-merchantid-domain-association|assetlinks\.json)$/
  /** The client for pages, and the example shop, which is 404 but in a demo. */
  const OF_PAGES = /^(GET \/sdk\/|\w+ \/docs\/example(\/|$))/
  /** The card form, a document that the console shows within its billing screen; 503 where projects are not billed. */
  const OF_CARDS = /^GET \/billing\/card-form/
  /** There is nothing to read or to end there: 405 for everybody, as the protocol has it. */
  const NO_STREAM = /^(GET|DELETE) \/mcp$/
  const BEFORE_SIGN_IN = /^\w+ \/api\/auth\/(?!sign-out$)/

  test('but a short list refuses a stranger with 401, whatever else is wrong with the request', async () => {
    const guarded = s.app.routes.filter(
      (route) =>
        ![PUBLIC, SIGNED, OF_PEOPLE, OF_MAILS, OF_VISITORS, OF_PHONES, OF_PAGES, OF_CARDS, NO_STREAM].some((one) =>
          one.test(route),
        ),
    )
    expect(guarded.length).toBeGreaterThan(20)
    for (const route of guarded) {
      const [method = '', path = ''] = route.split(' ')
      const raw = method === 'GET' ? {} : { raw: '{"broken' }
      const answer = await s.call(method, path.replaceAll(/:\w+/g, '%ff'), { key: null, ...raw })
      expect([route, ...codeOf(answer)]).toEqual([route, 401, 'BEARER_REQUIRED'])
      expect(Object.keys(answer.body)).toEqual(path.includes('/ofrep/') ? ['error', 'errorCode'] : ['error'])
    }
  })

  test('for pages answers without a key: the client, and the shop only in a demo', async () => {
    const open = s.app.routes.filter((route) => OF_PAGES.test(route))
    expect(open.length).toBeGreaterThanOrEqual(4)
    for (const route of open) {
      const [method = '', path = ''] = route.split(' ')
      const body = method === 'GET' ? {} : { body: JSON.stringify({ device: 'a', product: 'b' }) }
      const headers = { 'content-type': 'application/json' }
      const url = `http://localhost${path.replaceAll(/:\w+/g, 'x')}`
      const answer = await s.app.handle(new Request(url, { method, headers, ...body }))
      const isBuilt = path.startsWith('/sdk/svc.') && answer.status !== 404
      expect([route, answer.status]).toEqual([route, isBuilt ? 200 : 404])
    }
  })

  test('of the dashboard refuses a stranger, and where people sign in a page of nobody', async () => {
    const ofPeople = s.app.routes.filter((route) => OF_PEOPLE.test(route))
    expect(ofPeople.length).toBeGreaterThan(20)
    for (const route of ofPeople) {
      const [method = '', path = ''] = route.split(' ')
      if (BEFORE_SIGN_IN.test(route) && method === 'GET') continue
      const raw = method === 'GET' ? {} : { raw: '{"broken' }
      const answer = await s.call(method, path.replaceAll(/:\w+/g, '%ff'), { key: null, ...raw })
      const expected = BEFORE_SIGN_IN.test(route) ? [403, 'FORBIDDEN'] : [401, 'UNAUTHORIZED']
      expect([route, ...codeOf(answer)]).toEqual([route, ...expected])
    }
  })

  test('on the short list answers without a key', async () => {
    const open = s.app.routes.filter((route) => PUBLIC.test(route))
    expect(open).toContain('GET /health')
    for (const route of open) {
      const path = route.slice('GET '.length).replace('/guide/*', '/guide/start').replace(':name', 'LICENSE.txt')
      const answer = await s.app.handle(new Request(`http://localhost${path}`))
      expect([route, answer.status]).toEqual([route, 200])
    }
  })
})
