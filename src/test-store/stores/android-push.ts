import { exportJWK, type JWK, SignJWT } from 'jose'
import { HOUR, SECOND } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import type { SigningKey } from '../../stores/test-keys/service'

/** A push in the form in which Pub/Sub sends it. */
export interface SimulatedPush {
  messageId: string
  /** Type of the notification, with which a test can distinguish pushes. */
  type: string
  body: string
  authorization: string
}

/** Sender and address of a push. A member that a test omits has its correct value. */
export interface PushIdentity {
  audience: string
  email: string
  issuer?: string
  isVerified?: boolean
  /** How long the token is valid. */
  livesMs?: number
}

/** The public key in the form in which Google publishes it. */
export const publishedKey = async ({ id, publicKey }: SigningKey): Promise<JWK> => ({
  ...(await exportJWK(publicKey)),
  kid: id,
  alg: 'RS256',
  use: 'sig',
})

/** An OIDC token like the one in the `Authorization` header of Google's pushes. */
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

/** The content of a real-time developer notification, with the names that Google uses. */
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

/** `refundType` 1 = the whole order, 2 = some units. */
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

/** The envelope that Pub/Sub posts. Google writes the message id under two names. */
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
