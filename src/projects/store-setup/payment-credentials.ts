import { type Static, Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { AppError, requireVault } from '../../base/errors'
import { orNull } from '../../base/http/object-answer'
import type { Fault } from '../../core/text/fault'
import { PaymentAccountClient } from '../../stores/payment/account-client'
import type { ProviderFailure } from '../../stores/payment/provider'
import type { SavedSettings } from '../connections/credentials'
import { readAccountKeys } from '../connections/payment-store'
import { isSame, refuseFaults } from '../project/edit'
import type { ProjectState } from '../project/state'
import { credentialsFault } from './body'
import { findSettings, type StoreEdit, saveStore } from './edit-store'

const Secret = (description: string) =>
  orNull(
    Type.String({
      ...{ minLength: 1, maxLength: 500, pattern: '^[\\x21-\\x7e]+$' },
      description: `${description}. null: the saved one stays`,
    }),
  )

/** Keys of the project's own account. */
export const PaymentCredentialsBody = Type.Object(
  {
    secretKey: Secret('The secret or restricted key of the account'),
    webhookSecret: Secret('The signing secret of the webhook endpoint'),
    publishableKey: Type.Optional(
      orNull(
        Type.String({
          pattern: '^pk_(test|live)_\\w{1,250}$',
          maxLength: 260,
          description: 'With it the payment pages of funnels reach the provider. Left out: the saved one stays',
        }),
      ),
    ),
    mode: Type.Union([Type.Literal('test'), Type.Literal('live')]),
  },
  { additionalProperties: false, title: 'PaymentCredentialsInput' },
)
export type PaymentCredentialsBody = Static<typeof PaymentCredentialsBody>

/** Keys of the provider contain their mode. A key without a mode is not checked. */
const MODE = /^[a-z]+_(test|live)_/

/** Saves keys of the project's own account, after the provider has accepted them. Returns those that it was asked about. */
export async function savePaymentCredentials(
  ctx: Context,
  edit: StoreEdit,
  { mode, publishableKey, ...given }: PaymentCredentialsBody,
  isProbed: boolean,
): Promise<'secretKey'[]> {
  requireVault(ctx)
  const saved = await findSettings(ctx, edit.by.projectId, 'payment')
  refuseConnected(saved)
  const { secretKey, webhookSecret } = withSaved(given, saved)
  const keyMode = MODE.exec(secretKey)?.[1] ?? mode
  if (keyMode !== mode) refuseFaults([credentialsFault('secretKey', `This key is of ${keyMode} mode, not of ${mode}`)])
  const pageKey = publishableKey === undefined ? (saved?.config.publishableKey ?? null) : publishableKey
  if (typeof publishableKey === 'string' && !publishableKey.startsWith(`pk_${mode}_`))
    refuseFaults([credentialsFault('publishableKey', `This key is not of ${mode} mode`)])
  if (isProbed) await probe(ctx, secretKey)
  const settings = { config: { mode, accountId: null, publishableKey: pageKey }, secrets: { secretKey, webhookSecret } }
  await saveStore(ctx, edit, 'payment', settings, (now) => {
    refuseConnected(now)
    if (!isSame(withSaved(given, now), { secretKey, webhookSecret })) throw new AppError('CONFLICT')
  })
  return isProbed ? ['secretKey'] : []
}

type Given = Omit<PaymentCredentialsBody, 'mode' | 'publishableKey'>

/** The secrets that are given, and those that are saved in the place of the others. */
function withSaved(given: Given, saved: SavedSettings | null) {
  const secretKey = given.secretKey ?? saved?.secrets?.secretKey
  const webhookSecret = given.webhookSecret ?? saved?.secrets?.webhookSecret
  refuseFaults(missingFaults({ secretKey, webhookSecret }))
  return { secretKey: secretKey ?? '', webhookSecret: webhookSecret ?? '' }
}

const missingFaults = (secrets: Readonly<Record<string, string | undefined>>): Fault[] =>
  Object.entries(secrets).flatMap(([name, value]) =>
    value === undefined ? [credentialsFault(name, 'Enter it: none is saved')] : [],
  )

/** 409 `PAYMENT_ALREADY_CONNECTED` where the project sells through a connected account. */
function refuseConnected(saved: SavedSettings | null): void {
  if (typeof saved?.config.accountId !== 'string') return
  const message = 'A connected account is in use; disconnect it before you save keys'
  throw new AppError('PAYMENT_ALREADY_CONNECTED', undefined, { message })
}

async function probe(ctx: Context, secretKey: string): Promise<void> {
  const result = await accountClient(ctx, { secretKey, account: null }).probe()
  if (!result.ok) throw probeFault(result)
}

function probeFault(failure: ProviderFailure): AppError {
  const status = failure.reason === 'rejected' ? failure.status : null
  const invalid = (reason: string, message: string, refused: 400 | 403) =>
    new AppError(
      'STORE_CREDENTIALS_INVALID',
      { store: 'payment', field: 'secretKey', reason },
      { message, status: refused },
    )
  if (status === 401) return invalid('rejected_by_store', 'secretKey: The provider refused this key', 400)
  if (status === 403) return invalid('insufficient_role', 'secretKey: This key may not read prices', 403)
  return paymentFault(failure)
}

/** 503 when the provider did not answer, 502 when its answer cannot be used. */
export function paymentFault(failure: ProviderFailure): AppError {
  if (failure.reason === 'unavailable') return new AppError('STORE_UNAVAILABLE', undefined, { cause: failure.cause })
  const cause = new Error(`Payment provider: ${failure.reason === 'rejected' ? failure.status : failure.field}`)
  return new AppError('STORE_API_ERROR', undefined, { cause })
}

interface Keys {
  secretKey: string
  account: string | null
}

const accountClient = (ctx: Context, { secretKey, account }: Keys): PaymentAccountClient =>
  new PaymentAccountClient({
    ...{ apiUrl: ctx.config.storeUrls.payment, secretKey, account },
    ...{ circuit: ctx.state.storeSetup.paymentCircuit, clock: ctx.clock },
  })

/** A client for the account that the project sells through; null without usable keys. */
export async function projectAccountClient(ctx: Context, project: ProjectState): Promise<PaymentAccountClient | null> {
  const keys = await readAccountKeys(ctx, project)
  return keys && accountClient(ctx, keys)
}
