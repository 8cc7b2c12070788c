import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Stage, stage } from '../support/cast'
import { moreInRelease } from '../support/release'

// Random histories near the bounds of 64 bits, compared with the same arithmetic on integers without a bound.

const MAX = 2n ** 63n - 1n
const RUNS = Number(process.env.SVC_TEST_RUNS ?? moreInRelease(10, 25))

let s: Stage
let count = 0
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())

const CODES = ['coins', 'gems'] as const
type Code = (typeof CODES)[number]

async function call(method: string, path: string, raw?: string, device?: string) {
  const headers = {
    authorization: `Bearer ${s.project.secretKey}`,
    'content-type': 'application/json',
    ...(device !== undefined && { 'x-svc-app-user-id': device }),
  }
  const body = raw === undefined ? {} : { body: raw }
  const response = await s.app.handle(new Request(`http://localhost${path}`, { method, headers, ...body }))
  return { status: response.status, text: await response.text() }
}

/** The digits after a member's name; throws when there are none. */
function digitsOf(text: string, member: string): bigint {
  const [, digits] = new RegExp(`"${member}":(-?\\d+)[,}]`).exec(text) ?? []
  if (digits === undefined) throw new Error(`no ${member} in ${text}`)
  return BigInt(digits)
}

const balanceOf = async (device: string, code: Code): Promise<bigint> => {
  const { text } = await call('GET', '/v1/virtual-currencies/me', undefined, device)
  return text.includes(`"${code}"`) ? digitsOf(text, code) : 0n
}

/** What the ledger should hold: balances by code, and what each key booked. */
interface Oracle {
  balances: Map<Code, bigint>
  booked: Map<string, { amount: bigint; balance: bigint }>
}

function expected({ balances, booked }: Oracle, { code, amount, key }: Post): { status: number; balance?: bigint } {
  if (amount === 0n || amount > MAX || amount < -MAX) return { status: 400 }
  const earlier = booked.get(`${code} ${key}`)
  if (earlier) return earlier.amount === amount ? { status: 200, balance: earlier.balance } : { status: 409 }
  const balance = (balances.get(code) ?? 0n) + amount
  if (amount < 0n && balance < 0n) return { status: 409 }
  if (balance > MAX) return { status: 400 }
  balances.set(code, balance)
  booked.set(`${code} ${key}`, { amount, balance })
  return { status: 200, balance }
}

const near = (base: bigint) => fc.bigInt({ min: base - 3n, max: base + 3n })

const amount = fc.oneof(
  near(0n),
  near(MAX),
  near(-MAX),
  near(MAX / 2n),
  near(-MAX / 2n),
  near(2n ** 53n),
  near(-(2n ** 53n)),
  fc.bigInt({ min: -MAX, max: MAX }),
)

/** Some of the ways to write an integer in JSON. */
const spelled = (value: bigint) =>
  fc.constantFrom(`${value}`, `${value}.0`, `${value}00e-2`, `${value}e0`, `${value}.000E+0`)

interface Post {
  code: Code
  amount: bigint
  key: string
  text: string
}

const posted = fc
  .record({ code: fc.constantFrom(...CODES), amount, key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h') })
  .chain((one) => spelled(one.amount).map((text): Post => ({ ...one, text })))

/** Books one after another and compares every answer with the oracle. */
async function play(device: string, posts: readonly Post[]): Promise<Oracle> {
  const oracle: Oracle = { balances: new Map(), booked: new Map() }
  await call('GET', '/v1/me', undefined, device)
  for (const one of posts) {
    const path = `/v1/virtual-currencies/${device}/${one.code}/transactions`
    const { status, text } = await call('POST', path, `{"amount":${one.text},"idempotencyKey":"${one.key}"}`)
    const { balance, ...answer } = expected(oracle, one)
    expect({ status, text }).toMatchObject(answer)
    if (balance !== undefined) expect(digitsOf(text, 'balance')).toBe(balance)
  }
  for (const code of CODES) expect(await balanceOf(device, code)).toBe(oracle.balances.get(code) ?? 0n)
  return oracle
}

test('every answer of a random history near the bounds is that of exact arithmetic', async () => {
  const property = fc.asyncProperty(fc.array(posted, { maxLength: 12 }), async (posts) => {
    await play(`svc_law_${++count}`, posts)
  })
  await fc.assert(property, { numRuns: RUNS })
}, 600_000)

test('a transfer of random balances moves what fits and loses nothing', async () => {
  const balance = fc.oneof(near(MAX - 3n), near(MAX / 2n), near(2n ** 53n), fc.bigInt({ min: 1n, max: MAX }))
  const side = fc.record({ coins: balance, gems: balance })
  const property = fc.asyncProperty(side, side, async (ofAda, ofBo) => {
    const [ada, bo] = [`svc_law_${++count}`, `svc_law_${++count}`]
    const give = (held: typeof ofAda) =>
      CODES.map((code): Post => ({ code, amount: held[code], key: 'a', text: String(held[code]) }))
    await play(ada, give(ofAda))
    await play(bo, give(ofBo))
    const raw = JSON.stringify({ fromAppUserId: ada, toAppUserId: bo })
    const { status, text } = await call('POST', '/v1/subscribers/transfer', raw)
    expect(status).toBe(200)
    let total = 0n
    for (const code of CODES) {
      const room = MAX - ofBo[code]
      const moved = ofAda[code] < room ? ofAda[code] : room
      if (moved > 0n) expect(digitsOf(text.slice(text.indexOf('"balances"')), code)).toBe(moved)
      expect(await balanceOf(bo, code)).toBe(ofBo[code] + moved)
      total += moved
    }
    expect(digitsOf(text, 'creditsTransferred')).toBe(total)
  })
  await fc.assert(property, { numRuns: Math.ceil(RUNS / 2) })
}, 600_000)
