import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Handle } from '../../base/db/handle'
import { findSetup } from './queries'

const NAME = { minLength: 1, maxLength: 600 }

const SetupSchema = Type.Object(
  {
    /** The whole name; so it needs no credentials to be shown. */
    topic: Type.String({ ...NAME, pattern: '^projects/[^/]+/topics/[^/]+$' }),
    /** Whether svc made the topic, and removes it. */
    isOwnTopic: Type.Boolean(),
    subscription: Type.String({ ...NAME, pattern: '^projects/[^/]+/subscriptions/[^/]+$' }),
    /** The number in the name of the subscription. */
    serial: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    /** The subscription before the last rotation, until it is deleted at Google. */
    retired: Type.Union([Type.String({ ...NAME, pattern: '^projects/[^/]+/subscriptions/[^/]+$' }), Type.Null()]),
  },
  { additionalProperties: false },
)

/** What was made at Google for one project. */
export type PubSubSetup = Static<typeof SetupSchema>

/** The saved set-up; null when there is none, `invalid` when it was damaged. */
export async function readSetup(handle: Handle, projectId: string): Promise<PubSubSetup | null | 'invalid'> {
  const text = await findSetup(handle, projectId)
  return text === null ? null : parseSetup(text)
}

function parseSetup(text: string): PubSubSetup | 'invalid' {
  try {
    const parsed: unknown = JSON.parse(text)
    return Value.Check(SetupSchema, parsed) ? parsed : 'invalid'
  } catch {
    return 'invalid' // Not JSON.
  }
}
