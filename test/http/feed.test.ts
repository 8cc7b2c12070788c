import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY, HOUR, SECOND } from '../../src/base/lib/clock'
import { causeOf } from '../../src/people/events/model'
import { recordEvents } from '../../src/people/events/service'
import { type Answer, MONTHLY, type Stage, stage } from '../support/cast'
import { changeSettings, expectRefused, identify, rowOf } from '../support/facts'
import { isPostgresRun } from '../support/postgres'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const feed = (query = '', options: object = { key: s.project.secretKey }): Promise<Answer> =>
  s.call('GET', `/v1/events${query}`, options)

interface Item {
  id: string
  seq: number
  type: string
  subscriberId: string
  projectId: string
}

const items = ({ body }: Answer): Item[] => body.data.items
const next = ({ body }: Answer): string => body.data.nextCursor

async function subscriber(device: string): Promise<string> {
  return (await s.get('/v1/me', device)).body.data.subscriber.id
}

/** Writes one event of a subscriber. The transaction stays open until the promise of `hold` resolves. */
const write = (id: string, hold?: Hold, type = 'test.happened', projectId = s.project.id): Promise<void> =>
  s.ctx.write(async (tx) => {
    const image = { access: {}, balances: {} }
    const draft = { type, occurredAt: tx.clock.now(), environment: 'PRODUCTION' as const, data: {} }
    const subject = { id, projectId, appUserId: null }
    await recordEvents(tx, { subject, cause: causeOf('CLI', null), before: image, after: image }, [draft])
    // PostgreSQL has carried out what was sent before when it answers a read.
    if (hold) await tx.db.select().from(tx.tables.events).where(eq(tx.tables.events.subscriberId, id)).limit(1)
    await hold?.()
  })

type Hold = () => Promise<void>

/**
 * Resolves when a reader of the feed has begun to wait. With `pollMs` the reader looks again only after this time or at
 * the signal.
 */
function firstWait(pollMs?: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const feedSignal = s.ctx.state.feedSignal
  const wait = feedSignal.next.bind(feedSignal)
  spyOn(feedSignal, 'next').mockImplementation((projectId, heard, ms, signal) => {
    const woken = wait(projectId, heard, pollMs ?? ms, signal)
    resolve()
    return woken
  })
  return promise
}

describe('the feed', () => {
  test('shows events as they were written, oldest first', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await identify(s, 'svc_ada', 'ada')
    const { status, body } = await feed()
    expect([status, body.data.hasMore]).toEqual([200, false])
    expect(body.data.items.map(({ type, seq }: Item) => [type, seq])).toEqual([
      ['purchase.initial', 1],
      ['entitlement.granted', 2],
      ['subscriber.identified', 3],
    ])
    expect(body.data.items[0]).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
      projectId: s.project.id,
      subscriberId: (await rowOf(s, 'svc_ada')).id,
      appUserId: null,
      environment: 'SANDBOX',
      occurredAt: '2026-11-20T08:00:00.000Z',
      recordedAt: '2026-11-20T08:00:00.000Z',
      cause: { kind: 'RECEIPT', ref: expect.any(String), store: 'IOS_STORE', detail: null },
      before: { purchase: null, access: {}, balances: {} },
      after: { purchase: { status: 'ACTIVE' }, access: { pro: { isActive: true } }, balances: {} },
      data: { offerId: null, transaction: { kind: 'INITIAL' } },
    })
  })

  test('is empty at first, and its cursor goes on from there', async () => {
    const first = await feed()
    expect([items(first), first.body.data.hasMore]).toEqual([[], false])
    const again = await feed(`?after=${next(first)}`)
    expect(items(again)).toEqual([])
    await write(await subscriber('svc_ada'))
    expect(items(await feed(`?after=${next(again)}`))).toHaveLength(1)
    expect(items(await feed(`?after=${next(first)}`))).toHaveLength(1)
  })

  test('comes in pages that neither skip nor repeat', async () => {
    const id = await subscriber('svc_ada')
    for (let n = 0; n < 7; n++) await write(id)
    const seen: number[] = []
    let page = await feed('?limit=3')
    for (; page.body.data.hasMore; page = await feed(`?limit=3&after=${next(page)}`))
      seen.push(...items(page).map(({ seq }) => seq))
    expect([...seen, ...items(page).map(({ seq }) => seq)]).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('gives 100 where no limit is named, and up to 1000', async () => {
    const id = await subscriber('svc_ada')
    await Promise.all(Array.from({ length: 101 }, () => write(id)))
    const [some, all] = [await feed(), await feed('?limit=1000')]
    expect([items(some).length, some.body.data.hasMore]).toEqual([100, true])
    expect([items(all).length, all.body.data.hasMore]).toEqual([101, false])
  })

  test('is filtered by type and subscriber, and goes on past what the filter leaves out', async () => {
    const [ada, bo] = [await subscriber('svc_ada'), await subscriber('svc_bo')]
    for (const type of ['purchase.renewed', 'purchase_renewed', 'currency.transaction'])
      await write(ada, undefined, type)
    await write(bo, undefined, 'purchase.expired')
    const types = async (query: string) => items(await feed(query)).map(({ type }) => type)
    expect(await types('?types=purchase.*')).toEqual(['purchase.renewed', 'purchase.expired'])
    expect(await types('?types=purchase.r*,currency.transaction')).toEqual(['purchase.renewed', 'currency.transaction'])
    expect(await types('?types=*')).toHaveLength(4)
    expect(await types(`?types=purchase.*&subscriberId=${bo}`)).toEqual(['purchase.expired'])
    expect(await types(`?subscriberId=sub_${'0'.repeat(26)}`)).toEqual([])
    const none = await feed('?types=funnel.claimed')
    await write(ada, undefined, 'funnel.claimed')
    expect(items(await feed(`?types=funnel.claimed&after=${next(none)}`))).toHaveLength(1)
  })

  test('begins at an instant, and goes on from there by its cursor', async () => {
    const id = await subscriber('svc_ada')
    await write(id)
    s.ctx.clock.advance(1)
    const since = new Date(s.ctx.clock.now()).toISOString()
    for (let n = 0; n < 3; n++) await write(id)
    const first = await feed(`?since=${since}&limit=2`)
    expect(items(first).map(({ seq }) => seq)).toEqual([2, 3])
    expect(items(await feed(`?after=${next(first)}`)).map(({ seq }) => seq)).toEqual([4])
    expect(items(await feed('?since=2026-01-01T00:00:00%2B01:00'))).toHaveLength(4)
    expect(items(await feed('?since=2026-01-01T00:00:00+01:00'))).toHaveLength(4)
    await expectRefused(s, () => feed(`?since=${since}&after=${next(first)}`), 400, 'VALIDATION_ERROR')
  })

  test('begins after everything at an instant that is ahead', async () => {
    const id = await subscriber('svc_ada')
    await write(id)
    const ahead = await feed('?since=9999-12-31T23:59:59.999Z')
    expect([items(ahead), ahead.body.data.hasMore]).toEqual([[], false])
    await write(id)
    expect(items(await feed(`?after=${next(ahead)}`)).map(({ seq }) => seq)).toEqual([2])
  })

  test('an instant before what is kept shows no more than is kept', async () => {
    await write(await subscriber('svc_ada'))
    s.ctx.clock.advance(30 * DAY + 1)
    expect(items(await feed('?since=2020-01-01T00:00:00Z'))).toEqual([])
  })

  test('never shows another project', async () => {
    await write(await subscriber('svc_ada'))
    const other = await feed('', { key: s.other.secretKey })
    expect([other.status, items(other)]).toEqual([200, []])
    expect(items(await feed(`?subscriberId=${await subscriber('svc_ada')}`, { key: s.other.secretKey }))).toEqual([])
  })
})

describe('the feed refuses', () => {
  test('whoever has no secret key', async () => {
    await expectRefused(s, () => feed('', { key: null }), 401, 'BEARER_REQUIRED')
    const { body } = await expectRefused(s, () => feed('', {}), 403, 'FORBIDDEN')
    expect(body.error.message).toBe('Secret API key required')
  })

  const queries = [
    'limit=0',
    'limit=1001',
    'limit=1.5',
    'limit=x',
    'wait=26',
    'wait=-1',
    'types=',
    'types=Purchase',
    'types=purchase.**',
    'types=*.renewed',
    `types=${Array.from({ length: 51 }, () => '*').join()}`,
    'subscriberId=ada',
    'after=',
    'after=x',
    `after=${Buffer.from('evt:1').toString('base64url')}`,
    'since=yesterday',
    'since=2026-11-20',
    'since=2026-02-31T08:00:00Z',
    'since=',
  ]
  for (const query of queries)
    test(`?${query.slice(0, 40)}`, () =>
      expectRefused(s, () => feed(`?${query}`), 400, 'VALIDATION_ERROR').then(() => {}))

  const named = [
    ['limit=0', 'query/limit: Expected integer to be greater or equal to 1'],
    ['limit=1001', 'query/limit: Expected integer to be less or equal to 1000'],
    ['wait=26', 'query/wait: Expected integer to be less or equal to 25'],
    ['limit=x', 'query/limit: Expected integer'],
    ['types=*,purchse.*', 'types: there is no event type purchse.*; /docs/guide/reference/events lists them'],
    ['types=purchase', 'types: there is no event type purchase; /docs/guide/reference/events lists them'],
    ['types=webhook.test', 'types: there is no event type webhook.test; /docs/guide/reference/events lists them'],
  ] as const
  for (const [query, message] of named)
    test(`?${query} by its name`, async () => expect((await feed(`?${query}`)).body.error.message).toBe(message))

  test('the cursor of another filter, of another project, and a damaged one', async () => {
    const cursor = next(await feed('?types=purchase.*,import.*'))
    expect((await feed(`?types=import.*,purchase.*&after=${cursor}`)).status).toBe(200)
    await expectRefused(s, () => feed(`?after=${cursor}`), 400, 'VALIDATION_ERROR')
    await expectRefused(s, () => feed(`?types=import.*,purchase.*&after=${cursor}A`), 400, 'VALIDATION_ERROR')
    const foreign = next(await feed('', { key: s.other.secretKey }))
    await expectRefused(s, () => feed(`?after=${foreign}`), 400, 'VALIDATION_ERROR')
  })

  test('a cursor older than what is kept, with 410', async () => {
    await write(await subscriber('svc_ada'))
    const cursor = next(await feed())
    s.ctx.clock.advance(30 * DAY)
    expect((await feed(`?after=${cursor}`)).status).toBe(200)
    s.ctx.clock.advance(1)
    await expectRefused(s, () => feed(`?after=${cursor}`), 410, 'HTTP_ERROR')
    expect(items(await feed())).toEqual([])
    await changeSettings(s, { eventRetentionDays: 31 })
    expect([(await feed(`?after=${cursor}`)).status, items(await feed()).length]).toEqual([200, 1])
  })
})

describe('a long poll', () => {
  test('answers as soon as this process commits', async () => {
    const id = await subscriber('svc_ada')
    const begun = firstWait(HOUR)
    const waiting = feed('?wait=25')
    await begun
    await write(id)
    expect(items(await waiting)).toHaveLength(1)
  })

  test('ends empty when nothing comes', async () => {
    let nowMs = performance.now()
    const time = spyOn(performance, 'now').mockImplementation(() => nowMs)
    const waits = spyOn(s.ctx.state.feedSignal, 'next').mockImplementation(async (_project, _seen, ms) => {
      nowMs += ms
    })
    const answer = await feed('?wait=3').finally(() => time.mockRestore())
    expect([answer.status, items(answer)]).toEqual([200, []])
    expect(waits.mock.calls.map(([, , ms]) => ms)).toEqual([SECOND, SECOND, SECOND])
  })

  test('notices what another process wrote, within its own poll', async () => {
    const id = await subscriber('svc_ada')
    const begun = firstWait()
    const waiting = feed('?wait=25')
    await begun
    const { events } = s.ctx.tables
    const row = { id: 'evt_x', projectId: s.project.id, subscriberId: id, seq: 1, type: 'a', environment: 'PRODUCTION' }
    const rest = { occurredAt: 1, recordedAt: s.ctx.clock.now(), cause: causeOf('CLI', null), data: {} }
    await s.ctx.write((tx) => tx.db.insert(events).values({ ...row, ...rest } as typeof events.$inferInsert))
    expect(items(await waiting)).toHaveLength(1)
  })

  test('ends when the caller leaves', async () => {
    const left = new AbortController()
    const headers = { authorization: `Bearer ${s.project.secretKey}` }
    const begun = firstWait(HOUR)
    const waiting = s.app.handle(new Request('http://localhost/v1/events?wait=25', { headers, signal: left.signal }))
    await begun
    left.abort()
    await waiting
  })

  test('ends when the server stops, and none begins after', async () => {
    const begun = firstWait(HOUR)
    const waiting = feed('?wait=25')
    await begun
    s.ctx.state.feedSignal.drain()
    expect([(await waiting).status, (await feed('?wait=25')).status]).toEqual([200, 200])
  })

  test('is not woken by another project', async () => {
    const theirs = (await s.get('/v1/me', 'svc_x', { key: s.other.publicKey })).body.data.subscriber.id
    const waiting = feed('?wait=1')
    await write(theirs, undefined, 'a', s.other.id)
    expect(items(await waiting)).toEqual([])
  })
})

describe('no event is skipped', () => {
  test.if(isPostgresRun())('when the earlier position is committed later', async () => {
    const [ada, bo, cy] = [await subscriber('svc_ada'), await subscriber('svc_bo'), await subscriber('svc_cy')]
    await write(cy)
    const { promise: hold, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const slow = write(ada, () => {
      begin()
      return hold
    })
    await begun
    await write(bo) // A later position that is committed first.
    const early = await feed()
    expect(items(early).map(({ subscriberId }) => subscriberId)).toEqual([cy])
    const waits = firstWait()
    const waiting = feed(`?wait=25&after=${next(early)}`)
    await waits
    release()
    await slow
    expect(items(await waiting).map(({ subscriberId }) => subscriberId)).toEqual([ada, bo])
  })

  test.if(isPostgresRun())('and a transaction that was rolled back holds nothing up', async () => {
    const [ada, bo] = [await subscriber('svc_ada'), await subscriber('svc_bo')]
    const failure = Promise.reject(new Error('taken back'))
    failure.catch(() => {}) // It is awaited only after the event is written.
    expect(await write(ada, () => failure).catch(({ message }) => message)).toBe('taken back')
    await write(bo)
    expect(items(await feed()).map(({ subscriberId }) => subscriberId)).toEqual([bo])
  })

  test('or repeated while 200 writers write and it is read page by page', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => subscriber(`svc_${n}`)))
    const writers = Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        await Bun.sleep(n % 17)
        for (let turn = 0; turn < 3; turn++) await write(ids[(n * 7 + turn) % 20] ?? '', () => Bun.sleep((n * 13) % 5))
      }),
    )
    const seen: Item[] = []
    let isDone = false
    void writers.then(() => {
      isDone = true
    })
    let cursor = ''
    for (;;) {
      const wasDone = isDone
      const page = await feed(`?limit=17${cursor === '' ? '' : `&after=${cursor}`}`)
      seen.push(...items(page))
      cursor = next(page)
      if (wasDone && items(page).length === 0) break
      if (items(page).length === 0) await Bun.sleep(1)
    }
    await writers
    expect(seen).toHaveLength(600)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(600)
    for (const id of ids) {
      const seqs = seen.filter(({ subscriberId }) => subscriberId === id).map(({ seq }) => seq)
      expect(seqs).toEqual(seqs.map((_, index) => index + 1))
    }
  }, 600_000)
})
