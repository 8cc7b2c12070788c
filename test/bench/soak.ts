import { join } from 'node:path'
import { type Child, readMemory, startServer } from './children'
import { median } from './measure'
import type { Row } from './report'
import { seed } from './seed'
import { Changes } from './stream-changes'
import { Swarm, sum } from './stream-swarm'
import type { Template } from './template'

const STREAMS = 2000
const CLIENT_PROCESSES = 2
const MINUTE_MS = 60_000
const SAMPLE_MS = 2000
/** How often the churn pauses to check the version of every stream. */
const CHECK_MS = 20_000
const MOST_MS = 10_000

interface Plan {
  folder: string
  template: Template
  command: readonly string[]
  minutes: number
  say: (line: string) => void
}

interface Soak {
  server: Child
  swarm: Swarm
  changes: Changes
  version: number
  memory: number[]
  checks: number
  missed: number
}

/** Streams open and close while flags change. Memory must not grow, and every stream must end with the last version. */
export async function benchSoak({ folder, template, command, minutes, say }: Plan): Promise<Row[]> {
  const own = join(folder, 'soak')
  seed(template, own, STREAMS, say)
  const changes = await Changes.open(own, template.project)
  const server = await startServer(command, own)
  const swarm = await Swarm.start(server, template.project.publicKey, STREAMS, CLIENT_PROCESSES)
  const soak: Soak = { server, swarm, changes, version: 0, memory: [], checks: 0, missed: 0 }
  try {
    await swarm.ask('open')
    const until = performance.now() + minutes * MINUTE_MS
    while (performance.now() < until) await goRound(soak, say)
  } finally {
    await swarm.stop()
    await server.stop()
    await changes.close()
  }
  return toRows(soak, minutes)
}

async function goRound(soak: Soak, say: (line: string) => void): Promise<void> {
  const { swarm, changes, server, memory } = soak
  const until = performance.now() + CHECK_MS
  while (performance.now() < until) {
    const sampled = performance.now() + SAMPLE_MS
    while (performance.now() < sampled) {
      await changes.commit(++soak.version)
      await swarm.ask(`churn ${STREAMS / CLIENT_PROCESSES / 20}`)
    }
    memory.push(readMemory(server.pid)?.rss ?? 0)
  }
  soak.checks++
  const missed = await countBehind(soak)
  soak.missed += missed
  say(`version ${soak.version}, ${Math.round(memory.at(-1) ?? 0)} MB, ${missed} streams without it`)
}

/** Number of streams that do not get the last version although nothing changes any more. */
async function countBehind({ swarm, version }: Soak): Promise<number> {
  const until = performance.now() + MOST_MS
  for (;;) {
    const behind = sum(await swarm.ask(`behind ${version}`), 'behind')
    if (behind === 0 || performance.now() > until) return behind
    await Bun.sleep(200)
  }
}

function toRows({ memory, version, checks, missed }: Soak, minutes: number): Row[] {
  const quarter = Math.ceil(memory.length / 4)
  const [early, late] = [median(memory.slice(quarter, 2 * quarter)), median(memory.slice(-quarter))]
  return [
    {
      what: `soak of ${minutes} min, ${STREAMS} streams, ${version} changes: memory, last quarter to second`,
      result: { value: late, unit: 'MB' },
      yardstick: { value: early, unit: 'MB' },
      aim: { of: 'ratio', is: 'at most', value: 1.1 },
      rounds: memory,
    },
    {
      what: `soak: streams without the last version, of ${checks} times ${STREAMS}`,
      result: { value: missed, unit: 'streams' },
      yardstick: null,
      aim: { of: 'result', is: 'at most', value: 0 },
    },
  ]
}
