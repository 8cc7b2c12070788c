import { Type } from '@sinclair/typebox'
import type Stripe from 'stripe'
import type { Context, Tx } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import { defineJob } from '../../base/jobs/registry'
import { paymentClient } from '../../projects/connections/payment-store'
import type { ProjectState } from '../../projects/project/state'
import type { ProviderFailure } from '../../stores/payment/provider'
import { WALLETS, type WalletState, type WalletStates } from './model'
import { findVerified } from './queries'

/**
 * Registers a verified name at the project's account, or at the test store where nothing else sells, and says what its
 * wallets are there. Null where no account is connected. Safe to repeat.
 */
export async function registerWallets(
  ctx: Context,
  project: ProjectState,
  hostname: string,
): Promise<WalletStates | null> {
  if (!project.payment) return registerAtTestStore(ctx, project.id, hostname)
  const client = await paymentClient(ctx, project)
  if (!client) return null
  const answer = await client.registerMethodDomain(hostname)
  return answer.ok ? readWallets(answer.value) : everyWallet({ status: 'INACTIVE', error: sentenceOf(answer) })
}

async function registerAtTestStore(ctx: Context, projectId: string, hostname: string): Promise<WalletStates | null> {
  const sales = ctx.state.testStores.sales(projectId)
  if (!sales) return null
  if (!(await sales.hasDomain(hostname))) await sales.setDomain(hostname, true)
  return everyWallet({ status: 'INACTIVE', error: 'The test store shows no wallets; connect a payment account' })
}

const everyWallet = (state: WalletState): WalletStates => ({
  ...{ applePay: state, googlePay: state, link: state, paypal: state },
})

const MEMBERS = { applePay: 'apple_pay', googlePay: 'google_pay', link: 'link', paypal: 'paypal' } as const

function readWallets(domain: Stripe.PaymentMethodDomain): WalletStates {
  const states = WALLETS.map((wallet) => [wallet, stateOf(domain[MEMBERS[wallet]])] as const)
  // The names are those of `WALLETS`.
  return Object.fromEntries(states) as WalletStates
}

const LONGEST_ERROR = 500

const stateOf = ({ status, status_details }: Stripe.PaymentMethodDomain.ApplePay): WalletState => ({
  status: status === 'active' ? 'ACTIVE' : 'INACTIVE',
  error: status_details?.error_message?.slice(0, LONGEST_ERROR) ?? null,
})

function sentenceOf(failure: ProviderFailure): string {
  if (failure.reason !== 'rejected') return 'The payment provider does not answer; the next check tries again'
  const code = failure.providerErrorCode ?? failure.providerErrorType ?? String(failure.status)
  return `The payment provider refused to register the name (${code})`
}

const Payload = Type.Object({ projectId: Type.String(), hostname: Type.String() }, { additionalProperties: false })

/** Switches a name off at the project's account, unless the project has it again meanwhile. */
const forgetJob = defineJob({
  name: 'domains.forget-wallets',
  payload: Payload,
  handle: async (ctx, { projectId, hostname }) => {
    const row = await findVerified(ctx, hostname)
    if (row?.projectId === projectId) return
    const project = await ctx.state.projects.find(projectId)
    if (!project) return
    if (!project.payment) return ctx.state.testStores.sales(projectId)?.setDomain(hostname, false)
    const answer = await (await paymentClient(ctx, project))?.disableMethodDomain(hostname)
    if (answer?.ok === false && answer.reason === 'unavailable') throw new Error('the payment provider does not answer')
  },
})

export const walletJobs = [forgetJob]

/** Enqueues that in the transaction in which the name stops to be one of the project. */
export const forgetWallets = async (tx: Tx, projectId: string, hostname: string): Promise<void> => {
  await enqueue(tx, forgetJob, { projectId, hostname }, { dedupeKey: `${projectId} ${hostname}` })
}
