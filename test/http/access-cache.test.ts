import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { createApp } from '../../src/app'
import { DAY, MINUTE, SECOND } from '../../src/base/lib/clock'
import { sweepActions } from '../../src/commerce/actions/sweep'
import { createContext } from '../../src/create-context'
import { reconcile } from '../../src/intake/reconcile/run'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { flushPresence } from '../../src/people/subscribers/presence'
import { createKey, flushKeyUse, touchConfig } from '../../src/projects/project/service'
import { grant, schedule } from '../support/actions'
import { ANDROID_MONTHLY, androidStage } from '../support/android'
import { iosApiStage, storeSays } from '../support/app-store'
import { type Answer, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { eventually, untilWatching } from '../support/context'
import { changeSettings, damage, expectVisit, expire, identify, refund, renew, rowOf } from '../support/facts'
import { notify } from '../support/notify'
import { exchange } from '../support/socket'

// The response cache keeps what a device may use. Callers may notice it only by the time a response takes.

let s: Stage
beforeAll(async () => {
  s = await stage()
  await untilWatching(s.ctx)
})
afterAll(() => s.close())

const PATHS = ['/v1/me/entitlements', '/v1/me/access', '/v1/me']

/** Whether the response comes from memory: a response that does not come from memory reads the project. */
async function isCached(device: string, path = PATHS[0] ?? '', options: Parameters<Stage['call']>[2] = {}, on = s) {
  const projectReads = spyOn(on.ctx.state.projects, 'get')
  const { status } = await on.get(path, device, options)
  const count = projectReads.mock.calls.length
  projectReads.mockRestore()
  expect(status).toBeLessThan(400)
  return count === 0
}

/** Lets all responses of a device be cached. */
async function settle(device: string, on = s): Promise<void> {
  for (const path of PATHS) {
    await on.get(path, device)
    await on.get(path, device) // The first call may have created the row, which makes a second call necessary.
    expect(await isCached(device, path, {}, on)).toBe(true)
  }
}

/** What a device may use: access identifier -> day of its end. All paths and the tables must agree. */
async function held(device: string, on = s): Promise<Record<string, string | null>> {
  const ask = () => Promise.all(PATHS.map(async (path) => (await on.get(path, device)).body))
  const answer = await ask()
  on.ctx.state.responseCache.clear()
  expect(answer).toEqual(await ask())
  const [{ data }, { data: access }, { data: me }] = answer
  expect([access.access, me.access]).toEqual([data.entitlements, data.entitlements])
  const entries = Object.entries<{ expiresDate: string | null }>(data.entitlements)
  return Object.fromEntries(entries.map(([name, { expiresDate }]) => [name, expiresDate?.slice(0, 10) ?? null]))
}

const dayIn = (days: number): string => new Date(s.ctx.clock.now() + days * DAY).toISOString().slice(0, 10)
const MONTH = 30 * DAY

/** Somebody with a monthly subscription whose responses are cached. */
async function buyer(device: string, on = s) {
  const bought = on.buy(MONTHLY)
  await on.receipt(device, bought)
  await settle(device, on)
  return bought
}

const secret = () => ({ key: s.project.secretKey })
const transfer = (body: object): Promise<Answer> => s.post('/v1/subscribers/transfer', body, secret())

describe('what is asked again', () => {
  test('is answered without a look at the database, to whatever key of the project', async () => {
    await buyer('svc_again')
    for (const path of PATHS) {
      expect(await isCached('svc_again', path)).toBe(true)
      await s.get('/v1/me', 'svc_other', secret())
      expect(await isCached('svc_again', path, secret())).toBe(true)
    }
  })

  test('in other words is looked up', async () => {
    await buyer('svc_words')
    expect(await isCached('svc_other_words')).toBe(false)
    expect(await isCached('svc_words', '/v1/me/entitlements?a=1')).toBe(false)
    expect(await isCached('svc_words', '/v1/me', { key: s.other.publicKey })).toBe(false)
    expect((await s.get('/v1/me', 'svc_words', { key: s.other.publicKey })).body.data.access).toEqual({})
    expect(await isCached('svc_words')).toBe(true)
    expect((await s.get('/v1/me')).status).toBe(400)
  })

  test('counts as a visit and a use of the key', async () => {
    await settle('svc_visit')
    await Promise.all([flushPresence(s.ctx), flushKeyUse(s.ctx)])
    s.ctx.clock.advance(1000 * SECOND)
    await isCached('svc_visit')
    expect(await isCached('svc_visit')).toBe(true)
    await expectVisit(s, 'svc_visit')
  })

  test('by a browser is kept for its own origins alone', async () => {
    const { publicKey } = await createKey(s.ctx, s.project.id, { label: 'another' })
    await buyer('svc_web')
    const path = `/v1/web/${s.project.publicKey}/me/entitlements`
    const from = (origin: string, key = s.project.publicKey) => ({ key, headers: { origin } })
    const allowed = from('https://app.example.com')
    await s.get(path, 'svc_web', allowed)
    expect(await isCached('svc_web', path, allowed)).toBe(true)
    const { headers } = await s.get(path, 'svc_web', allowed)
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect((await s.get(path, 'svc_web', from('https://evil.example.com'))).body.error.code).toBe('ORIGIN_NOT_ALLOWED')
    expect((await s.get(path, 'svc_web')).body.error.code).toBe('ORIGIN_NOT_ALLOWED')
    const bySecret = await s.get(path, 'svc_web', from('https://app.example.com', s.project.secretKey))
    expect(bySecret.body.error.code).toBe('API_KEY_KIND_MISMATCH')
    const byAnother = await s.get(path, 'svc_web', from('https://app.example.com', publicKey ?? ''))
    expect([byAnother.status, byAnother.body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect(await isCached('svc_web', path, allowed)).toBe(true)
    const { projects: t } = s.ctx.tables
    await s.ctx.write(async (tx) => {
      await tx.db.update(t).set({ allowedOrigins: [] }).where(eq(t.id, s.project.id))
      await touchConfig(tx, s.project.id)
    })
    expect((await s.get(path, 'svc_web', allowed)).body.error.code).toBe('ORIGIN_NOT_ALLOWED')
  })
})

describe('a change is in the next answer', () => {
  test('of a receipt, the first and a later one', async () => {
    await settle('svc_receipt')
    await s.receipt('svc_receipt', s.buy(MONTHLY))
    expect(await held('svc_receipt')).toEqual({ pro: dayIn(30) })
    await settle('svc_receipt')
    await s.receipt('svc_receipt', s.buy(YEARLY))
    expect(await held('svc_receipt')).toEqual({ pro: dayIn(365), coach: dayIn(365) })
  })

  type Change = (bought: ReturnType<Stage['buy']>) => Promise<unknown>
  const changes: [what: string, device: string, change: Change, after: Record<string, string>][] = [
    ['a renewal', 'a', (one) => notify(s, ['DID_RENEW', null], renew(s, one, MONTHLY)), { pro: '2027-01-20' }],
    ['a refund', 'b', (one) => notify(s, ['REFUND', null], refund(s, one)), {}],
    ['a revocation', 'c', (one) => notify(s, ['REVOKE', null], refund(s, one)), {}],
    ['an expiry', 'd', (one) => notify(s, ['EXPIRED', 'VOLUNTARY'], expire(s, one)), {}],
    [
      'a refund that is taken back',
      'e',
      async (one) => {
        await notify(s, ['REFUND', null], refund(s, one))
        await settle('svc_told_e')
        s.ctx.clock.advance(SECOND)
        await notify(s, ['REFUND_REVERSED', null], { ...one, signedDate: s.ctx.clock.now() })
      },
      { pro: '2026-12-20' },
    ],
  ]
  test.each(changes)('of %s by the store', async (_what, device, change, after) => {
    await change(await buyer(`svc_told_${device}`))
    expect(await held(`svc_told_${device}`)).toEqual(after)
  })

  test('of a transfer and its undoing', async () => {
    await buyer('svc_from')
    await settle('svc_to')
    const all = { fromAppUserId: 'svc_from', toAppUserId: 'svc_to' }
    const { body } = await transfer(all)
    expect([await held('svc_from'), await held('svc_to')]).toEqual([{ pro: dayIn(30) }, { pro: dayIn(30) }])
    for (const device of ['svc_from', 'svc_to']) await settle(device) // One of them was merged into the other.
    await s.post(`/v1/subscribers/transfer/${body.data.transferId}/undo`, {}, secret())
    expect([await held('svc_from'), await held('svc_to')]).toEqual([{ pro: dayIn(30) }, {}])
  })

  test('of a transfer of single purchases', async () => {
    const { originalTransactionId } = await buyer('svc_single')
    await settle('svc_double')
    const rows = await s.ctx.db.select().from(s.ctx.tables.purchases)
    const ids = rows.filter((row) => row.originalTransactionId === originalTransactionId).map(({ id }) => id)
    await transfer({ fromAppUserId: 'svc_single', toAppUserId: 'svc_double', purchaseIds: ids })
    expect([await held('svc_single'), await held('svc_double')]).toEqual([{}, { pro: dayIn(30) }])
  })

  test('of a restore that takes it from another', async () => {
    const receipt = s.sign(await buyer('svc_lost'))
    await settle('svc_found')
    const body = { receipts: [{ store: 'IOS_STORE', receipt, productId: 'pro_monthly' }] }
    expect((await s.post('/v1/subscribers/svc_found/restore', body)).status).toBe(200)
    expect([await held('svc_found'), await held('svc_lost')]).toEqual([{ pro: dayIn(30) }, {}])
  })

  test('of two phones of one person, however they came together', async () => {
    await buyer('svc_phone')
    await settle('svc_tablet')
    await settle('svc_watch')
    for (const device of ['svc_phone', 'svc_tablet', 'svc_watch']) {
      await identify(s, device, 'ada')
      expect(await held(device)).toEqual({ pro: dayIn(30) })
    }
    for (const device of ['svc_phone', 'svc_tablet', 'svc_watch']) await settle(device)
    await s.receipt('svc_watch', s.buy(YEARLY))
    const both = { pro: dayIn(365), coach: dayIn(365) }
    for (const device of ['svc_phone', 'svc_tablet', 'svc_watch']) expect(await held(device)).toEqual(both)
    for (const device of ['svc_phone', 'svc_tablet']) await settle(device)
    const [, last] = (await s.ctx.db.select().from(s.ctx.tables.transfers)).filter(({ cause }) => cause === 'IDENTIFY')
    expect((await s.post(`/v1/subscribers/transfer/${last?.id}/undo`, {}, secret())).status).toBe(200)
    expect([await held('svc_phone'), await held('svc_tablet')]).toEqual([{ pro: dayIn(30) }, { pro: dayIn(30) }])
  })

  test('of somebody who takes another account on the same device', async () => {
    await buyer('svc_shared')
    await identify(s, 'svc_shared', 'cy')
    await settle('svc_shared')
    await identify(s, 'svc_shared', 'di')
    expect(await held('svc_shared')).toEqual({})
  })

  test('of a grant, and of its end by the service', async () => {
    await settle('svc_ada')
    const { id } = await grant(s, { productId: 'pro_yearly', expiresAt: s.ctx.clock.now() + DAY })
    expect(await held('svc_ada')).toEqual({ pro: dayIn(1), coach: dayIn(1) })
    await settle('svc_ada')
    await schedule(s, id, { revokeImmediately: true, dueAt: s.ctx.clock.now() + MINUTE })
    s.ctx.clock.advance(MINUTE)
    await settle('svc_ada')
    expect(await sweepActions(s.ctx)).toBe(1)
    expect(await held('svc_ada')).toEqual({})
  })

  test('of an attribute', async () => {
    await settle('svc_attr')
    await s.post('/v1/me/attributes', { attributes: { a: '1' } }, { headers: { 'x-svc-app-user-id': 'svc_attr' } })
    expect((await s.get('/v1/me', 'svc_attr')).body.data.subscriber.attributes).toEqual({ a: '1' })
  })

  test('of who may use what sandbox purchases give', async () => {
    await buyer('svc_sandbox')
    await changeSettings(s, { sandboxAccess: 'nobody' })
    await s.get('/v1/me', 'svc_other') // Loads the settings into memory before the first call of the test.
    expect(await held('svc_sandbox')).toEqual({})
    await settle('svc_sandbox')
    await changeSettings(s, { sandboxAccess: 'allowList', sandboxTesters: ['eve'] })
    await settle('svc_sandbox')
    await identify(s, 'svc_sandbox', 'eve')
    expect(await held('svc_sandbox')).toEqual({ pro: dayIn(30) })
    await changeSettings(s, {})
  })

  test('of what a product gives', async () => {
    await buyer('svc_product')
    const { products: p } = s.ctx.tables
    const [year] = (await s.ctx.db.select().from(p)).filter(({ identifier }) => identifier === 'pro_yearly')
    const set = (accessIds: string[]) =>
      s.ctx.write(async (tx) => {
        await tx.db.update(p).set({ accessIds }).where(eq(p.identifier, 'pro_monthly'))
        await touchConfig(tx, s.project.id)
      })
    const [month] = (await s.ctx.db.select().from(p)).filter(({ identifier }) => identifier === 'pro_monthly')
    await set(year?.accessIds ?? [])
    expect(await held('svc_product')).toEqual({ pro: dayIn(30), coach: dayIn(30) })
    await settle('svc_product')
    await set(month?.accessIds ?? [])
    expect(await held('svc_product')).toEqual({ pro: dayIn(30) })
  })

  test('of an erasure', async () => {
    await buyer('svc_erased')
    await damage(s, (await rowOf(s, 'svc_erased')).id, { erasedAt: s.ctx.clock.now() })
    expect(await held('svc_erased')).toEqual({})
  })

  test('of a purchase or a merge alone, with no word of the subscriber', async () => {
    const clear = spyOn(s.ctx.state.responseCache, 'clear')
    const { purchases: p } = s.ctx.tables
    await buyer('svc_alone')
    await settle('svc_into')
    const { id: subscriberId } = await rowOf(s, 'svc_alone')
    const [row] = await s.ctx.db.select().from(p).where(eq(p.subscriberId, subscriberId))
    if (!row) throw new Error('nothing was bought')
    const fold = { ...row.fold, expiresAt: s.ctx.clock.now() + DAY }
    await s.ctx.write((tx) => tx.db.update(p).set({ fold }).where(eq(p.id, row.id)))
    expect(clear).not.toHaveBeenCalled()
    clear.mockRestore()
    expect(await held('svc_alone')).toEqual({ pro: dayIn(1) })
    await settle('svc_alone')
    await damage(s, subscriberId, { mergedInto: (await rowOf(s, 'svc_into')).id })
    expect(await held('svc_alone')).toEqual({})
    await settle('svc_alone')
    await damage(s, subscriberId, { mergedInto: null })
    expect(await held('svc_alone')).toEqual({ pro: dayIn(1) })
  })

  test.each([
    ['a purchase by its id', (_: string, id: string) => sql`update purchases set fold = '{}' where id = ${id}`],
    ['who owns it', (_: string, id: string) => sql`update "purchases" set "subscriber_id" = 'x' where "id" = ${id}`],
    ['all of somebody', (owner: string) => sql`delete from "purchases" where "purchases"."subscriber_id" = ${owner}`],
    ['all of them', () => sql`delete from purchases`],
    ['with a preface', () => sql`with d as (select 1) delete from purchases`],
  ])('by any statement that writes them: %s', async (_name, statement) => {
    const own = s.ctx.tables.purchases
    await buyer('svc_raw')
    const { id: owner } = await rowOf(s, 'svc_raw')
    const [purchase] = (await s.ctx.db.select().from(own)).filter((row) => row.subscriberId === owner)
    const failed = new Error('undone, as others need what is there')
    const attempt = s.ctx.write(async (tx) => {
      const { db } = tx as unknown as Record<'db', Record<'run' | 'execute', ((query: unknown) => unknown) | undefined>>
      await (db.run ?? db.execute)?.call(db, statement(owner, purchase?.id ?? ''))
      throw failed
    })
    expect(await attempt.catch((error: unknown) => error)).toBe(failed)
    expect(await isCached('svc_raw')).toBe(false) // The response is dropped as after a commit, although the work failed.
    expect(await held('svc_raw')).toEqual({ pro: dayIn(30) })
    await s.ctx.write((tx) => tx.db.delete(own).where(eq(own.subscriberId, owner)))
    expect(await held('svc_raw')).toEqual({})
  })

  test('by another process: within 10 ms, also while the clock stands still', async () => {
    await settle('svc_far')
    const { config, clock } = s.ctx
    const beside = await createContext(config, { clock })
    const body = { receipt: s.sign(s.buy(MONTHLY)), appUserId: 'svc_far', productId: 'pro_monthly' }
    const posted = await createApp(beside).handle(
      new Request('http://localhost/v1/receipts/ios', {
        method: 'POST',
        headers: { authorization: `Bearer ${s.project.publicKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
    expect(posted.status).toBe(200)
    await beside.close()
    await eventually(async () => (await s.get('/v1/me/access', 'svc_far')).body.data.access.pro !== undefined)
    expect(await held('svc_far')).toEqual({ pro: dayIn(30) })
  })
})

describe('the clock changes it by itself', () => {
  test('at the exact instant of an expiry, with or without the sweep, and back again when it is set back', async () => {
    const { expiresDate = 0 } = await buyer('svc_end')
    s.ctx.clock.set(expiresDate - 1)
    expect(await isCached('svc_end')).toBe(true)
    s.ctx.clock.set(expiresDate)
    expect(await isCached('svc_end')).toBe(false)
    expect(await held('svc_end')).toEqual({})
    await settle('svc_end')
    s.ctx.clock.set(expiresDate - DAY)
    expect(await held('svc_end')).toEqual({ pro: dayIn(1) })
    await settle('svc_end')
    s.ctx.clock.set(expiresDate)
    await sweepPurchases(s.ctx)
    expect(await held('svc_end')).toEqual({})
  })

  test('at the end of grace', async () => {
    const payload = await buyer('svc_grace')
    const { expiresDate = 0 } = payload
    s.ctx.clock.set(expiresDate - DAY)
    const renewal = { gracePeriodExpiresDate: expiresDate + 16 * DAY, isInBillingRetryPeriod: true }
    await notify(s, ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD'], payload, { renewal })
    await settle('svc_grace')
    s.ctx.clock.set(expiresDate)
    expect(await held('svc_grace')).toEqual({ pro: dayIn(16) })
    await settle('svc_grace')
    s.ctx.clock.set(expiresDate + 16 * DAY - 1)
    expect(await isCached('svc_grace')).toBe(true)
    s.ctx.clock.advance(1)
    expect(await held('svc_grace')).toEqual({})
  })

  test('where one of several purchases ends', async () => {
    await s.receipt('svc_two', s.buy(YEARLY))
    await buyer('svc_two')
    s.ctx.clock.advance(MONTH)
    expect(await isCached('svc_two')).toBe(false) // The access is the same, but the response had to be computed again.
    expect(Object.keys(await held('svc_two'))).toEqual(['coach', 'pro'])
    await settle('svc_two')
    s.ctx.clock.advance(MONTH)
    expect(await isCached('svc_two')).toBe(true)
  })
})

test('a hundred receipts and reads at once: nobody is shown less than what was acknowledged', async () => {
  const devices = Array.from({ length: 20 }, (_, index) => `svc_rush_${index}`)
  for (const device of devices) await s.get('/v1/me', device)
  const reads: Promise<unknown>[] = []
  const live = async (device: string) => {
    for (const product of [MONTHLY, YEARLY, MONTHLY, YEARLY, MONTHLY]) {
      const read = () => reads.push(s.get('/v1/me/entitlements', device))
      read()
      const posted = s.receipt(device, s.buy(product))
      read()
      expect((await posted).status).toBe(200)
      const { body } = await s.get('/v1/me/entitlements', device)
      expect(Object.keys(body.data.entitlements)).toContain(product === MONTHLY ? 'pro' : 'coach')
    }
  }
  await Promise.all(devices.map(live))
  await Promise.all(reads)
  for (const device of devices) expect(Object.keys(await held(device))).toEqual(['coach', 'pro'])
})

describe('other stores', () => {
  test('what Google Play tells is in the next answer', async () => {
    const on = await androidStage()
    await untilWatching(on.ctx)
    const token = on.server.store.subscribe(ANDROID_MONTHLY)
    await settle('svc_play', on)
    await on.token('svc_play', token, 'pro_monthly')
    await on.deliverAll()
    expect(Object.keys(await held('svc_play', on))).toEqual(['pro'])
    await settle('svc_play', on)
    on.server.store.revoke(token)
    await on.deliverAll()
    expect(await held('svc_play', on)).toEqual({})
    await on.close()
  })

  test('what the store says when it is asked is in the next answer', async () => {
    const on = await iosApiStage()
    await untilWatching(on.ctx)
    const bought = await buyer('svc_asked', on)
    on.ctx.clock.advance(10 * DAY)
    storeSays(on, ['REFUND', null], refund(on, bought))
    await reconcile(on.ctx)
    expect(await held('svc_asked', on)).toEqual({})
    await on.close()
  })
})

test('an ordinary life lets the answers of others be', async () => {
  await settle('svc_beside')
  const clear = spyOn(s.ctx.state.responseCache, 'clear')
  const bought = s.buy(MONTHLY)
  await s.receipt('svc_life', bought)
  await s.receipt('svc_life', bought)
  await notify(s, ['DID_RENEW', null], renew(s, bought, MONTHLY))
  // A notification about a purchase that no device has submitted.
  await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy(MONTHLY))
  await identify(s, 'svc_life', 'fay')
  await identify(s, 'svc_life_2', 'fay')
  await s.get('/v1/me', 'svc_life_3')
  const { body } = await transfer({ fromAppUserId: 'svc_life_2', toAppUserId: 'svc_life_3' })
  expect((await s.post(`/v1/subscribers/transfer/${body.data.transferId}/undo`, {}, secret())).status).toBe(200)
  const receipt = s.sign(bought)
  await s.post('/v1/subscribers/svc_life_4/restore', { receipts: [{ store: 'IOS_STORE', receipt, productId: 'x' }] })
  await s.post('/v1/subscribers/svc_life/attributes', { attributes: { a: '1' } })
  await grant(s, { subscriber: 'svc_life', productId: 'lifetime' })
  await Promise.all([flushPresence(s.ctx), flushKeyUse(s.ctx)])
  expect(clear).not.toHaveBeenCalled()
  expect(await isCached('svc_beside')).toBe(true)
  s.ctx.clock.advance(3 * MONTH)
  await reconcile(s.ctx)
  expect(await sweepPurchases(s.ctx)).toBeGreaterThan(0)
  expect(await isCached('svc_beside')).toBe(true)
  expect(clear).not.toHaveBeenCalled()
  clear.mockRestore()
})

test('both ways give the same bytes, and count the same', async () => {
  const own = await stage({ env: { SVC_RATE_KEY: '5', SVC_RATE_IP: '100' } })
  await untilWatching(own.ctx)
  await own.receipt('svc_b', own.buy(YEARLY))
  const app = createApp(own.ctx).listen({ hostname: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${app.server?.port}`
  const ask = async (path: string, more = '') => {
    const head = `Host: localhost\r\nAuthorization: Bearer ${own.project.publicKey}\r\nX-Request-Id: request-1`
    const device = 'X-Svc-App-User-Id: svc_b\r\nOrigin: https://app.example.com'
    const { text } = await exchange(url, `GET ${path} HTTP/1.1\r\n${head}\r\n${device}${more}\r\n\r\n`)
    return text.replace(/\r\nDate: [^\r]*/, '').replaceAll(/remaining: \d+|r=\d+|reset: \d+|t=\d+/g, '')
  }
  const web = `/v1/web/${own.project.publicKey}/me/entitlements`
  for (const path of [...PATHS, web]) {
    own.ctx.clock.advance(61 * SECOND)
    own.ctx.state.responseCache.clear()
    const long = await ask(path)
    const projectReads = spyOn(own.ctx.state.projects, 'get')
    expect(await ask(path)).toBe(long)
    const [, tag = ''] = /etag: (\S+)/i.exec(long) ?? []
    const short304 = await ask(path, `\r\nIf-None-Match: ${tag}`)
    expect(projectReads.mock.calls.length === 0).toBe(true)
    projectReads.mockRestore()
    own.ctx.state.responseCache.clear()
    expect(await ask(path, `\r\nIf-None-Match: ${tag}`)).toBe(short304)
    expect([long, short304]).toEqual([expect.stringContaining(' 200 OK'), expect.stringContaining(' 304 ')])
    await ask(path)
    expect(await ask(path)).toStartWith('HTTP/1.1 429')
  }
  await new Promise((resolve) => setImmediate(resolve))
  const text = await own.ctx.metrics.text()
  for (const route of [...PATHS, '/v1/web/:publicKey/me/entitlements'])
    expect(text).toContain(`_count{method="GET",route="${route}",status="304"} 2`)
  await app.stop(true)
  await own.close()
})
