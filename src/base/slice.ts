import type { AnyElysia } from 'elysia'
import type { Command } from './cli/command'
import type { Config } from './config'
import type { Context } from './context'
import type { Driver } from './db/handle'
import type { TableDefinitions } from './db/tables'
import type { AnyJob, CronLine } from './jobs/registry'
import type { MetricDefinitions } from './metrics/metrics'
import type { SliceHooks, SliceState } from './state'

/** Work that a running server does again and again in its own memory; never twice at once. */
export interface Loop {
  /** For the log. */
  name: string
  everyMs: number | Readonly<Record<Driver, number>>
  /** Whether this deployment needs it; always when it is left out. */
  isOn?(config: Config): boolean
  run(ctx: Context): Promise<void>
  /** Once more at the end, when no job runs any more. */
  end?(ctx: Context): Promise<void>
}

type Routes = (ctx: Context) => AnyElysia

/** Makes parts of the state; those of the slices before it are there already. */
type StateFactories = { readonly [Name in keyof SliceState]?: (ctx: Context) => SliceState[Name] }

/** Everything by which the outside uses a slice. Every member but the name may be left out. */
export interface Slice extends Partial<SliceHooks> {
  readonly name: string
  readonly tables?: TableDefinitions
  readonly state?: StateFactories
  readonly metrics?: MetricDefinitions
  /** Under `/v1`, and for browsers under `/v1/web/:publicKey`. */
  readonly routes?: Routes
  /** Directly under `/v1/web/:publicKey`, beside the routes above. */
  readonly webRoutes?: Routes
  /** At the root, with guards of their own: what stores, monitors and people ask for. */
  readonly publicRoutes?: Routes
  /** Under `/dashboard/projects/:projectId`, behind `operator`. */
  readonly operatorRoutes?: Routes
  /** Under `/admin`, behind `admin`. */
  readonly adminRoutes?: Routes
  /** Jobs that a transaction can enqueue; those of `cron` need not be named again. */
  readonly jobs?: readonly AnyJob[]
  readonly cron?: readonly CronLine[]
  readonly loops?: readonly Loop[]
  readonly commands?: readonly Command[]
}

/** Declares a slice; the list in `slices.ts` takes it up. */
export const slice = (manifest: Slice): Slice => manifest
