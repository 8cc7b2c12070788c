import type { Context } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { throughCircuit } from '../../base/lib/circuit'
import { deauthorize, exchangeCode, type OAuthResult, type Platform } from '../../stores/payment/connect-oauth'
import { requireRevision } from '../audit/revisions'
import { projectsOfAccount } from '../connections/connected-accounts'
import type { SavedSettings } from '../connections/credentials'
import type { PaymentMode, ProjectState } from '../project/state'
import { findSettings, removeStore, type StoreEdit, saveStore } from './edit-store'
import { paymentFault, projectAccountClient } from './payment-credentials'

/** 503 `FEATURE_NOT_CONFIGURED` where the platform has no keys for the mode. */
export function requirePlatform(ctx: Context, mode: PaymentMode): Platform {
  const platform = findPlatform(ctx, mode)
  if (!platform) throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'payment_connect', mode })
  return platform
}

function findPlatform({ config }: Context, mode: PaymentMode): Platform | null {
  const keys = config.paymentConnect[mode]
  if (keys?.clientId == null) return null
  return { clientId: keys.clientId, secretKey: keys.secretKey, url: config.storeUrls.paymentConnect }
}

/** 409 `PAYMENT_ALREADY_CONNECTED` for a project that sells through an account, by keys or by a connection. */
export function refuseAccount(saved: SavedSettings | null): void {
  if (saved && (accountOf(saved) || saved.hasSecrets)) throw new AppError('PAYMENT_ALREADY_CONNECTED')
}

/** Exchanges the code with which a person came back from the provider, and saves their account. */
export async function connectPayment(ctx: Context, edit: StoreEdit, mode: PaymentMode, code: string): Promise<void> {
  const platform = requirePlatform(ctx, mode)
  refuseAccount(await findSettings(ctx, edit.by.projectId, 'payment'))
  const granted = await guarded(ctx, () => exchangeCode(platform, code))
  if (!granted.ok) throw oauthFault(granted)
  const { stripe_user_id: accountId, livemode } = granted.value
  if (livemode !== (mode === 'live')) throw new AppError('STORE_API_ERROR')
  const config = { mode, accountId, connectedAt: ctx.clock.now() }
  await saveStore(ctx, edit, 'payment', { config, secrets: {} }, refuseAccount)
}

const AWAY = { ok: false, kind: 'unavailable' } as const

const guarded = <Value>({ state, clock }: Context, call: () => Promise<OAuthResult<Value>>) =>
  throughCircuit<OAuthResult<Value>>(
    {
      circuit: state.storeSetup.oauthCircuit,
      clock,
      whenOpen: AWAY,
      isOutage: (result) => !result.ok && result.kind === 'unavailable',
    },
    call,
  )

function oauthFault(failure: Extract<OAuthResult<unknown>, { ok: false }>): AppError {
  if (failure.kind === 'unavailable') return new AppError('STORE_UNAVAILABLE')
  return new AppError('STORE_API_ERROR', undefined, { cause: new Error(`Payment provider: ${failure.error}`) })
}

export interface PaymentConnection {
  accountId: string
  mode: PaymentMode
  chargesEnabled: boolean
  /** Null for an account that the project file named. */
  connectedAt: number | null
}

/** The connected account, as the provider describes it now; 404 without one. */
export async function readConnection(ctx: Context, project: ProjectState): Promise<PaymentConnection> {
  const { payment } = project
  if (!payment || payment.accountId === null) throw notFound('payment account')
  const { accountId, mode } = payment
  const client = await projectAccountClient(ctx, project)
  if (!client) throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'payment_connect', mode })
  const account = await client.getAccount(accountId)
  if (!account.ok) throw paymentFault(account)
  const { connectedAt } = (await findSettings(ctx, project.id, 'payment'))?.config ?? {}
  return {
    accountId,
    mode,
    chargesEnabled: account.value.charges_enabled === true,
    connectedAt: typeof connectedAt === 'number' ? connectedAt : null,
  }
}

/**
 * Removes the payment account of a project. A call to the provider ends the right of the platform to act for a connected
 * account, unless another project sells through it. Nothing is removed while the provider does not answer.
 */
export async function disconnectPayment(ctx: Context, edit: StoreEdit): Promise<void> {
  const { projectId } = edit.by
  const saved = await findSettings(ctx, projectId, 'payment')
  if (!saved) throw notFound('payment account')
  await requireRevision(ctx, projectId, 'payment', edit.expected)
  const account = accountOf(saved)
  if (account) await release(ctx, account)
  await removeStore(ctx, edit, 'payment', (present) => refuseOtherAccount(present, account?.accountId))
}

/** Another account may have been connected while the provider was called. */
function refuseOtherAccount(present: SavedSettings, released: string | undefined): void {
  if (accountOf(present)?.accountId === released) return
  throw new AppError('CONFLICT', undefined, { message: 'The payment account was changed meanwhile; read it again' })
}

interface Account {
  accountId: string
  mode: PaymentMode
}

const accountOf = ({ config: { accountId, mode } }: SavedSettings): Account | null =>
  typeof accountId === 'string' ? { accountId, mode: mode === 'live' ? 'live' : 'test' } : null

/** The account is not, or no longer, one of the platform. */
const UNKNOWN_ACCOUNT = 'invalid_client'

async function release(ctx: Context, { accountId, mode }: Account): Promise<void> {
  const platform = findPlatform(ctx, mode)
  const sellers = await projectsOfAccount(ctx, accountId, mode)
  if (!platform || sellers.length > 1) return
  const released = await guarded(ctx, () => deauthorize(platform, accountId))
  if (released.ok || (released.kind === 'rejected' && released.error === UNKNOWN_ACCOUNT)) return
  throw oauthFault(released)
}
