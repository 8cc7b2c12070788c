import { Type } from '@sinclair/typebox'
import { toIso } from '../../../base/lib/time'
import { oneOf, orNull } from '../../../core/schema/object'
import type { IntentVia } from '../tables'
import type { IntentRow, ShownStatus } from './queries'
import { statusAt } from './service'

const strict = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })

export const STATUSES = ['PENDING', 'REJECTED', 'EXPIRED', 'EXECUTED', 'FAILED'] as const satisfies ShownStatus[]

const AccessCount = Type.Object({ access: Type.String(), people: Type.Integer() }, strict)

const Effects = Type.Object(
  {
    people: orNull(Type.Integer({ description: 'How many people it concerns; null = not counted' })),
    accessGained: Type.Array(AccessCount),
    accessLost: Type.Array(AccessCount),
    money: orNull(
      Type.Object(
        { amountMicros: Type.Integer({ description: 'Negative = leaves you' }), currency: Type.String() },
        strict,
      ),
    ),
    events: Type.Array(Type.String()),
  },
  { ...strict, title: 'AssistantIntentEffects' },
)

export const IntentSchema = Type.Object(
  {
    id: Type.String(),
    threadId: orNull(Type.String()),
    action: Type.String(),
    route: Type.Object({ method: Type.String(), path: Type.String() }, strict),
    arguments: Type.Record(Type.String(), Type.Unknown()),
    summary: Type.String(),
    preview: Type.Object(
      {
        changes: Type.Array(
          Type.Object({ path: Type.String(), before: Type.Unknown(), after: Type.Unknown() }, strict),
        ),
        effects: Effects,
        warnings: Type.Array(Type.String()),
        lines: Type.Optional(
          Type.Array(Type.String(), { description: 'What svc apply prints; only for a patch of the project file' }),
        ),
      },
      { ...strict, title: 'AssistantIntentPreview' },
    ),
    base: Type.Array(Type.Object({ type: Type.String(), id: Type.String(), revision: Type.Integer() }, strict)),
    digest: Type.String(),
    capability: Type.String({ description: 'The capability or the role that approving needs' }),
    risk: oneOf(['low', 'high']),
    proposedBy: orNull(Type.String({ description: 'The id of the user; null = the command line' })),
    via: Type.Object(
      {
        kind: oneOf(['CHAT', 'MCP', 'CLI', 'CONSOLE'], { description: 'CONSOLE: a person changed a proposal' }),
        token: orNull(Type.String({ description: 'The name of the personal access token of an agent' })),
        note: orNull(Type.String({ description: 'Why, in the words of the agent' })),
      },
      { ...strict, title: 'AssistantIntentVia' },
    ),
    status: oneOf(STATUSES),
    createdAt: time,
    expiresAt: time,
    decidedBy: orNull(Type.String()),
    decidedAt: orNull(time),
    result: Type.Unknown(),
    replacedBy: orNull(Type.String({ description: 'The proposal that a person made of it' })),
  },
  { ...strict, title: 'AssistantIntent' },
)

export function toIntentView(row: IntentRow, now: number) {
  const { projectId: _projectId, createdAt, expiresAt, decidedAt, result, ...same } = row
  return {
    ...same,
    via: row.via ?? viaOf(row),
    status: statusAt(row, now),
    ...{ createdAt: toIso(createdAt), expiresAt: toIso(expiresAt) },
    decidedAt: decidedAt === null ? null : toIso(decidedAt),
    result: result ?? null,
  }
}

/** Of a proposal that does not say it. */
const viaOf = ({ threadId, proposedBy }: IntentRow): IntentVia => ({
  kind: threadId !== null ? 'CHAT' : proposedBy === null ? 'CLI' : 'MCP',
  ...{ token: null, note: null },
})
