import type { Static, TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Cron, CronPattern } from 'croner'
import type { Context } from '../context'
import { SECOND } from '../lib/clock'
import { type Backoff, DEFAULT_BACKOFF } from './backoff'

export type JobPayload = Record<string, unknown>

/** A job as the worker uses it, for any payload. */
export interface AnyJob {
  readonly name: string
  /** Number of failed runs after which the job is dead. */
  readonly maxAttempts: number
  readonly backoff: Backoff
  /** Throws when the payload does not fit the schema of the job. */
  check(payload: unknown): void
  /** Checks the payload and runs the handler. */
  run(ctx: Context, payload: unknown, isStopping: () => boolean): Promise<unknown>
}

/** A job as its callers use it. */
export interface Job<Payload> extends AnyJob {
  /** Exists only in the types: `enqueue` takes the type of the payload from it. */
  readonly takes?: (payload: Payload) => void
}

interface JobDefinition<Schema extends TObject> {
  /** `slice.verb`. It is stored in rows, so the name of a job never changes. */
  name: string
  payload: Schema
  maxAttempts?: number
  backoff?: Backoff
  /**
   * Must be safe to repeat: after a crash behind its last write it runs again. A long run calls `isStopping` now and
   * then, and stops early when the process is stopping.
   */
  handle(ctx: Context, payload: Static<Schema>, isStopping: () => boolean): Promise<unknown>
}

const DEFAULT_MAX_ATTEMPTS = 10

/** Defines a kind of background work. The payload is checked when the job is enqueued and again before it runs. */
export function defineJob<Schema extends TObject>(definition: JobDefinition<Schema>): Job<Static<Schema>> {
  const { name, payload: schema, maxAttempts = DEFAULT_MAX_ATTEMPTS, backoff = DEFAULT_BACKOFF } = definition
  return {
    name,
    maxAttempts,
    backoff,
    check: (payload) => assertFits(name, schema, payload),
    run: async (ctx, payload, isStopping) => {
      assertFits(name, schema, payload)
      return definition.handle(ctx, payload, isStopping)
    },
  }
}

function assertFits<Schema extends TObject>(
  name: string,
  schema: Schema,
  payload: unknown,
): asserts payload is Static<Schema> {
  if (Value.Check(schema, payload)) return
  const fault = Value.Errors(schema, payload).First()
  throw new TypeError(`payload of job ${name} does not fit at ${fault?.path || '/'}: ${fault?.message}`)
}

/** A job that runs at fixed times. Patterns are those of croner, in UTC. */
export interface CronLine {
  /** Key of its row in `cron_runs`; unique. */
  readonly name: string
  readonly pattern: string
  readonly job: AnyJob
  readonly payload: JobPayload
}

interface CronLineOf<Payload> {
  name: string
  pattern: string
  job: Job<Payload>
  payload?: NoInfer<Payload>
}

export function cronLine<Payload extends JobPayload>({ name, pattern, job, payload }: CronLineOf<Payload>): CronLine {
  return { name, pattern, job, payload: payload ?? {} }
}

/** All jobs and cron lines of the process. */
export interface Registry {
  readonly jobs: ReadonlyMap<string, AnyJob>
  readonly lines: readonly CronLine[]
}

/**
 * Throws at start for mistakes that would otherwise appear only when a job runs: a name used twice, a wrong pattern, a
 * payload that does not fit.
 */
export function createRegistry(jobs: readonly AnyJob[], lines: readonly CronLine[] = []): Registry {
  refuseRepeats([...jobs, ...lines.map(({ job }) => job)])
  refuseRepeats(lines)
  for (const { pattern, job, payload } of lines) {
    checkPattern(pattern)
    job.check(payload)
  }
  return { jobs: new Map([...jobs, ...lines.map(({ job }) => job)].map((job) => [job.name, job])), lines }
}

/** The same object may come twice, as a job and in its cron lines. Two different objects must not share a name. */
function refuseRepeats(things: readonly { name: string }[]): void {
  const named = new Map<string, unknown>()
  for (const thing of things) {
    if ((named.get(thing.name) ?? thing) !== thing) throw new Error(`two jobs or cron lines are named ${thing.name}`)
    named.set(thing.name, thing)
  }
}

/** Throws when a cron pattern is wrong. */
const checkPattern = (pattern: string): unknown => new CronPattern(pattern)

interface Instants {
  /** The last one of the pattern at or before now, or null. */
  latestAt: number | null
  /** The first one of the pattern after now; infinity when there is none. */
  nextAt: number
}

/** Reads a cron pattern in UTC. It is read anew each time: croner keeps 80 KB for each pattern. */
export function instantsOf(pattern: string, now: number): Instants {
  const cron = new Cron(pattern, { paused: true, utcOffset: 0 })
  // croner ignores the milliseconds and returns only instants before the given one.
  const after = Math.floor(now / SECOND) * SECOND + SECOND
  return {
    latestAt: cron.previousRuns(1, new Date(after))[0]?.getTime() ?? null,
    nextAt: cron.nextRun(new Date(now))?.getTime() ?? Number.POSITIVE_INFINITY,
  }
}
