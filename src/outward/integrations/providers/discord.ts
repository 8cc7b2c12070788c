import { endOf } from '../hints'
import { postJson } from '../json-request'
import { defineProvider } from '../provider'
import { isGood, objectOf, UNEXPECTED } from './answers'
import { ChatCredentials, hasLine, lineOf } from './chat'

/** Everything that Discord's Markdown, mentions, emoji and times start or end with. */
const harmless = (text: string): string => text.replace(/[\\*_~`|>#<()[\]@:+-]/g, '\\$&')

const SUPPRESS_EMBEDS = 4

/** With `wait` Discord answers after the message was saved, so that its answer reports a failure. */
function toUrl(webhookUrl: string): string {
  const url = new URL(webhookUrl)
  url.searchParams.set('wait', 'true')
  return url.href
}

/** https://docs.discord.com/developers/resources/webhook */
export const DISCORD = defineProvider({
  name: 'DISCORD',
  title: 'Discord',
  kind: 'CHAT',
  isRepeatable: true,
  credentials: ChatCredentials('DiscordCredentials'),
  secrets: ['webhookUrl'],
  hint: ({ webhookUrl }) => endOf(webhookUrl),
  addressesOf: ({ webhookUrl }) => [webhookUrl],
  probe: ({ webhookUrl }) => [{ method: 'GET', url: webhookUrl, headers: {}, body: null }],
  judgeProbe(answer) {
    if (answer.status === 401 || answer.status === 403 || answer.status === 404) return 'unknown_webhook'
    return isGood(answer) && typeof objectOf(answer)?.id !== 'string' ? UNEXPECTED : undefined
  },
  hasMapping: hasLine,
  map(input) {
    const message = { content: lineOf(input, harmless), allowed_mentions: { parse: [] }, flags: SUPPRESS_EMBEDS }
    return { requests: [postJson(toUrl(input.credentials.webhookUrl), message)] }
  },
  judge: (answer) => (isGood(answer) && objectOf(answer) !== null ? 'ok' : 'retry'),
})
