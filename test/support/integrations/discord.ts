import { Type } from '@sinclair/typebox'
import { faultOf, json, type StandIn } from './stand-in'

export const DISCORD_KEYS = {
  webhookUrl: 'https://discord.com/api/webhooks/123456789012345678/discord-example-token-1',
}

const strict = { additionalProperties: false } as const

const Message = Type.Object(
  {
    content: Type.String({ minLength: 1, maxLength: 2000 }),
    username: Type.Optional(Type.String()),
    allowed_mentions: Type.Object({ parse: Type.Array(Type.String(), { maxItems: 0 }) }, strict),
    flags: Type.Optional(Type.Literal(4)),
    tts: Type.Optional(Type.Boolean()),
  },
  strict,
)

export const discord: StandIn = {
  name: 'discord',
  answer({ method, path, query, headers, body }) {
    if (path !== new URL(DISCORD_KEYS.webhookUrl).pathname)
      return json(404, { message: 'Unknown Webhook', code: 10015 })
    if (method === 'GET') return json(200, { id: '123456789012345678', type: 1, name: 'Sales', token: 'hidden' })
    if (method !== 'POST' || headers.get('content-type') !== 'application/json') return json(405, { message: '405' })
    const fault = faultOf(Message, body)
    if (fault !== null) return json(400, { message: 'Invalid Form Body', code: 50035, errors: { fault } })
    const { content } = JSON.parse(body) as { content: string }
    if (content.includes('\n')) return json(400, { message: 'more than one line', code: 50035 })
    return query.get('wait') === 'true' ? json(200, { id: '1', content }) : { status: 204, body: '' }
  },
}
