import { Type } from '@sinclair/typebox'
import { listAnswer, listQuery } from '../../base/http/list'
import { queryInstant } from '../../base/http/parameters'
import { toIso } from '../../base/lib/time'
import type { AuditProof, AuditRow } from '../../projects/audit/audit'

const strict = { additionalProperties: false } as const

const ActorSchema = Type.Object(
  {
    kind: Type.String({ description: '`USER`, `CLI`, `SCHEDULE` or `SERVER`' }),
    id: Type.Union([Type.String(), Type.Null()]),
    email: Type.Union([Type.String(), Type.Null()]),
  },
  { ...strict, title: 'AuditActor' },
)

const AuditEntrySchema = Type.Object(
  {
    id: Type.String(),
    at: Type.String(),
    actor: ActorSchema,
    action: Type.String(),
    target: Type.Object({ type: Type.String(), id: Type.String() }, strict),
    before: Type.Unknown({ description: 'The object before the change; null for a new one' }),
    after: Type.Unknown({ description: 'The object after the change; null when it was deleted' }),
    via: Type.Optional(
      Type.Object(
        {
          kind: Type.Literal('assistant'),
          intentId: Type.String(),
          threadId: Type.Union([Type.String(), Type.Null()]),
        },
        { ...strict, description: 'The proposal that was executed; absent where the change was none' },
      ),
    ),
    prevHash: Type.String(),
    rowHash: Type.String({
      description: 'SHA-256 in hex of prevHash and the canonical JSON (RFC 8785) of this row without its two hashes',
    }),
  },
  { ...strict, title: 'AuditEntry' },
)

/** A value of one of the object's members, which the database compares as text. */
const value = (description: string) =>
  Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*$', description })
const instant = (description: string) => Type.String({ minLength: 1, maxLength: 40, description })

export const AuditQuery = Type.Object(
  {
    ...listQuery,
    actor: Type.Optional(value('`USER`, `CLI`, `SCHEDULE`, the id of a user, or their mail address')),
    action: Type.Optional(value('An action such as `flag.update`, or `flag` for all actions on flags')),
    target: Type.Optional(value('The id of an object, or a type such as `flag`')),
    from: Type.Optional(instant('Only rows of this time or later')),
    to: Type.Optional(instant('Only rows before this time')),
  },
  strict,
)

export const AuditAnswer = listAnswer(AuditEntrySchema)

export const ProofAnswer = Type.Object(
  {
    data: Type.Object(
      {
        head: Type.String({
          description: 'Hash of the newest row. Keep it elsewhere to prove later that none is gone.',
        }),
        count: Type.Integer(),
        ok: Type.Boolean(),
        firstBadId: Type.Union([Type.String(), Type.Null()], { description: 'The first row that was changed' }),
      },
      { ...strict, title: 'AuditProof' },
    ),
  },
  strict,
)

export const toAuditView = ({ id, at, actor, action, target, before, after, via, prevHash, rowHash }: AuditRow) => ({
  id,
  at: toIso(at),
  actor: { kind: actor.kind, id: actor.id, email: actor.email },
  action,
  target: { type: target.type, id: target.id },
  before: before ?? null,
  after: after ?? null,
  ...(via && { via: { kind: via.kind, intentId: via.intentId, threadId: via.threadId } }),
  prevHash,
  rowHash,
})

export const toProofView = ({ head, count, ok, firstBadId }: AuditProof) => ({ head, count, ok, firstBadId })

/** Milliseconds of a time in the query, or 400 that names the parameter. */
export const readInstant = (name: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : queryInstant(name, text)
