import { type Static, Type } from '@sinclair/typebox'

const strict = { additionalProperties: false }
const TextOrNull = Type.Union([Type.String(), Type.Null()])

export const PubSubConnection = Type.Object(
  {
    status: Type.Union([Type.Literal('DISCONNECTED'), Type.Literal('CONNECTED'), Type.Literal('BROKEN')], {
      description: '`BROKEN`: something at Google is missing or differs; recreate repairs it',
    }),
    topic: { ...TextOrNull, description: 'To be entered in the Play Console as the topic of the notifications' },
    subscription: TextOrNull,
    endpoint: { ...TextOrNull, description: 'Where Google pushes to; null without `PUBLIC_BASE_URL`' },
    serviceAccount: { ...TextOrNull, description: 'As whom Google signs the pushes; null without credentials' },
    lastMessageAt: { ...TextOrNull, description: 'When the newest notification of Google Play arrived here' },
  },
  { ...strict, title: 'PubSubConnection' },
)

/** How Google Play's notifications reach a project (wire 7.4). */
export type PubSubConnection = Static<typeof PubSubConnection>

/** After a test notification was published. */
export const PubSubTested = Type.Object(
  {
    ...PubSubConnection.properties,
    messageId: Type.String({ description: 'Its id at Google, which is its notificationId among the store events' }),
  },
  { ...strict, title: 'PubSubTested' },
)

export const PubSubAnswer = Type.Object({ data: PubSubConnection }, strict)
export const PubSubTestedAnswer = Type.Object({ data: PubSubTested }, strict)

export const ConnectBody = Type.Object(
  {
    existingTopic: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description:
          'A topic that exists, as `projects/PROJECT/topics/NAME` or as its name. Left out, the project gets its own',
      }),
    ),
  },
  strict,
)

export const NothingBody = Type.Object({}, strict)
