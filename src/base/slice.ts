import type { AnyElysia } from 'elysia'
import type { Command } from './cli/command'
import type { Config } from './config'
import type { Context } from './context'
import type { Driver } from './db/handle'
import type { TableDefinitions } from './db/tables'
import type { AnyJob, CronLine } from './jobs/registry'
import type { MetricDefinitions } from './metrics/metrics'
import type { SliceHooks, SliceState } from './state'

/** Work that a running server repeats in its own memory. Two runs never overlap. */
export interface Loop {
  /** The name in log lines. */
  name: string
  everyMs: number | Readonly<Record<Driver, number>>
  /** Whether this deployment needs the loop; without it the answer is always yes. */
  isOn?(config: Config): boolean
  /** Also when the process starts, and not only after the first interval. */
  readonly isRunAtStart?: boolean
  run(ctx: Context): Promise<void>
  /** Runs once more at the end, after the last job has ended. */
  end?(ctx: Context): Promise<void>
}

type Routes = (ctx: Context) => AnyElysia

/** Creates parts of the state. The parts of the slices before this one already exist. */
type StateFactories = { readonly [Name in keyof SliceState]?: (ctx: Context) => SliceState[Name] }

/** The manifest of a slice: everything that other code uses of it. Only the name is required. */
export interface Slice extends Partial<SliceHooks> {
  readonly name: string
  readonly tables?: TableDefinitions
  readonly state?: StateFactories
  readonly metrics?: MetricDefinitions
  /** Under `/v1`, and for browsers under `/v1/web/:publicKey`. */
  readonly routes?: Routes
  /** Directly under `/v1/web/:publicKey`, beside the routes above. */
  readonly webRoutes?: Routes
  /** At the root, with their own guards, for stores, monitoring and people. */
  readonly publicRoutes?: Routes
  /** On the custom domains of projects, which answer nothing else. */
  readonly hostRoutes?: Routes
  /** Under `/dashboard/projects/:projectId`, behind `operator`. */
  readonly operatorRoutes?: Routes
  /** Under `/dashboard`, behind `account`: what belongs to the signed-in person and not to one project. */
  readonly accountRoutes?: Routes
  /** Under `/api/auth`, for people who are not signed in yet. */
  readonly authRoutes?: Routes
  /** Under `/admin`, behind `admin`. */
  readonly adminRoutes?: Routes
  /** Jobs that a transaction can enqueue. Those in `cron` need not be listed again. */
  readonly jobs?: readonly AnyJob[]
  readonly cron?: readonly CronLine[]
  readonly loops?: readonly Loop[]
  readonly commands?: readonly Command[]
}

/** Declares a slice. `slices.ts` lists all of them. */
export const slice = (manifest: Slice): Slice => manifest
