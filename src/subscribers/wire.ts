import { Type } from '@sinclair/typebox'
import type { SubscriberRow } from './service'

export const SubscriberViewSchema = Type.Object(
  {
    id: Type.String(),
    appUserId: Type.Union([Type.String(), Type.Null()]),
    attributes: Type.Record(Type.String(), Type.String()),
  },
  { additionalProperties: false },
)

/** `SubscriberView` of wire 2.2: attributes flat, the label or null. */
export const toSubscriberView = ({ id, appUserId, attributes }: SubscriberRow) => ({
  id,
  appUserId,
  attributes: Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value])),
})
