import { type TObject, Type } from '@sinclair/typebox'

export const strict = { additionalProperties: false } as const
export const time = Type.String({ format: 'date-time' })
export const timeOrNull = Type.Union([time, Type.Null()])
export const text = Type.String()
export const textOrNull = Type.Union([text, Type.Null()])

/** What events of one type say. */
export interface Body<Data = unknown> {
  /** When it is written, as a sentence of the guide. */
  when: string
  /** The members of `data`. */
  data: TObject & { static: Data }
}
