import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import { type Clock, SECOND } from '../../base/lib/clock'
import { equalsConstantTime, sha256Hex } from '../../base/lib/hash'
import { type ApiKeyRow, findKey, findKeyById } from './queries'
import type { KeyState } from './state'

export const PUBLIC_PREFIX = 'svc_pub_'
export const SECRET_PREFIX = 'svc_sec_'

const PUBLIC_FORM = /^svc_pub_[0-9A-Za-z]{32}$/
const SECRET_FORM = /^svc_sec_[0-9A-Za-z]{43}$/
const USUAL = `Bearer ${PUBLIC_PREFIX}`
const UNKNOWN_LIFE_MS = 2 * SECOND
const MAX_UNKNOWN = 50_000

/** What a caller presented: the public key itself, or the SHA-256 of a secret. */
export interface Credential {
  presented: 'public' | 'secret'
  name: string
}

interface Known {
  state: KeyState
  /** From this instant on the entry is not valid: the overlap of an old secret has ended. */
  validUntil: number
}

/**
 * API keys in memory: a public key as it is, a secret by its SHA-256, so that a call costs one hash and one look-up.
 * The database is read only for a key that is not in memory. Unknown keys are remembered for 2 s, so that many calls
 * with the same unknown key do not read the database each time.
 */
export class KeyRing {
  private readonly known = new Map<string, Known>()
  private readonly unknown = new Map<string, number>()
  private readonly used = new Map<string, number>()
  /** Projects of which a key was used since this process started. */
  private readonly called = new Set<string>()
  private firstUse: ((projectId: string, at: number) => void) | null = null
  /** Raised by every `forget`: a row that was read before it is not remembered after it. */
  private generation = 0

  constructor(
    private readonly handle: Handle,
    private readonly clock: Clock,
  ) {}

  /** The key of an Authorization header, checked in the order of wire 1.7. */
  async authenticate(authorization: string | null): Promise<KeyState> {
    const token = tokenOf(authorization)
    if (!token) throw new AppError('BEARER_REQUIRED')
    const presented = kindOf(token)
    if (presented === null) throw new AppError('INVALID_API_KEY_FORMAT')
    const credential = toCredential(token, presented)
    const state = credential && (await this.find(credential))
    if (!state) throw new AppError('INVALID_API_KEY')
    this.noteUse(state, this.clock.now())
    return state
  }

  /** As `authenticate`, but only from memory: null when the database must be read, or the call must be refused. */
  recall(authorization: string | null, now: number): KeyState | null {
    const held = this.heldFor(authorization)
    if (!held || !isLive(held, now)) return null
    this.noteUse(held.state, now)
    return held.state
  }

  /** As `find`, but only from memory: null when the database must be read, or the call must be refused. */
  heldBy({ name }: Credential, now: number): KeyState | null {
    const held = this.known.get(name)
    return held && isLive(held, now) ? held.state : null
  }

  /** The credential of a well-formed Authorization header, for a later `find`; null for any other header. */
  credentialOf(authorization: string | null): Credential | null {
    const token = tokenOf(authorization)
    const presented = kindOf(token)
    return presented && toCredential(token, presented)
  }

  /** The credential that a call with this half of a key would present; null when the key has no such half. */
  async credentialOfId(id: string, presented: Credential['presented']): Promise<Credential | null> {
    const row = await findKeyById(this.handle, id)
    const name = presented === 'public' ? row?.publicKey : row?.secretHash
    return name ? { presented, name } : null
  }

  /** Forgets all keys of a project. Called after a change of its keys by any process. */
  forget(projectId: string): void {
    for (const [name, { state }] of this.known) if (state.projectId === projectId) this.known.delete(name)
    this.unknown.clear()
    this.generation++
  }

  /** Key id -> instant of its last use, for all keys that were used since the last call of this method. */
  takeUsed(): [id: string, at: number][] {
    const entries = [...this.used]
    this.used.clear()
    return entries
  }

  /** Calls `listener` when a key of a project is used for the first time in this process. */
  onFirstUse(listener: (projectId: string, at: number) => void): void {
    this.firstUse = listener
  }

  private noteUse({ id, projectId }: KeyState, now: number): void {
    this.used.set(id, now)
    if (this.called.has(projectId)) return
    this.called.add(projectId)
    this.firstUse?.(projectId, now)
  }

  private heldFor(authorization: string | null): Known | undefined {
    // The usual spelling of a public key needs no parsing. A secret cannot be looked up so: only its hash is in memory.
    if (authorization?.startsWith(USUAL))
      return this.known.get(authorization.slice(USUAL.length - PUBLIC_PREFIX.length))
    const credential = this.credentialOf(authorization)
    return credential ? this.known.get(credential.name) : undefined
  }

  /** The key of a credential, or null when it is unknown, revoked or expired. */
  async find({ presented, name }: Credential): Promise<KeyState | null> {
    const now = this.clock.now()
    const held = this.known.get(name)
    if (held) return isLive(held, now) ? held.state : null
    if (now - (this.unknown.get(name) ?? Number.NEGATIVE_INFINITY) < UNKNOWN_LIFE_MS) return null
    const { generation } = this
    const row = await findKey(this.handle, presented, name)
    const entry = row && row.revokedAt === null ? toKnown(row, presented, name) : null
    if (generation !== this.generation) return entry && isLive(entry, now) ? entry.state : null
    return this.remember(name, entry, now)
  }

  private remember(name: string, entry: Known | null, now: number): KeyState | null {
    if (!entry || !isLive(entry, now)) {
      if (this.unknown.size >= MAX_UNKNOWN) this.unknown.clear()
      this.unknown.set(name, now)
      return null
    }
    this.known.set(name, entry)
    return entry.state
  }
}

const tokenOf = (authorization: string | null): string =>
  /^bearer +(.+)$/i.exec(authorization?.trim() ?? '')?.[1]?.trim() ?? ''

/** Null for a malformed token: it belongs to no key, so it is neither hashed nor remembered. */
function toCredential(token: string, presented: Credential['presented']): Credential | null {
  if (!(presented === 'public' ? PUBLIC_FORM : SECRET_FORM).test(token)) return null
  return { presented, name: presented === 'public' ? token : sha256Hex(token) }
}

function kindOf(token: string): 'public' | 'secret' | null {
  if (token.startsWith(PUBLIC_PREFIX)) return 'public'
  return token.startsWith(SECRET_PREFIX) ? 'secret' : null
}

function toKnown(row: ApiKeyRow, presented: 'public' | 'secret', name: string): Known | null {
  const isPrevious = presented === 'secret' && row.previousHash !== null && equalsConstantTime(row.previousHash, name)
  const isCurrent = presented === 'public' || (row.secretHash !== null && equalsConstantTime(row.secretHash, name))
  if (!isPrevious && !isCurrent) return null
  const { id, projectId, publicKey, allowedOrigins, ratePerMinute, expiresAt } = row
  const overlapEnd = isPrevious && !isCurrent ? (row.previousUntil ?? 0) : Number.POSITIVE_INFINITY
  return {
    state: { id, projectId, publicKey, presented, allowedOrigins, ratePerMinute, expiresAt },
    validUntil: overlapEnd,
  }
}

const isLive = ({ state, validUntil }: Known, now: number): boolean =>
  now < validUntil && (state.expiresAt === null || now < state.expiresAt)
