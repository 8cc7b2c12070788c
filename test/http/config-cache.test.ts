import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, type Mock, spyOn, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { createApp } from '../../src/app'
import { DAY, SECOND } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { createContext } from '../../src/create-context'
import { flushPresence } from '../../src/people/subscribers/presence'
import { createKey, flushKeyUse, revokeKey, suspendProject, unsuspendProject } from '../../src/projects/project/service'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { eventually, untilWatching } from '../support/context'
import { expectVisit, identify, refund, rowOf } from '../support/facts'
import { notify } from '../support/notify'
import { clearRemote, configOf, configure, flagsOf, variantsOf } from '../support/remote'
import { exchange } from '../support/socket'

// The response cache keeps responses for identical requests. Callers may notice it only by the time a response takes.

let s: Stage
let evaluations: Mock<Stage['ctx']['state']['assignments']['of']>
beforeAll(async () => {
  s = await stage()
  await untilWatching(s.ctx)
})
beforeEach(() => {
  evaluations = spyOn(s.ctx.state.assignments, 'of')
})
afterEach(async () => {
  evaluations.mockRestore()
  await clearRemote(s)
})
afterAll(() => s.close())

/** Whether the response comes from memory. */
async function isCached(device: string, query = '', options: Parameters<Stage['call']>[2] = {}): Promise<boolean> {
  evaluations.mockClear()
  expect((await configOf(s, device, query, options)).status).toBeLessThan(400)
  return evaluations.mock.calls.length === 0
}

const turkish = { key: 'tr', rules: [{ conditions: { country: 'TR' }, value: true }] }
const sends = (device: string, country: string) =>
  s.post(`/v1/config?subscriberId=${device}`, { attributes: { country } })

/** Lets the response of a device be cached. */
async function settle(device: string): Promise<void> {
  await configOf(s, device)
  await s.ctx.state.assignments.flush()
  await configOf(s, device)
  expect(await isCached(device)).toBe(true)
}

describe('what is asked again', () => {
  test('is answered without a look at the database, to whatever key of the project', async () => {
    await configure(s, { flags: [turkish], experiments: [{ key: 'test' }] })
    // The assignment is not written yet.
    expect([await isCached('svc_a'), await isCached('svc_a')]).toEqual([false, false])
    await s.ctx.state.assignments.flush()
    expect([await isCached('svc_a'), await isCached('svc_a')]).toEqual([false, true])
    await configOf(s, 'svc_other', '', { key: s.project.secretKey })
    expect(await isCached('svc_a', '', { key: s.project.secretKey })).toBe(true)
  })

  test('in other words is evaluated', async () => {
    await settle('svc_words')
    expect(await isCached('svc_words', '&env=dev')).toBe(false)
    expect(await isCached('svc_words', '', { headers: { 'x-svc-env': 'staging' } })).toBe(false)
    expect(await isCached('svc_words', '', { headers: { 'x-svc-user-id': 'svc_words' } })).toBe(false)
    expect(await isCached('svc_words', '&more=1')).toBe(false)
    expect(await isCached('svc_words', '', { key: s.other.publicKey })).toBe(false)
    expect(await isCached('svc_words')).toBe(true)
  })

  test.each(['svc.lastSeenAt', 'svc.lifetimeSpendUsd'])('is evaluated while a rule asks for %s', async (name) => {
    await configure(s, { flags: [{ key: 'now', rules: [{ conditions: { [name]: '1' }, value: true }] }] })
    expect([await isCached('svc_now'), await isCached('svc_now'), await isCached('svc_now')]).toEqual([
      false,
      false,
      false,
    ])
    expect(await isCached('svc_now', '&env=dev')).toBe(false)
    expect(await isCached('svc_now', '&env=dev')).toBe(true)
  })

  test('counts as a visit of the subscriber and a use of the key', async () => {
    await settle('svc_visit')
    await Promise.all([flushPresence(s.ctx), flushKeyUse(s.ctx)])
    s.ctx.clock.advance(1000 * SECOND)
    await isCached('svc_visit')
    expect(await isCached('svc_visit')).toBe(true)
    await expectVisit(s, 'svc_visit')
    expect(await isCached('svc_visit')).toBe(true) // Writing a visit changes no response.
  })
})

describe('a change is in the next answer', () => {
  const flag = () => configure(s, { flags: [turkish] })
  const isTurkish = async (device: string) => (await flagsOf(s, device)).tr

  test('of an attribute', async () => {
    await flag()
    await settle('svc_attr')
    await sends('svc_attr', 'TR')
    expect(await isTurkish('svc_attr')).toBe(true)
    await settle('svc_attr')
    await sends('svc_attr', 'DE')
    expect(await isTurkish('svc_attr')).toBe(false)
  })

  test('of the configuration', async () => {
    await settle('svc_conf')
    await flag()
    expect(await flagsOf(s, 'svc_conf')).toEqual({ tr: false })
  })

  test('of the label and by a merge, and by its undoing', async () => {
    const named = { key: 'named', rules: [{ conditions: { 'svc.appUserId': 'ada' }, value: true }] }
    await configure(s, { flags: [turkish, named] })
    await sends('svc_old', 'TR')
    await settle('svc_old')
    await identify(s, 'svc_old', 'ada')
    expect(await flagsOf(s, 'svc_old')).toEqual({ tr: true, named: true })
    await s.receipt('svc_old', s.buy(MONTHLY))
    await settle('svc_old')
    await settle('svc_new')
    await identify(s, 'svc_new', 'ada')
    for (const device of ['svc_new', 'svc_old']) expect(await flagsOf(s, device)).toEqual({ tr: true, named: true })
    await settle('svc_new')
    const [transfer] = (await s.ctx.db.select().from(s.ctx.tables.transfers)).filter(({ undoneAt }) => !undoneAt)
    await s.post(`/v1/subscribers/transfer/${transfer?.id}/undo`, {}, { key: s.project.secretKey })
    expect(await flagsOf(s, 'svc_old')).toEqual({ tr: true, named: true })
    expect(await flagsOf(s, 'svc_new')).toMatchObject({ named: false })
  })

  test('of what the subscriber holds, drawn elsewhere or written', async () => {
    await configure(s, {
      experiments: [
        { id: 'exp_one', key: 'one', mutualExclusionGroup: 'g', audienceId: 'aud_nobody' },
        { id: 'exp_two', key: 'two', mutualExclusionGroup: 'g' },
      ],
    })
    await settle('svc_held')
    const { id: subscriberId, projectId } = await rowOf(s, 'svc_held')
    const drawn = { projectId, subscriberId, experimentId: 'exp_one', variantId: 'a', hashVersion: 1, assignedAt: 0 }
    s.ctx.state.assignments.add({ ...drawn, deviceKey: 'svc_held', replaces: null })
    expect(await variantsOf(s, 'svc_held')).toEqual({})
    await s.ctx.state.assignments.flush()
    expect(await variantsOf(s, 'svc_held')).toEqual({})
    await settle('svc_held')
    await s.ctx.write(async (tx) => void (await tx.db.delete(tx.tables.assignments)))
    expect(Object.keys(await variantsOf(s, 'svc_held'))).toEqual(['two'])
  })

  test.each([
    ['by its id', (id: string) => sql`update subscribers set attributes = '{}' where id = ${id}`],
    ['by something else', () => sql`update subscribers set attributes = '{}' where device_key = 'svc_raw'`],
    ['of everybody', () => sql`update "subscribers" set "attributes" = '{}'`],
    ['with a preface', () => sql`with d as (select 1) update subscribers set attributes = '{}'`],
    ['by erasing it', (id: string) => sql`update "subscribers" set "erased_at" = 1 where "subscribers"."id" = ${id}`],
  ])('by any statement that writes the row: %s', async (_name, statement) => {
    await flag()
    const device = 'svc_raw'
    await s.ctx.write(async (tx) => void (await tx.db.delete(tx.tables.subscribers)))
    await sends(device, 'TR')
    await settle(device)
    const { id } = await rowOf(s, device)
    await s.ctx.write(async (tx) => {
      const { db } = tx as unknown as {
        db: Record<'run' | 'execute', ((query: unknown) => Promise<unknown>) | undefined>
      }
      await (db.run ?? db.execute)?.call(db, statement(id))
    })
    expect(await isTurkish(device)).toBe(false)
  })

  test('not before its commit, and never when it is rolled back', async () => {
    await flag()
    await settle('svc_back')
    const { id } = await rowOf(s, 'svc_back')
    const attributes = { country: { value: 'TR', source: 'sdk', updatedAt: 0 } }
    const failing = s.ctx.write(async (tx) => {
      const { subscribers: t } = tx.tables
      await tx.db.update(t).set({ attributes }).where(eq(t.id, id))
      expect(await isTurkish('svc_back')).toBe(false)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect([await isTurkish('svc_back'), await isTurkish('svc_back')]).toEqual([false, false])
  })

  test('by another process: within two seconds', async () => {
    await flag()
    await settle('svc_far')
    const { config, clock } = s.ctx
    const beside = await createContext(config, { clock })
    const far = { ...s, app: createApp(beside) } as unknown as Stage
    await far.app.handle(
      new Request('http://localhost/v1/config?subscriberId=svc_far', {
        method: 'POST',
        headers: { authorization: `Bearer ${s.project.publicKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ attributes: { country: 'TR' } }),
      }),
    )
    await beside.close()
    clock.advance(2 * SECOND)
    await eventually(() => isTurkish('svc_far'))
    expect(await isTurkish('svc_far')).toBe(true)
  })

  test('a revoked key is refused at once, one that has expired in time', async () => {
    await settle('svc_key')
    const { key, publicKey } = await createKey(s.ctx, s.project.id, {
      label: 'short',
      expiresAt: s.ctx.clock.now() + 10 * SECOND,
    })
    const options = { key: publicKey ?? '' }
    await isCached('svc_key', '', options)
    expect(await isCached('svc_key', '', options)).toBe(true)
    s.ctx.clock.advance(10 * SECOND)
    expect((await configOf(s, 'svc_key', '', options)).body.error.code).toBe('INVALID_API_KEY')
    const gone = await createKey(s.ctx, s.project.id, { label: 'gone' })
    await isCached('svc_key', '', { key: gone.publicKey ?? '' })
    expect(await isCached('svc_key', '', { key: gone.publicKey ?? '' })).toBe(true)
    await revokeKey(s.ctx, gone.key.id)
    expect((await configOf(s, 'svc_key', '', { key: gone.publicKey ?? '' })).body.error.code).toBe('INVALID_API_KEY')
    expect(key.id).not.toBe(gone.key.id)
  })
})

describe('rules about purchases', () => {
  const asks = (conditions: object) => configure(s, { flags: [{ key: 'rule', rules: [{ conditions, value: true }] }] })
  const holds = async (device: string) => (await flagsOf(s, device)).rule

  test('see a receipt, a refund, a move and an expiry at once', async () => {
    await asks({ 'svc.hasActive': 'true' })
    await settle('svc_buyer')
    await settle('svc_heir')
    const bought = s.buy(MONTHLY)
    await s.receipt('svc_buyer', bought)
    expect(await holds('svc_buyer')).toBe(true)
    await settle('svc_buyer')
    await s.receipt('svc_heir', bought)
    expect([await holds('svc_buyer'), await holds('svc_heir')]).toEqual([false, true])
    await settle('svc_heir')
    await notify(s, ['REFUND', null], refund(s, bought))
    expect(await holds('svc_heir')).toBe(false)
    const { expiresDate = 0, ...again } = s.buy(MONTHLY)
    await s.receipt('svc_buyer', { ...again, expiresDate })
    const { purchases: p } = s.ctx.tables
    const { id: owner } = await rowOf(s, 'svc_buyer')
    for (const pausedAt of [0, null]) {
      await settle('svc_buyer')
      for (const { id, fold } of await s.ctx.db.select().from(p).where(eq(p.subscriberId, owner)))
        await s.ctx.write((tx) =>
          tx.db
            .update(p)
            .set({ fold: { ...fold, pausedAt } })
            .where(eq(p.id, id)),
        )
      expect(await holds('svc_buyer')).toBe(pausedAt === null)
    }
    await settle('svc_buyer')
    s.ctx.clock.set(expiresDate - 1)
    expect([await isCached('svc_buyer'), await holds('svc_buyer')]).toEqual([true, true])
    s.ctx.clock.set(expiresDate)
    expect(await holds('svc_buyer')).toBe(false)
    s.ctx.clock.set(expiresDate - 1)
    expect(await holds('svc_buyer')).toBe(true)
  })

  test('see each day of a trial begin', async () => {
    await asks({ 'svc.trialDaysLeft': { $lte: 2 } })
    await s.receipt('svc_trial', s.buy(MONTHLY, { withTrial: true }))
    const days: unknown[] = []
    for (let day = 7; day > 0; day--) {
      await settle('svc_trial')
      days.push(await holds('svc_trial'))
      s.ctx.clock.advance(DAY - 1)
      expect(await isCached('svc_trial')).toBe(true)
      s.ctx.clock.advance(1)
    }
    expect(days).toEqual([false, false, false, false, false, true, true])
    expect(await holds('svc_trial')).toBe(false)
  })

  test('see a day of acquaintance pass', async () => {
    await asks({ 'svc.daysSinceFirstSeen': { $gte: 1 } })
    await settle('svc_known')
    s.ctx.clock.advance(DAY - 1)
    expect([await isCached('svc_known'), await holds('svc_known')]).toEqual([true, false])
    s.ctx.clock.advance(1)
    expect(await holds('svc_known')).toBe(true)
  })

  test('are asked of whoever a device was merged into', async () => {
    await asks({ 'svc.access': { $exists: true }, 'svc.hasActive': 'true' })
    await identify(s, 'svc_phone', 'gil')
    await identify(s, 'svc_tablet', 'gil')
    for (const device of ['svc_phone', 'svc_tablet']) await settle(device)
    await s.receipt('svc_tablet', s.buy(MONTHLY))
    for (const device of ['svc_phone', 'svc_tablet']) expect(await holds(device)).toBe(true)
  })
})

test('an ordinary life lets the answers of others be', async () => {
  const clear = spyOn(s.ctx.state.responseCache, 'clear')
  await configure(s, { experiments: [{ key: 'life' }] })
  await settle('svc_beside')
  await sends('svc_life', 'TR')
  await identify(s, 'svc_life', 'bo')
  await s.receipt('svc_life', s.buy(MONTHLY))
  await configOf(s, 'svc_life')
  await s.ctx.state.assignments.flush()
  await identify(s, 'svc_life_2', 'bo')
  await flushPresence(s.ctx)
  expect(clear).not.toHaveBeenCalled()
  expect(await isCached('svc_beside')).toBe(true)
  clear.mockRestore()
})

test('a suspended project goes on answering, as all of its apps do', async () => {
  await settle('svc_suspended')
  await suspendProject(s.ctx, s.project.id)
  expect(await isCached('svc_suspended')).toBe(false)
  expect(await isCached('svc_suspended')).toBe(true)
  await unsuspendProject(s.ctx, s.project.id)
})

test('a kept answer opens to the key alone, in whatever spelling of its header', async () => {
  await settle('svc_spelt')
  await isCached('svc_spelt', '', { key: s.project.secretKey })
  const ask = (authorization: string) => configOf(s, 'svc_spelt', '', { key: null, headers: { authorization } })
  const hash = sha256Hex(s.project.secretKey)
  const wrong = [
    hash,
    `svc_pub_${hash}`,
    `svc_sec_${hash}`,
    `${s.project.publicKey}x`,
    s.project.publicKey.slice(0, -1),
  ]
  for (const token of wrong) expect((await ask(`Bearer ${token}`)).status).toBe(401)
  for (const scheme of ['Basic  ', 'Bearer', '', 'XXXXXXX'])
    for (const token of [hash, s.project.publicKey]) expect((await ask(scheme + token)).status).toBe(401)
  for (const scheme of ['Bearer ', 'bearer ', 'BEARER   '])
    for (const key of [s.project.publicKey, s.project.secretKey]) {
      evaluations.mockClear()
      expect((await ask(scheme + key)).status).toBe(200)
      expect(evaluations.mock.calls.length === 0).toBe(true)
    }
})

test('both ways give the same bytes, and count the same', async () => {
  const own = await stage({ env: { SVC_RATE_KEY: '4', SVC_RATE_IP: '100' } })
  await untilWatching(own.ctx)
  await configure(own, {
    flags: [
      { key: 'ü', type: 'STRING', defaultValue: 'ß€' },
      { key: 'n', defaultValue: true },
    ],
  })
  const app = createApp(own.ctx).listen({ hostname: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${app.server?.port}`
  const ask = async (more = '') => {
    const head = `Host: localhost\r\nAuthorization: Bearer ${own.project.publicKey}\r\nX-Request-Id: request-1`
    const { text } = await exchange(url, `GET /v1/config?subscriberId=svc_b HTTP/1.1\r\n${head}${more}\r\n\r\n`)
    return text.replace(/\r\nDate: [^\r]*/, '').replaceAll(/remaining: \d+|r=\d+|reset: \d+|t=\d+/g, '')
  }
  await ask()
  own.ctx.state.responseCache.clear()
  const long = await ask()
  const evaluated = spyOn(own.ctx.state.assignments, 'of')
  expect(await ask()).toBe(long)
  const [, tag = ''] = /etag: (\S+)/i.exec(long) ?? []
  const short304 = await ask(`\r\nIf-None-Match: ${tag}`)
  expect(evaluated.mock.calls.length === 0).toBe(true)
  const refused = await ask()
  expect(refused).toStartWith('HTTP/1.1 429')
  own.ctx.clock.advance(61 * SECOND)
  own.ctx.state.responseCache.clear()
  expect(await ask(`\r\nIf-None-Match: ${tag}`)).toBe(short304)
  expect(short304).toStartWith('HTTP/1.1 304')
  await new Promise((resolve) => setImmediate(resolve))
  expect(await own.ctx.metrics.text()).toMatch(/_count\{method="GET",route="\/v1\/config",status="304"\} 2/)
  await app.stop(true)
  await own.close()
})
