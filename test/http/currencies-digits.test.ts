import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readBalances } from '../../src/people/currencies/service'
import { COINS, MONTHLY, type Stage, stage } from '../support/cast'
import { identify, refund, rowOf } from '../support/facts'

// Amounts and balances beyond 2^53 (wire 1.2, 2.13). `JSON.parse` would round them, so these tests read the text itself.

/** The highest balance, 2^63-1. */
const MAX = '9223372036854775807'
/** 2^53+1: the first integer that a floating-point number cannot hold. */
const ODD = '9007199254740993'

let s: Stage
beforeEach(async () => {
  s = await stage({ settings: { clawback: 'full' } })
})
afterEach(() => s.close())

interface Said {
  status: number
  text: string
  headers: Headers
}

/** Like `Stage.call`, but the answer is its text. */
async function ask(method: string, path: string, more: { raw?: string; headers?: object; key?: string } = {}) {
  const { raw, headers = {}, key = s.project.secretKey } = more
  const all = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers }
  const body = raw === undefined ? {} : { body: raw }
  const response = await s.app.handle(new Request(`http://localhost${path}`, { method, headers: all, ...body }))
  return { status: response.status, headers: response.headers, text: await response.text() } satisfies Said
}

let count = 0
const key = () => `order-${++count}`

const postRaw = (device: string, body: string, code = 'coins', headers: object = {}): Promise<Said> =>
  ask('POST', `/v1/virtual-currencies/${device}/${code}/transactions`, { raw: body, headers })

const post = (device: string, amount: string, code = 'coins', idempotencyKey = key()): Promise<Said> =>
  postRaw(device, `{"amount":${amount},"idempotencyKey":"${idempotencyKey}"}`, code)

const balancesOf = async (device: string): Promise<string> =>
  (await ask('GET', '/v1/virtual-currencies/me', { headers: { 'x-svc-app-user-id': device } })).text

async function born(device: string, amounts: Record<string, string> = {}): Promise<string> {
  await s.get('/v1/me', device)
  for (const [code, amount] of Object.entries(amounts)) expect((await post(device, amount, code)).status).toBe(200)
  return (await rowOf(s, device)).id
}

const feed = async (type = 'currency.transaction'): Promise<string> =>
  (await ask('GET', `/v1/events?types=${type}`)).text

const zeros = (length: number) => '0'.repeat(length)

describe('an amount is read from its digits', () => {
  const spellings: [text: string, amount: string][] = [
    [ODD, ODD],
    [MAX, MAX],
    ['1e3', '1000'],
    ['1E+2', '100'],
    ['1.0', '1'],
    ['10.50e1', '105'],
    ['0.1e1', '1'],
    ['1000e-3', '1'],
    ['9.223372036854775807e18', MAX],
    [`${ODD}00e-2`, ODD],
    [`1${zeros(400)}e-400`, '1'],
    [`0.${zeros(400)}1e401`, '1'],
  ]
  for (const [text, amount] of spellings)
    test(`${text.slice(0, 30)} (${text.length} characters) is ${amount}`, async () => {
      await born('svc_ada')
      const { status, text: answer } = await post('svc_ada', text)
      expect([status, answer]).toEqual([200, expect.stringContaining(`"balance":${amount},`)])
      expect(await balancesOf('svc_ada')).toBe(`{"data":{"balances":{"coins":${amount}}}}`)
    })

  const refusals: string[] = [
    '9223372036854775808',
    '-9223372036854775808',
    '-9223372036854775809',
    '18446744073709551617',
    '0',
    '-0',
    '0.0',
    '-0e5',
    `0e${'9'.repeat(40)}`,
    '1e-400',
    '1e400',
    '1e19',
    '0.5',
    '1.0000000000000000000001',
    `${MAX}.5`,
    `1${zeros(9999)}`,
    '9'.repeat(10_000),
    `0.${zeros(10_000)}1`,
    `1e${'9'.repeat(10_000)}`,
    `1e-${'9'.repeat(10_000)}`,
    `"${MAX}"`,
    'true',
    '[1]',
    '{"amount":1}',
  ]
  for (const text of refusals)
    test(`${text.slice(0, 30)} (${text.length} characters) is 400, names the amount and writes nothing`, async () => {
      await born('svc_ada')
      const { status, text: answer } = await post('svc_ada', text)
      expect([status, JSON.parse(answer).error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(JSON.parse(answer).error.message).toContain('amount')
      expect(await balancesOf('svc_ada')).toBe('{"data":{"balances":{}}}')
    })

  for (const text of ['007', '-01', '+5', '1.', '.5', '0x10', '5n', 'Infinity', '1e', '--1'])
    test(`${text} is not JSON: 400`, async () => {
      await born('svc_ada')
      expect((await post('svc_ada', text)).status).toBe(400)
      expect(await balancesOf('svc_ada')).toBe('{"data":{"balances":{}}}')
    })

  test('of two members with the name, the last counts, as everywhere in JSON', async () => {
    await born('svc_ada')
    const body = `{"amount":1,"idempotencyKey":"k","amount":${ODD}}`
    expect((await postRaw('svc_ada', body)).text).toContain(`"balance":${ODD}`)
  })
})

describe('the bounds of a balance', () => {
  test('one more than the highest is 400 and writes nothing', async () => {
    await born('svc_ada', { coins: MAX })
    const { status, text } = await post('svc_ada', '1')
    expect([status, JSON.parse(text).error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect((await post('svc_ada', MAX)).status).toBe(400)
    expect(await balancesOf('svc_ada')).toContain(`"coins":${MAX}`)
  })

  test('the whole can be spent, and one more than the whole cannot', async () => {
    await born('svc_ada', { coins: ODD })
    const { status, text } = await post('svc_ada', '-9007199254740994')
    expect([status, JSON.parse(text).error.message]).toEqual([409, 'Insufficient balance'])
    expect((await post('svc_ada', `-${ODD}`)).text).toContain('"balance":0,')
    await born('svc_bo', { coins: MAX })
    expect((await post('svc_bo', `-${MAX}`)).text).toContain('"balance":0,')
  })

  test('a small debit of a large balance is exact', async () => {
    await born('svc_ada', { coins: MAX })
    expect((await post('svc_ada', '-1')).text).toContain('"balance":9223372036854775806,')
  })

  test('a key is told from one whose amount is the next integer', async () => {
    await born('svc_ada')
    const first = await post('svc_ada', ODD, 'coins', 'k')
    expect((await post('svc_ada', '9007199254740992', 'coins', 'k')).status).toBe(409)
    const alias = await postRaw('svc_ada', `{"amount":${ODD},"referenceId":"k"}`)
    expect(alias.text).toBe(first.text.replace('"replayed":false', '"replayed":true'))
  })
})

describe('the digits are plain', () => {
  test('in the balances for a server and for a browser', async () => {
    const id = await born('svc_ada', { coins: ODD })
    const expected = `{"data":{"balances":{"coins":${ODD}}}}`
    expect((await ask('GET', `/v1/virtual-currencies/${id}`)).text).toBe(expected)
    const { publicKey } = s.project
    const headers = { origin: 'https://app.example.com', 'x-svc-app-user-id': 'svc_ada' }
    const web = await ask('GET', `/v1/web/${publicKey}/virtual-currencies/me`, { key: publicKey, headers })
    expect(web.text).toBe(expected)
  })

  test('in an answer that is replayed by its Idempotency-Key', async () => {
    await born('svc_ada')
    const headers = { 'idempotency-key': 'once' }
    const body = `{"amount":${MAX},"idempotencyKey":"k"}`
    const first = await postRaw('svc_ada', body, 'coins', headers)
    const again = await postRaw('svc_ada', body, 'coins', headers)
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true'])
    expect(again.text).toBe(first.text)
    expect(first.text).toContain(`"balance":${MAX}`)
  })

  test('in the events of a booking and of a purchase', async () => {
    await born('svc_ada', { coins: ODD })
    const booked = await feed()
    expect(booked).toContain(`"amount":${ODD}`)
    expect(booked).toContain(`"balance":${ODD}`)
    expect(booked).toContain(`"balances":{"coins":${ODD}}`)
    await s.receipt('svc_ada', s.buy(MONTHLY))
    expect((await feed('purchase.initial')).match(new RegExp(`"balances":\\{"coins":${ODD}\\}`, 'g'))).toHaveLength(2)
  })

  test('in the answer to a receipt, and in its replay', async () => {
    await born('svc_ada', { coins: ODD })
    const payload = s.buy(COINS)
    const raw = JSON.stringify({ receipt: s.sign(payload), appUserId: 'svc_ada', productId: COINS.productId })
    const headers = { 'idempotency-key': 'once' }
    const expected = '"virtualCurrencyBalances":{"coins":9007199254741093}'
    for (let turn = 0; turn < 2; turn++)
      expect((await ask('POST', '/v1/receipts/ios', { raw, headers })).text).toContain(expected)
  })

  test('in a lease', async () => {
    await born('svc_ada', { coins: ODD })
    const { text } = await ask('GET', '/v1/me/access-lease', { headers: { 'x-svc-app-user-id': 'svc_ada' } })
    const [, payload = ''] = JSON.parse(text).data.lease.split('.')
    expect(Buffer.from(payload, 'base64url').toString()).toContain(`"balances":{"coins":${ODD}}`)
  })

  test('in a transfer, its sum beyond 64 bits, and its undo', async () => {
    await born('svc_ada', { coins: MAX, gems: MAX })
    await born('svc_bo')
    const move = async (dryRun: boolean) => {
      const raw = JSON.stringify({ fromAppUserId: 'svc_ada', toAppUserId: 'svc_bo', dryRun })
      return ask('POST', '/v1/subscribers/transfer', { raw })
    }
    for (const dryRun of [true, false]) {
      const { status, text } = await move(dryRun)
      expect([status, text]).toEqual([200, expect.stringContaining('"creditsTransferred":18446744073709551614')])
      expect(text).toContain(`"balances":{"coins":${MAX},"gems":${MAX}}`)
      if (dryRun) continue
      expect(await balancesOf('svc_bo')).toContain(`{"coins":${MAX},"gems":${MAX}}`)
      // PostgreSQL has its own order of the members.
      const credits = new RegExp(`"credits":{("(coins|gems)":${MAX},?){2}}`)
      expect(await feed('subscriber.transferred')).toMatch(credits)
      await post('svc_bo', '-1')
      const { transferId } = JSON.parse(text).data
      const undone = await ask('POST', `/v1/subscribers/transfer/${transferId}/undo`, { raw: '{}' })
      expect(undone.text).toContain('"creditsReturned":18446744073709551613,"creditsShortfall":1')
      expect(await balancesOf('svc_ada')).toContain(`{"coins":9223372036854775806,"gems":${MAX}}`)
    }
  })
})

describe('a merge of balances that do not fit together', () => {
  test('never wraps, loses nothing and does not fail the identify', async () => {
    const adaId = await born('svc_ada', { coins: MAX })
    await identify(s, 'svc_ada', 'user')
    await born('svc_bo', { coins: '5' })
    expect((await identify(s, 'svc_bo', 'user')).status).toBe(200)
    expect(await balancesOf('svc_bo')).toContain(`"coins":${MAX}`)
    const left = await readBalances(s.ctx, adaId)
    expect([...left.values()]).toEqual([5n])
  })
})

describe('a product that grants much', () => {
  /** Sets the amount that the coins of the test catalogue grant. */
  async function grant(amount: bigint): Promise<void> {
    const { currencyGrants: g } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(g).set({ amount }))
    s.ctx.state.projects.forget(s.project.id)
  }

  test('grants it exactly, and its refund takes it back exactly', async () => {
    await grant(BigInt(ODD))
    const bought = s.buy(COINS)
    await s.receipt('svc_ada', bought)
    expect(await balancesOf('svc_ada')).toContain(`"coins":${ODD}`)
    await s.receipt('svc_ada', refund(s, bought))
    expect(await balancesOf('svc_ada')).toContain('"coins":0')
    expect(await feed()).toContain(`"amount":-${ODD}`)
  })

  test('times a quantity that passes 64 bits grants nothing, and the purchase stands', async () => {
    await grant(BigInt(MAX))
    const { status } = await s.receipt('svc_ada', s.buy(COINS, { quantity: 3 }))
    expect([status, await balancesOf('svc_ada')]).toEqual([200, '{"data":{"balances":{}}}'])
  })

  test('to somebody who holds the highest balance grants nothing, and the purchase stands', async () => {
    await born('svc_ada', { coins: MAX })
    const { status } = await s.receipt('svc_ada', s.buy(COINS))
    expect([status, await balancesOf('svc_ada')]).toEqual([200, `{"data":{"balances":{"coins":${MAX}}}}`])
  })

  test('of which all was spent leaves the whole debt, and a second refund stops at the lowest balance', async () => {
    await grant(BigInt(MAX))
    const [first, second] = [s.buy(COINS), s.buy(COINS)]
    for (const bought of [first, second]) {
      await s.receipt('svc_ada', bought)
      expect((await post('svc_ada', `-${MAX}`)).status).toBe(200)
    }
    await s.receipt('svc_ada', refund(s, first))
    expect(await balancesOf('svc_ada')).toContain(`"coins":-${MAX}`)
    await s.receipt('svc_ada', refund(s, second))
    expect(await balancesOf('svc_ada')).toContain(`"coins":-${MAX}`)
    expect((await post('svc_ada', MAX)).text).toContain('"balance":0,')
  })
})
