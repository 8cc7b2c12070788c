import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMemory, startCommitting, startServer } from './children'
import { median } from './measure'
import type { Aim, Row } from './report'
import { seed } from './seed'
import { Changes } from './stream-changes'
import { Swarm, sum } from './stream-swarm'
import type { Template } from './template'

const CLIENT_PROCESSES = 2
const SETTLE_MS = 3000
/** How long to wait until the runtime returns memory to the system, which it does after being idle. */
const IDLE_MS = 15_000
const MOST_MS = 20_000

const MEMORY_WITHIN: Aim = { of: 'result', is: 'at most', value: 30 }
const TOLD_WITHIN: Aim = { of: 'result', is: 'at most', value: 1000 }
/** A change by another process is seen within 2 s (wire 1.7). */
const FOREIGN_WITHIN: Aim = { of: 'result', is: 'at most', value: 2000 }

interface Plan {
  folder: string
  template: Template
  command: readonly string[]
  streams: number
  rounds: number
  say: (line: string) => void
}

/** Many streams of as many subscribers: how fast they open, what they cost, and how soon all of them get a change. */
export async function benchStreams(plan: Plan): Promise<Row[]> {
  const folder = join(plan.folder, 'streams')
  seed(plan.template, folder, plan.streams, plan.say)
  const changes = await Changes.open(folder, plan.template.project)
  try {
    const rows = await benchExecutable({ ...plan, folder }, changes)
    return [...rows, ...(await benchOwnCommits({ ...plan, folder }))]
  } finally {
    await changes.close()
  }
}

async function benchExecutable({ folder, template, command, streams, rounds, say }: Plan, changes: Changes) {
  const server = await startServer(command, folder)
  const swarm = await Swarm.start(server, template.project.publicKey, streams, CLIENT_PROCESSES)
  try {
    await settle()
    const before = readMemory(server.pid)
    const opened = await swarm.ask('open')
    say(`${sum(opened, 'open')} streams are open`)
    await settle()
    const after = readMemory(server.pid)
    const spans = await measure(swarm, streams, rounds, (version) => changes.commit(version))
    await swarm.ask('close')
    await Bun.sleep(IDLE_MS)
    const faults = faultsOf(streams - sum(opened, 'open'))
    const seconds = Math.max(...opened.map(({ ms = 0 }) => ms)) / 1000
    return [
      { ...row('streams opened', streams / seconds, 'streams/s', null), faults },
      ...memoryRows(streams, before, after, readMemory(server.pid)),
      delayRow(`${streams} streams, from the commit of another process to the last invalidate`, spans, FOREIGN_WITHIN),
    ]
  } finally {
    await swarm.stop()
    await server.stop()
  }
}

async function benchOwnCommits({ folder, template, streams, rounds }: Plan): Promise<Row[]> {
  const server = await startCommitting(folder, template.project.id)
  const swarm = await Swarm.start(server, template.project.publicKey, streams, CLIENT_PROCESSES)
  try {
    await swarm.ask('open')
    await settle()
    const commits = readFileSync(join(folder, 'commits'), 'utf8')
    const spans = await measure(swarm, streams, rounds, async (version) => {
      const answer = await fetch(`${commits}?version=${version}`)
      return ((await answer.json()) as { at: number }).at
    })
    return [delayRow(`${streams} streams, from the own commit to the last invalidate`, spans, TOLD_WITHIN)]
  } finally {
    await swarm.stop()
    await server.stop()
  }
}

interface Span {
  /** Milliseconds from the commit to the first and to the last stream's frame. */
  first: number
  last: number
}

let version = 1000

async function measure(
  swarm: Swarm,
  streams: number,
  rounds: number,
  commit: (version: number) => Promise<number>,
): Promise<(Span | null)[]> {
  const spans: (Span | null)[] = []
  for (let round = 0; round <= rounds; round++) {
    const at = await commit(++version)
    const reached = await swarm.awaitVersion(version, streams, MOST_MS)
    if (round > 0) spans.push(reached && { first: reached.first - at, last: reached.last - at })
    await Bun.sleep(300 + Math.random() * 700)
  }
  return spans
}

function delayRow(what: string, spans: readonly (Span | null)[], aim: Aim): Row {
  const reached = spans.filter((span) => span !== null)
  const firsts = reached.map(({ first }) => first)
  const lasts = reached.map(({ last }) => last)
  return {
    what: `${what} (the first: ${Math.round(median(firsts))} ms)`,
    result: { value: median(lasts), unit: 'ms' },
    yardstick: null,
    aim,
    faults: faultsOf(spans.length - reached.length),
    rounds: spans,
  }
}

type Memory = ReturnType<typeof readMemory>

function memoryRows(streams: number, before: Memory, open: Memory, closed: Memory): Row[] {
  if (!before || !open || !closed) return []
  return [
    row('memory of a stream, resident', ((open.rss - before.rss) * 1000) / streams, 'KB', MEMORY_WITHIN),
    row(`memory after ${streams} streams have left, over that before`, closed.rss - before.rss, 'MB', null),
  ]
}

const row = (what: string, value: number, unit: Row['result']['unit'], aim: Aim | null): Row => ({
  what,
  result: { value, unit },
  yardstick: null,
  aim,
})

const faultsOf = (missed: number): Record<string, number> => (missed === 0 ? {} : { missed })
const settle = (): Promise<void> => Bun.sleep(SETTLE_MS)
