import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { type Operator, operator } from '../../projects/doors/operator'
import { type AppliedPlan, applyFile, planFile } from '../../projects/project-file/apply'
import { AppliedFile, PatchBody } from './operator-wire'
import { type ParsedPatch, parsePatchInTurn } from './parse-patch'
import { refusePatch, toPlan } from './plan-answer'
import { reportOf } from './report'
import { refuseWithoutRight } from './rights'

/** A patch of the project file: the changes of a project alone, for the assistant, agents and scripts. */
export const patchRoute = (ctx: Context) =>
  operator(ctx, { capability: 'project:read', idempotency: { isSecret: true, hidesBody: true } }).post(
    '/project-file/patch',
    async ({ body, request, ...caller }) => {
      const patch = await parsePatchInTurn(ctx, { ...caller, request }, body)
      if ('unreadable' in patch) throw refusePatch(patch.unreadable)
      const plan = body.dryRun
        ? await trialOf(ctx, caller.project.id, patch)
        : await applyPatch(ctx, caller, seen(patch, body))
      const report = reportOf(patch.parsed, plan)
      if (report.problems.length > 0) throw refusePatch(report.problems)
      const { madeSecrets: secrets, waitingPurchases } = plan
      const applied = report.hasChanges && body.dryRun !== true
      return { data: { ...toPlan(report), applied, secrets, waitingPurchases } }
    },
    {
      body: PatchBody,
      response: Type.Object({ data: AppliedFile }, { additionalProperties: false }),
      detail: {
        tags: ['Project file'],
        'x-errors': ['CAPABILITY_REQUIRED', 'ROLE_REQUIRED', 'CONFLICT', 'RATE_LIMITED', 'QUEUE_UNAVAILABLE'],
        summary: 'Change a project with a patch of its file',
        description:
          'All of it or nothing. The patch is put over the exported file of the project, and of the result the sections and objects that the patch names are applied. Needs the same rights as applying the file.',
        operationId: 'patchProjectFile',
      },
    },
  )

async function trialOf(ctx: Context, projectId: string, { parsed, prune }: ParsedPatch): Promise<AppliedPlan> {
  return { ...(await planFile(ctx, projectId, parsed, { prune })), madeSecrets: [], waitingPurchases: 0 }
}

/** For the version whose plan the caller has looked at; without one, for the present version. */
const seen = (patch: ParsedPatch, { configVersion }: PatchBody): ParsedPatch =>
  configVersion === undefined ? patch : { ...patch, configVersion }

/** 409 `CONFLICT` if the project was changed since the patch was put over its file. */
const applyPatch = (
  ctx: Context,
  { project, session, scopes, actor, role }: Pick<Operator, 'project' | 'session' | 'scopes' | 'actor' | 'role'>,
  { parsed, ...options }: ParsedPatch,
): Promise<AppliedPlan> =>
  applyFile(ctx, project.id, parsed, {
    ...{ ...options, actor, hasToken: session === null },
    authorize: (changes) => refuseWithoutRight({ role, scopes }, changes),
  })
