import { afterAll, beforeAll, expect, test } from 'bun:test'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { type Client, ClientProviderEvents, OpenFeature, type Provider } from '@openfeature/web-sdk'
import { EventSource } from 'eventsource'
import { MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { serveStage } from '../support/ofrep'
import { configure } from '../support/remote'

// The standard web provider from npm with its event stream, which it opens at the address from our answer.

let s: Stage
let served: { url: string; stop(): Promise<void> }
let flags: Client
const bulks: number[] = []
const streams: number[] = []

/** Ends the open stream, as a proxy or a restart does. */
let cut = () => {}

/** The event source of a browser, without the 3 s that a browser waits before it connects again. */
class QuickEventSource extends EventSource {
  constructor(url: string | URL) {
    super(url, {
      fetch: async (input, init) => {
        const { body, status, headers } = await fetch(input, init as RequestInit)
        streams.push(status)
        return new Response(body && status === 200 ? cuttable(body) : body, { status, headers })
      },
    })
  }
}

function cuttable(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const next = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const { value, done } = await reader.read()
    if (done) return
    controller.enqueue(value)
    return next(controller)
  }
  return new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from('retry: 1\n\n'))
      cut = () => {
        void reader.cancel()
        controller.close()
      }
      next(controller).catch((error) => controller.error(error)) // Aborted.
    },
    cancel: () => reader.cancel(),
  })
}

beforeAll(async () => {
  s = await stage()
  served = serveStage(s)
  Object.assign(globalThis, { EventSource: QuickEventSource })
  await OpenFeature.setContext({ targetingKey: 'svc_live' } as never)
  const provider = new OFREPWebProvider({
    baseUrl: `${served.url}/v1/web/${s.project.publicKey}`,
    headers: [
      ['X-API-Key', s.project.publicKey],
      ['Origin', 'https://app.example.com'], // A browser adds it by itself.
    ],
    cacheMode: 'disabled',
    fetchImplementation: async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
      const answer = await fetch(input, init)
      bulks.push(answer.status)
      return answer
    },
  })
  await OpenFeature.setProviderAndWait(provider as Provider) // Its types were compiled with less strict options.
  flags = OpenFeature.getClient()
})
afterAll(async () => {
  await OpenFeature.close()
  Reflect.deleteProperty(globalThis, 'EventSource')
  await served.stop()
  await s.close()
})

const changed = () => new Promise((resolve) => flags.addHandler(ClientProviderEvents.ConfigurationChanged, resolve))

async function seen(key: string): Promise<void> {
  while (!flags.getBooleanValue(key, false)) await changed()
}

/** Waits until this many streams have opened. */
async function opened(count: number): Promise<void> {
  while (streams.filter((status) => status === 200).length < count) await Bun.sleep(5)
}

test('a change comes through the stream', async () => {
  await opened(1)
  await configure(s, { flags: [{ key: 'first', defaultValue: true }] })
  await seen('first')
})

test('a change while the connection was down comes when it is back', async () => {
  cut()
  await configure(s, { flags: [{ key: 'second', defaultValue: true }] })
  await seen('second')
  await opened(2)
})

test('when the address has ended it gets another one, and goes on listening', async () => {
  bulks.length = streams.length = 0
  s.ctx.clock.advance(10 * MINUTE)
  cut()
  await opened(1)
  expect(streams).toEqual([401, 200])
  // It may fetch more often, after an earlier message or a new connection, and then finds nothing new.
  expect(bulks.filter((status) => status !== 304)).toEqual([200])
  await configure(s, { flags: [{ key: 'third', defaultValue: true }] })
  await seen('third')
})
