import { describe, expect, test } from 'bun:test'
import { createFakeClock } from '../cases/fake-clock'
import { settle } from '../cases/settle'
import { configure } from '../node'
import { API_KEY } from './browser.fixtures'
import type { FetchResponse } from './globals'

/** One connection of the stream. */
interface Connection {
  url: string
  send(text: string): void
  end(): void
  isCut: boolean
}

async function watch(status = 200, canStream = true) {
  const clock = createFakeClock()
  const connections: Connection[] = []
  const polls: string[] = []
  const fetch = async (url: string): Promise<FetchResponse> => {
    const headers = { get: () => null }
    if (!url.includes('/stream')) {
      polls.push(url)
      return { status: 200, headers, text: async () => '{"data":{"flags":{"polled":true},"experiments":{}}}' }
    }
    let wake = (_: { done: boolean; value?: Uint8Array }) => {}
    const waiting: { done: boolean; value?: Uint8Array }[] = []
    const connection: Connection = {
      url,
      isCut: false,
      send: (text) => push({ done: false, value: new TextEncoder().encode(text) }),
      end: () => push({ done: true }),
    }
    const push = (part: { done: boolean; value?: Uint8Array }) => {
      waiting.push(part)
      wake(part)
    }
    const reader = {
      async read() {
        while (!waiting[0]) await new Promise((resolve) => (wake = resolve))
        return waiting.shift() ?? { done: true }
      },
      async cancel() {
        connection.isCut = true
        connection.end()
      },
    }
    connections.push(connection)
    return { status, headers, text: async () => '', body: canStream ? { getReader: () => reader } : null }
  }
  const client = await configure({ apiKey: API_KEY, baseUrl: 'https://svc.example', clock, fetch, logLevel: 'off' })
  await client.loadFallbackPlacements({ formatVersion: 1, placements: {} })
  const told: string[] = []
  client.on(({ type }) => void told.push(type))
  const stop = client.watchConfig()
  await settle()
  const advance = async (ms: number) => {
    const until = clock.elapsed() + ms
    while (clock.step(until)) await settle()
    await settle()
  }
  return { client, connections, polls, told, stop, advance }
}

const frame = (event: string, flags: object) =>
  `event: ${event}\ndata: ${JSON.stringify({ flags, experiments: {}, projectId: 'prj_1' })}\n\n`

describe('the stream of the configuration', () => {
  test('flags change with each frame, and each is told', async () => {
    const { client, connections, told } = await watch()
    expect(connections[0]?.url).toBe(
      `https://svc.example/v1/config/stream?subscriberId=${client.currentUser().deviceKey}`,
    )
    connections[0]?.send(frame('initial', { a: 1 }))
    await settle()
    expect(client.flag('a', 0)).toBe(1)
    connections[0]?.send('event: ping\ndata:\n\n')
    connections[0]?.send(frame('invalidate', { a: 2 }))
    await settle()
    expect(client.flag('a', 0)).toBe(2)
    expect(told).toEqual(['REMOTE_CONFIG_CHANGED', 'REMOTE_CONFIG_CHANGED'])
  })

  test('a frame that comes in pieces is read whole', async () => {
    const { client, connections } = await watch()
    const text = frame('initial', { name: 'ü' })
    for (const piece of [text.slice(0, 9), text.slice(9, 40), text.slice(40)]) connections[0]?.send(piece)
    await settle()
    expect(client.flag('name', '')).toBe('ü')
  })

  test('a frame of garbage changes nothing', async () => {
    const { client, connections, told } = await watch()
    connections[0]?.send('event: initial\ndata: {"flags":\n\n')
    connections[0]?.send('event: invalidate\ndata: {"something":1}\n\n')
    await settle()
    expect(client.flag('a', 'default')).toBe('default')
    expect(told).toEqual([])
  })

  test('a stream that is cut is opened again, after longer and longer waits', async () => {
    const { connections, advance } = await watch()
    for (const [at, [least, most]] of [
      [800, 1200],
      [1600, 2400],
      [3200, 4800],
    ].entries()) {
      connections[at]?.end()
      await settle()
      await advance((least ?? 0) - 1)
      expect(connections).toHaveLength(at + 1)
      await advance((most ?? 0) - (least ?? 0) + 1)
      expect(connections).toHaveLength(at + 2)
    }
  })

  test('a minute of silence counts as cut', async () => {
    const { connections, advance } = await watch()
    connections[0]?.send(frame('initial', {}))
    await settle()
    await advance(59_999)
    expect(connections[0]?.isCut).toBe(false)
    await advance(1300)
    expect(connections[0]?.isCut).toBe(true)
    expect(connections).toHaveLength(2)
  })

  test('a refused stream is not opened again', async () => {
    const { connections, advance } = await watch(401)
    await advance(600_000)
    expect(connections).toHaveLength(1)
  })

  test('where fetch cannot stream, the configuration is read every minute', async () => {
    const { client, polls, advance } = await watch(200, false)
    expect(polls).toHaveLength(1)
    expect(client.flag('polled', false)).toBe(true)
    await advance(60_000)
    expect(polls).toHaveLength(2)
  })

  test('nothing is read after it was stopped', async () => {
    const { client, connections, stop, advance } = await watch()
    stop()
    await settle()
    expect(connections[0]?.isCut).toBe(true)
    await advance(600_000)
    expect(connections).toHaveLength(1)
    expect(client.flag('a', 0)).toBe(0)
  })
})
