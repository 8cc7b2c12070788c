import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { listAnswer, listQuery, readCursor, toList } from '../../base/http/list'
import { admin } from '../../projects/doors/admin'
import { listOutbox, toRemoteMailView } from './outbox'

const strict = { additionalProperties: false } as const
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
const Status = Type.Union([
  Type.Literal('QUEUED'),
  Type.Literal('SENT'),
  Type.Literal('KEPT'),
  Type.Literal('FAILED'),
  Type.Literal('SUPPRESSED'),
])

const MailView = Type.Object(
  {
    id: Type.String(),
    kind: Type.String(),
    to: Type.String(),
    userId: orNull(Type.String()),
    projectId: orNull(Type.String()),
    subject: Type.String(),
    status: Status,
    attempts: Type.Integer(),
    nextAttemptAt: orNull(Type.String()),
    lastError: orNull(Type.String()),
    sentAt: orNull(Type.String()),
    expiresAt: orNull(Type.String()),
    textState: Type.Union(
      [
        Type.Literal('READABLE'),
        Type.Literal('BLANKED'),
        Type.Literal('IN_MEMORY'),
        Type.Literal('UNREADABLE'),
        Type.Literal('WITHHELD'),
      ],
      {
        description:
          'IN_MEMORY: only the process that wrote the mail has its text. WITHHELD: its link opens something, so only `svc outbox` on the machine of the server shows it',
      },
    ),
    text: orNull(Type.String()),
    link: orNull(Type.String()),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  { ...strict, title: 'Mail' },
)

/** The outbox of mail, for platform administrators. */
export const outboxRoutes = (ctx: Context) =>
  admin(ctx).get(
    '/outbox',
    async ({ query: { status, limit = 50, cursor } }) => {
      const scope = ['outbox', status]
      const position = readCursor(cursor, scope, 1)
      const beforeId = position === null ? undefined : String(position[0])
      const rows = await listOutbox(ctx, { status, beforeId, limit: limit + 1 })
      const parts = {
        positionOf: ({ id }: { id: string }) => [id],
        toItem: (row: (typeof rows)[number]) => toRemoteMailView(ctx, row),
      }
      return { data: toList(rows, limit, scope, parts) }
    },
    {
      query: Type.Object({ ...listQuery, status: Type.Optional(Status) }, strict),
      response: listAnswer(MailView),
      detail: {
        tags: ['Administration'],
        summary: 'List the outbox of mail',
        description:
          'Newest first. A text is blanked once it was sent or its link has died. A text with a link that opens something is never shown here.',
        operationId: 'listOutbox',
      },
    },
  )
