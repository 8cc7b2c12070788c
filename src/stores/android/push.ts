import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type AndroidNotification, decodeNotification } from './notification'
import { firstProblem, instantOf, type Malformed, malformed } from './values'

/** A Pub/Sub message in the form of a push. */
export interface AndroidPush {
  /** Unique within the topic. Google sends the same message again until it is acknowledged. */
  messageId: string
  publishedAt: number | null
  /** `projects/<project>/subscriptions/<name>`. */
  subscription: string
  notification: AndroidNotification
}

export type PushResult = { ok: true; push: AndroidPush } | { ok: false; reason: 'too_large' } | Malformed

/** Characters of base64. A notification of Google Play has a few hundred. */
export const MAX_DATA_CHARS = 64 * 1024

const Envelope = Type.Object(
  {
    message: Type.Object(
      {
        data: Type.String({ pattern: '^[A-Za-z0-9+/_-]*={0,2}$' }),
        messageId: Type.String({ pattern: '^[\\x21-\\x7e]{1,128}$' }),
        publishTime: Type.Optional(Type.String({ maxLength: 64 })),
      },
      { additionalProperties: true },
    ),
    subscription: Type.String({ pattern: '^[\\x21-\\x7e]{1,512}$' }),
  },
  { additionalProperties: true },
)

/** Reads the body of a push whose token was verified. */
export function decodePush(body: unknown): PushResult {
  if (!Value.Check(Envelope, body)) return malformed(firstProblem(Envelope, body))
  const { data, messageId, publishTime } = body.message
  if (data.length > MAX_DATA_CHARS) return { ok: false, reason: 'too_large' }
  const result = decodeNotification(readJson(data))
  if (!result.ok) return malformed(`data.${result.field}`)
  const { notification } = result
  return {
    ok: true,
    push: { messageId, publishedAt: instantOf(publishTime), subscription: body.subscription, notification },
  }
}

function readJson(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
  } catch {
    return null // Not JSON: refused as a body of the wrong type.
  }
}
