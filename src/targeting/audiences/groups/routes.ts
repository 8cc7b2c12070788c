import { Type } from '@sinclair/typebox'
import type { Context } from '../../../base/context'
import { AppError, invalid } from '../../../base/errors'
import { dataAnswer } from '../../../base/http/object-answer'
import { operator } from '../../../projects/doors/operator'
import { replaceMembers } from './admin'

const MAX_BYTES = 8 * 1024 * 1024

const MembersSchema = Type.Object(
  { audienceId: Type.String(), members: Type.Integer({ description: 'Ids in the list, each counted once' }) },
  { additionalProperties: false, title: 'AudienceMembers' },
)

/** The list of ids of an audience. It is a text, and larger than other bodies. */
export const audienceMemberRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'audiences:write', body: 'STREAM' }).put(
    '/audiences/:id/members',
    async ({ project, actor, expected, params, request }) => ({
      data: await replaceMembers(ctx, { projectId: project.id, actor, expected }, params.id, await textOf(request)),
    }),
    {
      response: dataAnswer(MembersSchema),
      detail: {
        tags: ['Targeting'],
        'x-errors': ['PAYLOAD_TOO_LARGE', 'CONFLICT'],
        summary: 'Replace the list of ids of an audience',
        description:
          'One id a line, at most 100,000 and 8 MiB: labels, device keys or values of another attribute, for the operators $inGroup and $notInGroup. An empty body deletes the list. Only keyed hashes are kept.',
        operationId: 'putAudienceMembers',
        requestBody: { required: true, content: { 'text/plain': { schema: { type: 'string' as const } } } },
      },
    },
  )

async function textOf({ headers, body }: Request): Promise<string> {
  const type = headers.get('content-type')
  if (type !== null && !/^\s*text\/plain\s*(;|$)/i.test(type)) throw invalid('Content-Type must be text/plain')
  if (Number(headers.get('content-length') ?? 0) > MAX_BYTES) throw tooLarge()
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > MAX_BYTES) throw tooLarge()
    parts.push(part)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))
  } catch {
    throw invalid('The body is not valid UTF-8')
  }
}

const tooLarge = (): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', undefined, { message: `The list is over ${MAX_BYTES} bytes` })
