import type { Context } from '../../base/context'
import { toAppError } from '../../base/db/errors'
import { AppError, invalid } from '../../base/errors'
import type { FlagEnvironment } from '../../core/flag/names'
import { visibleBalances } from '../../people/currencies/service'
import { currentAccess } from '../../people/entitlements/service'
import type { ProjectState } from '../../projects/project/state'
import type { EvaluationTarget } from '../audiences/evaluation-target'
import { EXPERIMENT_HEADER } from '../experiments/header'
import { presentedOfferings } from '../offerings/presentation'
import { evaluateConfig } from '../remote-config/service'

export const PARTS = ['entitlements', 'config', 'offerings', 'balances'] as const

export type Part = (typeof PARTS)[number]

/** What one call asks for. */
export interface Question {
  project: ProjectState
  target: EvaluationTarget
  env: FlagEnvironment
  /** Of the answer. */
  headers: Record<string, string | number>
}

/** The parts that a query names, each once and in their order; all without the query. */
export function partsOf(include: string | undefined): Part[] {
  if (include === undefined) return [...PARTS]
  const named = include.split(',')
  const unknown = named.find((name) => !PARTS.some((part) => part === name))
  if (unknown !== undefined) throw invalid(`include must name some of ${PARTS.join(', ')}, separated by commas`)
  return PARTS.filter((part) => named.includes(part))
}

type Makers = Record<Part, (ctx: Context, question: Question) => Promise<unknown>>

/** Each part as the data of its own route. */
const MAKERS: Makers = {
  entitlements: async (ctx, { project, target }) => ({
    entitlements: await currentAccess(ctx, project, target.subscriber),
  }),
  config: (ctx, { project, target, env }) => evaluateConfig(ctx, project, target, env),
  offerings: async (ctx, { project, target, headers }) => {
    const { offerings, source } = await presentedOfferings(ctx, project, target)
    if (source) headers[EXPERIMENT_HEADER] = source
    return { offerings }
  },
  balances: async (ctx, { project, target }) => ({ balances: await visibleBalances(ctx, project, target.subscriber) }),
}

/** Why a part is missing. */
interface PartFault {
  code: string
  retryAfterSeconds?: number
}

export interface Parts {
  data: Partial<Record<Part, unknown>>
  errors: Partial<Record<Part, PartFault>>
}

/** Makes the parts. One that fails with 503 is null and named among the errors; every other failure is thrown. */
export async function makeParts(ctx: Context, parts: readonly Part[], question: Question): Promise<Parts> {
  const made: Parts = { data: Object.fromEntries(parts.map((part) => [part, null])), errors: {} }
  await Promise.all(
    parts.map(async (part) => {
      try {
        made.data[part] = await MAKERS[part](ctx, question)
      } catch (error) {
        made.errors[part] = faultOf(error)
      }
    }),
  )
  return made
}

function faultOf(error: unknown): PartFault {
  const refusal = toAppError(error)
  if (!(refusal instanceof AppError) || refusal.status !== 503) throw error
  const { retryAfter } = refusal
  return { code: refusal.toWire().code, ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }) }
}
