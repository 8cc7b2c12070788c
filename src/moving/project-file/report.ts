import type { Context } from '../../base/context'
import { planFile } from '../../projects/project-file/apply'
import { changesOf, type ObjectChange } from '../../projects/project-file/changes'
import { formatDiff, type JsonDiff, jsonDiff } from '../../projects/project-file/diff'
import { locateProblems, type ParsedFile } from '../../projects/project-file/parse'
import { type Plan, warningsOf } from '../../projects/project-file/plan'
import type { LocatedProblem } from '../../projects/project-file/problem'

/** What applying a file would change, as people and programs read it. With problems it cannot be applied. */
export interface PlanReport {
  /** A server names the first ones only. */
  problems: LocatedProblem[]
  problemCount: number
  /** The lines that `svc apply` prints. */
  lines: string[]
  diff: JsonDiff
  hasChanges: boolean
  /** The version of the project for which the plan was made. */
  configVersion: number
}

export const reportOf = (parsed: ParsedFile, plan: Plan): PlanReport => {
  const isRefused = plan.problems.length > 0
  const changes: readonly ObjectChange[] = isRefused ? [] : changesOf(plan)
  const [kept, warnings] = isRefused ? [[], []] : [plan.keptSecrets, warningsOf(plan)]
  return {
    problems: locateProblems(parsed, plan.problems),
    problemCount: plan.problems.length,
    lines: isRefused ? [] : formatDiff(changes, kept, warnings),
    diff: jsonDiff(changes, kept, warnings),
    hasChanges: changes.length > 0,
    configVersion: plan.configVersion,
  }
}

export const planReport = async (
  ctx: Context,
  projectId: string,
  parsed: ParsedFile,
  prune: boolean,
): Promise<PlanReport> => reportOf(parsed, await planFile(ctx, projectId, parsed, { prune }))
