import { Type } from '@sinclair/typebox'
import type { Context } from '../../../base/context'
import { AppError, invalid } from '../../../base/errors'
import { tooLarge } from '../../../base/http/body'
import { dataAnswer } from '../../../base/http/object-answer'
import { factsOf } from '../../../base/http/request'
import { WarningsSchema } from '../../../core/audience/schema'
import { judgedAtWrite } from '../../../projects/doors/judged-at-write'
import { operator, requireStillAdmitted } from '../../../projects/doors/operator'
import { replaceMembers } from './admin'

const WRITERS = { capability: 'audiences:write', body: 'STREAM' } as const
const MAX_BYTES = 8 * 1024 * 1024

const MembersSchema = Type.Object(
  {
    audienceId: Type.String(),
    members: Type.Integer({ description: 'Ids in the list, each counted once' }),
    warnings: WarningsSchema,
  },
  { additionalProperties: false, title: 'AudienceMembers' },
)

/** The list of ids of an audience. It is a text, and larger than other bodies. */
export const audienceMemberRoutes = (ctx: Context) =>
  operator(ctx, WRITERS).put(
    '/audiences/:id/members',
    async ({ project, actor, signIn, expected, params, request, set }) => ({
      // The place is taken before the body is read, so that lists that wait are not in memory as texts too.
      data: await ctx.state.memberQueue.run(project.id, request.signal, async () => {
        const text = await textOf(ctx, request)
        const call = { request, facts: factsOf(request), params: {}, headers: set.headers }
        await requireStillAdmitted(ctx, WRITERS, call, project.id)
        return replaceMembers(ctx, judgedAtWrite(WRITERS, { project, actor, signIn, expected }), params.id, text)
      }),
    }),
    {
      response: dataAnswer(MembersSchema),
      detail: {
        tags: ['Targeting'],
        'x-errors': ['PAYLOAD_TOO_LARGE', 'CONFLICT', 'RATE_LIMITED', 'QUEUE_UNAVAILABLE'],
        summary: 'Replace the list of ids of an audience',
        description:
          'One id a line, at most 100,000 and 8 MiB: labels, device keys or values of another attribute, for the operators $inGroup and $notInGroup. An empty body deletes the list. Only keyed hashes are kept.',
        operationId: 'putAudienceMembers',
        requestBody: { required: true, content: { 'text/plain': { schema: { type: 'string' as const } } } },
      },
    },
  )

async function textOf({ state }: Context, request: Request): Promise<string> {
  const type = request.headers.get('content-type')
  if (type !== null && !/^\s*text\/plain\s*(;|$)/i.test(type)) throw invalid('Content-Type must be text/plain')
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) throw tooLarge(MAX_BYTES)
  const arriving = state.bodies.expect(request, MAX_BYTES)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await arriving.read())
  } catch (error) {
    throw error instanceof AppError ? error : invalid('The body is not valid UTF-8')
  } finally {
    arriving.end()
  }
}
