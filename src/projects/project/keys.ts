import type { Tx } from '../../base/context'
import { invalid } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import { MAX_INSTANT } from '../../base/lib/time'
import { PUBLIC_PREFIX, SECRET_PREFIX } from './key-ring'
import { normaliseOrigins } from './origins'
import type { ApiKeyRow } from './queries'
import type { KeyKind } from './tables'

export const ENVIRONMENTS = ['PROD', 'STAGING', 'DEVELOPMENT'] as const
export type KeyEnvironment = (typeof ENVIRONMENTS)[number]

const KINDS: readonly KeyKind[] = ['pair', 'public', 'secret']
const MAX_RATE = 10_000_000

export interface KeyInput {
  label: string
  kind?: KeyKind | undefined
  environment?: KeyEnvironment | undefined
  /** Null or absent = the allowed origins of the project apply. */
  allowedOrigins?: readonly string[] | null | undefined
  /** Instant; null or absent = never. */
  expiresAt?: number | null | undefined
  /** Requests a minute; 0 = no limit, null or absent = the deployment's rate. */
  ratePerMinute?: number | null | undefined
}

/** What can be changed of a key. Members that are left out keep their value. */
export type KeyChange = Partial<Omit<KeyInput, 'kind'>>

/** A key without its secret: only the last four characters of the secret are in it. Instants are milliseconds. */
export type KeyView = Omit<ApiKeyRow, 'projectId' | 'secretHash' | 'previousHash'>

export const toKeyView = ({ projectId, secretHash, previousHash, ...view }: ApiKeyRow): KeyView => view

/** A new key row and its secret. The secret is not stored, so it can be read only from this result. */
export function newKey(tx: Tx, projectId: string, input: KeyInput): { row: ApiKeyRow; secretKey: string | null } {
  const now = tx.clock.now()
  const { kind, ...checked } = checkKey(input, now)
  const secretKey = kind === 'public' ? null : newSecret(tx)
  const row: ApiKeyRow = {
    ...checked,
    id: tx.ids.next('key'),
    projectId,
    kind,
    publicKey: kind === 'secret' ? null : PUBLIC_PREFIX + tx.ids.token(32),
    ...secretColumns(secretKey),
    previousHash: null,
    previousUntil: null,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  return { row, secretKey }
}

export const newSecret = (tx: Tx): string => SECRET_PREFIX + tx.ids.token(43)

export const secretColumns = (secretKey: string | null): Pick<ApiKeyRow, 'secretHash' | 'secretLast4'> => ({
  secretHash: secretKey === null ? null : sha256Hex(secretKey),
  secretLast4: secretKey === null ? null : secretKey.slice(-4),
})

function checkKey(input: KeyInput, now: number) {
  const { label, kind = 'pair', environment = 'PROD', allowedOrigins = null, expiresAt = null } = input
  const { ratePerMinute = null } = input
  if (!KINDS.includes(kind)) throw invalid(`kind must be one of ${KINDS.join(', ')}`)
  checkMembers({ environment, expiresAt, ratePerMinute }, now)
  const origins = allowedOrigins && normaliseOrigins(allowedOrigins)
  return { label: checkLabel(label), kind, environment, allowedOrigins: origins, expiresAt, ratePerMinute }
}

/** The given members in the form in which they are saved. 400 for a value that a key cannot have. */
export function checkKeyChange(change: KeyChange, now: number): Partial<ApiKeyRow> {
  const { label, environment, allowedOrigins, expiresAt, ratePerMinute } = change
  checkMembers(change, now)
  return {
    ...(label !== undefined && { label: checkLabel(label) }),
    ...(environment !== undefined && { environment }),
    ...(allowedOrigins !== undefined && { allowedOrigins: allowedOrigins && normaliseOrigins(allowedOrigins) }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(ratePerMinute !== undefined && { ratePerMinute }),
  }
}

function checkMembers({ environment, expiresAt, ratePerMinute }: KeyChange, now: number): void {
  if (environment !== undefined && !ENVIRONMENTS.includes(environment))
    throw invalid(`environment must be one of ${ENVIRONMENTS.join(', ')}`)
  if (expiresAt != null && !isInstantAfter(expiresAt, now)) throw invalid('expiresAt must be a time in the future')
  if (ratePerMinute != null && !isRate(ratePerMinute)) throw invalid(`ratePerMinute must be 0 to ${MAX_RATE}`)
}

function checkLabel(text: string): string {
  const label = text.trim()
  if (label.length < 1 || label.length > 255) throw invalid('label must have 1 to 255 characters')
  return label
}

const isInstantAfter = (instant: number, now: number): boolean =>
  Number.isSafeInteger(instant) && instant > now && instant <= MAX_INSTANT

const isRate = (rate: number): boolean => Number.isInteger(rate) && rate >= 0 && rate <= MAX_RATE
