import { afterEach, expect, test } from 'bun:test'
import type { Context } from '../context'
import { startInternalListener } from './internal'

const started: ReturnType<typeof startInternalListener>[] = []
afterEach(async () => {
  for (const one of started.splice(0)) await one?.stop(true)
})

function start(internalHost: string): string {
  const metrics = { text: async () => 'svc_up 1\n', registry: { contentType: 'text/plain' } }
  // Only what the listener uses.
  const ctx = { config: { internalHost, internalPort: freePort() }, metrics } as unknown as Context
  const listener = startInternalListener(ctx)
  started.push(listener)
  return `:${listener?.port}/metrics`
}

function freePort(): number {
  const probe = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port = 0 } = probe
  void probe.stop(true)
  return port
}

const isAnswered = async (host: string, place: string): Promise<boolean> =>
  fetch(`http://${host}${place}`).then(
    async (answer) => (await answer.text()) === 'svc_up 1\n',
    () => false,
  )

test('the metrics are on the loopback interface, and elsewhere only where the configuration says so', async () => {
  const place = start('127.0.0.1')
  expect([await isAnswered('127.0.0.1', place), await isAnswered('127.0.0.2', place)]).toEqual([true, false])
  const open = start('0.0.0.0')
  expect([await isAnswered('127.0.0.1', open), await isAnswered('127.0.0.2', open)]).toEqual([true, true])
})

test('an address that is not of this machine is no port in use', () => {
  expect(() => start('192.0.2.1')).toThrow('the internal port')
})
