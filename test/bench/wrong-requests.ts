import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { HOSTILE_ENV, prepareHostile } from '../support/hostile-deployment'
import { faultOf } from '../support/hostile-run'
import { type Child, readMemory, serveCommand, startServer, startYardstick } from './children'

const HELP = `bun test/bench/wrong-requests.ts [--requests N] [--seed N] [--yardstick] [COMMAND...]

Memory of a server, and requests a second, while it refuses requests that are wrong in some way, on every operation.
Then the same of an empty server of the runtime, which gets the same requests: what it takes is none of ours. --yardstick
measures that one alone.
COMMAND starts the server; without it, dist/svc or the sources.`

const CALLERS = 8
/** After about two requests for each operation, the routes of all of them are mounted. */
const WARM = 1000

interface Plan {
  requests: number
  seed: number
  command: readonly string[]
  /** Only the empty server. */
  yardstick: boolean
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '20261129' },
      yardstick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(HELP)
  const command = positionals.length > 0 ? positionals : serveCommand()
  const { yardstick } = values
  await measure({ requests: Number(values.requests), seed: Number(values.seed), command, yardstick })
  process.exit(0)
}

async function measure({ requests, seed, command, yardstick }: Plan): Promise<void> {
  if (!yardstick) await attackOne('svc', (folder) => startServer(command, folder, HOSTILE_ENV), requests, seed)
  await attackOne('an empty server', () => startYardstick('refusing'), requests, seed)
}

async function attackOne(
  name: string,
  start: (folder: string) => Promise<Child>,
  requests: number,
  seed: number,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-wrong-requests-'))
  let url = ''
  const next = await prepareHostile(folder, () => url, seed)
  const server = await start(folder)
  url = server.url
  say(`${name}:`)
  try {
    await attack(server, next, requests)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Next = Awaited<ReturnType<typeof prepareHostile>>

async function attack(server: Child, next: Next, requests: number): Promise<void> {
  const startedAt = performance.now()
  const memory = { warm: 0, highest: 0 }
  let sent = 0
  const call = async (): Promise<void> => {
    while (sent < requests) {
      sent++
      const count = sent
      await faultOf(next(), (path, init) => fetch(`${server.url}${path}`, init))
      if (count === WARM) memory.warm = rssOf(server)
      if (count % 500 === 0) memory.highest = Math.max(memory.highest, rssOf(server))
      if (count % (requests / 10) === 0) say(`${count} requests: ${Math.round(rssOf(server))} MB`)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  const perSecond = (requests * 1000) / (performance.now() - startedAt)
  const { warm, highest } = memory
  say(`${Math.round(perSecond)} a second; ${Math.round(warm)} MB after ${WARM}, at most ${Math.round(highest)} MB`)
  say(`grown by ${Math.round(highest - warm)} MB`)
}

const rssOf = ({ pid }: Child): number => readMemory(pid)?.rss ?? 0

const say = (line: string): void => console.log(line)

await main()
