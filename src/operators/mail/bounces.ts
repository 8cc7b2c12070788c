import type { MailWebhook } from '../../base/config'
import type { SuppressionReason } from './tables'

/** An address that a provider reports. */
export interface BounceReport {
  address: string
  reason: Exclude<SuppressionReason, 'UNSUBSCRIBED'>
}

/** The most events of one request that are read. */
const MAX_EVENTS = 1000

/**
 * The addresses that a provider's message reports as not existing, or whose owner has complained. Everything else it
 * tells (delivered, opened, full mailboxes) is ignored. Null when the message is not of the provider's form.
 */
export function readBounces(provider: MailWebhook['provider'], body: unknown): BounceReport[] | null {
  const events = READERS[provider](body)
  return events?.slice(0, MAX_EVENTS).flatMap(({ address, reason }) => report(address, reason)) ?? null
}

type Read = { address: unknown; reason: BounceReport['reason'] | null }

const READERS: Readonly<Record<MailWebhook['provider'], (body: unknown) => Read[] | null>> = {
  postmark(body) {
    const event = asObject(body)
    return event && [{ address: event.Email, reason: postmarkReason(event) }]
  },
  mailgun(body) {
    const event = asObject(asObject(body)?.['event-data'])
    return event && [{ address: event.recipient, reason: mailgunReason(event) }]
  },
  sendgrid: (body) => readList(body, (event) => ({ address: event.email, reason: sendgridReason(event) })),
  hmac: (body) =>
    readList(asObject(body)?.events, (event) => ({
      address: event.email,
      reason: event.type === 'bounce' ? 'BOUNCED' : event.type === 'complaint' ? 'COMPLAINED' : null,
    })),
}

type Members = Record<string, unknown>

function postmarkReason({ RecordType, Type }: Members): Read['reason'] {
  if (RecordType === 'SpamComplaint') return 'COMPLAINED'
  const isHard = Type === 'HardBounce' || Type === 'BadEmailAddress'
  return RecordType === 'Bounce' && isHard ? 'BOUNCED' : null
}

function mailgunReason({ event, severity }: Members): Read['reason'] {
  if (event === 'complained') return 'COMPLAINED'
  return event === 'failed' && severity === 'permanent' ? 'BOUNCED' : null
}

function sendgridReason({ event, type }: Members): Read['reason'] {
  if (event === 'spamreport') return 'COMPLAINED'
  return event === 'bounce' && type !== 'blocked' ? 'BOUNCED' : null
}

const asObject = (value: unknown): Members | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null // Now it is one.

const readList = (value: unknown, read: (event: Members) => Read): Read[] | null =>
  Array.isArray(value) ? value.flatMap((one) => readOne(one, read)) : null

function readOne(value: unknown, read: (event: Members) => Read): Read[] {
  const event = asObject(value)
  return event ? [read(event)] : []
}

const report = (address: unknown, reason: Read['reason']): BounceReport[] =>
  reason !== null && typeof address === 'string' && address.length <= 320 && address.includes('@')
    ? [{ address, reason }]
    : []
