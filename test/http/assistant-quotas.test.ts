import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { hostname } from 'node:os'
import { DEFAULT_PLANS, type Plan, type Tier } from '../../src/base/config-cloud'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { createLog } from '../../src/base/lib/log'
import { createContext } from '../../src/create-context'
import { endStoppedTurns, releaseTurns } from '../../src/operators/assistant/threads/release'
import { stopTurn } from '../../src/operators/assistant/threads/service'
import { setPlan } from '../../src/projects/billing/service'
import { type Stage, stage } from '../support/cast'
import { type ModelServer, startModel } from '../support/model-server'
import { dataOf } from '../support/operator'
import { type StaffCalls, staff, staffId } from '../support/staff'
import { openStream, type Streamed } from '../support/threads'

/** The tokens of one step that are reserved. */
const STEP = 4096
const NONE = { messages: null, inputTokens: null, outputTokens: null }
const LIMITS: Record<Tier, Plan['assistant']> = {
  FREE: { ...NONE, messages: 3 },
  INDIE: { ...NONE, inputTokens: 200_000 },
  STUDIO: { ...NONE, outputTokens: 3 * STEP },
  ENTERPRISE: { messages: 1, inputTokens: 0, outputTokens: 0 },
}
const PLANS = DEFAULT_PLANS.map((plan) => ({ ...plan, assistant: LIMITS[plan.tier] }))
const NOVEMBER = Date.UTC(2026, 10, 20, 8)
const END = '2026-12-01T00:00:00.000Z'
const CALL = { calls: [{ name: 'get_overview', arguments: {} }] }

describe.each(['compatible', 'anthropic'])('the month of a plan, with a model of %s', (provider) => {
  /** The estimate of the half or the whole text of a model that hangs. */
  const TEXT = provider === 'anthropic' ? 2 : 3
  let s: Stage
  let owner: StaffCalls
  let model: ModelServer
  beforeAll(async () => {
    model = startModel()
    const own = { SVC_ASSISTANT_PROVIDER: provider, SVC_ASSISTANT_KEY: 'sk-1', SVC_ASSISTANT_MODEL: 'small' }
    const cloud = { SVC_CLOUD: '1', SVC_BILLING_PLANS: JSON.stringify(PLANS), SVC_ASSISTANT_URL: model.url }
    s = await stage({ env: { SVC_RATE_USER: '0', SVC_ALLOW_PRIVATE_TARGETS: '1', ...own, ...cloud } })
    owner = staff(s).as('OWNER')
  })
  let minutes = 0
  beforeEach(async () => {
    s.ctx.clock.set(NOVEMBER + ++minutes * MINUTE)
    model.script({ text: 'It rose.', tokens: [100, 20] })
    const { planChanges, assistantUsage, assistantThreads, assistantMessages, assistantReservations } = s.ctx.tables
    await s.ctx.write(async ({ db }) => {
      for (const table of [planChanges, assistantUsage, assistantThreads, assistantMessages, assistantReservations])
        await db.delete(table)
    })
  })
  afterAll(async () => {
    await s.close()
    await model.stop()
  })

  const give = (tier: Tier) =>
    setPlan(
      s.ctx,
      { projectId: s.project.id, actor: { kind: 'CLI', id: null, email: null } },
      { tier, until: null, note: 'test' },
    )
  const begin = async (): Promise<string> => (await dataOf(owner.post('/assistant/threads'))).id
  const open = (id: string) =>
    openStream(s, 'OWNER', ['POST', `/assistant/threads/${id}/messages`], { body: { content: 'How is revenue?' } })
  const answered = async (id?: string): Promise<Streamed[]> => (await open(id ?? (await begin()))).rest()
  const post = async (id?: string) =>
    owner.post(`/assistant/threads/${id ?? (await begin())}/messages`, { content: 'How is revenue?' })
  /** Asks in all threads at once, and reads what is answered to the end. */
  const statusesOf = (ids: readonly string[]): Promise<number[]> =>
    Promise.all(
      ids.map(async (id) => {
        const stream = await open(id)
        await stream.rest()
        return stream.status
      }),
    )
  const usage = () => dataOf(owner.get('/assistant/usage'))
  const used = async (): Promise<[number, number, number]> => {
    const { messages, inputTokens, outputTokens } = await usage()
    return [messages.used, inputTokens.used, outputTokens.used]
  }
  const reservations = () => s.ctx.db.select().from(s.ctx.tables.assistantReservations)
  const spend = (messages: number, inputTokens = 0, outputTokens = 0) =>
    s.ctx.write(async ({ db, tables }) =>
      db.insert(tables.assistantUsage).values({
        ...{ projectId: s.project.id, month: '2026-11', messages, inputTokens, outputTokens },
      }),
    )
  const names = (events: readonly Streamed[]) => events.map(({ event }) => event)
  const read = (id: string) => dataOf(owner.get(`/assistant/threads/${id}`))
  const useOwn = () =>
    owner.put('/assistant/credentials?probe=false', {
      ...{ provider, model: 'small', baseUrl: model.url, apiKey: 'sk-1234567890' },
    })

  const refused: [fact: string, tier: Tier, spent: [number, number, number], exceeded: string][] = [
    ['one message too many', 'FREE', [3, 0, 0], 'messages'],
    ['an input that would pass it', 'INDIE', [1, 199_990, 0], 'inputTokens'],
    ['an output that would pass it by one token', 'STUDIO', [1, 0, 2 * STEP + 1], 'outputTokens'],
    ['all three, of which the messages are named', 'ENTERPRISE', [1, 5, 5], 'messages'],
    ['both kinds of tokens, of which the input is named', 'ENTERPRISE', [0, 5, 5], 'inputTokens'],
  ]
  test.each(refused)('refuses %s before the call, and nothing of it stays', async (_fact, tier, spent, exceeded) => {
    await give(tier)
    await spend(...spent)
    const [id, asked] = [await begin(), model.asked.length]
    const { status, headers, body } = await post(id)
    expect([status, headers.get('retry-after')]).toEqual([429, null])
    const { message, ...error } = body.error
    expect(error).toEqual({ code: 'ASSISTANT_QUOTA_EXCEEDED', tier, exceeded, resetAt: END })
    expect(Object.keys(body)).toEqual(['error'])
    expect(message).toMatch(/month/)
    expect(model.asked.length).toBe(asked)
    expect(await read(id)).toMatchObject({ messages: [], isAnswering: false })
    expect([await used(), await reservations()]).toEqual([spent, []])
  })

  test('refuses again and again, and not after a larger plan nor in the next month', async () => {
    await spend(3)
    const id = await begin()
    for (let n = 0; n < 3; n++) expect((await post(id)).status).toBe(429)
    await give('STUDIO')
    expect(names(await answered(id))).toContain('done')
    await give('FREE')
    expect((await post(id)).status).toBe(429)
    s.ctx.clock.set(Date.parse(END))
    expect(names(await answered(id))).toContain('done')
    expect((await usage()).resetAt).toBe('2027-01-01T00:00:00.000Z')
  })

  test('ends an answer in the middle with an error and no done, before the call', async () => {
    await give('STUDIO')
    await spend(0, 0, STEP)
    const [id, asked] = [await begin(), model.asked.length]
    model.script({ ...CALL, text: 'Let me look.', tokens: [100, STEP + 1] }, { text: 'never' })
    const events = await answered(id)
    expect(names(events)).toEqual(['start', 'delta', 'delta', 'tool', 'error'])
    const { message: _sentence, ...told } = events.at(-1)?.data ?? {}
    expect(told).toEqual({
      ...{ code: 'ASSISTANT_QUOTA_EXCEEDED', tier: 'STUDIO', exceeded: 'outputTokens', resetAt: END },
    })
    expect(model.asked.length - asked).toBe(1)
    expect(await read(id)).toMatchObject({
      isAnswering: false,
      messages: [{}, { status: 'FAILED', content: 'Let me look.' }],
    })
    expect([await used(), await reservations()]).toEqual([[1, 100, 2 * STEP + 1], []])
  })

  test('counts no message without any answer, and its place is free again', async () => {
    await spend(2)
    for (const step of [{ status: 500 }, { raw: '' }, { status: 429 }]) {
      model.script(step)
      expect((await post()).status).toBe(502)
    }
    model.script({ ...CALL, tokens: [10, 1] }, { status: 500 })
    expect(names(await answered()).at(-1)).toBe('error')
    expect(await used()).toEqual([2, 10, 1])
    model.script({ text: 'It rose.' })
    expect(names(await answered())).toContain('done')
    expect((await post()).status).toBe(429)
    expect(await reservations()).toEqual([])
  })

  test('lets exactly as many of ten turns at once pass as messages are left', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, begin))
    const statuses = await statusesOf(ids)
    expect(statuses.toSorted()).toEqual([200, 200, 200, ...Array(7).fill(429)])
    expect(await used()).toEqual([3, 300, 60])
    const talks = await Promise.all(ids.map(read))
    expect(talks.filter(({ messages }) => messages.length === 0)).toHaveLength(7)
  })

  test('lets exactly as many of ten pass as have room for their steps, while none has answered', async () => {
    await give('STUDIO')
    model.script({ hangs: true, text: 'Slowly now' })
    const ids = await Promise.all(Array.from({ length: 10 }, begin))
    const streams = await Promise.all(ids.map(open))
    expect(streams.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, ...Array(7).fill(429)])
    expect([await used(), (await post()).status]).toEqual([[0, 0, 0], 429])
    const running = streams.flatMap((stream, n) => (stream.status === 200 ? [{ stream, id: ids[n] ?? '' }] : []))
    for (const { id } of running) await dataOf(owner.post(`/assistant/threads/${id}/stop`))
    for (const { stream } of running) await stream.rest()
    const [messages, , outputTokens] = await used()
    expect([messages, await reservations()]).toEqual([3, []])
    expect(outputTokens).toBe(3 * TEXT)
    model.script({ text: 'Fast.', tokens: [100, STEP] })
    expect(names(await answered())).toContain('done')
  })

  test('never passes the limit, however many ask, and settles with the figures of the provider', async () => {
    await give('STUDIO')
    model.script({ text: 'Long.', tokens: [100, STEP] })
    const ids = await Promise.all(Array.from({ length: 10 }, begin))
    const statuses = await statusesOf(ids)
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(await used()).toEqual([3, 300, 3 * STEP])
  })

  test('sums the figures of all steps of an answer', async () => {
    await give('STUDIO')
    model.script({ ...CALL, tokens: [10, 2] }, { ...CALL, tokens: [20, 3] }, { text: 'Done.', tokens: [30, 4] })
    const events = await answered()
    expect(events.at(-1)?.data.usage).toEqual({ inputTokens: 60, outputTokens: 9, steps: 3 })
    expect(await usage()).toEqual({
      tier: 'STUDIO',
      messages: { used: 1, limit: null },
      inputTokens: { used: 60, limit: null },
      outputTokens: { used: 9, limit: 3 * STEP },
      resetAt: END,
    })
  })

  test('an answer over the end of the month counts each step where it began, and the message where it began', async () => {
    await give('STUDIO')
    await spend(4, 0, 2 * STEP)
    model.script(
      () => {
        s.ctx.clock.set(Date.parse(END))
        return { ...CALL, tokens: [10, STEP] }
      },
      { text: 'Done.', tokens: [30, 4] },
    )
    expect(names(await answered())).toContain('done')
    expect(await used()).toEqual([0, 30, 4])
    const rows = await s.ctx.db.select().from(s.ctx.tables.assistantUsage)
    expect(rows.find(({ month }) => month === '2026-11')).toMatchObject({ messages: 5, outputTokens: 3 * STEP })
    expect(await reservations()).toEqual([])
  })

  test('a stopped answer is counted although its figures never came', async () => {
    await give('INDIE')
    model.script({ hangs: true, text: 'Word by word' })
    const id = await begin()
    const stream = await open(id)
    while ((await stream.next())?.event !== 'delta');
    await dataOf(owner.post(`/assistant/threads/${id}/stop`))
    await stream.rest()
    const [messages, inputTokens, outputTokens] = await used()
    expect([messages, outputTokens]).toEqual([1, TEXT])
    if (provider === 'anthropic') expect(inputTokens).toBe(10)
    else expect(inputTokens).toBeGreaterThan(1000)
  })

  test('a model of its own is counted and not limited', async () => {
    await give('ENTERPRISE')
    await useOwn()
    await spend(1, 5, 5)
    expect(names(await answered())).toContain('done')
    expect(await usage()).toMatchObject({
      tier: 'ENTERPRISE',
      messages: { used: 2, limit: null },
      inputTokens: { used: 105, limit: null },
      outputTokens: { used: 25, limit: null },
    })
    await owner.delete('/assistant/credentials')
    expect((await post()).status).toBe(429)
  })

  describe('of a process that has ended', () => {
    /** What a process that was killed leaves of an answer. */
    const leave = async (text: string, instance: string, since = s.ctx.clock.now()) => {
      const id = await begin()
      const { assistantThreads: t, assistantMessages: m, assistantReservations: r } = s.ctx.tables
      const message = { id: s.ctx.ids.next('cms'), projectId: s.project.id, threadId: id, createdAt: since }
      await s.ctx.write(async ({ db }) => {
        await db.insert(m).values({
          ...{ ...message, role: 'ASSISTANT', text, status: 'RUNNING', tools: [], inputTokens: 0, outputTokens: 0 },
        })
        await db.insert(r).values({
          ...{ messageId: message.id, month: '2026-11', projectId: s.project.id, instance, createdAt: since },
          ...{ messages: 1, inputTokens: 5000, outputTokens: STEP, usedInputTokens: 70, usedOutputTokens: 6 },
        })
        await db.update(t).set({ turnMessageId: message.id, turnInstance: instance, turnStartedAt: since })
      })
      return id
    }
    /** No process has this number. */
    const DEAD = `${hostname()} 4194999 gone`

    test('what was reserved is settled at the start with the last known figures, and the thread is free', async () => {
      await spend(2, 0, 0)
      const id = await leave('Half an ans', DEAD)
      expect((await post()).body.error.exceeded).toBe('messages')
      expect((await post(id)).status).toBe(409)
      await releaseTurns(s.ctx)
      expect(await read(id)).toMatchObject({
        isAnswering: false,
        messages: [{ content: 'Half an ans', status: 'INTERRUPTED', interrupted: true }],
      })
      expect([await used(), await reservations()]).toEqual([[3, 70, 6], []])
      await releaseTurns(s.ctx)
      expect(await used()).toEqual([3, 70, 6])
    })

    test('an answer without a word counts no message', async () => {
      await leave('', DEAD)
      await releaseTurns(s.ctx)
      expect([await used(), await reservations()]).toEqual([[0, 70, 6], []])
    })

    test('one of a deleted thread is settled too', async () => {
      const id = await leave('Half', DEAD)
      expect(await dataOf(owner.delete(`/assistant/threads/${id}`))).toEqual({ deleted: true })
      await releaseTurns(s.ctx)
      expect([await used(), await reservations()]).toEqual([[0, 70, 6], []])
    })

    test('one of a process that still runs is left alone, until it is older than any answer', async () => {
      const id = await leave('Half', `${hostname()} ${process.ppid} runs`)
      await releaseTurns(s.ctx)
      expect([(await read(id)).isAnswering, await used(), (await reservations()).length]).toEqual([true, [0, 0, 0], 1])
      s.ctx.clock.advance(5 * MINUTE)
      await releaseTurns(s.ctx)
      expect([(await read(id)).isAnswering, await used(), (await reservations()).length]).toEqual([
        false,
        [1, 70, 6],
        0,
      ])
    })

    test('a question that takes over its thread leaves no answer that seems to run', async () => {
      const id = await leave('Half', `${hostname()} ${process.ppid} runs`, s.ctx.clock.now() - DAY)
      expect(names(await answered(id))).toContain('done')
      expect((await read(id)).messages[0]).toMatchObject({ status: 'INTERRUPTED', content: 'Half' })
    })
  })

  describe('at another process', () => {
    const other = async (work: (ctx: Awaited<ReturnType<typeof createContext>>) => Promise<unknown>) => {
      const log = createLog({ level: 'off', now: () => 0 })
      const ctx = await createContext(s.ctx.config, { log, clock: s.ctx.clock })
      await work(ctx)
      await ctx.close()
    }
    const author = { projectId: '', userId: staffId('OWNER') }

    test('an answer is stopped', async () => {
      author.projectId = s.project.id
      model.script({ hangs: true, text: 'Slowly now' })
      const id = await begin()
      const stream = await open(id)
      while ((await stream.next())?.event !== 'delta');
      await endStoppedTurns(s.ctx)
      expect((await read(id)).isAnswering).toBe(true)
      await other(async (ctx) => expect(await stopTurn(ctx, author, id)).toBe(true))
      await endStoppedTurns(s.ctx)
      expect((await stream.rest()).at(-1)?.event).toBe('done')
      expect(await read(id)).toMatchObject({ isAnswering: false, messages: [{}, { status: 'STOPPED' }] })
      await other(async (ctx) => {
        expect(await stopTurn(ctx, author, id)).toBe(false)
        await expect(stopTurn(ctx, { ...author, userId: 'usr_stranger' }, id)).rejects.toThrow()
        await releaseTurns(ctx)
      })
      model.script({ text: 'Again.' })
      expect(names(await answered(id))).toContain('done')
    })

    test('a start leaves the answer of this one alone', async () => {
      model.script({ hangs: true, text: 'Slowly now' })
      const id = await begin()
      const stream = await open(id)
      while ((await stream.next())?.event !== 'delta');
      await releaseTurns(s.ctx)
      expect([(await read(id)).isAnswering, (await reservations()).length]).toEqual([true, 1])
      await s.ctx.write(async ({ db, tables }) => db.delete(tables.assistantThreads))
      await endStoppedTurns(s.ctx)
      expect(names(await stream.rest())).not.toContain('done')
      expect(await reservations()).toEqual([])
    })
  })
})
