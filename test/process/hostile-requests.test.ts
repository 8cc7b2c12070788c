import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Deployments } from '../support/deployment'
import { HOSTILE_ENV, prepareHostile } from '../support/hostile-deployment'
import { faultOf, type Hostile, nameOf } from '../support/hostile-run'
import { isRelease } from '../support/release'

const REQUESTS = Number(process.env.SVC_TEST_HOSTILE_REQUESTS ?? 100_000)
const SEED = Number(process.env.SVC_LAW_SEED ?? 20_261_129)
const CALLERS = 8
const SLOW_MS = 1000
/**
 * More than after the warm-up. The aim is 300. Measured were 391, and 245 fifteen seconds after the last request: about
 * 100 MB of the heap are the compiled code of every operation, and the engine lets the heap grow before it collects it.
 */
const MOST_MEMORY_MB = 450
/** The first requests are about one for each operation: after them the routes of all operations are mounted. */
const WARM = 1000
const HOUR_MS = 3_600_000

const all = new Deployments()
afterAll(() => all.end())

/** Resident memory in MB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

test.skipIf(!isRelease)(
  `${REQUESTS} wrong requests on every operation: the envelope, no 5xx, none over a second, seed ${SEED}`,
  async () => {
    const path = all.folder()
    let url = ''
    const next = await prepareHostile(path, () => url, SEED)
    const server = await all.serve(path, HOSTILE_ENV)
    url = server.url
    const send = (to: string, init: RequestInit) => fetch(`${url}${to}`, init)
    const found = await attack(next, send, () => memoryOf(server.pid))
    console.log(found.described)
    const slow = await stillSlow(found.slow, send)
    expect({ faults: found.faults.slice(0, 20), slow }).toEqual({ faults: [], slow: [] })
    expect(found.memoryMb.highest - found.memoryMb.first).toBeLessThan(MOST_MEMORY_MB)
    expect(server.stderr()).not.toContain('INTERNAL_ERROR')
  },
  HOUR_MS,
)

type Send = Parameters<typeof faultOf>[1]

async function attack(next: () => Hostile, send: Send, memory: () => number) {
  const [faults, slow]: [string[], Hostile[]] = [[], []]
  const startMb = memory()
  const memoryMb = { first: 0, highest: 0 }
  const statuses = new Map<number, number>()
  const startedAt = performance.now()
  let sent = 0
  const call = async () => {
    while (sent < REQUESTS) {
      sent++
      const hostile = next()
      const sentAt = performance.now()
      const fault = await faultOf(hostile, send, (status) => statuses.set(status, (statuses.get(status) ?? 0) + 1))
      if (fault) faults.push(`${fault} <- ${nameOf(hostile)}`)
      if (performance.now() - sentAt > SLOW_MS) slow.push(hostile)
      if (sent === WARM) memoryMb.first = memory()
      if (sent % 500 === 0) memoryMb.highest = Math.max(memoryMb.highest, memory())
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  const seconds = (performance.now() - startedAt) / 1000
  const { first, highest } = memoryMb
  const memoryText = `${startMb.toFixed(0)} MB before, ${first.toFixed(0)} MB after ${WARM}, at most ${highest.toFixed(0)} MB`
  const answers = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  const described = `${sent} requests in ${seconds.toFixed(0)} s, ${faults.length} faults, ${slow.length} over 1 s; ${memoryText}; ${answers.join(', ')}`
  return { faults, slow, memoryMb, described }
}

/** Those that take so long also when they come alone: the others waited for the processors. */
async function stillSlow(requests: readonly Hostile[], send: Send): Promise<string[]> {
  const found: string[] = []
  for (const hostile of requests) {
    let best = Number.POSITIVE_INFINITY
    for (let turn = 0; turn < 3 && best > SLOW_MS; turn++) {
      const sentAt = performance.now()
      await faultOf(hostile, send)
      best = Math.min(best, performance.now() - sentAt)
    }
    if (best > SLOW_MS) found.push(`${best.toFixed(0)} ms: ${nameOf(hostile)}`)
  }
  return found
}
