import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Handle, TransactionHandle } from '../../base/db/handle'
import type { Root } from '../../base/lib/certificates'
import type { Clock } from '../../base/lib/clock'
import type { Ids } from '../../base/lib/ids'
import { makeSimulatorKeys, parseSimulatorKeys, type SimulatorKeys, simulatorRoot } from './keys'
import { findSimulatorMaterial, insertSimulatorMaterial, type MaterialOf } from './queries'

/** The parts of the context that the test store needs. */
export interface SimulatorContext extends Handle {
  clock: Clock
  ids: Ids
  write<Result>(work: (tx: SimulatorTx) => Promise<Result>): Promise<Result>
}

export interface SimulatorTx extends TransactionHandle {
  clock: Clock
  ids: Ids
}

/** The root certificate of the test store's receipts; null until the simulator was first used. */
export async function loadSimulatorRoot(handle: Handle): Promise<Root | null> {
  const keys = parseSimulatorKeys(await findSimulatorMaterial(handle, 'ios'))
  return keys && simulatorRoot(keys)
}

/** The deployment's test store keys, created on first use. */
export async function simulatorKeys(ctx: SimulatorContext): Promise<SimulatorKeys> {
  const held = parseSimulatorKeys(await findSimulatorMaterial(ctx, 'ios'))
  if (held) return held
  const made = await makeSimulatorKeys(ctx.clock.now())
  return parseSimulatorKeys(await keep(ctx, 'ios', { ...made })) ?? made
}

/** Saves the material, unless another process was faster, and returns the saved one. */
async function keep(ctx: SimulatorContext, of: MaterialOf, made: Record<string, unknown>) {
  await ctx.write((tx) => insertSimulatorMaterial(tx, of, made, ctx.clock.now()))
  return (await findSimulatorMaterial(ctx, of)) ?? made
}

/** The key pair that signs pushes and verifies their signature. */
export interface SigningKey {
  id: string
  privateKey: CryptoKey
  publicKey: CryptoKey
}

/** Real ids of Google's keys consist of hexadecimal digits only. */
const PUSH_KEY = /^svc-simulator-[\w-]{22}$/

export const isSimulatorKeyId = (id: string): boolean => PUSH_KEY.test(id)

/** The key that signs simulated pushes in this deployment, created on first use. */
export async function simulatorPushKey(ctx: SimulatorContext): Promise<SigningKey> {
  const held = await findSimulatorMaterial(ctx, 'android')
  return readPushKey(held ?? (await keep(ctx, 'android', await makePushKey(ctx))))
}

/** Like `simulatorPushKey`; null until the simulator was first used. */
export async function findSimulatorPushKey(handle: Handle): Promise<SigningKey | null> {
  const held = await findSimulatorMaterial(handle, 'android')
  return held && readPushKey(held)
}

async function makePushKey({ ids }: SimulatorContext): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { id: `svc-simulator-${ids.token(22)}`, privateKey: await exportJWK(privateKey) }
}

// Saved by `simulatorPushKey`.
type PushMaterial = { id: string; privateKey: JWK }

async function readPushKey(material: Record<string, unknown>): Promise<SigningKey> {
  const { id, privateKey: jwk } = material as PushMaterial
  const publicJwk: JWK = { kty: 'RSA', n: jwk.n ?? '', e: jwk.e ?? '' }
  const [privateKey, publicKey] = await Promise.all([importJWK(jwk, 'RS256'), importJWK(publicJwk, 'RS256')])
  if (!isCryptoKey(privateKey) || !isCryptoKey(publicKey)) throw new Error('the push key of the test store is broken')
  return { id, privateKey, publicKey }
}

const isCryptoKey = (key: CryptoKey | Uint8Array): key is CryptoKey => !(key instanceof Uint8Array)

/** The secret that signs simulated events of the payment provider in this deployment, created on first use. */
export async function simulatorWebhookSecret(ctx: SimulatorContext): Promise<string> {
  const held = await findSimulatorWebhookSecret(ctx)
  return held ?? secretOf(await keep(ctx, 'payment', { secret: `whsec_${ctx.ids.token(43)}` }))
}

/** Like `simulatorWebhookSecret`; null until the simulator was first used. */
export async function findSimulatorWebhookSecret(handle: Handle): Promise<string | null> {
  const held = await findSimulatorMaterial(handle, 'payment')
  return held && secretOf(held)
}

// Saved by `simulatorWebhookSecret`.
const secretOf = ({ secret }: Record<string, unknown>): string => String(secret)
