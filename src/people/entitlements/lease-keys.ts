import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Context, Tx } from '../../base/context'
import { HOUR, SECOND } from '../../base/lib/clock'
import type { Vault } from '../../base/lib/crypto'
import { toIso } from '../../base/lib/time'
import { insertLeaseKey, type LeaseKeyRow, listLeaseKeys, updateLeaseKey } from './lease-queries'

/** The key that signs leases now. */
export interface SigningKey {
  kid: string
  privateKey: KeyObject
}

/** `lastLeaseEndsAt` is saved this much later than needed, so that most leases need no write. */
const ROOM_MS = HOUR
const VAULT_CONTEXT = 'deployment:lease'

interface Held extends SigningKey {
  /** A lease that ends at or before this instant needs no write. */
  coveredUntil: number
}

/**
 * Signing keys of the deployment, one per month. All processes share them through the database. When no key of the month
 * can be decrypted (the master key was changed), they are retired and a new key is made in the same month. The leases
 * that a retired key signed can still be verified.
 */
export class LeaseKeys {
  private held: Held | null = null

  constructor(private readonly ctx: Context) {}

  /** The key for a lease that ends at `endsAt`. That the key stays listed until then is committed before it signs. */
  async forLease(endsAt: number): Promise<SigningKey> {
    const month = monthOf(this.ctx.clock.now())
    const { held } = this
    if (held?.kid.startsWith(month) && endsAt <= held.coveredUntil) return held
    this.held = await this.ctx.write((tx) => takeKey(tx, month, endsAt))
    return this.held
  }
}

const monthOf = (now: number): string => `${toIso(now).slice(0, 7)}-`

async function takeKey(tx: Tx, month: string, endsAt: number): Promise<Held> {
  await tx.lock('lease-keys')
  const rows = await listLeaseKeys(tx)
  const usable = rows.filter(({ kid, retiredAt }) => kid.startsWith(month) && retiredAt === null)
  const coveredUntil = endsAt + ROOM_MS
  for (const row of usable) {
    const privateKey = openKey(tx.vault, row)
    if (!privateKey) continue
    const lastLeaseEndsAt = Math.max(row.lastLeaseEndsAt, coveredUntil)
    await updateLeaseKey(tx, row.kid, { lastLeaseEndsAt })
    return { kid: row.kid, privateKey, coveredUntil: lastLeaseEndsAt }
  }
  for (const { kid, retiredAt } of rows) if (retiredAt === null) await updateLeaseKey(tx, kid, { retiredAt: now(tx) })
  return makeKey(tx, nextKid(rows, month), coveredUntil)
}

const now = (tx: Tx): number => tx.clock.now()

/** `2026-11-a`, then `2026-11-b` for a second key of the month, and so on. */
function nextKid(rows: readonly LeaseKeyRow[], month: string): string {
  const taken = rows.filter(({ kid }) => kid.startsWith(month)).length
  return `${month}${taken < LETTERS.length ? LETTERS[taken] : `z${taken}`}`
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

async function makeKey(tx: Tx, kid: string, coveredUntil: number): Promise<Held> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await insertLeaseKey(tx, {
    kid,
    publicJwk: { ...publicKey.export({ format: 'jwk' }) },
    privateKey: tx.vault ? tx.vault.seal(pem, VAULT_CONTEXT) : pem,
    createdAt: now(tx),
    retiredAt: null,
    lastLeaseEndsAt: coveredUntil,
  })
  return { kid, privateKey, coveredUntil }
}

/** Null without the master key that sealed it. A key stored without a master key is plain text and stays usable. */
function openKey(vault: Vault | null, { privateKey }: LeaseKeyRow): KeyObject | null {
  const isOpen = privateKey.startsWith('-----BEGIN')
  const pem = isOpen ? privateKey : (vault?.open(privateKey, VAULT_CONTEXT) ?? null)
  return pem === null ? null : createPrivateKey(pem)
}

/** The keys of `GET /.well-known/jwks.json`: those in use, and retired keys until their last lease has ended. */
export async function listPublicKeys(ctx: Context) {
  const instant = ctx.clock.now()
  const rows = await listLeaseKeys(ctx)
  const listed = rows.filter(({ retiredAt, lastLeaseEndsAt }) => retiredAt === null || lastLeaseEndsAt > instant)
  return listed.map(({ kid, publicJwk }) => toJwk(kid, String(publicJwk.x)))
}

const toJwk = (kid: string, x: string) => ({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid, x }) as const

export const toSeconds = (instant: number): number => Math.floor(instant / SECOND)
