import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { sweepRetention } from '../../src/base/retention/sweep'
import { releaseTurns } from '../../src/operators/assistant/threads/release'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { dumpOf } from '../support/dump'
import { erase } from '../support/erased'
import { type Asked, type ModelServer, startModel, USABLE } from '../support/model-server'
import { dataOf } from '../support/operator'
import { type StaffCalls, staff, staffId } from '../support/staff'
import { openStream, type Streamed } from '../support/threads'

let s: Stage
let owner: StaffCalls
let helper: StaffCalls
let model: ModelServer
let subscriberId: string
beforeAll(async () => {
  model = startModel()
  s = await stage({ env: { SVC_RATE_USER: '0', SVC_ALLOW_PRIVATE_TARGETS: '1' } })
  owner = staff(s).as('OWNER')
  helper = staff(s).as('CUSTOMER_SUPPORT')
  await s.receipt('phone-of-cleo', s.buy(MONTHLY))
  const attributes = { $email: 'cleo@example.org', $displayName: 'Cleo Vance' }
  await s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': 'phone-of-cleo' } })
  const [row] = await s.ctx.db.select().from(s.ctx.tables.subscribers)
  subscriberId = row?.id ?? ''
})
beforeEach(async () => {
  s.ctx.clock.advance(MINUTE)
  model.script(USABLE)
})
afterAll(async () => {
  await s.close()
  await model.stop()
})

const THREADS = '/assistant/threads'
const use = (provider = 'compatible') =>
  owner.put('/assistant/credentials', { provider, model: 'small', baseUrl: model.url, apiKey: 'sk-1234567890' })
const begin = async (by = owner): Promise<string> => (await dataOf(by.post(THREADS))).id
const ask = (id: string, content: string, role: 'OWNER' | 'CUSTOMER_SUPPORT' = 'OWNER') =>
  openStream(s, role, ['POST', `${THREADS}/${id}/messages`], { body: { content } })
const answered = async (id: string, content: string): Promise<Streamed[]> => (await ask(id, content)).rest()
const names = (events: readonly Streamed[]) => events.map(({ event }) => event)
const textOf = (events: readonly Streamed[]) => events.map(({ data }) => data.text ?? '').join('')
const read = (id: string) => dataOf(owner.get(`${THREADS}/${id}`))

describe('a question is refused', () => {
  test('without a model, and nothing of it stays', async () => {
    const id = await begin()
    const { status, body } = await owner.post(`${THREADS}/${id}/messages`, { content: 'Hello' })
    expect([status, body.error.code]).toEqual([412, 'ASSISTANT_NOT_CONFIGURED'])
    expect((await read(id)).messages).toEqual([])
  })

  test('with bad content', async () => {
    await use()
    const id = await begin()
    for (const body of [{}, { content: '' }, { content: '  ' }, { content: 'x'.repeat(8001) }, { content: 1 }])
      expect((await owner.post(`${THREADS}/${id}/messages`, body)).status).toBe(400)
    expect((await read(id)).messages).toEqual([])
  })

  test('in a thread of somebody else, which is not there for them', async () => {
    const id = await begin()
    for (const call of [
      helper.get(`${THREADS}/${id}`),
      helper.delete(`${THREADS}/${id}`),
      helper.post(`${THREADS}/${id}/stop`),
      helper.post(`${THREADS}/${id}/messages`, { content: 'Hello' }),
      helper.get(`${THREADS}/${id}/messages/cms_x/stream`),
      owner.get(`${THREADS}/${id}/messages/cms_x/stream`),
      owner.get(`${THREADS}/${id}`, { projectId: s.other.id }),
    ])
      expect([(await call).status, (await call).body.error.code]).toEqual([404, 'NOT_FOUND'])
    expect((await dataOf(helper.get(THREADS))).items).toEqual([])
  })

  test('where the assistant is switched off', async () => {
    await owner.patch('', { settings: { assistant: 'off' } })
    for (const call of [owner.get(THREADS), owner.post(THREADS), owner.get('/assistant/usage')])
      expect([(await call).status, (await call).body.error.code]).toEqual([403, 'FORBIDDEN'])
    await owner.patch('', { settings: { assistant: 'propose' } })
  })

  const failures: [fact: string, step: Parameters<ModelServer['script']>[0]][] = [
    ['with 401', { status: 401 }],
    ['with 429', { status: 429 }],
    ['with 500', { status: 500 }],
    ['with a page', { raw: '<html>' }],
    ['with garbage', { raw: 'data: {"x\n\n' }],
    ['with an empty stream', { raw: '' }],
  ]
  for (const provider of ['compatible', 'anthropic'])
    test.each(failures)(`when ${provider} answers %s, and nothing of it stays`, async (_fact, step) => {
      await use(provider)
      const id = await begin()
      const before = await dumpOf(s.ctx, ['assistantMessages', 'assistantUsage'])
      model.script(step)
      const { status, body } = await owner.post(`${THREADS}/${id}/messages`, { content: 'Hello' })
      expect([status, body.error.code]).toEqual([502, 'STORE_API_ERROR'])
      expect(await dumpOf(s.ctx, ['assistantMessages', 'assistantUsage'])).toEqual(before)
      expect(await read(id)).toMatchObject({ messages: [], isAnswering: false })
    })

  test('after 20 in a minute', async () => {
    await use()
    const id = await begin()
    model.script({ status: 500 })
    const statuses: number[] = []
    for (let n = 0; n < 21; n++) statuses.push((await owner.post(`${THREADS}/${id}/messages`, { content: 'x' })).status)
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(502))
    expect(statuses[20]).toBe(429)
  })

  test('in the 201st thread, and as the 201st message', async () => {
    await use()
    const id = await begin()
    const { assistantMessages, assistantThreads } = s.ctx.tables
    const full = Array.from({ length: 199 }, (_, n) => ({
      ...{ id: `cms_${String(n).padStart(26, '0')}`, projectId: s.project.id, threadId: id, role: 'USER' as const },
      ...{ text: 'x', status: 'DONE' as const, tools: [], inputTokens: 0, outputTokens: 0, createdAt: 1 },
    }))
    await s.ctx.db.insert(assistantMessages).values(full)
    const { status, body } = await owner.post(`${THREADS}/${id}/messages`, { content: 'x' })
    expect([status, body.error.details]).toEqual([409, { limit: 200 }])
    await s.ctx.db.delete(assistantThreads)
    for (let n = 0; n < 200; n++) await dataOf(owner.post(THREADS))
    const last = await owner.post(THREADS)
    expect([last.status, last.body.error.details]).toEqual([409, { limit: 200 }])
    expect((await helper.post(THREADS)).status).toBe(201)
    await s.ctx.db.delete(assistantThreads)
    await s.ctx.db.delete(assistantMessages)
  })
})

describe.each(['compatible', 'anthropic'])('an answer of %s', (provider) => {
  test('is streamed in parts, saved, and counted', async () => {
    await use(provider)
    const used = await dataOf(owner.get('/assistant/usage'))
    const id = await begin()
    model.script({ text: 'Revenue fell in Germany.', tokens: [120, 7] })
    const stream = await ask(id, 'Why did revenue fall?')
    const events = await stream.rest()
    expect(names(events)).toEqual(['start', 'delta', 'delta', 'done'])
    expect(events.map(({ id: number }) => number)).toEqual([1, 2, 3, 4])
    expect(textOf(events)).toBe('Revenue fell in Germany.')
    const { messageId } = events[0]?.data ?? {}
    expect([stream.headers.get('content-type'), stream.headers.get('x-svc-message-id')]).toEqual([
      'text/event-stream',
      messageId,
    ])
    expect(events.at(-1)?.data).toMatchObject({ messageId, usage: { inputTokens: 120, outputTokens: 7, steps: 1 } })
    const thread = await read(id)
    expect(thread).toMatchObject({ title: 'Why did revenue fall?', isAnswering: false })
    expect(thread.messages).toMatchObject([
      { role: 'USER', content: 'Why did revenue fall?', status: 'DONE' },
      {
        id: messageId,
        role: 'ASSISTANT',
        content: 'Revenue fell in Germany.',
        status: 'DONE',
        usage: { inputTokens: 120, outputTokens: 7 },
      },
    ])
    const now = await dataOf(owner.get('/assistant/usage'))
    expect([now.messages.used, now.inputTokens.used, now.outputTokens.used]).toEqual([
      used.messages.used + 1,
      used.inputTokens.used + 120,
      used.outputTokens.used + 7,
    ])
    expect(now).toMatchObject({ tier: null, messages: { limit: null }, resetAt: '2026-12-01T00:00:00.000Z' })
  })

  test('is made of what the tools answer, as the person', async () => {
    await use(provider)
    const id = await begin()
    model.script(
      { text: 'Let me look. ', calls: [{ name: 'get_subscriber', arguments: { id: subscriberId } }], tokens: [10, 2] },
      {
        calls: [
          { name: 'list_subscriptions', arguments: { limit: 1 } },
          { name: 'get_overview', arguments: '' },
        ],
        tokens: [20, 3],
      },
      { text: 'Done.', tokens: [30, 4] },
    )
    const from = model.asked.length
    const events = await answered(id, 'Who is this?')
    expect(names(events)).toEqual(['start', 'delta', 'delta', 'tool', 'tool', 'tool', 'delta', 'delta', 'done'])
    expect(events.filter(({ event }) => event === 'tool').map(({ data }) => [data.name, data.rows])).toEqual([
      ['get_subscriber', null],
      ['list_subscriptions', 1],
      ['get_overview', null],
    ])
    expect(events.at(-1)?.data.usage).toEqual({ inputTokens: 60, outputTokens: 9, steps: 3 })
    expect(JSON.stringify(model.asked[from + 1]?.body)).toContain(subscriberId)
    expect((await read(id)).messages[1].tools).toHaveLength(3)
  })

  test('proposes a change, which is an event and changes nothing', async () => {
    await use(provider)
    const id = await begin()
    model.script(
      { calls: [{ name: 'propose_attributes', arguments: { id: subscriberId, attributes: { plan: provider } } }] },
      { text: 'Please approve.' },
    )
    const from = model.asked.length
    const events = await answered(id, 'Put her on another plan')
    expect(names(events)).toEqual(['start', 'intent', 'tool', 'delta', 'delta', 'done'])
    const intent = events[1]?.data
    expect(intent).toMatchObject({
      threadId: id,
      action: 'attributes',
      status: 'PENDING',
      proposedBy: staffId('OWNER'),
    })
    expect(await dataOf(owner.get(`/assistant/intents/${intent.id}`))).toEqual(intent)
    const told = JSON.stringify(model.asked[from + 1]?.body.messages)
    expect(told).toContain(intent.id)
    expect(told).not.toContain('cleo@example.org')
    expect(model.asked[from]?.body.tools.length).toBeLessThanOrEqual(128)
    const done = await owner.post(`/assistant/intents/${intent.id}/execute`, { digest: intent.digest })
    expect(done.body.data.status).toBe('EXECUTED')
  })

  test('goes on when the model calls what does not exist, or writes garbage', async () => {
    await use(provider)
    const id = await begin()
    model.script(
      {
        calls: [
          { name: 'delete_everything', arguments: {} },
          { name: 'get_subscriber', arguments: '{"id":' },
          { name: 'get_subscriber', arguments: '[1]' },
          { name: 'get_subscriber', arguments: { id: '..' } },
          { name: 'propose_refund', arguments: { id: 'x' } },
        ],
      },
      { text: 'I could not.' },
    )
    const from = model.asked.length
    expect(textOf(await answered(id, 'Delete it'))).toBe('I could not.')
    const told = JSON.stringify(model.asked[from + 1]?.body.messages)
    for (const code of ['NOT_FOUND', 'VALIDATION_ERROR']) expect(told).toContain(code)
  })

  test('ends after 8 steps', async () => {
    await use(provider)
    const id = await begin()
    const from = model.asked.length
    model.script({ calls: [{ name: 'get_overview', arguments: {} }] })
    const events = await answered(id, 'Loop')
    expect([names(events).slice(-2), model.asked.length - from]).toEqual([['notice', 'done'], 8])
  })

  test('that breaks off after its beginning ends with an event, and keeps its text', async () => {
    await use(provider)
    const id = await begin()
    const cut =
      provider === 'anthropic'
        ? `data: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half' } })}\n\n`
        : `data: ${JSON.stringify({ choices: [{ delta: { content: 'Half' } }] })}\n\n`
    model.script({ raw: cut })
    const events = await answered(id, 'Hello')
    expect(names(events)).toEqual(['start', 'delta', 'error'])
    expect(events[2]?.data.code).toBe('STORE_API_ERROR')
    expect((await read(id)).messages[1]).toMatchObject({ content: 'Half', status: 'FAILED' })
    model.script({ text: 'Whole' })
    expect(names(await answered(id, 'Again'))).toContain('done')
  })

  test('is told what was said before', async () => {
    await use(provider)
    const id = await begin()
    model.script({ text: 'First answer' })
    await answered(id, 'First question')
    await answered(id, 'Second question')
    const told = JSON.stringify(model.asked.at(-1)?.body.messages)
    for (const text of ['First question', 'First answer', 'Second question']) expect(told).toContain(text)
  })
})

describe('an answer that is being written', () => {
  test('keeps the thread for itself, is followed by another reader, and is stopped', async () => {
    await use()
    const id = await begin()
    model.script({ hangs: true, text: 'Word by word' })
    const first = await ask(id, 'Slowly')
    const start = await first.next()
    expect((await first.next())?.event).toBe('delta')
    const busy = await owner.post(`${THREADS}/${id}/messages`, { content: 'Faster' })
    expect([busy.status, busy.body.error.code]).toEqual([409, 'CONFLICT'])
    expect(await read(id)).toMatchObject({ isAnswering: true, messages: [{}, { status: 'RUNNING' }] })
    await first.leave()
    const path = `${THREADS}/${id}/messages/${start?.data.messageId}/stream`
    const second = await openStream(s, 'OWNER', ['GET', path], { headers: { 'last-event-id': '1' } })
    expect((await second.next())?.id).toBe(2)
    expect(await dataOf(owner.post(`${THREADS}/${id}/stop`))).toEqual({ stopped: true })
    expect((await second.rest()).at(-1)?.event).toBe('done')
    expect((await read(id)).messages[1]).toMatchObject({ content: 'Word by word', status: 'STOPPED' })
    expect((await openStream(s, 'OWNER', ['GET', path])).status).toBe(204)
    expect(await dataOf(owner.post(`${THREADS}/${id}/stop`))).toEqual({ stopped: false })
  })

  test('of a process that has ended is released by the next one, marked as interrupted', async () => {
    const id = await begin()
    const { assistantThreads, assistantMessages } = s.ctx.tables
    const message = { id: s.ctx.ids.next('cms'), projectId: s.project.id, threadId: id, createdAt: 1 }
    await s.ctx.db.insert(assistantMessages).values({
      ...{ ...message, role: 'ASSISTANT', text: 'Half an ans', status: 'RUNNING', tools: [] },
      ...{ inputTokens: 0, outputTokens: 0 },
    })
    const turn = { turnMessageId: message.id, turnInstance: 'another', turnStartedAt: s.ctx.clock.now() - 10 * MINUTE }
    await s.ctx.db.update(assistantThreads).set(turn)
    await releaseTurns(s.ctx)
    expect(await read(id)).toMatchObject({
      isAnswering: false,
      messages: [{ content: 'Half an ans', status: 'INTERRUPTED', interrupted: true }],
    })
  })

  test('ends when its thread is deleted', async () => {
    await use()
    const id = await begin()
    model.script({ hangs: true, text: 'Slowly now' })
    const stream = await ask(id, 'Slowly')
    await stream.next()
    expect(await dataOf(owner.delete(`${THREADS}/${id}`))).toEqual({ deleted: true })
    await stream.rest()
    expect((await owner.get(`${THREADS}/${id}`)).status).toBe(404)
    const left = (await s.ctx.db.select().from(s.ctx.tables.assistantMessages)).filter(
      ({ threadId }) => threadId === id,
    )
    expect(left).toEqual([])
  })
})

describe('personal data', () => {
  const bytesSince = (from: number) => model.bytes.slice(from).join('\n').toLowerCase()

  test('is replaced by marks in the question, in what tools answer, and never sent', async () => {
    await use()
    const id = await begin()
    const from = model.bytes.length
    model.script({ calls: [{ name: 'get_subscriber', arguments: { id: subscriberId } }] }, ({ body }: Asked) => ({
      text: `It is ${/person_\d+/.exec(JSON.stringify(body.messages.at(-1)))?.[0]}.`,
    }))
    const events = await answered(id, 'What has cleo@example.org bought? Call +49 30 901820.')
    const sent = bytesSince(from)
    for (const secret of ['cleo@example.org', 'cleo vance', 'phone-of-cleo', '901820'])
      expect(sent).not.toContain(secret)
    const { marks, messages } = await read(id)
    expect(marks.person_1).toMatchObject({ kind: 'email', text: 'cleo@example.org' })
    expect(messages[0].content).toBe('What has person_1 bought? Call person_2.')
    expect(events.at(-1)?.data.marks).toEqual(marks)
  })

  test('a mark in the arguments of a tool is what it stands for', async () => {
    await use()
    const id = await begin()
    model.script({ calls: [{ name: 'search_project', arguments: { q: 'person_1' } }] }, { text: 'Found.' })
    const events = await answered(id, 'Find cleo@example.org')
    expect(events.find(({ event }) => event === 'tool')?.data).toMatchObject({ summary: '{"q":"person_1"}', rows: 1 })
  })

  test('goes with the person: an erasure deletes the messages that name them, with their pairs', async () => {
    await use()
    const id = await begin()
    await s.receipt('phone-of-dan', s.buy(MONTHLY))
    const dan = { headers: { 'x-svc-app-user-id': 'phone-of-dan' } }
    await s.post('/v1/me/attributes', { attributes: { $email: 'dan@example.org' } }, dan)
    model.script({ text: 'No.' })
    await answered(id, 'Has dan@example.org paid?')
    await answered(id, 'And anybody else?')
    const people = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    await erase(s, people.find(({ deviceKey }) => deviceKey === 'phone-of-dan')?.id ?? '')
    const { messages, marks, title } = await read(id)
    expect(messages.map(({ content }: { content: string }) => content)).toEqual(['And anybody else?', 'No.'])
    expect([marks, title]).toEqual([{}, null])
  })

  test('does not come back with an answer that calls a tool during the erasure', async () => {
    await use()
    const id = await begin()
    await s.receipt('phone-of-eve', s.buy(MONTHLY))
    const eve = { headers: { 'x-svc-app-user-id': 'phone-of-eve' } }
    await s.post('/v1/me/attributes', { attributes: { $email: 'eve@example.org' } }, eve)
    const people = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    const { application } = s.ctx.state
    const { current } = application
    if (!current) throw new Error('there is no application')
    const [called, erased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const answer = async (request: Request) => {
      called.resolve()
      await erased.promise
      return current.answer(request)
    }
    application.current = { ...current, answer }
    model.script({ text: 'Let me look.', calls: [{ name: 'get_overview', arguments: {} }] }, { text: 'No.' })
    const stream = await ask(id, 'Has eve@example.org paid?')
    await called.promise
    await erase(s, people.find(({ deviceKey }) => deviceKey === 'phone-of-eve')?.id ?? '')
    erased.resolve()
    await stream.rest()
    application.current = current
    const { messages, marks, title, isAnswering } = await read(id)
    expect([messages, marks, title, isAnswering]).toEqual([[], {}, null, false])
  })
})

test('an answer whose end cannot be saved ends with an event', async () => {
  await use()
  const id = await begin()
  const { write } = s.ctx
  model.script(() => {
    Object.assign(s.ctx, { write: () => Promise.reject(new Error('the disk is full')) })
    return { text: 'Half' }
  })
  const events = await answered(id, 'Hello')
  Object.assign(s.ctx, { write })
  expect(names(events).at(-1)).toBe('error')
  expect(events.at(-1)?.data.code).toBe('INTERNAL_ERROR')
})

test('an answer without a word begins with its start too', async () => {
  await use()
  model.script({ text: '' })
  expect(names(await answered(await begin(), 'Hello'))).toEqual(['start', 'done'])
})

test('a thread is deleted 90 days after its last message', async () => {
  const id = await begin()
  s.ctx.clock.advance(90 * DAY - MINUTE)
  await sweepRetention(s.ctx)
  expect((await owner.get(`${THREADS}/${id}`)).status).toBe(200)
  s.ctx.clock.advance(2 * MINUTE)
  await sweepRetention(s.ctx)
  expect((await owner.get(`${THREADS}/${id}`)).status).toBe(404)
})
