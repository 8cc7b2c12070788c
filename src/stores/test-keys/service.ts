import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Handle, TransactionHandle } from '../../base/db/handle'
import { requireVault } from '../../base/errors'
import type { Root } from '../../base/lib/certificates'
import type { Clock } from '../../base/lib/clock'
import type { Vault } from '../../base/lib/crypto'
import type { Ids } from '../../base/lib/ids'
import { makeSimulatorKeys, parseSimulatorKeys, type SimulatorKeys, simulatorRoot } from './keys'
import { findSealedKeys, type KeysOf, saveSealedKeys } from './queries'

/** A handle with what opens encrypted keys; null when the deployment has no master key. */
export interface KeysHandle extends Handle {
  vault: Vault | null
}

/** The parts of the context that the test store needs. */
export interface SimulatorContext extends KeysHandle {
  clock: Clock
  ids: Ids
  write<Result>(work: (tx: SimulatorTx) => Promise<Result>): Promise<Result>
}

export interface SimulatorTx extends TransactionHandle {
  clock: Clock
  ids: Ids
}

type Material = Record<string, unknown>

/** The root certificate of the receipts of a project's test store; null until it was first used. */
export async function loadTestRoot(handle: KeysHandle, projectId: string): Promise<Root | null> {
  const keys = parseSimulatorKeys(await findMaterial(handle, projectId, 'ios'))
  return keys && simulatorRoot(keys)
}

/** The keys of a project's iOS test store, created on first use; 503 `FEATURE_NOT_CONFIGURED` without a master key. */
export async function simulatorKeys(ctx: SimulatorContext, projectId: string): Promise<SimulatorKeys> {
  const held = parseSimulatorKeys(await findMaterial(ctx, projectId, 'ios'))
  if (held) return held
  const made = await makeSimulatorKeys(ctx.clock.now())
  return parseSimulatorKeys(await keep(ctx, projectId, 'ios', { ...made })) ?? made
}

/** Part of the encrypted envelope, so that a row cannot be copied to another project or store. */
export const contextOf = (projectId: string, store: string): string => `${projectId}:test-store:${store}`

/** Null when there is none, and when this master key does not open it. */
async function findMaterial(handle: KeysHandle, projectId: string, store: KeysOf): Promise<Material | null> {
  const sealed = handle.vault && (await findSealedKeys(handle, projectId, store))
  const text = sealed && handle.vault?.open(sealed, contextOf(projectId, store))
  return text ? (JSON.parse(text) as Material) : null // `keep` wrote it.
}

/**
 * Saves the material, unless another process was faster, and returns the saved one. Keys that this master key does not
 * open are replaced, so that a restored backup works with another master key.
 */
async function keep(ctx: SimulatorContext, projectId: string, store: KeysOf, made: Material): Promise<Material> {
  const vault = requireTestVault(ctx)
  const sealed = vault.seal(JSON.stringify(made), contextOf(projectId, store))
  return ctx.write(async (tx) => {
    await tx.lock(`test-keys:${projectId}:${store}`)
    const held = await findMaterial({ db: tx.db, tables: tx.tables, vault }, projectId, store)
    if (!held) await saveSealedKeys(tx, { projectId, store, sealed, createdAt: ctx.clock.now() })
    return held ?? made
  })
}

const NO_KEY =
  'The test stores save their keys encrypted, and this deployment has no master key; remove SVC_MASTER_KEY=off'

/** 503 `FEATURE_NOT_CONFIGURED` without a master key: the keys of the test stores are saved encrypted only. */
export const requireTestVault = (ctx: Pick<KeysHandle, 'vault'>): Vault =>
  requireVault(ctx, 'credential_encryption', NO_KEY)

/** The key pair that signs pushes and verifies their signature. */
export interface SigningKey {
  id: string
  privateKey: CryptoKey
  publicKey: CryptoKey
}

/** Real ids of Google's keys consist of hexadecimal digits only. */
const PUSH_KEY = /^svc-simulator-[\w-]{22}$/

export const isSimulatorKeyId = (id: string): boolean => PUSH_KEY.test(id)

/** The key that signs the pushes of a project's test store, created on first use. */
export async function simulatorPushKey(ctx: SimulatorContext, projectId: string): Promise<SigningKey> {
  const held = await findMaterial(ctx, projectId, 'android')
  return readPushKey(held ?? (await keep(ctx, projectId, 'android', await makePushKey(ctx))))
}

/** Like `simulatorPushKey`; null until the test store was first used. */
export async function findSimulatorPushKey(handle: KeysHandle, projectId: string): Promise<SigningKey | null> {
  const held = await findMaterial(handle, projectId, 'android')
  return held && readPushKey(held)
}

async function makePushKey({ ids }: SimulatorContext): Promise<Material> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { id: `svc-simulator-${ids.token(22)}`, privateKey: await exportJWK(privateKey) }
}

// Saved by `simulatorPushKey`.
type PushMaterial = { id: string; privateKey: JWK }

async function readPushKey(material: Material): Promise<SigningKey> {
  const { id, privateKey: jwk } = material as PushMaterial
  const publicJwk: JWK = { kty: 'RSA', n: jwk.n ?? '', e: jwk.e ?? '' }
  const [privateKey, publicKey] = await Promise.all([importJWK(jwk, 'RS256'), importJWK(publicJwk, 'RS256')])
  if (!isCryptoKey(privateKey) || !isCryptoKey(publicKey)) throw new Error('the push key of the test store is broken')
  return { id, privateKey, publicKey }
}

const isCryptoKey = (key: CryptoKey | Uint8Array): key is CryptoKey => !(key instanceof Uint8Array)

/** The secret that signs the events of a project's payment test store, created on first use. */
export async function simulatorWebhookSecret(ctx: SimulatorContext, projectId: string): Promise<string> {
  const held = await findSimulatorWebhookSecret(ctx, projectId)
  return held ?? secretOf(await keep(ctx, projectId, 'payment', { secret: `whsec_${ctx.ids.token(43)}` }))
}

/** Like `simulatorWebhookSecret`; null until the test store was first used. */
export async function findSimulatorWebhookSecret(handle: KeysHandle, projectId: string): Promise<string | null> {
  const held = await findMaterial(handle, projectId, 'payment')
  return held && secretOf(held)
}

// Saved by `simulatorWebhookSecret`.
const secretOf = ({ secret }: Material): string => String(secret)
