import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { createApp } from '../../src/app'
import { BodyBudget, type BodyLimits } from '../../src/base/http/body-budget'
import { type Answer, type Stage, stage } from '../support/cast'
import { type Exchange, exchange, holdOpen, jsonOf } from '../support/socket'

const KIB = 1024
/** A body of at most this size is counted as declared. */
const SMALL = 16 * KIB
const NO_ROOM = 'Too many request bodies are arriving at the same time; send this one again'

let s: Stage
let url: string
let stop: () => Promise<unknown> | undefined
beforeAll(async () => {
  s = await stage()
  const app = createApp(s.ctx).listen({ hostname: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${app.server?.port}`
  stop = async () => app.server?.stop(true)
})
afterAll(async () => {
  await stop()
  await s.close()
})

const held: Socket[] = []
beforeEach(() => withLimits({}))
afterEach(async () => {
  for (const socket of held.splice(0)) socket.destroy()
  await untilHeld(0)
})

/** A budget that tells how many of its large bodies are being read. Until then their declared length is counted. */
class WatchedBudget extends BodyBudget {
  begun = 0
  override give(bytes: number): void {
    this.begun++ // The server gives back the declared length of a large body when it begins to read.
    super.give(bytes)
  }
}

let bodies: WatchedBudget
const withLimits = (limits: Partial<BodyLimits>): void => {
  bodies = new WatchedBudget({ totalBytes: 1024 * KIB, patienceMs: 60_000, ...limits })
  s.ctx.state.bodies = bodies
}

async function untilHeld(bytes: number): Promise<void> {
  while (bodies.heldBytes !== bytes) await Bun.sleep(2)
}

const requestOf = (form: string, body: string, path = '/v1/me/attributes'): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${s.project.publicKey}\r\n` +
  `X-Svc-App-User-Id: svc_budget\r\n${form}\r\n\r\n${body}`

/** Sends a part of a body, and waits until the server has read it. A body that is refused meanwhile fails the test. */
async function hold(declaredBytes: number, sentBytes: number): Promise<Socket> {
  const { begun, heldBytes } = bodies
  const socket = await holdOpen(url, requestOf(`Content-Length: ${declaredBytes}`, ' '.repeat(sentBytes)))
  held.push(socket)
  let answer = ''
  socket.on('data', (part) => {
    answer += part.toString()
  })
  const isRead = () => bodies.heldBytes >= heldBytes + sentBytes && (declaredBytes <= SMALL || bodies.begun > begun)
  for (; !isRead(); await Bun.sleep(2)) if (answer !== '' || socket.destroyed) throw new Error(`refused: ${answer}`)
  return socket
}

const BODY = '{"attributes":{"plan":"pro"}}'
const small = (): Promise<Exchange> => exchange(url, requestOf(`Content-Length: ${BODY.length}`, BODY))
const padded = (bytes: number): string => `{"attributes":{},"pad":"${'x'.repeat(bytes - 26)}"}`
const large = (bytes: number): Promise<Exchange> => exchange(url, requestOf(`Content-Length: ${bytes}`, padded(bytes)))

const refusal = (seen: Exchange) => {
  const { error } = jsonOf(seen) ?? {}
  return [seen.status, error?.code, error?.message, /^retry-after: (\d+)/im.exec(seen.text)?.[1]]
}
const NO_MEMORY = [503, 'QUEUE_UNAVAILABLE', NO_ROOM, '1']

describe('all unread bodies together', () => {
  test('take no more than the budget; one more is 503 for a second, and who leaves makes room', async () => {
    for (let count = 0; count < 3; count++) await hold(256 * KIB, 256 * KIB - 1)
    expect(refusal(await large(256 * KIB))).toEqual(NO_MEMORY)
    expect((await large(64 * KIB)).status).toBe(200)
    held.pop()?.destroy()
    while (bodies.heldBytes > 2 * 256 * KIB) await Bun.sleep(2)
    expect((await large(256 * KIB)).status).toBe(200)
  })

  test('are counted by what has arrived, so that nothing is blocked by lengths that are only declared', async () => {
    withLimits({ totalBytes: 2048 * KIB })
    for (let count = 0; count < 20; count++) await hold(1024 * KIB, 1)
    expect((await large(1024 * KIB)).status).toBe(200)
  })

  test('leave room for small ones, and a request without a body needs none', async () => {
    for (let count = 0; count < 15; count++) await hold(64 * KIB, 64 * KIB - 1)
    expect(refusal(await large(20 * KIB))).toEqual(NO_MEMORY)
    expect((await small()).status).toBe(200)
    withLimits({ totalBytes: 10 })
    expect(refusal(await small())).toEqual(NO_MEMORY)
    expect((await s.get('/v1/me', 'svc_budget')).status).toBe(200)
    expect((await s.call('POST', '/v1/identify')).body.error.code).toBe('VALIDATION_ERROR')
  })

  test('count a body in chunks as it arrives, and a byte at a time takes no more memory', async () => {
    const socket = await holdOpen(url, requestOf('Transfer-Encoding: chunked', '1\r\n{\r\n'))
    held.push(socket)
    await untilHeld(16 * KIB)
    for (let count = 0; count < 1000; count++) socket.write('1\r\n \r\n')
    socket.write(`${(20 * KIB).toString(16)}\r\n${' '.repeat(20 * KIB)}\r\n`)
    await untilHeld(32 * KIB)
    const answered = new Promise<string>((resolve) => socket.once('data', (part) => resolve(part.toString())))
    socket.write(`${(BODY.length - 1).toString(16)}\r\n${BODY.slice(1)}\r\n0\r\n\r\n`)
    expect(await answered).toStartWith('HTTP/1.1 200')
    await untilHeld(0)
  })

  test('count nothing of a caller who is refused, or whose body is too large, or who leaves', async () => {
    withLimits({ totalBytes: 4096 * KIB })
    const logged = s.ctx.lines.length
    await exchange(url, requestOf('Content-Length: 500000', 'x').replace('svc_pub_', 'svc_xxx_'))
    await exchange(url, requestOf('Content-Length: 2000000', ''))
    const endless = `10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(20)
    expect((await exchange(url, requestOf('Transfer-Encoding: chunked', endless))).status).toBe(413)
    await exchange(url, requestOf('Content-Length: 40', padded(40)))
    expect(bodies.heldBytes).toBe(0)
    for (const socket of [await hold(100_000, 50_000), await hold(9000, 1)]) socket.destroy()
    await untilHeld(0)
    expect(s.ctx.lines.slice(logged).filter((line) => line.includes('request failed'))).toEqual([])
  })
})

describe('a body that does not arrive in time', () => {
  test.each([
    ['small', 'Content-Length: 100', '{'],
    ['large', 'Content-Length: 500000', 'x'.repeat(400_000)],
    ['in chunks', 'Transfer-Encoding: chunked', '1\r\n{\r\n'],
  ])('is 408, its memory is free, and its connection ends: %s', async (_name, form, sent) => {
    withLimits({ patienceMs: 30 })
    const socket = await holdOpen(url, requestOf(form, sent))
    let text = ''
    socket.on('data', (part) => {
      text += part.toString()
    })
    await new Promise((resolve) => socket.once('close', resolve))
    const answer = jsonOf({ status: 408, text })
    expect(text).toStartWith('HTTP/1.1 408')
    expect(answer?.error).toEqual({
      code: 'HTTP_ERROR',
      message: 'The body did not arrive in time; send it again',
    })
    expect(text).toMatch(/^connection: close/im)
    await untilHeld(0)
  })

  test('of a body that drips, the whole time counts', async () => {
    withLimits({ patienceMs: 150 })
    const socket = await holdOpen(url, requestOf('Content-Length: 100000', ''))
    const ended = new Promise<string>((resolve) => socket.once('data', (part) => resolve(part.toString())))
    const drip = setInterval(() => socket.write(' '), 5)
    expect(await ended).toStartWith('HTTP/1.1 408')
    clearInterval(drip)
    socket.destroy()
  })

  test('10 seconds are given by default, and 64 MiB', () => {
    const budget = new BodyBudget()
    expect(budget.patienceMs).toBe(10_000)
    budget.take(64 * KIB * KIB, true)
    expect(() => budget.take(1, true)).toThrow(NO_ROOM)
  })
})

test('a webhook without its body is refused alike', async () => {
  withLimits({ patienceMs: 30 })
  const path = `/webhooks/ios/${s.project.id}`
  expect((await exchange(url, requestOf('Content-Length: 50', '{', path))).status).toBe(408)
  withLimits({ totalBytes: 100_000 })
  const body = padded(200_000)
  expect(refusal(await exchange(url, requestOf(`Content-Length: ${body.length}`, body, path)))).toEqual(NO_MEMORY)
})

test('a stranger who was refused leaves the body uncounted, whatever it declares', async () => {
  const answers: Answer[] = []
  for (let count = 0; count < 20; count++)
    answers.push(await s.call('POST', '/v1/identify', { key: null, raw: padded(100_000) }))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  expect(bodies.heldBytes).toBe(0)
})
