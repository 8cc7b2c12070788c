import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Fault } from '../../core/text/fault'
import { refuseFaults } from '../project/edit'

/**
 * The body of a route that saves credentials. 400 `VALIDATION_ERROR` whose `details.fields` name the members as
 * `credentials.inAppPurchaseKey.keyId`. No value of the body is repeated in the message.
 */
export function readCredentials<Schema extends TSchema>(schema: Schema, body: unknown): Static<Schema> {
  if (Value.Check(schema, body)) return body
  const faults = new Map<string, Fault>()
  for (const { path, message } of Value.Errors(schema, body)) {
    const place = ['credentials', ...path.split('/').slice(1)].join('.')
    if (!faults.has(place)) faults.set(place, { path: place, message: `${place}: ${message}` })
    if (faults.size === MAX_PLACES) break
  }
  refuseFaults([...faults.values()])
  throw new Error('A body that fails its schema has a fault')
}

const MAX_PLACES = 64

export const credentialsFault = (member: string, message: string): Fault => ({
  path: `credentials.${member}`,
  message: `credentials.${member}: ${message}`,
})
