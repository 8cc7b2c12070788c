import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { DAY } from '../../src/base/lib/clock'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { simulatorKeys } from '../../src/stores/test-keys/service'
import { signTransaction, simulatedRenewal } from '../../src/test-store/stores/ios'
import { MONTHLY } from '../support/cast'
import {
  ask,
  checksOf,
  dialectOfRun,
  emptyPlace,
  KEPT,
  keptPlace,
  type Opened,
  openPlace,
  type Place,
  type RecordedAnswer,
  type RecordedRequest,
  readRecorded,
  run,
} from '../support/present'

// A database that svc 1.0.0 has written, and its answers at its last instant, headers included. Every later version
// must open it, migrate it and give the same answers. Where a later version adds a member to an answer, remove that
// member by name from the new answer before the comparison: the recorded answer must stay as it is. The recorded files
// are never created again. Only what the test store of then signed is refused: its keys were saved in clear, so they are
// not trusted any more.

const recorded = readRecorded()
const { requests, keys, now } = recorded

let place: Place
let opened: Opened

beforeAll(async () => {
  place = await keptPlace()
}, 600_000)
afterAll(async () => {
  await opened?.ctx.close()
  place.remove()
}, 600_000)

test('the kept database is brought up to date, and then there is nothing more to do', async () => {
  expect((await run(place, ['migrate', '--json'])).code).toBe(0)
  expect((await run(place, ['migrate', '--json'])).out).toBe('{"applied":[]}')
})

/** Objects that people can edit carry a revision now. Placements had one before. */
const withoutRevisions = (out: string): string =>
  out
    .split('\n')
    .map((line) => (line.includes('"rows":') ? line : line.replaceAll(/,"revision":\d+/g, '')))
    .join('\n')
    .replaceAll(',"bucketBy":null', '')

/** An export begins with the address of its schema now. */
const withoutSchema = (out: string): string => out.replace(/^# yaml-language-server: \$schema=\S+\n/, '')

/** A placement can show an offering now; those of then show none. */
const withoutOfferings = (out: string): string => out.replaceAll(/,\n +"offering": null(?=\n {4,6}\})/g, '')

/** A notification has its environment now. */
const withoutEnvironment = (out: string): string => out.replaceAll(/,?"environment":(null|"[A-Z]+")/g, '')

/** What has come to the answer of a command since then, taken away. */
function printedThen(args: readonly string[], out: string): string {
  if (args[0] === 'store-events') return withoutEnvironment(out)
  return args.includes('--fallback') ? withoutOfferings(out) : out
}

describe('commands print what they have printed', () => {
  for (const before of recorded.commands)
    test(`svc ${before.args.join(' ')}`, async () => {
      const now = await run(place, before.args)
      const told = printedThen(before.args, now.out)
      const out = before.args.includes('--json') ? withoutRevisions(told) : withoutSchema(told)
      expect({ ...now, out }).toEqual(before)
    })

  // It looks at notifications of the stores too since then, and at products that were sold and are in no catalogue.
  test('svc doctor, of the database and its projects', async () => {
    const checks = await checksOf(place, now)
    const isNew = ([, , message = '']: string[]) => /notifications of stores|com\.x\.unknown/.test(message)
    expect(checks.filter((check) => !isNew(check))).toEqual(recorded.checks)
  })
})

describe('a server over it', () => {
  beforeAll(async () => {
    opened = await openPlace(place, now)
  }, 600_000)

  test('answers every request as it was answered', async () => {
    expect(requests.length).toBeGreaterThan(200)
    await expectAnswers(opened, requests)
  }, 600_000)

  test('gives the answers that it has kept for an Idempotency-Key, to either half of the key', async () => {
    const { publicKey, secretKey } = keys['sleep-app'] ?? {}
    const headers = { 'x-svc-app-user-id': 'svc_bo', 'idempotency-key': 'plan-2' }
    const first = { attributes: { plan: 'gold' } }
    await call('POST', '/v1/me/attributes', { attributes: { plan: 'later' } }, publicKey, {
      'x-svc-app-user-id': 'svc_bo',
    })
    for (const key of [publicKey, secretKey]) {
      const replay = await call('POST', '/v1/me/attributes', first, key, headers)
      expect([replay.status, replay.body.data.subscriber.attributes.plan]).toEqual([200, 'gold'])
      const other = await call('POST', '/v1/me/attributes', { attributes: {} }, key, headers)
      expect(other.status).toBe(422)
    }
    const now = (await asDevice('/v1/me', 'svc_bo')).subscriber
    expect(now.attributes.plan).toBe('later') // Nothing was written again.
    await call('POST', '/v1/me/attributes', first, publicKey, { 'x-svc-app-user-id': 'svc_bo' })
  })

  test('takes a transfer of then back', async () => {
    const { data } = await newest('subscriber.transferred')
    const path = `/v1/subscribers/transfer/${data.transferId}/undo`
    const undone = await post(path, {}, keys['sleep-app']?.secretKey)
    expect(undone).toMatchObject({ status: 200, body: { data: { undone: true } } })
    expect(await accessUntil('svc_gus')).not.toBeNull()
  })

  test('holds no key of the test store in clear: they are gone, and what they signed is refused', async () => {
    const { ctx } = opened
    expect(await ctx.db.select().from(ctx.tables.simulatorKeys)).toEqual([])
    const { headers, body } = asked('/v1/receipts/ios')
    const again = await ask(opened.app, {
      method: 'POST',
      path: '/v1/receipts/ios',
      headers: { ...headers, 'idempotency-key': 'receipt-2' },
      body,
    })
    expect(again).toMatchObject({ status: 400, body: { error: { code: 'RECEIPT_INVALID' } } })
  })

  test('books a renewal of a purchase that it holds, signed by the test store of the project', async () => {
    const { ctx } = opened
    const { body } = asked('/v1/receipts/ios')
    const posted = JSON.parse(body ?? '') as { receipt: string; appUserId: string }
    expect(await accessUntil(posted.appUserId)).toBe('2026-12-01T08:21:44.000Z')
    ctx.clock.advance(30 * DAY)
    const order = { product: MONTHLY, transactionId: '2000000900000003', now: ctx.clock.now() }
    const renewed = simulatedRenewal(payloadOf(posted.receipt), order)
    const receipt = signTransaction(await simulatorKeys(ctx, keys['sleep-app']?.projectId ?? ''), renewed)
    expect((await post('/v1/receipts/ios', { ...posted, receipt })).status).toBe(200)
    expect(await accessUntil(posted.appUserId)).toBe('2027-01-01T08:23:49.000Z')
    expect((await newest('purchase.renewed')).data).toMatchObject({
      transaction: { kind: 'RENEWAL', storeTransactionId: order.transactionId },
    })
  })

  test('goes on with a ledger', async () => {
    const before = await balances('svc_ada')
    const path = '/v1/virtual-currencies/ada%40app/gems/transactions'
    expect((await post(path, { amount: -5, idempotencyKey: 'later' }, keys['sleep-app']?.secretKey)).status).toBe(200)
    expect(await balances('svc_ada')).toEqual({ ...before, gems: (before.gems ?? 0) - 5 })
  })
})

test('a backup of then is restored, into a database of either kind, and answers the same', async () => {
  const fresh = await emptyPlace()
  const { code, out } = await run(fresh, ['restore', join(KEPT, 'backup.gz')])
  expect([code, out]).toEqual([0, expect.stringContaining('svc doctor')])
  const restored = await openPlace(fresh, now)
  await expectAnswers(restored, readRecorded('file').requests, dialectOfRun() === 'file' ? [] : ['nextCursor'])
  await restored.ctx.close()
  fresh.remove()
}, 600_000)

/** Members that answers have gained since then. */
const ADDED = ['chainKey', 'lineKey', 'priceAfter', 'bucketBy', 'memberCount']
/** What follows from the bytes of an answer of the OpenFeature protocol, whose reasons are now those of the protocol. */
const OF_OFREP = ['etag', 'url']
/** A placement can show an offering now, which is null in answers of then; so their bytes differ. */
const OF_PLACEMENTS = ['etag']

interface Evaluated {
  reason?: string
  metadata?: { svcReason?: string }
}

/** A flag with the reason that it had then: today it is beside that of the protocol. */
function asThen(value: unknown): unknown {
  const { metadata: { svcReason, ...metadata } = {}, ...flag } = (value ?? {}) as Evaluated
  if (svcReason === undefined) return value
  return { ...flag, reason: svcReason, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) }
}

/** Messages that say more since then. */
const REWORDED: readonly (readonly [before: string, now: RegExp])[] = [
  ['Nothing here has that address or id', /^There is no experiment none$/],
  ['Add this origin to the allowed origins of the key or the project', /svc key update ID --origin/],
]

const formerWords = (message: unknown): unknown =>
  REWORDED.find(([, now]) => typeof message === 'string' && now.test(message))?.[0] ?? message

/**
 * Sends the requests in the recorded order, and shows every answer that differs. The members in `besides` may differ: a
 * cursor at the end of the feed names a position in its own database.
 */
async function expectAnswers(
  { app }: Opened,
  questions: readonly RecordedRequest[],
  besides: string[] = [],
): Promise<void> {
  const differing: { before: RecordedRequest; now: RecordedRequest }[] = []
  const refused: [path: string, answer: string][] = []
  const comparable = (path: string, answer: RecordedAnswer): RecordedAnswer => {
    const mayDiffer = [
      ...besides,
      ...(path.includes('/ofrep/') ? OF_OFREP : []),
      ...(path.includes('/v1/placements') ? OF_PLACEMENTS : []),
    ]
    return JSON.parse(
      JSON.stringify(answer, (name, value) => {
        if (ADDED.includes(name)) return undefined
        if (name === 'offering' && path.includes('/v1/placements') && value === null) return undefined
        if (name === 'message') return formerWords(value)
        return mayDiffer.includes(name) ? null : asThen(value)
      }),
    )
  }
  for (const before of questions) {
    const answer = await ask(app, before)
    const isSame = Bun.deepEquals(comparable(before.path, answer), comparable(before.path, before.answer), true)
    if (isSame) continue
    if (bringsTestReceipt(before)) refused.push([before.path, JSON.stringify(answer.body)])
    else differing.push({ before, now: { ...before, answer } })
  }
  expect(refused).toEqual([
    ['/v1/receipts/ios', expect.stringContaining('RECEIPT_INVALID')],
    ['/v1/subscribers/svc_shield/restore', expect.stringContaining('"status":"FAILED","code":"RECEIPT_INVALID"')],
  ])
  expect(differing.map((one) => one.now)).toEqual(differing.map(({ before }) => before))
}

/** Whether a body has a receipt that the test store of then has signed. */
const bringsTestReceipt = ({ body }: RecordedRequest): boolean => body?.includes('"receipt":"eyJ') ?? false

function asked(path: string): RecordedRequest {
  const found = requests.find((one) => one.path === path)
  if (!found) throw new Error(`nobody asked for ${path}`)
  return found
}

const payloadOf = (receipt: string): TransactionPayload =>
  JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString()) as TransactionPayload

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes.
async function call(method: string, path: string, body: unknown, key: string | undefined, more = {}): Promise<any> {
  const headers = { authorization: `Bearer ${key}`, ...(body === null ? {} : JSON_BODY), ...more }
  return ask(opened.app, { method, path, headers, body: body === null ? null : JSON.stringify(body) })
}

const JSON_BODY = { 'content-type': 'application/json' }

const post = (path: string, body: unknown, key = keys['sleep-app']?.publicKey) => call('POST', path, body, key)

const asDevice = async (path: string, device: string) =>
  (await call('GET', path, null, keys['sleep-app']?.publicKey, { 'x-svc-app-user-id': device })).body.data

const accessUntil = async (device: string): Promise<string | null> =>
  (await asDevice('/v1/me/access', device)).access.pro?.expiresDate ?? null

const balances = async (device: string): Promise<Record<string, number>> =>
  (await asDevice('/v1/virtual-currencies/me', device)).balances

/** The newest event of a type in the feed. */
async function newest(type: string) {
  const { body } = await call('GET', `/v1/events?limit=1000&types=${type}`, null, keys['sleep-app']?.secretKey)
  return body.data.items.at(-1)
}
