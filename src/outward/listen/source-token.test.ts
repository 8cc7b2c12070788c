import { afterEach, describe, expect, test } from 'bun:test'
import { CommandFailure } from '../../base/cli/command'
import { FROM_NOW, SourceAway } from './source'
import { tokenSource } from './source-token'

const EVENT = {
  id: 'evt_1',
  seq: 1,
  type: 'purchase.renewed',
  projectId: 'prj_1',
  subscriberId: 'sub_1',
  appUserId: null,
  environment: 'PRODUCTION',
  occurredAt: '2026-11-20T08:00:00.000Z',
  recordedAt: '2026-11-20T08:00:01.000Z',
  cause: { kind: 'API', ref: null, store: null, detail: null },
  before: {},
  after: {},
  data: {},
}

const frameOf = (cursor: string, event: object = EVENT): string =>
  `event: event\nid: ${cursor}\ndata: ${JSON.stringify(event)}\n\n`

type Reply = (controller: ReadableStreamDefaultController<Uint8Array>) => void

let stop = () => {}
afterEach(() => stop())

/** A server whose streams are prepared; each connection takes the next one. */
function serve(replies: (Reply | Response)[]) {
  const asked: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ url }) {
      asked.push(new URL(url).search)
      const reply = replies.shift()
      if (reply instanceof Response) return reply
      const body = new ReadableStream<Uint8Array>({ start: (controller) => reply?.(controller) })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  stop = () => void server.stop(true)
  const address = `http://127.0.0.1:${server.port}`
  const source = tokenSource({ address, token: 'svc_pat_1' }, { id: 'prj_1', slug: 'sleep-app' }, ['purchase.*'])
  const { signal } = new AbortController()
  return { asked, next: (start: Parameters<typeof source.next>[0]) => source.next(start, 5000, signal) }
}

const says =
  (...texts: string[]): Reply =>
  (controller) => {
    for (const text of texts) controller.enqueue(Buffer.from(text))
  }

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

describe('the stream of a server', () => {
  test('names the place of its first frame, also without an event', async () => {
    const { next, asked } = serve([says('id: c0\n\n')])
    expect(await next(FROM_NOW)).toEqual({ events: [], cursor: 'c0' })
    expect(asked).toEqual(['?since=9999-12-31T23%3A59%3A59.999Z&types=purchase.*'])
  })

  test('gives events with the place behind the last one; pings are none', async () => {
    const { next } = serve([
      says(`${frameOf('c1')}event: ping\nid: c2\ndata:\n\n${frameOf('c3', { ...EVENT, seq: 2 })}`),
    ])
    const { events, cursor } = await next({ cursor: 'c0' })
    expect([events.map(({ seq }) => seq), cursor]).toEqual([[1, 2], 'c3'])
    expect(events[0]).toMatchObject({ id: 'evt_1', occurredAt: Date.UTC(2026, 10, 20, 8), cause: EVENT.cause })
  })

  test('puts a frame together that comes in pieces, in the middle of a letter too', async () => {
    const bytes = Buffer.from(frameOf('c1', { ...EVENT, appUserId: 'Zoë' }))
    const middle = bytes.indexOf(0xc3) + 1
    let send = () => {}
    const { next } = serve([
      (controller) => {
        controller.enqueue(bytes.subarray(0, middle))
        send = () => controller.enqueue(bytes.subarray(middle))
      },
    ])
    const first = await next({ cursor: 'c0' })
    expect(first).toEqual({ events: [], cursor: 'c0' })
    send()
    expect((await next({ cursor: 'c0' })).events[0]?.appUserId).toBe('Zoë')
  })

  test('a stream that ends soon is away, and is opened again behind what it sent', async () => {
    const ending: Reply = (controller) => {
      controller.enqueue(Buffer.from(frameOf('c1')))
      controller.close()
    }
    const { next, asked } = serve([ending, says(frameOf('c2', { ...EVENT, id: 'evt_2' }))])
    expect((await next({ cursor: 'c0' })).cursor).toBe('c1')
    expect(await failure(next({ cursor: 'c1' }))).toBeInstanceOf(SourceAway)
    expect((await next({ cursor: 'c1' })).events.map(({ id }) => id)).toEqual(['evt_2'])
    expect(asked).toEqual(['?after=c0&types=purchase.*', '?after=c1&types=purchase.*'])
  })

  test('a connection that breaks is away', async () => {
    const { next } = serve([says('id: c0\n\n')])
    await next(FROM_NOW)
    stop()
    expect(await failure(next({ cursor: 'c0' }))).toBeInstanceOf(SourceAway)
  })

  test.each([
    ['an event of another form', says(frameOf('c1', { id: 'evt_1' }))],
    ['an event that is no JSON', says('event: event\nid: c1\ndata: {\n\n')],
    ['a page instead of a stream', new Response('hello')],
    ['a redirect', Response.redirect('https://example.com', 302)],
    [
      'a refusal',
      Response.json({ error: { code: 'FORBIDDEN', message: 'Not a member of this project' } }, { status: 403 }),
    ],
  ])('%s ends the command', async (_name, reply) => {
    const { next } = serve([reply])
    expect(await failure(next({ cursor: 'c0' }))).toBeInstanceOf(CommandFailure)
  })

  test.each([429, 500, 503])('status %p is away, for as long as the server says', async (status) => {
    const { next } = serve([new Response('', { status, headers: { 'retry-after': '7' } })])
    const error = await failure(next({ cursor: 'c0' }))
    expect(error).toBeInstanceOf(SourceAway)
    expect(error).toMatchObject({ retryAfterMs: 7000 })
  })
})
