import { AppError } from '../errors'
import { monotonicMs } from '../lib/clock'
import { databaseUnavailable, isBusy, isDatabaseFault, isRetryable, toAppError } from './errors'
import type { Storage, TransactionHandle } from './handle'

/** Runs work in one committed, synced transaction and gives back its result. */
export type Write<Tx> = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

/** Makes the transaction object that work sees from the bare handle, and runs what it asked for after the commit. */
export interface TxFactory<Tx> {
  begin(handle: TransactionHandle): Tx
  committed(tx: Tx): void
}

/**
 * The one door for writes. On SQLite a single queue that groups: waiting writers share one transaction and one sync,
 * each in its own savepoint; on Postgres an ordinary transaction, run again when it lost a race.
 * Work must not touch the network and must only use the `tx` it is given.
 */
export function createWrite<Tx>(storage: Storage, factory: TxFactory<Tx>): Write<Tx> {
  if (storage.driver === 'postgres') return (work) => writeAlone(storage, factory, work)
  const group = new GroupWriter(storage, factory)
  return (work) => group.write(work)
}

const MAX_ATTEMPTS = 5

async function writeAlone<Tx, Result>(
  storage: Storage,
  factory: TxFactory<Tx>,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { tx, result } = await storage.transaction((handle) => run(factory, handle, work))
      factory.committed(tx)
      return result
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !isRetryable(error)) throw toAppError(error)
    }
  }
}

async function run<Tx, Result>(
  factory: TxFactory<Tx>,
  handle: TransactionHandle,
  work: (tx: Tx) => Promise<Result>,
): Promise<{ tx: Tx; result: Result }> {
  const tx = factory.begin(handle)
  return { tx, result: await work(tx) }
}

interface Waiting<Tx> {
  work: (tx: Tx) => Promise<unknown>
  /** Monotonic milliseconds at which the writer came. */
  since: number
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

type Outcome<Tx> = { tx: Tx; result: unknown } | { error: unknown }

const GROUP_SIZE = 64
/** How long a writer waits for another process's lock; an answer must leave within 8 s (wire 3.2). */
const BUSY_PATIENCE_MS = 5000
const BUSY_PAUSE_MS = 20

const nextLoopIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

class GroupWriter<Tx> {
  private waiting: Waiting<Tx>[] = []
  private isDraining = false

  constructor(
    private readonly storage: Storage,
    private readonly factory: TxFactory<Tx>,
  ) {}

  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.waiting.push({ work, since: monotonicMs(), resolve: resolve as (result: unknown) => void, reject })
    if (!this.isDraining) void this.drain()
    return promise
  }

  private async drain(): Promise<void> {
    this.isDraining = true
    while (this.waiting.length > 0) {
      // All below is synchronous: only a turn of the loop lets the requests that have arrived join the group.
      await nextLoopIteration()
      await this.commitGroup(this.waiting.splice(0, GROUP_SIZE))
    }
    this.isDraining = false
  }

  private async commitGroup(group: Waiting<Tx>[]): Promise<void> {
    const startedAt = monotonicMs()
    let outcomes: Outcome<Tx>[]
    try {
      outcomes = await this.commitPatiently(group)
    } catch (error) {
      // Nothing of the group is in the database: the transaction did not begin or did not commit.
      const refusal = error instanceof AppError ? error : databaseUnavailable(error)
      // A server that hung will hang for those behind as well, and they cannot wait as long again.
      const isHung = !isBusy(error) && monotonicMs() - startedAt > BUSY_PATIENCE_MS
      for (const { reject } of isHung ? [...group, ...this.waiting.splice(0)] : group) reject(refusal)
      return
    }
    for (const [index, outcome] of outcomes.entries()) this.settle(group[index], outcome)
  }

  private settle(entry: Waiting<Tx> | undefined, outcome: Outcome<Tx>): void {
    if ('error' in outcome) {
      entry?.reject(toAppError(outcome.error))
      return
    }
    this.factory.committed(outcome.tx)
    entry?.resolve(outcome.result)
  }

  /** Another process may hold the file's write lock; waiting happens here, off the event loop. */
  private async commitPatiently(group: Waiting<Tx>[]): Promise<Outcome<Tx>[]> {
    const until = (group[0]?.since ?? 0) + BUSY_PATIENCE_MS // The first has waited longest.
    for (;;) {
      try {
        this.storage.assertPresent()
        return await this.storage.transaction((handle) => this.runAll(handle, group))
      } catch (error) {
        if (!isBusy(error) || monotonicMs() >= until) throw error
        await Bun.sleep(BUSY_PAUSE_MS)
      }
    }
  }

  private async runAll(handle: TransactionHandle, group: Waiting<Tx>[]): Promise<Outcome<Tx>[]> {
    const outcomes: Outcome<Tx>[] = []
    for (const { work } of group) outcomes.push(await this.runOne(handle, work))
    return outcomes
  }

  private async runOne(handle: TransactionHandle, work: Waiting<Tx>['work']): Promise<Outcome<Tx>> {
    try {
      return await this.storage.savepoint(handle, (inner) => run(this.factory, inner, work))
    } catch (error) {
      // A full disk ends the whole transaction: nobody after it may go on as if it were open.
      if (isDatabaseFault(error)) throw error
      return { error }
    }
  }
}
