// A process with many open streams: `bun stream-client.ts URL KEY FROM COUNT`. It reads commands from stdin (`open`,
// `churn N`, `seen VERSION`, `behind VERSION`, `close`) and answers each with one JSON line.

import { createInterface } from 'node:readline'
import { deviceOf } from './seed'

const [url = '', key = '', from = '1', count = '1'] = process.argv.slice(2)
const { hostname, port } = new URL(url)
const AT_ONCE = 100

interface Held {
  device: string
  socket: Bun.Socket | null
  version: number
  /** The end of the last part: a version may be split over two parts. */
  tail: string
  onOpen: (() => void) | null
}

const all: Held[] = Array.from({ length: Number(count) }, (_, index) => ({
  device: deviceOf(Number(from) + index),
  socket: null,
  version: -1,
  tail: '',
  onOpen: null,
}))
const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)
const now = (): number => performance.timeOrigin + performance.now()

/** How many streams have a version, and when the first and the last of them got it. */
const seen = new Map<number, { streams: number; first: number; last: number }>()

function readPart(held: Held, part: Buffer): void {
  const text = held.tail + part.toString('latin1')
  held.tail = text.slice(-40)
  if (text.includes('event: initial')) held.onOpen?.()
  for (const [, version] of text.matchAll(/"version":(\d+)[,}]/g)) learn(held, Number(version))
}

function learn(held: Held, version: number): void {
  if (version === held.version) return
  held.version = version
  const at = now()
  const known = seen.get(version) ?? { streams: 0, first: at, last: at }
  seen.set(version, { streams: known.streams + 1, first: known.first, last: at })
}

let lost = 0

async function open(held: Held): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  held.onOpen = resolve
  held.tail = ''
  held.version = -1
  const lose = (socket: Bun.Socket) => {
    if (held.socket !== socket) return
    held.socket = null
    lost++
    resolve()
  }
  held.socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_socket, part) => readPart(held, part), close: lose, error: lose },
  })
  const query = `/v1/config/stream?subscriberId=${held.device}`
  held.socket.write(`GET ${query} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  await promise
}

function leave(held: Held): void {
  const { socket } = held
  held.socket = null
  socket?.terminate()
}

async function openAll(streams: readonly Held[]): Promise<void> {
  const left = streams.values()
  const openNext = async () => {
    for (const held of left) await open(held)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, openNext))
}

const WORDS: Record<string, (argument: number) => Promise<object>> = {
  async open() {
    const startedAt = performance.now()
    await openAll(all)
    return { ms: performance.now() - startedAt, open: all.filter(({ socket }) => socket).length, lost }
  },
  /** Closes some streams and opens them again. */
  async churn(some) {
    const chosen = Array.from({ length: some }, () => all[Math.floor(Math.random() * all.length)]).filter(
      (held) => held,
    )
    const unique = [...new Set(chosen as Held[])]
    for (const held of unique) leave(held)
    await openAll(unique)
    return { churned: unique.length, lost }
  },
  async seen(version) {
    return seen.get(version) ?? { streams: 0 }
  },
  async behind(version) {
    return { behind: all.filter((held) => held.version !== version).length, lost }
  },
  async close() {
    for (const held of all) leave(held)
    return { closed: true }
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const [word = '', argument] = line.split(' ')
  print((await WORDS[word]?.(Number(argument))) ?? { unknown: line })
}
process.exit(0)
