import { beforeEach, expect, test } from 'bun:test'
import { type Browser, type Channel, type Message, openShared, type Source } from '../../src/console/api/shared-stream'

class FakeSource implements Source {
  readyState = 0
  private act = { open: () => {}, error: () => {} }
  private readonly listeners = new Map<string, (data: string, id: string) => void>()
  onOpen(act: () => void): void {
    this.act.open = act
  }
  onError(act: () => void): void {
    this.act.error = act
  }
  onEvent(name: string, act: (data: string, id: string) => void): void {
    this.listeners.set(name, act)
  }
  close(): void {
    this.readyState = 2
  }
  open(): void {
    this.readyState = 1
    this.act.open()
  }
  fail(readyState: number): void {
    this.readyState = readyState
    this.act.error()
  }
  send(name: string, data: string): void {
    this.listeners.get(name)?.(data, 'c1')
  }
}

let sources: FakeSource[]
let channels: Map<string, Map<Channel, (message: Message) => void>>
let held: Map<string, (() => void)[]>
beforeEach(() => {
  sources = []
  channels = new Map()
  held = new Map()
})

/** Windows of one browser: locks go to the one that has waited longest, messages reach all others. */
const browser = (hasLocks = true): Browser => ({
  open() {
    const source = new FakeSource()
    sources.push(source)
    return source
  },
  locks: hasLocks ? { request } : null,
  channel(name) {
    const all = channels.get(name) ?? new Map()
    channels.set(name, all)
    const channel: Channel = {
      onMessage: (act) => void all.set(channel, act),
      post(message) {
        for (const [other, act] of all) if (other !== channel) act(message)
      },
      close: () => void all.delete(channel),
    }
    return channel
  },
})

async function request(name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>): Promise<void> {
  const queue = held.get(name) ?? []
  held.set(name, queue)
  const turn = Promise.withResolvers<void>()
  const next = () => turn.resolve()
  queue.push(next)
  if (queue[0] === next) next()
  signal.addEventListener('abort', () => {
    if (queue[0] !== next) queue.splice(queue.indexOf(next), 1)
  })
  await turn.promise
  await hold()
  queue.shift()
  queue[0]?.()
}

function joinAt(url: string, at = browser()) {
  const heard: string[] = []
  const close = openShared(at, url, {
    onOpen: () => heard.push('open'),
    onError: (isRefused) => heard.push(isRefused ? 'refused' : 'error'),
    onEvent: (name, data) => heard.push(`${name} ${data}`),
  })
  return { heard, close }
}

const settled = () => new Promise(setImmediate)
const open = () => sources.filter(({ readyState }) => readyState < 2)
const EVENTS = '/dashboard/projects/p/events/stream'
const LIVE = '/dashboard/projects/p/overview/live'

test('ten windows share one stream, and each hears every event once', async () => {
  const windows = Array.from({ length: 10 }, () => joinAt(EVENTS))
  await settled()
  expect(sources).toHaveLength(1)
  sources[0]?.open()
  sources[0]?.send('event', '1')
  sources[0]?.send('event', '2')
  for (const { heard } of windows) expect(heard).toEqual(['open', 'event 1', 'event 2'])
})

test('a window that joins later is told that the stream is open, and the others are not disturbed', async () => {
  const first = joinAt(EVENTS)
  await settled()
  sources[0]?.open()
  const second = joinAt(EVENTS)
  await settled()
  expect([first.heard, second.heard, sources.length]).toEqual([['open'], ['open'], 1])
})

test('one that joins a stream which begins with the state gets it, and no event comes twice meanwhile', async () => {
  const first = joinAt(LIVE)
  await settled()
  sources[0]?.open()
  sources[0]?.send('event', '1')
  const second = joinAt(LIVE)
  await settled()
  expect(open()).toHaveLength(2)
  sources[0]?.send('event', '2')
  sources[1]?.open()
  expect(open()).toEqual([sources[1] as FakeSource])
  sources[1]?.send('figure', 'mrr')
  sources[1]?.send('event', '2')
  sources[1]?.send('figure', 'mrr') // The same figure again is no repetition.
  expect(second.heard).toEqual(['event 2', 'open', 'figure mrr', 'figure mrr'])
  expect(first.heard).toEqual(['open', 'event 1', 'event 2', 'open', 'figure mrr', 'figure mrr'])
})

test('when the window that holds it closes, the next one opens it; the last one leaves nothing open', async () => {
  const [first, second, third] = [joinAt(EVENTS), joinAt(EVENTS), joinAt(EVENTS)]
  await settled()
  sources[0]?.open()
  second.close() // It waited, and leaves without having held the stream.
  first.close()
  await settled()
  expect(open()).toEqual([sources[1] as FakeSource])
  sources[1]?.open()
  sources[1]?.send('event', '1')
  expect([first.heard, second.heard, third.heard]).toEqual([['open'], ['open'], ['open', 'open', 'event 1']])
  third.close()
  await settled()
  expect([open(), sources.length]).toEqual([[], 2])
})

test('a failure is told to all, and only the window that holds the stream opens it again', async () => {
  const [first, second] = [joinAt(EVENTS), joinAt(EVENTS)]
  await settled()
  sources[0]?.fail(0)
  sources[0]?.fail(2)
  expect([first.heard, second.heard]).toEqual([
    ['error', 'refused'],
    ['error', 'error'],
  ])
})

test('streams of different addresses are apart, and without locks each window has its own', async () => {
  joinAt(EVENTS)
  joinAt(LIVE)
  const alone = [joinAt(EVENTS, browser(false)), joinAt(EVENTS, browser(false))]
  await settled()
  expect(sources).toHaveLength(4)
  for (const { close } of alone) close()
  expect(open()).toHaveLength(2)
})
