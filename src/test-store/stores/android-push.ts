import { exportJWK, type JWK, SignJWT } from 'jose'
import { HOUR, SECOND } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import type { SigningKey } from '../../stores/test-keys/service'

/** A push as Pub/Sub sends one. */
export interface SimulatedPush {
  messageId: string
  /** What it notifies of, for a test to tell pushes apart. */
  type: string
  body: string
  authorization: string
}

/** Who pushes, to where; what a test does not name is as it should be. */
export interface PushIdentity {
  audience: string
  email: string
  issuer?: string
  isVerified?: boolean
  /** From its making until its end. */
  livesMs?: number
}

/** The public half as Google publishes it. */
export const publishedKey = async ({ id, publicKey }: SigningKey): Promise<JWK> => ({
  ...(await exportJWK(publicKey)),
  kid: id,
  alg: 'RS256',
  use: 'sig',
})

/** An OIDC token of the kind that Google puts into a push's `Authorization`. */
export function signPushToken(key: SigningKey, identity: PushIdentity, now: number): Promise<string> {
  const { audience, email, issuer = 'https://accounts.google.com', isVerified = true, livesMs = HOUR } = identity
  return new SignJWT({ email, email_verified: isVerified, azp: '100000000000000000001' })
    .setProtectedHeader({ alg: 'RS256', kid: key.id, typ: 'JWT' })
    .setSubject('100000000000000000001')
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(Math.floor(now / SECOND))
    .setExpirationTime(Math.floor((now + livesMs) / SECOND))
    .sign(key.privateKey)
}

/** What a real-time developer notification is about, by the name and members that Google gives it. */
export interface SimulatedNotification {
  type: string
  kind: 'subscriptionNotification' | 'oneTimeProductNotification' | 'voidedPurchaseNotification' | 'testNotification'
  members: Record<string, unknown>
}

export const aboutSubscription = (type: string, notificationType: number, token: string): SimulatedNotification => ({
  type,
  kind: 'subscriptionNotification',
  members: { version: '1.0', notificationType, purchaseToken: token },
})

export const aboutProduct = (
  type: string,
  notificationType: number,
  token: string,
  sku: string,
): SimulatedNotification => ({
  type,
  kind: 'oneTimeProductNotification',
  members: { version: '1.0', notificationType, purchaseToken: token, sku },
})

/** `refundType` 1 = all of the order, 2 = some units. */
export const aboutVoided = (order: {
  token: string
  orderId: string
  productType: 1 | 2
  refundType: 1 | 2
}): SimulatedNotification => ({
  type: 'VOIDED_PURCHASE',
  kind: 'voidedPurchaseNotification',
  members: {
    purchaseToken: order.token,
    orderId: order.orderId,
    productType: order.productType,
    refundType: order.refundType,
  },
})

/** The envelope that Pub/Sub posts; Google names the message twice. */
export function pushBody(
  packageName: string,
  { kind, members }: SimulatedNotification,
  message: { messageId: string; now: number },
): string {
  const { messageId, now } = message
  const notification = { version: '1.0', packageName, eventTimeMillis: String(now), [kind]: members }
  const data = Buffer.from(JSON.stringify(notification)).toString('base64')
  const publishTime = toIso(now)
  return JSON.stringify({
    message: { data, messageId, message_id: messageId, publishTime, publish_time: publishTime },
    subscription: 'projects/simulated/subscriptions/play',
  })
}
