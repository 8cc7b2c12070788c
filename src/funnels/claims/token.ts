import { DAY } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { secureRandom } from '../../base/lib/ids'

const PREFIX = 'svc_ft_'

/** How long a token can be claimed. The right to get a new one lives as long as the purchase. */
export const TOKEN_LIFE = 7 * DAY

/** A secret of 43 characters that have 256 random bits. */
export const newSecret = (): string => Buffer.from(secureRandom(32)).toString('base64url')

export const newToken = (): string => PREFIX + newSecret()

/** The stored hash of a token or a nonce. */
export const hashOf = (secret: string): string => sha256Hex(secret)

export const hasTokenForm = (text: string): boolean => /^svc_ft_[\w-]{43}$/.test(text)

/** Part of the encrypted envelope, so that a sealed token cannot be copied to another row. */
export const sealContext = (sessionId: string): string => `funnel token ${sessionId}`
