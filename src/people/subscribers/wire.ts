import { Type } from '@sinclair/typebox'
import type { SubscriberRow } from './service'

export const SubscriberViewSchema = Type.Object(
  {
    id: Type.String(),
    appUserId: Type.Union([Type.String(), Type.Null()]),
    attributes: Type.Record(Type.String(), Type.String()),
  },
  { additionalProperties: false, title: 'SubscriberView' },
)

/** A subscriber reference in the path. Its meaning depends on the kind of API key (wire 1.8). */
export const SubscriberParams = Type.Object(
  {
    appUserId: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\u0000]*$',
      description:
        'With a public key the device key; with a secret key a sub_ id, your own user id, or a device key, in this order',
    }),
  },
  { additionalProperties: true }, // The path for browsers also contains the public key.
)

/** `SubscriberView` of wire 2.2: attributes as key -> value, the label or null. Of an erased row it is empty. */
export const toSubscriberView = ({ id, appUserId, attributes, erasedAt }: SubscriberRow) => ({
  id,
  appUserId: erasedAt === null ? appUserId : null,
  attributes: erasedAt === null ? flat(attributes) : {},
})

const flat = (attributes: SubscriberRow['attributes']): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value]))
