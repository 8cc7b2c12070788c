import { endOf } from '../hints'
import { postJson } from '../json-request'
import { defineProvider } from '../provider'
import { isGood, isPage, UNEXPECTED } from './answers'
import { ChatCredentials, hasLine, lineOf } from './chat'

/** Slack reads commands and mentions only between angle brackets, so without these three none are left. */
const harmless = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const WORD = /^[a-z_]{1,60}$/

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const SLACK = defineProvider({
  name: 'SLACK',
  title: 'Slack',
  kind: 'CHAT',
  isRepeatable: true,
  credentials: ChatCredentials('SlackCredentials'),
  secrets: ['webhookUrl'],
  hint: ({ webhookUrl }) => endOf(webhookUrl),
  addressesOf: ({ webhookUrl }) => [webhookUrl],
  // A message without a text is posted nowhere, but the answer reports a removed webhook first.
  probe: ({ webhookUrl }) => [postJson(webhookUrl, {})],
  judgeProbe(answer) {
    if (answer.status === 400) return null
    if (isGood(answer)) return UNEXPECTED
    const isTold = answer.status === 403 || answer.status === 404 || answer.status === 410
    return isTold && WORD.test(answer.body.trim()) ? answer.body.trim() : undefined
  },
  hasMapping: hasLine,
  map(input) {
    const text = lineOf(input, harmless)
    const message = { text, mrkdwn: false, unfurl_links: false, unfurl_media: false }
    return { requests: [postJson(input.credentials.webhookUrl, message)] }
  },
  judge: (answer) => (isGood(answer) && !isPage(answer) ? 'ok' : 'retry'),
})
