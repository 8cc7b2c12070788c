import { type Child, readCpuSeconds, readMainThread } from './children'
import { type Load, type Outcome, runLoad } from './load'

export const CONNECTIONS = 64

/** Of a time. */
interface Shares {
  ran: number
  waited: number
}

/** One run of a load, with the load of the server's processor: 1 = one core all the time. */
export interface Round extends Outcome {
  cores: number | null
  /** Shares of the time in which the server's main thread ran, and waited for a processor. */
  main?: Shares | null
  /** Answers with an unwanted status, and requests without an answer. */
  faults: Record<string, number>
}

/** The medians of a contender's rounds. */
export interface Measured {
  perSecond: number
  p50Ms: number
  p99Ms: number
  cores: number | null
  /** Sum over all rounds; empty when there was no fault. */
  faults: Record<string, number>
  rounds: Round[]
}

interface RoundLoad extends Omit<Load, 'url' | 'connections'> {
  /** The statuses that are right; 200 unless given. */
  wanted?: readonly string[]
}

/** Loads a server once. */
export async function runRound(
  server: Child,
  { wanted = ['200'], ...load }: RoundLoad,
  connections = CONNECTIONS,
): Promise<Round> {
  const before = readCpuSeconds(server.pid)
  const mainBefore = readMainThread(server.pid)
  const startedAt = performance.now()
  const outcome = await runLoad({ url: server.url, connections, ...load })
  const seconds = (performance.now() - startedAt) / 1000
  const after = readCpuSeconds(server.pid)
  const cores = before === null || after === null ? null : (after - before) / seconds
  const main = sharesOf(mainBefore, readMainThread(server.pid), seconds * 1000)
  return { ...outcome, cores, main, faults: faultsOf(outcome, wanted) }
}

type MainThread = ReturnType<typeof readMainThread>

function sharesOf(before: MainThread, after: MainThread, ms: number): Shares | null {
  if (!before || !after) return null
  return { ran: (after.ranMs - before.ranMs) / ms, waited: (after.waitedMs - before.waitedMs) / ms }
}

function faultsOf({ statuses, lost }: Outcome, wanted: readonly string[]): Record<string, number> {
  const others = Object.entries(statuses).filter(([status]) => !wanted.includes(status))
  return Object.fromEntries(lost === 0 ? others : [...others, ['lost', lost]])
}

/** A round of work that ran in one piece in this process; its latency is that of the whole piece. */
export const pieceRound = (count: number, ms: number): Round => ({
  answers: count,
  perSecond: (count * 1000) / ms,
  p50Ms: ms,
  p99Ms: ms,
  statuses: {},
  lost: 0,
  cores: null,
  faults: {},
})

/**
 * Runs every contender once per round, so that other work of the machine affects all of them equally. The first round
 * is not counted.
 */
export async function alternate<Name extends string>(
  rounds: number,
  contenders: Record<Name, (round: number) => Promise<Round>>,
): Promise<Record<Name, Measured>> {
  const entries = Object.entries(contenders) as [Name, (round: number) => Promise<Round>][]
  const results = new Map<Name, Round[]>(entries.map(([name]) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of entries) {
      const result = await run(round)
      if (round > 0) results.get(name)?.push(result)
    }
  }
  return Object.fromEntries([...results].map(([name, all]) => [name, summarise(all)])) as Record<Name, Measured>
}

export function summarise(rounds: Round[]): Measured {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick))
  return {
    perSecond: of(({ perSecond }) => perSecond),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    cores: rounds.some(({ cores }) => cores === null) ? null : of(({ cores }) => cores ?? 0),
    faults: sumFaults(rounds),
    rounds,
  }
}

function sumFaults(rounds: readonly Round[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { faults } of rounds)
    for (const [name, count] of Object.entries(faults)) sums[name] = (sums[name] ?? 0) + count
  return sums
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] = sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1)
  return (low + high) / 2
}

/** Calls `work` `count` times without a pause and returns the milliseconds of one call. */
export function timeEach(count: number, work: (index: number) => void): number {
  const startedAt = performance.now()
  for (let index = 0; index < count; index++) work(index)
  return (performance.now() - startedAt) / count
}
