import { Type } from '@sinclair/typebox'
import { Id, type Malformed, readShape } from './shapes'

/** An answer with a success status that is not what was asked for. `Provider.call` catches it. */
export class UnreadableAnswer extends Error {
  constructor(readonly field: string) {
    super(`The payment provider's answer is unreadable at ${field}`)
  }

  get result(): Malformed {
    return { ok: false, reason: 'malformed', field: this.field }
  }
}

/**
 * The answer, unchanged, when it is an object of this kind and has the id that was asked for (null = any). Throws
 * `UnreadableAnswer`. What else is used of it is checked where it is decoded.
 */
export function received<Answer>(answer: Answer, kind: string, id: string | null = null): Answer {
  const schema = Type.Object({ id: id === null ? Id : Type.Literal(id), object: Type.Literal(kind) })
  const read = readShape(kind, schema, answer)
  if (!read.ok) throw new UnreadableAnswer(read.field)
  return answer
}

const List = Type.Object({ data: Type.Array(Type.Object({}), { maxItems: 10_000 }), has_more: Type.Boolean() })

/** The same for a list of objects of one kind. */
export function receivedList<Item>(answer: { data: Item[]; has_more: boolean }, kind: string) {
  const read = readShape(`${kind}s`, List, answer)
  if (!read.ok) throw new UnreadableAnswer(read.field)
  for (const item of answer.data) received(item, kind)
  return answer
}
