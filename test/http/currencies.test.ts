import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, asc, eq, getTableColumns } from 'drizzle-orm'
import fc from 'fast-check'
import type { Tx } from '../../src/base/context'
import { exactly } from '../../src/base/db/exact'
import { MAX_INT64 } from '../../src/base/lib/int64'
import {
  balancesByCode,
  bookEntry,
  bookGrant,
  clawBack,
  findGrants,
  type LedgerRow,
  readBalances,
  transferBalances,
} from '../../src/people/currencies/service'
import type { ProjectState } from '../../src/projects/project/state'
import { type Answer, type Stage, stage } from '../support/cast'

const MAX = MAX_INT64
/** `JSON.parse` reads it so; that the digits are exact is tested in `currencies-digits.test.ts`. */
const MAX_READ = Number(MAX)

let on: Stage
let project: ProjectState
let coins: string
let gems: string
let count = 0

beforeAll(async () => {
  on = await stage({ settings: { clawback: 'available' } })
  const { virtualCurrencies } = on.ctx.tables
  const stamps = { projectId: on.project.id, createdAt: 1, updatedAt: 1 }
  await on.ctx.write((tx) =>
    tx.db.insert(virtualCurrencies).values([
      { id: 'vcy_closed', code: 'closed', name: 'Closed', archivedAt: 2, ...stamps },
      { id: 'vcy_debts', code: 'debts', name: 'Debts', clawback: 'full', ...stamps },
      { id: 'vcy_gifts', code: 'gifts', name: 'Gifts', clawback: 'none', ...stamps },
    ]),
  )
  project = await on.ctx.state.projects.get(on.project.id)
  coins = project.catalog.currencyByCode.get('coins')?.id ?? ''
  gems = project.catalog.currencyByCode.get('gems')?.id ?? ''
})

afterAll(() => on.close())

interface Person {
  device: string
  id: string
}

/** A new subscriber for each test, so that no test sees the ledger of another. */
async function person(amounts: Record<string, number | bigint> = {}): Promise<Person> {
  const device = `svc_device_${++count}`
  await on.get('/v1/virtual-currencies/me', device)
  const { subscribers: s } = on.ctx.tables
  const [row] = await on.ctx.db
    .select()
    .from(s)
    .where(and(eq(s.projectId, project.id), eq(s.deviceKey, device)))
  const id = row?.id ?? ''
  for (const [code, amount] of Object.entries(amounts)) await seed(id, code, amount)
  return { device, id }
}

/** Writes a balance without the API, because only so can a balance become negative. */
async function seed(subscriberId: string, code: string, amount: number | bigint): Promise<void> {
  const currencyId = project.catalog.currencyByCode.get(code)?.id ?? ''
  const type = amount < 0 ? ('REFUND' as const) : ('BONUS' as const)
  const draft = { projectId: project.id, subscriberId, currencyId, type, amount: BigInt(amount) }
  const booked = await on.ctx.write((tx) => bookEntry(tx, draft))
  expect(booked.ok).toBe(true)
}

const key = () => `order-${++count}`

const spend = (of: Person | string, body: object, code = 'coins', options = {}): Promise<Answer> => {
  const reference = typeof of === 'string' ? of : of.device
  const path = `/v1/virtual-currencies/${encodeURIComponent(reference)}/${code}/transactions`
  return on.post(path, body, { key: on.project.secretKey, ...options })
}

const balances = async (of: Person): Promise<Record<string, number>> =>
  (await on.get('/v1/virtual-currencies/me', of.device)).body.data.balances

function ledgerOf(subscriberId: string): Promise<LedgerRow[]> {
  const { ledger: l } = on.ctx.tables
  const columns = { ...getTableColumns(l), amount: exactly(l.amount), balance: exactly(l.balance) }
  const rows = on.ctx.db.select(columns).from(l).where(eq(l.subscriberId, subscriberId))
  return rows.orderBy(asc(l.currencyId), asc(l.number))
}

async function merge(from: Person, into: Person): Promise<void> {
  const { subscribers: s } = on.ctx.tables
  await on.ctx.write((tx) => tx.db.update(s).set({ mergedInto: into.id }).where(eq(s.id, from.id)))
}

/** Expects that a refusal has written nothing. */
async function expectUntouched(of: Person, entries: number): Promise<void> {
  expect(await ledgerOf(of.id)).toHaveLength(entries)
  expect(await on.events(of.id)).toHaveLength(0)
}

describe('who may ask', () => {
  const paths: [method: string, path: string][] = [
    ['GET', '/v1/virtual-currencies/me'],
    ['GET', '/v1/virtual-currencies/user_1'],
    ['POST', '/v1/virtual-currencies/user_1/coins/transactions'],
  ]
  for (const [method, path] of paths)
    test(`${method} ${path} without a key is 401`, async () => {
      const { status, body } = await on.call(method, path, { key: null, ...(method === 'POST' && { body: {} }) })
      expect([status, body.error.code]).toEqual([401, 'BEARER_REQUIRED'])
    })

  for (const [method, path] of paths.slice(1))
    test(`${method} ${path} with a public key is 403, whatever the body`, async () => {
      const { status, body } = await on.call(method, path, method === 'POST' ? { body: { nonsense: 1 } } : {})
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
      expect(body.error.message).toBe('Secret API key required')
    })

  test('a browser reads its own balances and nothing else', async () => {
    const ada = await person({ coins: 4 })
    const mount = `/v1/web/${on.project.publicKey}/virtual-currencies`
    const headers = { origin: 'https://app.example.com' }
    expect((await on.get(`${mount}/me`, ada.device, { headers })).body).toEqual({ data: { balances: { coins: 4 } } })
    expect((await on.get(`${mount}/${ada.id}`, undefined, { headers })).body.error.code).toBe('FORBIDDEN')
    const body = { amount: 1, idempotencyKey: key() }
    expect((await on.post(`${mount}/${ada.id}/coins/transactions`, body, { headers })).body.error.code).toBe(
      'FORBIDDEN',
    )
    await expectUntouched(ada, 1)
  })

  test("another project's subscriber is 404, by reference and by id", async () => {
    const bo = await person({ coins: 5 })
    for (const reference of [bo.device, bo.id]) {
      const read = await on.get(`/v1/virtual-currencies/${reference}`, undefined, { key: on.other.secretKey })
      const write = await spend(reference, { amount: 1, idempotencyKey: key() }, 'coins', { key: on.other.secretKey })
      expect([read.status, read.body.error.code]).toEqual([404, 'NOT_FOUND'])
      expect([write.status, write.body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    await expectUntouched(bo, 1)
  })

  test('the same device key in two projects has two ledgers', async () => {
    const bo = await person({ coins: 5 })
    const elsewhere = await on.get('/v1/virtual-currencies/me', bo.device, { key: on.other.publicKey })
    expect(elsewhere.body.data.balances).toEqual({})
  })
})

describe('reading balances', () => {
  test('a device without any transaction has no codes, and the subscriber is made', async () => {
    const answer = await on.get('/v1/virtual-currencies/me', 'svc_first_seen', {
      headers: { 'x-svc-platform': ' iOS ' },
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ data: { balances: {} } })
    const { subscribers: s } = on.ctx.tables
    const [row] = await on.ctx.db.select().from(s).where(eq(s.deviceKey, 'svc_first_seen'))
    expect(row?.attributes.platform).toMatchObject({ value: 'ios', source: 'sdk' })
  })

  test('without a device key it is 400 naming the header, with either kind of key', async () => {
    for (const use of [on.project.publicKey, on.project.secretKey]) {
      const { status, body } = await on.get('/v1/virtual-currencies/me', '  ', { key: use })
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(body.error.message).toContain('X-Svc-App-User-Id')
    }
  })

  test('a device key of a synthetic subscriber is refused', async () => {
    expect((await on.get('/v1/virtual-currencies/me', 'ios:2000000000000001')).status).toBe(400)
  })

  test('/me is never taken as a reference, whichever key calls', async () => {
    const ada = await person({ coins: 3 })
    const answer = await on.get('/v1/virtual-currencies/me', ada.device, { key: on.project.secretKey })
    expect(answer.body.data.balances).toEqual({ coins: 3 })
  })

  test('a spent balance shows as 0, an archived currency shows its balance', async () => {
    const ada = await person({ gems: 42, coins: 7, closed: 9 })
    await spend(ada, { amount: -7, idempotencyKey: key() })
    expect(await balances(ada)).toEqual({ closed: 9, coins: 0, gems: 42 })
  })

  test('the server reads by id, by label and by device key', async () => {
    const bo = await person({ coins: 8 })
    const label = `user/ö ${bo.id}`
    const { subscribers: s } = on.ctx.tables
    await on.ctx.write((tx) => tx.db.update(s).set({ appUserId: label }).where(eq(s.id, bo.id)))
    for (const reference of [bo.id, label, bo.device]) {
      const path = `/v1/virtual-currencies/${encodeURIComponent(reference)}`
      const answer = await on.get(path, undefined, { key: on.project.secretKey })
      expect(answer.body).toEqual({ data: { balances: { coins: 8 } } })
    }
  })

  test('an unknown reference is 404 and makes nobody', async () => {
    const answer = await on.get('/v1/virtual-currencies/nobody', undefined, { key: on.project.secretKey })
    expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
    const { subscribers: s } = on.ctx.tables
    expect(await on.ctx.db.select().from(s).where(eq(s.deviceKey, 'nobody'))).toEqual([])
  })

  test('a reference with a NUL, over its length or with broken escapes is 400 or 404, never 500', async () => {
    const read = (reference: string) =>
      on.get(`/v1/virtual-currencies/${reference}`, undefined, { key: on.project.secretKey })
    expect((await read('a%00b')).status).toBe(400)
    expect((await read('a'.repeat(256))).status).toBe(400)
    expect([400, 404]).toContain((await read('%E0%A4%A')).status)
  })

  test('an erased subscriber reads as an empty one and cannot be booked on', async () => {
    const cy = await person({ coins: 5 })
    const { subscribers: s } = on.ctx.tables
    await on.ctx.write((tx) => tx.db.update(s).set({ erasedAt: 1 }).where(eq(s.id, cy.id)))
    expect(await balances(cy)).toEqual({})
    const refused = await spend(cy, { amount: 1, idempotencyKey: key() })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'SUBSCRIBER_UNRESOLVABLE'])
    await expectUntouched(cy, 1)
  })
})

describe('a transaction', () => {
  test('a grant answers code, balance and id, and is seen by the next read', async () => {
    const ada = await person()
    const { status, body } = await spend(ada, {
      amount: 42,
      idempotencyKey: '  quest-7 ',
      description: 'Quest reward',
      referenceType: 'quest',
    })
    expect(status).toBe(200)
    const { transactionId } = body.data
    expect(body).toEqual({ data: { code: 'coins', balance: 42, transactionId, replayed: false } })
    expect(transactionId).toMatch(/^vtx_[0-9a-hjkmnp-tv-z]{26}$/)
    expect(await balances(ada)).toEqual({ coins: 42 })
    expect(await ledgerOf(ada.id)).toEqual([
      {
        id: transactionId,
        projectId: project.id,
        subscriberId: ada.id,
        currencyId: coins,
        number: 1,
        type: 'BONUS',
        amount: 42n,
        balance: 42n,
        idempotencyKey: 'quest-7',
        grantReference: null,
        referenceType: 'quest',
        referenceId: 'quest-7',
        description: 'Quest reward',
        createdAt: on.ctx.clock.now(),
      },
    ])
  })

  test('a debit is a SPEND and may empty the balance', async () => {
    const ada = await person({ coins: 5 })
    const { body } = await spend(ada, { amount: -5, idempotencyKey: key() })
    expect(body.data.balance).toBe(0)
    expect((await ledgerOf(ada.id)).map(({ type, amount }) => [type, amount])).toEqual([
      ['BONUS', 5n],
      ['SPEND', -5n],
    ])
  })

  test('the largest amount of a floating-point number is exact', async () => {
    const ada = await person()
    const most = Number.MAX_SAFE_INTEGER
    expect((await spend(ada, { amount: most, idempotencyKey: key() })).body.data.balance).toBe(most)
    expect((await spend(ada, { amount: -most, idempotencyKey: key() })).body.data.balance).toBe(0)
  })

  test('referenceId stands for idempotencyKey, alone or equal to it', async () => {
    const ada = await person()
    const first = await spend(ada, { amount: 1, referenceId: 'r-1' })
    const second = await spend(ada, { amount: 1, idempotencyKey: 'r-1 ', referenceId: ' r-1' })
    expect(second.body.data).toEqual({ ...first.body.data, replayed: true })
  })

  test('texts at their limits are taken, as they are', async () => {
    const ada = await person()
    const texts = { idempotencyKey: 'k'.repeat(120), description: 'd'.repeat(200), referenceType: 't'.repeat(60) }
    expect((await spend(ada, { amount: 1, ...texts })).status).toBe(200)
    expect((await ledgerOf(ada.id))[0]).toMatchObject(texts)
  })

  test('a ledger whose last balance is ambiguous at equal times: its entries are numbered, and the read answers the second', async () => {
    const ada = await person()
    await spend(ada, { amount: 10, idempotencyKey: key() })
    await spend(ada, { amount: -4, idempotencyKey: key() })
    const rows = await ledgerOf(ada.id)
    expect(new Set(rows.map(({ createdAt }) => createdAt)).size).toBe(1)
    expect(rows.map(({ number, balance }) => [number, balance])).toEqual([
      [1, 10n],
      [2, 6n],
    ])
    expect(await balances(ada)).toEqual({ coins: 6 })
  })

  test('any sequence of requests leaves balance = sum of the amounts answered 200, and numbers without a gap', async () => {
    const steps = fc.array(
      fc.integer({ min: -20, max: 20 }).filter((amount) => amount !== 0),
      { maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (amounts) => {
        const ada = await person()
        const answers = await Promise.all(amounts.map((amount) => spend(ada, { amount, idempotencyKey: key() })))
        const taken = amounts.filter((_, index) => answers[index]?.status === 200)
        const rows = await ledgerOf(ada.id)
        expect((await balances(ada)).coins ?? 0).toBe(taken.reduce((sum, amount) => sum + amount, 0))
        expect(rows.map(({ number }) => number)).toEqual(taken.map((_, index) => index + 1))
        expect(rows.every(({ balance }) => balance >= 0)).toBe(true)
      }),
      { numRuns: 15 },
    )
  })
})

describe('a body that is refused', () => {
  const fine = { amount: 1, idempotencyKey: 'k' }
  const bodies: [name: string, body: object | string, named: string][] = [
    ['amount 0', { ...fine, amount: 0 }, 'amount'],
    ['amount -0', '{"amount":-0,"idempotencyKey":"k"}', 'amount'],
    ['amount as text', { ...fine, amount: '5' }, 'amount'],
    ['amount 1.5', { ...fine, amount: 1.5 }, 'amount'],
    ['amount 2^63', '{"amount":9223372036854775808,"idempotencyKey":"k"}', 'amount'],
    ['amount -2^63', '{"amount":-9223372036854775808,"idempotencyKey":"k"}', 'amount'],
    ['amount 1e400', '{"amount":1e400,"idempotencyKey":"k"}', 'amount'],
    ['amount NaN', '{"amount":NaN,"idempotencyKey":"k"}', 'JSON'],
    ['amount null', { ...fine, amount: null }, 'amount'],
    ['no amount', { idempotencyKey: 'k' }, 'amount'],
    ['no key', { amount: 1 }, 'idempotencyKey'],
    ['an empty key', { amount: 1, idempotencyKey: '' }, 'idempotencyKey'],
    ['a blank key', { amount: 1, idempotencyKey: '   ' }, 'idempotencyKey'],
    ['a key that is a number', { amount: 1, idempotencyKey: 7 }, 'idempotencyKey'],
    ['a key of 121', { amount: 1, idempotencyKey: 'k'.repeat(121) }, 'idempotencyKey'],
    ['an alias of 121', { amount: 1, referenceId: 'k'.repeat(121) }, 'idempotencyKey'],
    ['a key of 10,000', { amount: 1, idempotencyKey: 'k'.repeat(10_000) }, 'idempotencyKey'],
    ['two keys that differ', { ...fine, referenceId: 'other' }, 'referenceId'],
    ['a description of 201', { ...fine, description: 'd'.repeat(201) }, 'description'],
    ['a description that is null', { ...fine, description: null }, 'description'],
    ['a referenceType of 61', { ...fine, referenceType: 't'.repeat(61) }, 'referenceType'],
    ['an unknown property', { ...fine, surprise: 1 }, 'surprise'],
    ['a NUL in the key', { amount: 1, idempotencyKey: 'a\0b' }, 'NUL'],
    ['a NUL in the description', { ...fine, description: 'a\0b' }, 'NUL'],
    ['a list', '[]', 'object'],
    ['nothing', {}, 'amount'],
  ]
  for (const [name, body, named] of bodies)
    test(`${name} is 400, says so and writes nothing`, async () => {
      const ada = await person()
      const { status, body: answer } = await (typeof body === 'string'
        ? spend(ada, {}, 'coins', { raw: body })
        : spend(ada, body))
      expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(answer.error.message).toContain(named)
      await expectUntouched(ada, 0)
    })

  for (const code of ['nothing', 'closed', 'COINS', 'coins%00', '__proto__'])
    test(`currency ${code} is 404 and nothing is written`, async () => {
      const ada = await person()
      const { status, body } = await spend(ada, fine, code)
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
      await expectUntouched(ada, 0)
    })

  test('an unknown subscriber is 404 and is not made', async () => {
    const { status, body } = await spend('nobody', fine)
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    const { subscribers: s } = on.ctx.tables
    expect(await on.ctx.db.select().from(s).where(eq(s.deviceKey, 'nobody'))).toEqual([])
  })

  test('a spend below 0 is 409, counted, and writes nothing', async () => {
    const ada = await person({ coins: 5 })
    const conflicts = async () => (await on.ctx.metrics.ledgerConflicts.get()).values[0]?.value ?? 0
    const before = await conflicts()
    const { status, body } = await spend(ada, { amount: -6, idempotencyKey: key() })
    expect(status).toBe(409)
    expect(body).toEqual({ error: { code: 'CONFLICT', message: 'Insufficient balance' } })
    expect(await conflicts()).toBe(before + 1)
    expect(await balances(ada)).toEqual({ coins: 5 })
    await expectUntouched(ada, 1)
  })

  test('a refused spend frees its key: the same request succeeds once there is enough', async () => {
    const ada = await person({ coins: 5 })
    const body = { amount: -6, idempotencyKey: key() }
    expect((await spend(ada, body)).status).toBe(409)
    await spend(ada, { amount: 1, idempotencyKey: key() })
    expect((await spend(ada, body)).body.data).toMatchObject({ balance: 0, replayed: false })
  })

  test('a balance beyond 2^63-1 is 400, not counted as a conflict, and writes nothing', async () => {
    const ada = await person({ coins: MAX })
    const { status, body } = await spend(ada, { amount: 1, idempotencyKey: key() })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.error.message).toContain('balance')
    expect(await balances(ada)).toEqual({ coins: MAX_READ })
    await expectUntouched(ada, 1)
  })
})

describe('an idempotency key', () => {
  test('a retried spend is charged once', async () => {
    const ada = await person({ coins: 100 })
    const body = { amount: -30, idempotencyKey: key() }
    const first = await spend(ada, body)
    await spend(ada, { amount: -5, idempotencyKey: key() })
    on.ctx.clock.advance(90_000)
    const retries = await Promise.all([spend(ada, body), spend(ada, body), spend(ada, body)])
    for (const retry of retries) {
      expect(retry.status).toBe(200)
      expect(retry.body.data).toEqual({ ...first.body.data, balance: 70, replayed: true })
    }
    expect(await balances(ada)).toEqual({ coins: 65 })
    expect(await ledgerOf(ada.id)).toHaveLength(3)
    expect(await on.events(ada.id)).toHaveLength(2)
  })

  test('twenty equal requests at once book once', async () => {
    const ada = await person({ coins: 100 })
    const body = { amount: -30, idempotencyKey: key() }
    const answers = await Promise.all(Array.from({ length: 20 }, () => spend(ada, body)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(answers.filter(({ body: { data } }) => !data.replayed)).toHaveLength(1)
    expect(new Set(answers.map(({ body: { data } }) => data.transactionId)).size).toBe(1)
    expect(await balances(ada)).toEqual({ coins: 70 })
  })

  test('with another amount it is 409 and writes nothing', async () => {
    const ada = await person()
    const idempotencyKey = key()
    await spend(ada, { amount: 5, idempotencyKey })
    for (const amount of [6, -5]) {
      const { status, body } = await spend(ada, { amount, idempotencyKey })
      expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
      expect(body.error.message).toContain('idempotencyKey')
    }
    expect(await ledgerOf(ada.id)).toHaveLength(1)
    expect(await on.events(ada.id)).toHaveLength(1)
  })

  test('is a key of one currency and of one person', async () => {
    const [ada, bo] = [await person(), await person()]
    const body = { amount: 5, idempotencyKey: key() }
    const answers = [await spend(ada, body), await spend(ada, body, 'gems'), await spend(bo, body)]
    expect(answers.map(({ body: { data } }) => data.replayed)).toEqual([false, false, false])
  })

  test('used before a merge is still replayed after it, however many merges follow', async () => {
    const [ada, bo, cy] = [await person({ coins: 50 }), await person({ coins: 7 }), await person()]
    const body = { amount: -20, idempotencyKey: key() }
    const first = await spend(ada, body)
    await merge(ada, bo)
    await merge(bo, cy)
    for (const reference of [ada.device, bo.device, cy.device, ada.id]) {
      const again = await spend(reference, body)
      expect(again.body.data).toEqual({ ...first.body.data, replayed: true })
    }
    expect((await spend(cy, { ...body, amount: -21 })).status).toBe(409)
    expect(await ledgerOf(cy.id)).toEqual([])
  })

  test('used by both before their merge answers the one with the same amount', async () => {
    const [ada, bo] = [await person(), await person()]
    const idempotencyKey = key()
    const firsts = [await spend(ada, { amount: 1, idempotencyKey }), await spend(bo, { amount: 2, idempotencyKey })]
    await merge(ada, bo)
    for (const [index, first] of firsts.entries()) {
      const again = await spend(bo, { amount: index + 1, idempotencyKey })
      expect(again.body.data).toEqual({ ...first.body.data, replayed: true })
    }
  })

  test('used by somebody else stays theirs when a third is merged', async () => {
    const [ada, bo, cy] = [await person(), await person(), await person()]
    const body = { amount: 3, idempotencyKey: key() }
    await spend(ada, body)
    await merge(bo, cy)
    expect((await spend(cy, body)).body.data.replayed).toBe(false)
  })

  test('of a transaction booked before the currency was archived still answers the original', async () => {
    const ada = await person()
    const { virtualCurrencies: v } = on.ctx.tables
    const archive = async (archivedAt: number | null) => {
      await on.ctx.write((tx) => tx.db.update(v).set({ archivedAt }).where(eq(v.id, gems)))
      on.ctx.state.projects.forget(project.id)
    }
    const body = { amount: 3, idempotencyKey: key() }
    const first = await spend(ada, body, 'gems')
    await archive(5)
    const again = await spend(ada, body, 'gems')
    const other = await spend(ada, { amount: 3, idempotencyKey: key() }, 'gems')
    await archive(null)
    expect(again.body.data).toEqual({ ...first.body.data, replayed: true })
    expect(other.status).toBe(404)
  })

  test('the Idempotency-Key header replays the whole answer', async () => {
    const ada = await person()
    const headers = { 'idempotency-key': key() }
    const body = { amount: 5, idempotencyKey: key() }
    const first = await spend(ada, body, 'coins', { headers })
    const second = await spend(ada, body, 'coins', { headers })
    expect(second.headers.get('idempotent-replay')).toBe('true')
    expect(second.body).toEqual(first.body)
    expect((await spend(ada, { ...body, amount: 6 }, 'coins', { headers })).status).toBe(422)
    expect(await balances(ada)).toEqual({ coins: 5 })
  })
})

describe('at the same time', () => {
  test('50 debits of 1 on a balance of 30 give exactly 30 successes', async () => {
    const ada = await person({ coins: 30 })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => spend(ada, { amount: -1, idempotencyKey: key() })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
    expect(answers.filter(({ body }) => body.error?.message === 'Insufficient balance')).toHaveLength(20)
    expect(await balances(ada)).toEqual({ coins: 0 })
    const rows = await ledgerOf(ada.id)
    expect(rows.map(({ number, balance }) => [number, balance])).toEqual(
      Array.from({ length: 31 }, (_, index) => [index + 1, BigInt(30 - index)]),
    )
    expect((await on.events(ada.id)).map(({ seq }) => seq)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
  })

  test('spends that race a merge end with the survivor, and nothing is lost', async () => {
    const [ada, bo] = [await person({ coins: 30 }), await person({ coins: 5 })]
    const rows = on.ctx.tables.subscribers
    const join = on.ctx.write(async (tx) => {
      await transferBalances(tx, project, ada, bo)
      await tx.db.update(rows).set({ mergedInto: bo.id }).where(eq(rows.id, ada.id))
    })
    const spends = Array.from({ length: 20 }, () => spend(ada.id, { amount: -1, idempotencyKey: key() }))
    const [answers] = [await Promise.all(spends), await join]
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(await balances(ada)).toEqual({ coins: 15 })
    expect(Object.fromEntries(await readBalances(on.ctx, ada.id))).toEqual({ [coins]: 0n })
  })
})

describe('the event of a transaction', () => {
  test('is one per entry, with gapless seq and the balances before and after', async () => {
    const ada = await person({ gems: 2 })
    await spend(ada, { amount: 10, idempotencyKey: 'e-1', referenceType: 'quest' })
    await spend(ada, { amount: -4, idempotencyKey: 'e-2' }, 'coins', { headers: { 'x-request-id': 'request-e2' } })
    await spend(ada, { amount: -4, idempotencyKey: 'e-2' })
    await spend(ada, { amount: -400, idempotencyKey: 'e-3' })
    const { events: e } = on.ctx.tables
    const [first, second, ...more] = await on.ctx.db.select().from(e).where(eq(e.subscriberId, ada.id)).orderBy(e.seq)
    expect(more).toEqual([])
    expect(first).toMatchObject({
      seq: 1,
      type: 'currency.transaction',
      environment: 'PRODUCTION',
      projectId: project.id,
      appUserId: null,
      occurredAt: on.ctx.clock.now(),
      before: { access: {}, balances: { gems: 2 } },
      after: { access: {}, balances: { coins: 10, gems: 2 } },
      data: {
        code: 'coins',
        amount: 10,
        balance: 10,
        ledgerType: 'BONUS',
        referenceType: 'quest',
        referenceId: 'e-1',
      },
    })
    expect(second).toMatchObject({
      seq: 2,
      cause: { kind: 'API', ref: 'request-e2', store: null, detail: null },
      before: { balances: { coins: 10, gems: 2 } },
      after: { balances: { coins: 6, gems: 2 } },
      data: { amount: -4, balance: 6, ledgerType: 'SPEND', referenceType: null, referenceId: 'e-2' },
    })
  })

  test('of a merged subscriber belongs to the survivor', async () => {
    const [ada, bo] = [await person(), await person()]
    await merge(ada, bo)
    await spend(ada, { amount: 1, idempotencyKey: key() })
    expect(await on.events(ada.id)).toEqual([])
    expect(await on.events(bo.id)).toHaveLength(1)
    expect(await balances(ada)).toEqual({ coins: 1 })
  })
})

describe('the database itself', () => {
  test('refuses to change a ledger row', async () => {
    const ada = await person({ coins: 5 })
    const { ledger: l } = on.ctx.tables
    const change = async () => on.ctx.db.update(l).set({ amount: 500n }).where(eq(l.subscriberId, ada.id))
    await expect(change()).rejects.toThrow()
    expect((await ledgerOf(ada.id))[0]?.amount).toBe(5n)
  })

  test('refuses to delete a ledger row', async () => {
    const ada = await person({ coins: 5 })
    const { ledger: l } = on.ctx.tables
    await expect((async () => on.ctx.db.delete(l).where(eq(l.subscriberId, ada.id)))()).rejects.toThrow()
    expect(await ledgerOf(ada.id)).toHaveLength(1)
  })

  test('refuses a second row of the same number', async () => {
    const ada = await person({ coins: 5 })
    const [row] = await ledgerOf(ada.id)
    if (!row) throw new Error('the seed is gone')
    const again = async () => on.ctx.db.insert(on.ctx.tables.ledger).values({ ...row, id: 'vtx_twin' })
    await expect(again()).rejects.toThrow()
    expect(await ledgerOf(ada.id)).toHaveLength(1)
  })
})

/** What a purchase books. `of` and the reference differ between tests. */
const grant = (of: Person, reference: string, more: { amount?: number; currencyId?: string } = {}) =>
  on.ctx.write((tx) =>
    bookGrant(tx, {
      project,
      subscriberId: of.id,
      currencyId: more.currencyId ?? coins,
      amount: BigInt(more.amount ?? 100),
      reference,
      referenceType: 'purchase',
      referenceId: 'pur_1',
    }),
  )

describe('a grant of a purchase', () => {
  test('is booked once per reference, whoever asks again', async () => {
    const [ada, bo] = [await person(), await person()]
    const reference = `purchase:${key()}`
    expect(await grant(ada, reference)).toMatchObject({ type: 'PURCHASE', amount: 100n, balance: 100n, number: 1 })
    expect(await grant(ada, reference)).toBeNull()
    expect(await grant(bo, reference, { amount: 7 })).toBeNull()
    expect([await balances(ada), await balances(bo)]).toEqual([{ coins: 100 }, {}])
  })

  test('is booked once when everybody asks at once', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => person()))
    const reference = `renewal:${key()}`
    const booked = await Promise.all(people.map((one) => grant(one, reference)))
    expect(booked.filter((entry) => entry !== null)).toHaveLength(1)
  })

  test('is one per currency', async () => {
    const ada = await person()
    const reference = `purchase:${key()}`
    await grant(ada, reference)
    expect(await grant(ada, reference, { currencyId: gems })).toMatchObject({ balance: 100n })
    expect(
      (await findGrants(on.ctx, project, [reference, 'purchase:none'])).map(({ currencyId }) => currencyId),
    ).toEqual([coins, gems].sort())
  })

  test('that does not fit is left out and logged, and the reference stays free', async () => {
    const ada = await person({ coins: MAX - 50n })
    const reference = `purchase:${key()}`
    expect(await grant(ada, reference)).toBeNull()
    expect(on.ctx.lines.at(-1)).toContain('does not fit')
    await expectUntouched(ada, 1)
    await spend(ada, { amount: -50, idempotencyKey: key() })
    expect(await grant(ada, reference)).toMatchObject({ balance: MAX })
  })
})

describe('a clawback', () => {
  const take = (reference: string, mode?: 'none' | 'available' | 'full') =>
    on.ctx.write((tx) => clawBack(tx, project, { reference, ...(mode && { mode }) }))

  test('available goes down to 0, at most once', async () => {
    const ada = await person()
    const reference = `purchase:${key()}`
    await grant(ada, reference)
    await spend(ada, { amount: -70, idempotencyKey: key() })
    const [taken] = await take(reference)
    expect(taken?.entry).toMatchObject({ type: 'REFUND', amount: -30n, balance: 0n, referenceId: 'pur_1' })
    expect(taken?.owner.id).toBe(ada.id)
    await spend(ada, { amount: 10, idempotencyKey: key() })
    expect(await take(reference)).toEqual([])
    expect(await balances(ada)).toEqual({ coins: 10 })
  })

  test('that found nothing to take leaves its mark, and takes nothing later', async () => {
    const ada = await person()
    const reference = `purchase:${key()}`
    await grant(ada, reference)
    await spend(ada, { amount: -100, idempotencyKey: key() })
    expect((await take(reference)).map(({ entry }) => entry.amount)).toEqual([0n])
    await spend(ada, { amount: 40, idempotencyKey: key() })
    expect(await take(reference)).toEqual([])
    expect(await balances(ada)).toEqual({ coins: 40 })
  })

  test('follows the currency before the project: full leaves a debt, none takes nothing', async () => {
    const ada = await person()
    const reference = `purchase:${key()}`
    await grant(ada, reference, { currencyId: 'vcy_debts' })
    await grant(ada, reference, { currencyId: 'vcy_gifts' })
    await spend(ada, { amount: -90, idempotencyKey: key() }, 'debts')
    expect((await take(reference)).map(({ entry }) => entry.balance)).toEqual([-90n])
    expect(await balances(ada)).toEqual({ debts: -90, gifts: 100 })
    expect((await spend(ada, { amount: -1, idempotencyKey: key() }, 'debts')).status).toBe(409)
    expect((await spend(ada, { amount: 95, idempotencyKey: key() }, 'debts')).body.data.balance).toBe(5)
  })

  test('with a mode of its own overrides both settings', async () => {
    const ada = await person()
    const reference = `purchase:${key()}`
    await grant(ada, reference)
    await spend(ada, { amount: -70, idempotencyKey: key() })
    expect(await take(reference, 'none')).toEqual([])
    expect((await take(reference, 'full'))[0]?.entry.balance).toBe(-70n)
  })

  test('reaches whoever the grant was merged into', async () => {
    const [ada, bo] = [await person(), await person({ coins: 1 })]
    const reference = `purchase:${key()}`
    await grant(ada, reference)
    await on.ctx.write((tx) => transferBalances(tx, project, ada, bo))
    await merge(ada, bo)
    const [taken] = await take(reference)
    expect(taken).toMatchObject({ owner: { id: bo.id }, entry: { subscriberId: bo.id, amount: -100n, balance: 1n } })
  })

  test('of a reference that granted nothing is nothing', async () => {
    expect(await take('purchase:unknown')).toEqual([])
  })
})

describe('a transfer of balances', () => {
  const move = (from: Person, to: Person, options?: Parameters<typeof transferBalances>[4]) =>
    on.ctx.write((tx: Tx) => transferBalances(tx, project, from, to, options))

  test('moves every balance, archived currencies and debts too, and keeps the sums', async () => {
    const ada = await person({ coins: 40, gems: 2, closed: 5, debts: -7 })
    const bo = await person({ coins: 3, debts: 10 })
    await spend(ada, { amount: -2, idempotencyKey: key() }, 'gems')
    const { credits, drafts } = await move(ada, bo, { transferId: 'trf_1' })
    expect(credits).toEqual({ [coins]: 40, vcy_closed: 5, vcy_debts: -7 })
    expect(await balances(ada)).toEqual({ closed: 0, coins: 0, debts: 0, gems: 0 })
    expect(await balances(bo)).toEqual({ closed: 5, coins: 43, debts: 3 })
    expect(drafts.from).toHaveLength(3)
    expect(drafts.to).toHaveLength(3)
    expect(drafts.to.map(({ data }) => data)).toContainEqual({
      code: 'coins',
      amount: 40,
      balance: 43,
      ledgerType: 'TRANSFER_IN',
      referenceType: 'transfer',
      referenceId: 'trf_1',
    })
    expect(drafts.from.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ code: 'debts', amount: 7, balance: 0, ledgerType: 'TRANSFER_OUT' }),
    )
  })

  test('of an empty ledger writes nothing', async () => {
    const [ada, bo] = [await person(), await person({ coins: 1 })]
    expect(await move(ada, bo)).toEqual({ credits: {}, drafts: { from: [], to: [] } })
    expect(await ledgerOf(ada.id)).toEqual([])
    expect(await ledgerOf(bo.id)).toHaveLength(1)
  })

  test('moves what fits, logs the rest and never fails', async () => {
    const [ada, bo] = [await person({ coins: 40, gems: 6 }), await person({ coins: MAX - 10n, gems: MAX })]
    const { credits } = await move(ada, bo)
    expect(credits).toEqual({ [coins]: 10 })
    expect(await balances(ada)).toEqual({ coins: 30, gems: 6 })
    expect(await balances(bo)).toEqual({ coins: MAX_READ, gems: MAX_READ })
    expect(on.ctx.lines.filter((line) => line.includes('does not fit') && line.includes(ada.id))).toHaveLength(2)
  })

  test('that is undone gives back what moved, as far as it is still there', async () => {
    const [ada, bo] = [await person({ coins: 40, gems: 5 }), await person({ coins: 2 })]
    const { credits } = await move(ada, bo)
    await spend(bo, { amount: -20, idempotencyKey: key() })
    const back = await move(bo, ada, { amounts: credits })
    expect(back.credits).toEqual({ [coins]: 22, [gems]: 5 })
    expect([await balances(ada), await balances(bo)]).toEqual([
      { coins: 22, gems: 5 },
      { coins: 0, gems: 0 },
    ])
  })

  test('both ways at once neither locks up nor loses anything', async () => {
    const [ada, bo] = [await person({ coins: 40 }), await person({ coins: 2, gems: 9 })]
    await Promise.all([move(ada, bo), move(bo, ada), move(ada, bo), move(bo, ada)])
    const [one, other] = [await balancesByCode(on.ctx, project, ada.id), await balancesByCode(on.ctx, project, bo.id)]
    expect(Number(one.coins ?? 0) + Number(other.coins ?? 0)).toBe(42)
    expect(Number(one.gems ?? 0) + Number(other.gems ?? 0)).toBe(9)
  })
})
