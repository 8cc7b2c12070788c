import { Type } from '@sinclair/typebox'
import { faultOf, type StandIn } from './stand-in'

export const SLACK_KEYS = { webhookUrl: 'https://hooks.slack.com/services/T00000001/B00000001/slackexamplesecret1' }

const Message = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 40_000 }),
    mrkdwn: Type.Optional(Type.Boolean()),
    unfurl_links: Type.Optional(Type.Boolean()),
    unfurl_media: Type.Optional(Type.Boolean()),
    thread_ts: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

const plain = (status: number, body: string) => ({ status, body, headers: { 'content-type': 'text/plain' } })

export const slack: StandIn = {
  name: 'slack',
  answer({ method, path, headers, body }) {
    if (path !== new URL(SLACK_KEYS.webhookUrl).pathname) return plain(404, 'no_service')
    if (method !== 'POST') return plain(405, 'method_not_allowed')
    if (headers.get('content-type') !== 'application/json') return plain(400, 'invalid_payload')
    if (body === '{}') return plain(400, 'no_text')
    if (faultOf(Message, body) !== null) return plain(400, 'invalid_payload')
    // Between angle brackets stand commands such as mentions of everybody; a line of ours has none.
    const { text } = JSON.parse(body) as { text: string }
    return /[<>\n]/.test(text) ? plain(400, 'invalid_payload') : plain(200, 'ok')
  },
}
