import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { operator } from '../../projects/doors/operator'
import { applyFile } from '../../projects/project-file/apply'
import { loadCurrent } from '../../projects/project-file/load'
import type { LocatedProblem } from '../../projects/project-file/problem'
import { sectionsOf } from '../../projects/project-file/sections'
import { keepApplied } from './applied'
import { exportText } from './export-text'
import { parseInTurn } from './file-turns'
import { AppliedFile, ApplyBody, ExportedFile, ExportQuery, FilePlan, MAX_PROBLEMS, PlanBody } from './operator-wire'
import { patchRoute } from './patch-route'
import { refuseFile, toPlan } from './plan-answer'
import { planReport, reportOf } from './report'
import { mayChangeAll, refuseWithoutRight } from './rights'

const strict = { additionalProperties: false } as const
const tags = ['Project file']

/** A project as a file: read, compared and applied, for `svc apply --url` and the console (wire section 8). */
export const projectFileRoutes = (ctx: Context) =>
  new Elysia().use(readRoutes(ctx)).use(applyRoutes(ctx)).use(patchRoute(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'project:read', idempotency: { rendersReplay: true, unkept: 'RUN' } })
    .get(
      '/project-file',
      async ({ project, actor, request, query: { format = 'yaml', withIds } }) => {
        const current = await loadCurrent(ctx, project.id, sectionsOf(ctx.hooks))
        // A command of this process has come to no address.
        const origin = actor.kind === 'CLI' ? {} : { origin: new URL(request.url).origin }
        const options = { isJson: format === 'json', withIds: withIds === 'true', ...origin }
        const text = exportText(ctx.config, current, options)
        const [yaml, json] = format === 'json' ? [null, text] : [text, null]
        return { data: { yaml, json, configVersion: current.project.configVersion } }
      },
      {
        query: ExportQuery,
        response: Type.Object({ data: ExportedFile }, strict),
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'The project as a file',
          description: 'Applying it to the same project changes nothing. Secrets are never in it.',
          operationId: 'getProjectFile',
        },
      },
    )
    .post(
      '/project-file/plan',
      async ({ project, user, body, request }) => {
        const parsed = await parseInTurn(ctx, { project, user, request }, body)
        if ('unreadable' in parsed)
          return { data: { ...unread(project.configVersion), ...firstProblems(parsed.unreadable) } }
        const report = await planReport(ctx, project.id, parsed, body.prune ?? false)
        return { data: { ...toPlan(report), ...firstProblems(report.problems) } }
      },
      {
        body: PlanBody,
        response: Type.Object({ data: FilePlan }, strict),
        detail: {
          tags,
          'x-errors': ['CONFLICT', 'RATE_LIMITED', 'QUEUE_UNAVAILABLE'],
          summary: 'What applying a file would change',
          description: `Writes nothing. The first ${MAX_PROBLEMS} problems of the file are in the answer, with their lines.`,
          operationId: 'planProjectFile',
        },
      },
    )

/**
 * Its answer contains the secrets of new webhook endpoints, so kept answers are encrypted; its body may have others.
 */
const applyRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'project:read', idempotency: { isSecret: true, hidesBody: true } }).post(
    '/project-file/apply',
    async ({ project, user, session, scopes, actor, role, body, request }) => {
      const { prune = false, configVersion } = body
      const parsed = await parseInTurn(ctx, { project, user, request }, body)
      if ('unreadable' in parsed) throw refuseFile(parsed.unreadable)
      const keeping = { prune, actor }
      const author = { role, scopes }
      const plan = await applyFile(ctx, project.id, parsed, {
        hasToken: session === null,
        ...(configVersion === undefined ? {} : { configVersion }),
        ...keeping,
        authorize: (changes) => refuseWithoutRight(author, changes),
        // A file that was pasted into the console is not the file in which the project is kept.
        ...(session === null && mayChangeAll(author, parsed) && { applied: keepApplied(project.id, parsed, keeping) }),
      })
      const report = reportOf(parsed, plan)
      if (report.problems.length > 0) throw refuseFile(report.problems)
      const { madeSecrets: secrets, waitingPurchases } = plan
      return { data: { ...toPlan(report), applied: report.hasChanges, secrets, waitingPurchases } }
    },
    {
      body: ApplyBody,
      response: Type.Object({ data: AppliedFile }, strict),
      detail: {
        tags,
        'x-errors': ['CAPABILITY_REQUIRED', 'ROLE_REQUIRED', 'CONFLICT', 'RATE_LIMITED', 'QUEUE_UNAVAILABLE'],
        summary: 'Make the project equal to a file',
        description:
          'All of it or nothing. Needs, for each section that changes, what its own routes need: products:write for the catalogue, the role OWNER for stores, and so on. A token with scopes needs project:read and the capability of each section that changes. With an access token of a person who may change every section of the file, the project is from then on kept in this file.',
        operationId: 'applyProjectFile',
      },
    },
  )

const firstProblems = (problems: readonly LocatedProblem[]) => ({
  problems: problems.slice(0, MAX_PROBLEMS),
  problemCount: problems.length,
})

const unread = (configVersion: number) => ({
  lines: [],
  changes: [],
  counts: { create: 0, update: 0, delete: 0, keepSecret: 0 },
  configVersion,
})
