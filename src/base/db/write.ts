import { AppError } from '../errors'
import { monotonicMs } from '../lib/clock'
import { databaseUnavailable, isBusy, isDatabaseFault, isRetryable, toAppError } from './errors'
import type { Storage, TransactionHandle } from './handle'

/** Runs work in one transaction, commits it to the disk and returns the result of the work. */
export type Write<Tx> = <Result>(work: (tx: Tx) => Promise<Result>, options?: WriteOptions) => Promise<Result>

export interface WriteOptions {
  /**
   * The work is done again after a failure of the power, by what is in the database then. So its commit need not be on the
   * disk before the next one that must be.
   */
  isRepeated?: boolean
}

/** Creates the `tx` object for the work from the plain handle, and runs its actions after the commit. */
export interface TxFactory<Tx> {
  begin(handle: TransactionHandle): Tx
  committed(tx: Tx): void
}

/**
 * The only way to write. On SQLite, waiting writers form a group: they share one transaction and one sync to the disk.
 * When one of them fails, the others are not affected: what it has written is undone. On Postgres each writer has an
 * ordinary transaction, which runs again when it lost a race. Work must not use the network, must only use the `tx` that it
 * gets, and may run again before its result counts.
 */
export function createWrite<Tx>(storage: Storage, factory: TxFactory<Tx>): Write<Tx> {
  if (storage.driver === 'postgres') return (work) => writeAlone(storage, factory, work)
  const group = new GroupWriter(storage, factory)
  return (work, options) => group.write(work, options)
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
  isRepeated: boolean
  /** Monotonic milliseconds at which the writer arrived. */
  since: number
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

type Outcome<Tx> = { tx: Tx; result: unknown } | { error: unknown }

/** A writer of a group failed after it had written. The group is rolled back, and runs again with savepoints. */
class GroupUndone extends Error {}

const GROUP_SIZE = 64
/** How long a writer waits for the lock of another process. A response must be sent within 8 s (wire 3.2). */
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

  write<Result>(work: (tx: Tx) => Promise<Result>, { isRepeated = false }: WriteOptions = {}): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.waiting.push({ work, isRepeated, since: monotonicMs(), resolve: resolve as (result: unknown) => void, reject })
    if (!this.isDraining) void this.drain()
    return promise
  }

  private async drain(): Promise<void> {
    this.isDraining = true
    while (this.waiting.length > 0) {
      // All code below is synchronous. Only here, between two iterations of the event loop, can requests that have
      // arrived join the group.
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
      // Nothing of the group is in the database: the transaction did not start or did not commit.
      const refusal = group.length === 1 || error instanceof AppError ? toAppError(error) : databaseUnavailable(error)
      // A server that hung will also hang for the writers behind this group, and they cannot wait that long again.
      const isHung = !(error instanceof AppError) && !isBusy(error) && monotonicMs() - startedAt > BUSY_PATIENCE_MS
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

  /**
   * Another process may hold the write lock of the file. The wait is here, so that it does not block the event loop.
   */
  private async commitPatiently(group: Waiting<Tx>[]): Promise<Outcome<Tx>[]> {
    const isRepeated = group.every((one) => one.isRepeated)
    let isApart = this.storage.countChanges === undefined
    const until = (group[0]?.since ?? 0) + BUSY_PATIENCE_MS // The first writer has waited longest.
    for (;;) {
      try {
        this.storage.assertPresent()
        return await this.storage.transaction((handle) => this.runAll(handle, group, isApart), isRepeated)
      } catch (error) {
        if (error instanceof GroupUndone) {
          isApart = true
          continue
        }
        if (error instanceof AppError || !isBusy(error) || monotonicMs() >= until) throw error
        await Bun.sleep(BUSY_PAUSE_MS)
      }
    }
  }

  private async runAll(handle: TransactionHandle, group: Waiting<Tx>[], isApart: boolean): Promise<Outcome<Tx>[]> {
    const [only, ...others] = group
    // A writer alone needs no savepoint: its failure undoes the whole transaction.
    if (only && others.length === 0) return [await run(this.factory, handle, only.work)]
    const outcomes: Outcome<Tx>[] = []
    for (const { work } of group)
      outcomes.push(await (isApart ? this.runApart(handle, work) : this.runTogether(handle, work)))
    return outcomes
  }

  /** Savepoints are a sixth of the time of the statements, and few writers fail after they have written. */
  private async runTogether(handle: TransactionHandle, work: Waiting<Tx>['work']): Promise<Outcome<Tx>> {
    const before = this.storage.countChanges?.()
    try {
      return await run(this.factory, handle, work)
    } catch (error) {
      if (isDatabaseFault(error)) throw error
      if (this.storage.countChanges?.() !== before) throw new GroupUndone()
      return { error }
    }
  }

  private async runApart(handle: TransactionHandle, work: Waiting<Tx>['work']): Promise<Outcome<Tx>> {
    try {
      return await this.storage.savepoint(handle, (inner) => run(this.factory, inner, work))
    } catch (error) {
      // A full disk ends the whole transaction, so the following writers must not continue in it.
      if (isDatabaseFault(error)) throw error
      return { error }
    }
  }
}
