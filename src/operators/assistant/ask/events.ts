import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { parseObject } from '../../../base/lib/json'

/** An event of the stream of an answer. */
export interface AnswerEvent {
  event: string
  data: object
}

/** The events of a stream, as they come. */
export async function* eventsIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<AnswerEvent> {
  const decoder = new TextDecoder()
  let pending = ''
  for await (const chunk of stream) {
    const frames = (pending + decoder.decode(chunk, { stream: true })).split('\n\n')
    pending = frames.pop() ?? ''
    for (const frame of frames) {
      const data = parseObject(lineOf(frame, 'data'))
      if (data !== null) yield { event: lineOf(frame, 'event'), data }
    }
  }
}

const lineOf = (frame: string, name: string): string =>
  frame
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2) ?? ''

/** A newer server may send more. */
const open = { additionalProperties: true } as const

const Marks = Type.Record(Type.String(), Type.Object({ text: Type.String() }, open))
const Read = Type.Object(
  {
    method: Type.Union([Type.Literal('GET'), Type.Literal('POST')]),
    path: Type.String(),
    body: Type.Union([Type.Object({}, open), Type.Null()]),
  },
  open,
)

export const Started = Type.Object({ marks: Type.Optional(Marks) }, open)
export const Delta = Type.Object({ text: Type.String() }, open)
export const ToolUse = Type.Object(
  {
    name: Type.String(),
    summary: Type.String(),
    rows: Type.Union([Type.Integer(), Type.Null()]),
    read: Type.Optional(Type.Union([Read, Type.Null()])),
    marks: Type.Optional(Marks),
  },
  open,
)
export const Notice = Type.Object({ code: Type.String(), message: Type.String() }, open)
export const Done = Type.Object(
  {
    messageId: Type.String(),
    usage: Type.Object({ inputTokens: Type.Integer(), outputTokens: Type.Integer(), steps: Type.Integer() }, open),
  },
  open,
)

export type MarkTexts = Static<typeof Marks>
export type ToolUse = Static<typeof ToolUse>
export type ReadCall = Static<typeof Read>

/** The data of an event in the form of its kind; null when it has another one. */
export const dataOf = <Data extends TSchema>(schema: Data, { data }: AnswerEvent): Static<Data> | null =>
  Value.Check(schema, data) ? data : null
