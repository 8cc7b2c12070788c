import { Type } from '@sinclair/typebox'

const strict = { additionalProperties: false }

/** What became of a test notification of the App Store. */
export const IosTestState = Type.Object(
  {
    status: Type.Union([Type.Literal('PENDING'), Type.Literal('RECEIVED'), Type.Literal('FAILED')]),
    receivedAt: Type.Union([Type.String(), Type.Null()], {
      description: 'When it arrived here; null when it did not',
    }),
    attempts: Type.Array(Type.Object({ at: Type.String(), result: Type.String() }, strict)),
    endpoint: Type.String({
      description:
        'The address that must be saved at the store. It starts with `<PUBLIC_BASE_URL>` while that variable is not set',
    }),
  },
  { ...strict, title: 'TestNotificationState' },
)
