import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { createFlag, updateFlag } from '../../src/targeting/flags/admin'
import { type Answer, COINS, LIFETIME, MONTHLY, type Stage, stage } from '../support/cast'
import { isReplay } from '../support/probe'
import { by } from '../support/targeting'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())

const KEPT_BYTES = 64 * 1024

/** What the database holds of answers. Read from the table, because nothing else shows its growth. */
async function storedBytes(): Promise<number> {
  const rows = await s.ctx.db.select().from(s.ctx.tables.idempotencyKeys)
  return rows.reduce((sum, { body }) => sum + Buffer.byteLength(body ?? ''), 0)
}

async function growthOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; grown: number }> {
  const before = await storedBytes()
  const result = await work()
  return { result, grown: (await storedBytes()) - before }
}

const size = ({ body }: Answer): number => Buffer.byteLength(JSON.stringify(body))

/** 50 attributes whose values need 3 bytes a character: the answer has about 75 KB. */
const largeAttributes = (letter = '€') =>
  Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`a${index}`, letter.repeat(500)]))

const attributesOf = ({ body }: Answer) => body.data.subscriber.attributes

describe('an answer above 64 KiB is not kept, and its repetition', () => {
  for (const [name, path, of] of [
    ['of attributes of the calling device', '/v1/me/attributes', 'svc_large'],
    ['of attributes of a named subscriber', '/v1/subscribers/svc_named/attributes', 'svc_named'],
  ] as const)
    test(`${name} shows them as they are now, and sets nothing again`, async () => {
      const headers = { 'x-svc-app-user-id': of, 'idempotency-key': 'large' }
      const post = (attributes: Record<string, unknown>) => s.post(path, { attributes }, { headers })
      const { result: first, grown } = await growthOf(() => post(largeAttributes()))
      expect([first.status, size(first) > KEPT_BYTES, grown < 100]).toEqual([200, true, true])
      const later = { 'x-svc-app-user-id': of }
      await s.post('/v1/me/attributes', { attributes: { a0: 'newer' } }, { headers: later })
      const replay = await post(largeAttributes())
      expect([replay.status, isReplay(replay)]).toEqual([200, true])
      expect(attributesOf(replay)).toEqual({ ...attributesOf(first), a0: 'newer' })
      expect(attributesOf(await s.get('/v1/me', of)).a0).toBe('newer')
      expect((await post(largeAttributes('$'))).status).toBe(422)
    })

  test('of 64 KiB exactly is kept', async () => {
    const headers = { 'x-svc-app-user-id': 'svc_exact', 'idempotency-key': 'exact' }
    const post = (attributes: Record<string, unknown>) => s.post('/v1/me/attributes', { attributes }, { headers })
    const attributes = largeAttributes('$')
    const first = await s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': 'svc_exact' } })
    let missing = KEPT_BYTES - size(first)
    for (const key of Object.keys(attributes)) {
      const wide = Math.min(499, Math.floor(missing / 2))
      missing -= 2 * wide
      attributes[key] = '€'.repeat(wide) + '$'.repeat(499 - wide) + (missing === 1 ? 'é' : '$')
      if (missing === 1) missing = 0
    }
    const { result: kept, grown } = await growthOf(() => post(attributes))
    expect([size(kept), grown]).toEqual([KEPT_BYTES, KEPT_BYTES])
    await s.post(
      '/v1/me/attributes',
      { attributes: { a0: 'newer' } },
      { headers: { 'x-svc-app-user-id': 'svc_exact' } },
    )
    const replay = await post(attributes)
    expect([isReplay(replay), replay.body]).toEqual([true, kept.body])
  })

  test('of a configuration runs again and sets no attribute again', async () => {
    const value = 'x'.repeat(40_000)
    const flag = { env: 'PROD', type: 'STRING', defaultValue: value } as const
    const made = await createFlag(s.ctx, by(s), { key: 'large-a', ...flag })
    await createFlag(s.ctx, by(s), { key: 'large-b', ...flag })
    s.ctx.state.projects.forget(s.project.id)
    const headers = { 'x-svc-user-id': 'svc_config', 'idempotency-key': 'config' }
    const post = () => s.post('/v1/config', { attributes: { plan: 'free' } }, { headers })
    const { result: first, grown } = await growthOf(post)
    expect([first.status, grown < 100]).toEqual([200, true])
    await s.post(
      '/v1/me/attributes',
      { attributes: { plan: 'pro' } },
      { headers: { 'x-svc-app-user-id': 'svc_config' } },
    )
    await updateFlag(s.ctx, by(s), made.id, { defaultValue: 'small' })
    s.ctx.state.projects.forget(s.project.id)
    const again = await post()
    expect([again.status, isReplay(again), again.body.data.flags['large-a']]).toEqual([200, false, 'small'])
    expect(attributesOf(await s.get('/v1/me', 'svc_config')).plan).toBe('pro')
    expect((await s.post('/v1/config', {}, { headers })).status).toBe(422)
  })

  test('of an evaluation over OFREP runs again', async () => {
    const flag = { env: 'PROD', type: 'STRING', defaultValue: 'x'.repeat(40_000) } as const
    for (const key of ['bulk-a', 'bulk-b']) await createFlag(s.ctx, by(s), { key, ...flag })
    s.ctx.state.projects.forget(s.project.id)
    const post = () =>
      s.post(
        '/ofrep/v1/evaluate/flags',
        { context: { targetingKey: 'svc_of' } },
        { headers: { 'idempotency-key': 'b' } },
      )
    const { result: first, grown } = await growthOf(post)
    const again = await post()
    expect([first.status, grown < 100, again.status, isReplay(again)]).toEqual([200, true, 200, false])
    expect(again.body.flags).toEqual(first.body.flags)
  })

  test('of a transfer shows what moved as it is now, and moves nothing again; so does its undo', async () => {
    await s.receipt('svc_from', s.buy(MONTHLY))
    await s.receipt('svc_from', s.buy(COINS))
    await multiplyPurchases('svc_from', 600)
    const key = s.project.secretKey
    await s.get('/v1/me', 'svc_to')
    const order = { fromAppUserId: 'svc_from', toAppUserId: 'svc_to' }
    const move = () => s.post('/v1/subscribers/transfer', order, { key, headers: { 'idempotency-key': 'move' } })
    const { result: first, grown } = await growthOf(move)
    expect([first.status, size(first) > KEPT_BYTES, grown < KEPT_BYTES]).toEqual([200, true, true])
    const replay = await move()
    expect([replay.status, isReplay(replay)]).toEqual([200, true])
    expect(sorted(replay.body.data)).toEqual(sorted(first.body.data))

    const { transferId } = first.body.data
    const undo = () =>
      s.post(`/v1/subscribers/transfer/${transferId}/undo`, {}, { key, headers: { 'idempotency-key': 'undo' } })
    const { result: undone, grown: more } = await growthOf(undo)
    expect([undone.status, size(undone) > KEPT_BYTES, more < KEPT_BYTES]).toEqual([200, true, true])
    const again = await undo()
    expect([again.status, isReplay(again)]).toEqual([200, true])
    expect(sorted(again.body.data)).toEqual(sorted(undone.body.data))
    expect((await move()).body.data.purchases).toEqual([]) // They are not with the target any more.
  })

  test('of a preview of a transfer runs again', async () => {
    await s.receipt('svc_preview', s.buy(LIFETIME))
    await multiplyPurchases('svc_preview', 600)
    await s.get('/v1/me', 'svc_target')
    const order = { fromAppUserId: 'svc_preview', toAppUserId: 'svc_target', dryRun: true }
    const headers = { 'idempotency-key': 'preview' }
    const preview = () => s.post('/v1/subscribers/transfer', order, { key: s.project.secretKey, headers })
    const { result: first, grown } = await growthOf(preview)
    expect([first.status, size(first) > KEPT_BYTES, grown < KEPT_BYTES]).toEqual([200, true, true])
    const again = await preview()
    expect([again.status, sorted(again.body.data)]).toEqual([200, sorted(first.body.data)])
    expect((await s.get('/v1/subscribers/svc_preview/access')).body.data.access.pro.isActive).toBe(true)
  })
})

const sorted = ({ purchases, ...data }: { purchases: { id: string }[] }) => ({
  ...data,
  purchases: purchases.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
})

/** Copies the purchases of a subscriber, because buying hundreds would take minutes. */
async function multiplyPurchases(device: string, count: number): Promise<void> {
  const { id } = (await s.get('/v1/me', device)).body.data.subscriber
  const { purchases: p } = s.ctx.tables
  const held = (await s.ctx.db.select().from(p)).filter(({ subscriberId }) => subscriberId === id)
  const copies = Array.from({ length: count }, (_, index) => {
    const row = held[index % held.length]
    if (!row) throw new Error('nothing is held')
    const chainKey = `${device}${index}`
    return { ...row, id: s.ctx.ids.next('pur'), chainKey, originalTransactionId: chainKey }
  })
  await s.ctx.write((tx) => tx.db.insert(p).values(copies))
}

describe('a flood of keys', () => {
  const flood = async (from: number, count: number, attributes: Record<string, string>) => {
    for (let index = from; index < from + count; index++) {
      const headers = { 'x-svc-app-user-id': 'svc_flood', 'idempotency-key': `flood-${index}` }
      expect((await s.post('/v1/me/attributes', { attributes }, { headers })).status).toBe(200)
    }
  }
  const MINUTELY = 1024 * 1024
  const answers = largeAttributes('$') // About 25 KB each, which is less than what is kept of one answer.

  test('of a public key stores at most 1 MiB of answers in a minute; honest repetitions are answered', async () => {
    const { grown } = await growthOf(() => flood(0, 100, answers))
    expect(grown).toBeGreaterThan(MINUTELY / 2)
    expect(grown).toBeLessThanOrEqual(MINUTELY + 100 * 100)
    const honest = { 'x-svc-app-user-id': 'svc_honest', 'idempotency-key': 'honest' }
    const post = (attributes: Record<string, unknown>) =>
      s.post('/v1/me/attributes', { attributes }, { headers: honest })
    await post({ plan: largeAttributes().a0 })
    await flood(100, 1, answers)
    await s.post('/v1/me/attributes', { attributes: { b: '1' } }, { headers: { 'x-svc-app-user-id': 'svc_honest' } })
    const replay = await post({ plan: largeAttributes().a0 })
    expect([replay.status, isReplay(replay), attributesOf(replay).plan]).toEqual([200, true, largeAttributes().a0])
    s.ctx.clock.advance(MINUTE)
    const { grown: next } = await growthOf(() => flood(200, 20, answers))
    expect(next).toBeGreaterThan(MINUTELY / 4)
  })

  test('of a secret key is kept: it is the server of the customer', async () => {
    const headers = { 'x-svc-app-user-id': 'svc_flood', authorization: `Bearer ${s.project.secretKey}` }
    const { grown } = await growthOf(async () => {
      for (let index = 0; index < 60; index++)
        await s.post(
          '/v1/me/attributes',
          { attributes: answers },
          { headers: { ...headers, 'idempotency-key': `s${index}` } },
        )
    })
    expect(grown).toBeGreaterThan(1.2 * MINUTELY)
  })

  test('of receipts stores no answers, because a repetition shows the present state', async () => {
    const payload = s.buy(MONTHLY)
    const body = { receipt: s.sign(payload), appUserId: 'svc_receipts', productId: payload.productId }
    const { grown } = await growthOf(async () => {
      for (let index = 0; index < 20; index++)
        expect((await s.post('/v1/receipts/ios', body, { headers: { 'idempotency-key': `r${index}` } })).status).toBe(
          200,
        )
    })
    expect(grown).toBeLessThan(20 * 10)
    const replay = await s.post('/v1/receipts/ios', body, { headers: { 'idempotency-key': 'r3' } })
    expect([replay.status, isReplay(replay), replay.body.data.access.pro.isActive]).toEqual([200, true, true])
  })
})
