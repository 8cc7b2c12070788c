import { type Static, Type } from '@sinclair/typebox'
import { CommandFailure, UsageError } from '../../base/cli/command'
import type { Context } from '../../base/context'
import type { Place, ProjectApi } from '../../projects/project/project-api'
import { applyFile } from '../../projects/project-file/apply'
import { type ParsedFile, wantedOf } from '../../projects/project-file/parse'
import { PROJECT } from '../../projects/project-file/project-form'
import type { MadeSecret } from '../../projects/project-file/secret'
import { keepApplied } from './applied'
import { AppliedFile, FilePlan } from './operator-wire'
import { type PlanReport, planReport } from './report'
import { type FileText, refuseTooLarge } from './sources'

/** The project to which a file is applied: in the database of this machine, or on a server. */
export interface ApplyTarget {
  plan(): Promise<PlanReport>
  /** Applies the plan of this version; 409 `CONFLICT` when the project has changed since. */
  apply(configVersion: number): Promise<Applied>
}

export interface Applied {
  /** The secrets that the server has made. */
  secrets: readonly MadeSecret[]
  /** Purchases that were recorded before one of the products, and get it now. */
  waitingPurchases: number
}

export interface ApplyOrder {
  /** What `--project` names. */
  project: string | undefined
  prune: boolean
}

/** On this machine the file may be larger than a request. */
export async function applyTarget(
  place: Place,
  text: FileText,
  parsed: ParsedFile,
  order: ApplyOrder,
): Promise<ApplyTarget> {
  const project = await findTarget(parsed, order, place.find)
  return project.ctx ? localTarget(project.ctx, project.id, parsed, order) : remoteTarget(project, text, order)
}

/** The project in the database. */
function localTarget(ctx: Context, id: string, parsed: ParsedFile, { prune }: ApplyOrder): ApplyTarget {
  return {
    plan: () => planReport(ctx, id, parsed, prune),
    apply: async (configVersion) => {
      const options = { prune, configVersion, applied: keepApplied(id, parsed, { prune }) }
      const { madeSecrets, waitingPurchases } = await applyFile(ctx, id, parsed, options)
      return { secrets: madeSecrets, waitingPurchases }
    },
  }
}

/** The project on a server, which gets the file together with the values of its placeholders on this machine. */
function remoteTarget(project: ProjectApi, text: FileText, order: ApplyOrder): ApplyTarget {
  const body = { ...text, prune: order.prune }
  refuseTooLarge(body)
  return {
    plan: () => planThere(project, body),
    apply: async (configVersion) => {
      const request = { data: ApplyAnswer, body: { ...body, configVersion } }
      const { secrets, waitingPurchases = 0 } = await project.call('POST', ['project-file', 'apply'], request)
      return { secrets, waitingPurchases }
    },
  }
}

/** A newer server may answer more. */
export const LENIENT = { additionalProperties: true }
const Plan = Type.Composite(
  [Type.Omit(FilePlan, ['problemCount']), Type.Partial(Type.Pick(FilePlan, ['problemCount']))],
  LENIENT,
)
export const ApplyAnswer = Type.Composite(
  [
    Type.Pick(AppliedFile, ['applied', 'secrets']),
    Type.Object({ waitingPurchases: Type.Optional(Type.Integer()) }), // An older server does not tell it.
  ],
  LENIENT,
)

async function planThere(project: ProjectApi, body: object): Promise<PlanReport> {
  return toReport(await project.call('POST', ['project-file', 'plan'], { data: Plan, body }))
}

/** What a plan says that a route has answered. */
export function toReport(plan: Static<typeof Plan>): PlanReport {
  const { problems, problemCount = problems.length, lines, changes, counts, warnings, configVersion } = plan
  const hasChanges = counts.create + counts.update + counts.delete > 0
  // Checked by the schema; codes and operations are texts there.
  return {
    problems,
    problemCount,
    lines,
    diff: { changes, counts, ...(warnings && { warnings }) },
    hasChanges,
    configVersion,
  } as PlanReport
}

async function findTarget(
  parsed: ParsedFile,
  { project: given }: ApplyOrder,
  find: Place['find'],
): Promise<ProjectApi> {
  const project = wantedOf(parsed, PROJECT)?.[0]?.state
  const refs = given === undefined ? [project?.slug, project?.was] : [given]
  const [ref] = refs
  if (!ref) throw new UsageError('apply needs to know the project: --project, or project.slug in the file')
  for (const candidate of refs) {
    const found = candidate ? await find(candidate) : null
    if (found) return found
  }
  throw new CommandFailure(
    'NOT_FOUND',
    `There is no project "${ref}"; make it first: svc project create --name NAME --slug ${ref}`,
  )
}
