import { randomBytes } from 'node:crypto'
import { type Clock, SECOND } from '../../base/lib/clock'
import type { EventRow } from '../../people/events/feed'
import { standardBody } from '../webhooks/body'
import { SECRET_BYTES, signatureOf, toSecret } from '../webhooks/sign'
import type { ForwardTarget } from './forward-to'
import { post } from './post'
import type { Attempt } from './run'

export const newSecret = (): string => toSecret(randomBytes(SECRET_BYTES))

interface Sender {
  target: ForwardTarget
  secret: string
  clock: Clock
  stop: AbortSignal
}

/** Sends events as a webhook endpoint gets them (wire 5.10). */
export const createSender =
  ({ target, secret, clock, stop }: Sender) =>
  async (event: EventRow): Promise<Attempt> => {
    const body = standardBody(event)
    if (body === null) return { statusCode: null, durationMs: 0, error: 'too long to be sent', isFinal: true }
    const timestamp = Math.floor(clock.now() / SECOND)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'svc-webhooks/1',
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf([secret], { id: event.id, timestamp, body }),
    }
    return post(target, { headers, body }, stop)
  }
