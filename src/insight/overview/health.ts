import type { BrokenObject, Examination, Examined, ProjectReport } from '../../base/cli/doctor'
import type { Context } from '../../base/context'
import { SECOND } from '../../base/lib/clock'
import { type Finding, finding } from '../../core/finding/findings'
import type { ProjectState } from '../../projects/project/state'

/** Something that is wrong with a project, or with the server in a way that the project feels. */
export interface Concern {
  /** Where it is: `WEBHOOKS`, `EXCHANGE_RATES`. */
  code: string
  /** `FAULT`: something does not work. `GAP`: something is not set up, or was switched off. */
  kind: 'FAULT' | 'GAP'
  message: string
  /** What to do; null when the message has it. */
  action: string | null
  /** The same as a code with its values, for a text in another language; null where there is none. */
  finding: Pick<Finding, 'code' | 'params'> | null
}

const LIFE_MS = 10 * SECOND
const MOST_KEPT = 500

/** The results of `svc doctor` about projects, kept for ten seconds. */
export class HealthKeeper {
  private readonly kept = new Map<string, { from: number; concerns: Promise<Concern[]> }>()

  constructor(private readonly ctx: Context) {}

  read(project: ProjectState): Promise<Concern[]> {
    const now = this.ctx.clock.now()
    const held = this.kept.get(project.id)
    if (held && now >= held.from && now < held.from + LIFE_MS) return held.concerns
    const concerns = examine(this.ctx, project, now)
    this.kept.delete(project.id)
    this.kept.set(project.id, { from: now, concerns })
    concerns.catch(() => this.kept.delete(project.id))
    const [oldest] = this.kept.keys()
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest)
    return concerns
  }
}

/** Checks of the whole deployment that every project feels. */
const SHARED = ['exchange-rates']

async function examine(ctx: Context, { id, slug }: ProjectState, now: number): Promise<Concern[]> {
  const examined: Examined = { handle: ctx, config: ctx.config, vault: ctx.vault, now }
  const concerns: Concern[] = []
  for (const examination of ctx.hooks.doctor ?? []) {
    concerns.push(...(await sharedConcerns(examined, examination)))
    const report = (await examination.project?.(examined, { id, slug })) ?? {}
    concerns.push(...toConcerns(examination.name, report))
  }
  return concerns
}

async function sharedConcerns(examined: Examined, { name, database }: Examination): Promise<Concern[]> {
  if (!SHARED.includes(name) || !database) return []
  return (await database(examined))
    .filter(({ status }) => status !== 'ok')
    .map(({ status, message, finding = null }) =>
      toConcern(name, status === 'fail' ? 'FAULT' : 'GAP', message, finding),
    )
}

const toConcerns = (name: string, { faults = [], gaps = [], broken = [] }: ProjectReport): Concern[] => [
  ...[...faults, ...broken.map(brokenFinding)].map((one) => toConcern(name, 'FAULT', one.message, one)),
  ...gaps.map((one) => toConcern(name, 'GAP', one.message, one)),
]

const brokenFinding = ({ kind, id, path, message }: BrokenObject): Finding =>
  finding(
    'STORED_BROKEN',
    { kind, id, path, message },
    `The stored ${kind} ${id} is broken at ${path} (${message}); save it again.`,
  )

/** The sentences of the doctor say what is wrong and then, behind a semicolon or in a sentence of its own, what to do. */
function toConcern(name: string, kind: Concern['kind'], text: string, found: Finding | null): Concern {
  const code = name.toUpperCase().replaceAll('-', '_')
  const finding = found && { code: found.code, params: found.params }
  const [, message, end = '', action = ''] = /^(.+)(; |\. )(.+)$/s.exec(text) ?? []
  if (message === undefined) return { code, kind, message: text, action: null, finding }
  const todo = action.charAt(0).toUpperCase() + action.slice(1)
  return {
    ...{ code, kind, message: `${message}.`, finding },
    action: end === '; ' || todo.endsWith('.') ? todo : `${todo}.`,
  }
}
