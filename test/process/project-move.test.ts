import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { and, eq, isNull, like } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { rollUp } from '../../src/insight/figures/rolls/turn'
import { isProjectFile } from '../../src/moving/project-move/file'
import { createAudience } from '../../src/targeting/audiences/admin'
import { replaceMembers } from '../../src/targeting/audiences/groups/admin'
import { envOf, type Ran, svc } from '../support/backup'
import { COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { TEST_KEY, type TestContext, testApp, testContext } from '../support/context'
import { postgresMissing, startPostgres } from '../support/postgres-server'
import { tempFolder } from '../support/process'
import { staff } from '../support/staff'
import { by } from '../support/targeting'
import { opened, postEvent, postSessions } from '../support/telemetry'

const temp = tempFolder()
afterAll(() => temp.remove())
let files = 0
const fresh = (name: string): string => join(temp.path, `${++files}-${name}`)

const KEY = { SVC_MASTER_KEY: TEST_KEY }
const OTHER_KEY = { SVC_MASTER_KEY: Buffer.alloc(32, 99).toString('base64') }
const PASSPHRASE = { MOVE: 'correct horse battery staple' }

let s: Stage
let file: string
let digest: string
let before: unknown
let adaId: string

beforeAll(async () => {
  s = await stage()
  adaId = await live(s)
  before = await answersOf(s.ctx)
  file = fresh('project.svc.gz')
  digest = digestOf(
    await svc(['export', '--project', s.project.id, '--with-data', '-o', file], { ...envOf(s.ctx), ...KEY }),
  )
})
afterAll(() => s.close())

/** A project with rows of many kinds, beside another project; returns a subscriber. */
async function live({ ctx, ...rest }: Stage): Promise<string> {
  const st = { ctx, ...rest }
  await st.receipt('svc_zed', st.buy(MONTHLY), { key: st.other.publicKey })
  await st.receipt('svc_ada', st.buy(MONTHLY, { withTrial: true }))
  await st.receipt('svc_bo', st.buy(COINS))
  await postSessions(st, 'svc_zed', [opened(st)], { key: st.other.publicKey })
  await postSessions(st, 'svc_ada', [opened(st)])
  await postEvent(st, { subscriberId: 'svc_ada', eventId: 'e1' })
  await st.post('/v1/identify', { deviceKey: 'svc_bo', appUserId: 'bo "quoted" \\ äöü 💳' })
  ctx.clock.advance(DAY)
  await st.receipt('svc_cy', st.buy(YEARLY))
  await postSessions(st, 'svc_cy', [opened(st), opened(st, { type: 'close', durationMs: 5000 })])
  const team = staff(st)
  const made = { name: 'Orders', url: 'https://8.8.8.8/hooks', eventTypes: ['entitlement.granted'] }
  expect((await team.as('DEVELOPER').post('/webhook-endpoints', made)).status).toBe(201)
  for (const [n, email] of ['known@example.com', 'doubtful@example.com', 'absent@example.com'].entries())
    await addMember(ctx, { id: `usr_${n}`, email, isConfirmed: true, role: n === 0 ? 'OWNER' : 'GROWTH' })
  const { id: audienceId } = await createAudience(ctx, by(st), { name: 'Testers', rules: {} })
  await replaceMembers(ctx, by(st), audienceId, 'ada')
  await rollUp(ctx)
  const { body } = await st.get('/v1/me', 'svc_ada')
  return body.data.subscriber.id
}

interface Person {
  id: string
  email: string
  isConfirmed: boolean
  role?: 'OWNER' | 'GROWTH'
}

async function addMember(ctx: TestContext, { id, email, isConfirmed, role }: Person): Promise<void> {
  const now = ctx.clock.now()
  const [times, emailVerifiedAt] = [{ createdAt: now, updatedAt: now }, isConfirmed ? now : null]
  await ctx.write(async (tx) => {
    const { users, memberships } = tx.tables
    await tx.db
      .insert(users)
      .values({ id, email, emailKey: email, emailVerifiedAt, name: 'X', passwordHash: null, ...times })
    const membership = { id: `mbr_${id}`, projectId: s.project.id, userId: id, ...times }
    if (role) await tx.db.insert(memberships).values({ ...membership, role })
  })
}

/** What apps and servers are told. */
async function answersOf(ctx: TestContext): Promise<unknown> {
  await rollUp(ctx)
  const app = testApp(ctx)
  const ask = async (path: string, device: string | null, key: string) => {
    const headers = { authorization: `Bearer ${key}`, ...(device !== null && { 'x-svc-app-user-id': device }) }
    const answer = await app.handle(new Request(`http://localhost${path}`, { headers }))
    return [answer.status, await answer.json()]
  }
  const { publicKey, secretKey } = s.project
  const answers: unknown[] = []
  for (const device of ['svc_ada', 'svc_bo', 'svc_cy'])
    for (const path of ['/v1/me/entitlements', '/v1/offerings']) answers.push(await ask(path, device, publicKey))
  const range = 'from=2026-11-01&to=2026-12-01&environment=SANDBOX'
  for (const path of ['summary', 'mrr', 'revenue', 'active'])
    answers.push(await ask(`/metrics/${path}?projectId=${s.project.id}&${range}&grain=day`, null, secretKey))
  const { events } = ctx.tables
  const rows = await ctx.db.select().from(events).where(eq(events.projectId, s.project.id)).orderBy(events.position)
  return { answers, feed: rows.map(({ id, seq, type }) => [id, seq, type]) }
}

function digestOf({ code, out, err }: Ran): string {
  expect([code, err]).toEqual([0, ''])
  return /Digest of the content: ([0-9a-f]{64})/.exec(out)?.[1] ?? ''
}

async function importInto(env: Record<string, string>, path = file, ...more: string[]): Promise<Ran> {
  const ran = await svc(['import', path, ...more], { ...KEY, ...env })
  await new Promise(setImmediate) // A read sees what another context has committed from the next turn on.
  return ran
}

const exportFrom = async (env: Record<string, string>, ...more: string[]): Promise<[path: string, digest: string]> => {
  const path = fresh('again.svc.gz')
  const ran = await svc(['export', '--project', s.project.id, '--with-data', '-o', path, ...more], { ...KEY, ...env })
  return [path, digestOf(ran)]
}

/** A deployment without projects, or with another one that has taken the first numbers. */
async function target(env: Record<string, string> = {}): Promise<TestContext> {
  return testContext({ env: { SVC_DATABASE_URL: `file:${fresh('target')}/svc.db`, ...env }, now: s.ctx.clock.now() })
}

const counts = async (ctx: TestContext): Promise<number> => (await ctx.db.select().from(ctx.tables.projects)).length

interface Server {
  url(name: string): Promise<string>
  stop(): Promise<unknown>
}

const embedded = async (): Promise<Server> => ({
  url: async (name) => `file:${fresh(name)}/svc.db`,
  stop: async () => {},
})
async function postgres(): Promise<Server> {
  const server = await startPostgres()
  return {
    url: async (name) => {
      const { default: connect } = await import('postgres')
      const sql = connect(server.url, { max: 1, onnotice: () => {} })
      await sql.unsafe(`create database ${name}`)
      await sql.end()
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    },
    stop: server.stop,
  }
}

const DRIVERS: [name: string, missing: string | null, start: () => Promise<Server>][] = [
  ['a file', null, embedded],
  ['PostgreSQL', postgresMissing(), postgres],
]

for (const [name, missing, start] of DRIVERS)
  describe.skipIf(missing !== null)(missing === null ? name : `${name} (skipped: ${missing})`, () => {
    let server: Server
    beforeAll(async () => {
      server = await start()
    })
    afterAll(() => server.stop())

    test('there, further to another of its kind, and back: one digest, and the same answers', async () => {
      const first = await target({ SVC_DATABASE_URL: await server.url('first') })
      expect(digestOf(await importInto(envOf(first)))).toBe(digest)
      const [again, exported] = await exportFrom(envOf(first))
      expect(exported).toBe(digest)
      expect(await answersOf(first)).toEqual(before)
      await first.close()
      const second = await target({ SVC_DATABASE_URL: await server.url('second') })
      expect(digestOf(await importInto(envOf(second), again))).toBe(digest)
      const [back] = await exportFrom(envOf(second))
      expect(await answersOf(second)).toEqual(before)
      await second.close()
      const home = await target()
      expect(digestOf(await importInto(envOf(home), back))).toBe(digest)
      expect(await answersOf(home)).toEqual(before)
      await home.close()
    })

    test('beside another project whose rows have the same numbers', async () => {
      const url = await server.url('beside')
      const other = await stage({ env: { SVC_DATABASE_URL: url }, now: s.ctx.clock.now() })
      const { projects, apiKeys } = other.ctx.tables
      // The stage makes the same two projects; the first one becomes another.
      await other.receipt('svc_zed', other.buy(MONTHLY), { key: other.other.publicKey })
      await postSessions(other, 'svc_zed', [opened(other)], { key: other.other.publicKey })
      await other.ctx.write(async (tx) => {
        await tx.db.update(projects).set({ id: 'prj_away', slug: 'away' }).where(eq(projects.id, s.project.id))
        for (const table of ['access', 'products', 'offerings', 'virtualCurrencies', 'apiKeys', 'audiences'] as const)
          await tx.db.delete(tx.tables[table]).where(eq(tx.tables[table].projectId, s.project.id))
        for (const table of ['storeSettings', 'currencyGrants', 'objectRevisions'] as const)
          await tx.db.delete(tx.tables[table]).where(eq(tx.tables[table].projectId, s.project.id))
        await tx.db.delete(tx.tables.simulatorKeys).where(like(tx.tables.simulatorKeys.id, `${s.project.id}:%`))
      })
      expect(await other.ctx.db.select().from(apiKeys).where(isNull(apiKeys.revokedAt))).toHaveLength(1)
      expect(digestOf(await importInto(envOf(other.ctx)))).toBe(digest)
      expect((await exportFrom(envOf(other.ctx)))[1]).toBe(digest)
      expect(await answersOf(other.ctx)).toEqual(before)
      // News of both projects continues behind.
      await other.receipt('svc_dee', other.buy(MONTHLY), { key: other.other.publicKey })
      const { events } = other.ctx.tables
      const rows = await other.ctx.db.select().from(events).orderBy(events.position)
      expect(rows.at(-1)?.projectId).toBe(other.other.id)
      await other.close()
    })
  })

describe('a file', () => {
  test('is recognised, and only its owner may read it', async () => {
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    const backup = fresh('backup.gz')
    await svc(['backup', backup], { ...envOf(s.ctx), ...KEY })
    const text = fresh('text.csv')
    writeFileSync(text, 'a,b\n')
    const empty = fresh('empty.csv')
    writeFileSync(empty, '')
    expect(await Promise.all([file, backup, text, empty, fresh('none')].map(isProjectFile))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })

  test('holds nothing of another project, no member of the dashboard and no mail', () => {
    const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
    const rows = lines.slice(1, -2)
    expect(rows.filter((line) => line.includes(s.other.id))).toEqual([])
    expect(rows.filter((line) => /^\{"t":"(users|memberships|mails|user_sessions|invitations)"/.test(line))).toEqual([])
    expect(rows.length).toBeGreaterThan(50)
  })

  test.each(['cut', 'changed', 'no project', 'newer'])('%s: refused, and nothing is written', async (kind) => {
    const bad = fresh('bad.gz')
    const text = gunzipSync(readFileSync(file)).toString()
    const lines = text.trimEnd().split('\n').slice(0, -1)
    const signed = (some: string[]) => {
      const all = some.map((line) => `${line}\n`).join('')
      return gzipSync(`${all}${JSON.stringify({ rows: some.length - 1, sha256: sha256Hex(all) })}\n`)
    }
    const [head = '', ...rest] = lines
    if (kind === 'changed') writeFileSync(bad, gzipSync(text.replace('svc_ada', 'svc_adb')))
    if (kind === 'no project') await svc(['backup', bad], { ...envOf(s.ctx), ...KEY })
    if (kind === 'newer')
      writeFileSync(bad, signed([head.replace('"migrations":[', '"migrations":["9999_x",'), ...rest]))
    if (kind === 'cut') {
      writeFileSync(bad, readFileSync(file))
      truncateSync(bad, 2000)
    }
    const ctx = await target()
    const { code, err } = await importInto(envOf(ctx), bad, '--replace')
    expect([code, err]).toEqual([1, expect.stringContaining('was not imported')])
    expect(await counts(ctx)).toBe(0)
    expect(await ctx.db.select().from(ctx.tables.subscribers)).toEqual([])
    await ctx.close()
  })

  test('a row that is changed together with its check sum is found by the digest', async () => {
    const [...lines] = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n').slice(0, -1)
    const forged = lines.map((line) =>
      line.startsWith('{"t":"subscribers"') ? line.replace('svc_ada', 'svc_adb') : line,
    )
    const all = forged.map((line) => `${line}\n`).join('')
    const bad = fresh('forged.gz')
    writeFileSync(bad, gzipSync(`${all}${JSON.stringify({ rows: forged.length - 1, sha256: sha256Hex(all) })}\n`))
    const ctx = await target()
    const { code, err } = await importInto(envOf(ctx), bad)
    expect([code, err]).toEqual([1, expect.stringContaining('rows differ')])
    expect(await counts(ctx)).toBe(0)
    await ctx.close()
  })

  test('is not overwritten without --force, and has a name of its own without -o', async () => {
    const args = ['export', '--project', s.project.id, '--with-data', '-o', file]
    const { code, err } = await svc(args, { ...envOf(s.ctx), ...KEY })
    expect([code, err]).toEqual([1, expect.stringContaining('is there already')])
  })
})

describe('an import', () => {
  test('of a project that is here already is refused, and changes nothing', async () => {
    const { code, err } = await importInto(envOf(s.ctx))
    expect([code, err]).toEqual([1, expect.stringContaining('is here already; --replace puts the file in its place')])
    expect((await exportFrom(envOf(s.ctx)))[1]).toBe(digest)
  })

  test('replaces a project only when that is suspended', async () => {
    const ctx = await target()
    await importInto(envOf(ctx))
    const refused = await importInto(envOf(ctx), file, '--replace')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('suspend it before it is replaced')])
    const { subscribers, projects } = ctx.tables
    await ctx.write(async (tx) => {
      await tx.db.update(projects).set({ suspendedAt: tx.clock.now() })
      await tx.db.update(subscribers).set({ appUserId: null })
    })
    expect((await exportFrom(envOf(ctx)))[1]).not.toBe(digest)
    expect(digestOf(await importInto(envOf(ctx), file, '--replace'))).toBe(digest)
    expect((await exportFrom(envOf(ctx)))[1]).toBe(digest)
    expect(await answersOf(ctx)).toEqual(before)
    await ctx.close()
  })

  test('into a slug that another project has is refused', async () => {
    const ctx = await target()
    await importInto(envOf(ctx))
    await ctx.write(async (tx) => void (await tx.db.update(tx.tables.projects).set({ id: 'prj_other' })))
    const { code, err } = await importInto(envOf(ctx))
    expect([code, err]).toEqual([1, expect.stringContaining('another project has the slug')])
    await ctx.close()
  })

  test('of wrong usage says so', async () => {
    const env = envOf(s.ctx)
    expect((await svc(['import'], env)).code).toBe(2)
    expect((await svc(['import', fresh('none.gz'), '--replace'], { ...env, ...KEY })).err).toContain('There is no file')
    expect((await svc(['export', '--project', 'x', '--force'], env)).code).toBe(2)
    expect((await svc(['export', '--project', 'x', '--with-data', '--with-ids'], env)).code).toBe(2)
    const short = ['export', '--project', s.project.id, '--with-data', '--passphrase-env', 'SHORT']
    expect(await svc(short, { ...env, SHORT: 'x' })).toMatchObject({ code: 2, err: expect.not.stringContaining('"x"') })
  })

  test('makes members of those who have an account with the same confirmed address, and names the others', async () => {
    const ctx = await target()
    await addMember(ctx, { id: 'usr_here', email: 'known@example.com', isConfirmed: true })
    await addMember(ctx, { id: 'usr_claims', email: 'doubtful@example.com', isConfirmed: false })
    const { out } = await importInto(envOf(ctx))
    expect(out).toContain('Members here too: known@example.com.')
    expect(out).toContain('Without an account here, to be invited: absent@example.com, doubtful@example.com.')
    const { memberships: m } = ctx.tables
    expect(await ctx.db.select({ user: m.userId, role: m.role }).from(m)).toEqual([{ user: 'usr_here', role: 'OWNER' }])
    await ctx.close()
  })
})

describe('credentials', () => {
  const endpoint = async (ctx: TestContext) => (await ctx.db.select().from(ctx.tables.webhookEndpoints))[0]

  test('open where the master key is the same', async () => {
    const ctx = await target()
    expect((await importInto(envOf(ctx))).out).not.toMatch(/(Enter|Send) again/)
    const row = await endpoint(ctx)
    expect(ctx.vault?.open(row?.sealedSecret ?? '', `webhook-secret:${row?.id}`)).toStartWith('whsec_')
    await ctx.close()
  })

  test('are named where it is another, and keep nobody from moving', async () => {
    const ctx = await target(OTHER_KEY)
    const { code, out } = await importInto({ ...envOf(ctx), ...OTHER_KEY })
    const row = await endpoint(ctx)
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`Enter again: the signing secret of the webhook endpoint ${row?.id}`),
    ])
    expect(out).toContain('Send again: the list of ids of the audience Testers')
    await ctx.close()
  })

  test('move to another master key with a passphrase, and not with a wrong one or none', async () => {
    const env = { ...envOf(s.ctx), ...PASSPHRASE }
    const [path, same] = await exportFrom(env, '--passphrase-env', 'MOVE')
    expect(same).toBe(digest)
    const ctx = await target(OTHER_KEY)
    const there = { ...envOf(ctx), ...OTHER_KEY }
    expect((await importInto(there, path)).err).toContain('give it with --passphrase-env NAME')
    const wrong = await importInto({ ...there, MOVE: 'another passphrase' }, path, '--passphrase-env', 'MOVE')
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('the passphrase is not the one') })
    expect(await counts(ctx)).toBe(0)
    const moved = await importInto({ ...there, ...PASSPHRASE }, path, '--passphrase-env', 'MOVE')
    expect([digestOf(moved), moved.out.includes('Enter again')]).toEqual([digest, false])
    expect(moved.out).toContain('Send again: the list of ids of the audience Testers')
    const row = await endpoint(ctx)
    expect(ctx.vault?.open(row?.sealedSecret ?? '', `webhook-secret:${row?.id}`)).toStartWith('whsec_')
    await ctx.close()
  })

  test('are never in the file in the clear', async () => {
    const row = await endpoint(s.ctx)
    const secret = s.ctx.vault?.open(row?.sealedSecret ?? '', `webhook-secret:${row?.id}`) ?? 'whsec_'
    const [path] = await exportFrom({ ...envOf(s.ctx), ...PASSPHRASE }, '--passphrase-env', 'MOVE')
    for (const each of [path, file]) expect(gunzipSync(readFileSync(each)).toString()).not.toContain(secret)
    expect(existsSync(file)).toBe(true)
  })
})

test('one state is written while others write', async () => {
  const path = fresh('busy.gz')
  const writing = (async () => {
    for (let n = 0; n < 20; n++) await s.get('/v1/me', `svc_new_${n}`)
  })()
  const ran = await svc(['export', '--project', s.project.id, '--with-data', '-o', path], { ...envOf(s.ctx), ...KEY })
  await writing
  const ctx = await target()
  expect(digestOf(await importInto(envOf(ctx), path))).toBe(digestOf(ran))
  const { subscribers: b } = ctx.tables
  const found = await ctx.db
    .select()
    .from(b)
    .where(and(eq(b.id, adaId), isNull(b.mergedInto)))
  expect(found).toHaveLength(1)
  await ctx.close()
})
