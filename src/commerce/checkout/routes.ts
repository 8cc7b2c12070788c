import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { invalid } from '../../base/errors'
import { Replayed, readIdempotencyKey } from '../../base/http/idempotency'
import { deviceKeyOf } from '../../people/subscribers/device-key'
import { callingSubscriber } from '../../people/subscribers/service'
import { api } from '../../projects/doors/api'
import { IDENTITY_PARAMETER, requireIdentity } from '../../projects/identity-tokens/require'
import type { KeyState, ProjectState } from '../../projects/project/state'
import { checkReturnUrl, type ReturnUrlResult, type ReturnUrlRule } from '../../stores/payment/return-url'
import { openCheckout, openPortal } from './service'
import { CheckoutAnswer, CheckoutBody, PortalAnswer, PortalBody } from './wire'

declare module '../../base/state' {
  interface SliceHooks {
    /** The verified custom domains of a project. */
    projectHostnames: (handle: Handle, projectId: string) => Promise<string[]>
  }
}

const tags = ['Commerce']

/** Open the payment provider's pages for the calling device: to buy, and to manage what was bought. */
export const checkoutRoutes = (ctx: Context) => new Elysia().use(buyRoute(ctx)).use(portalRoute(ctx))

const buyRoute = (ctx: Context) =>
  api(ctx, { key: 'any' }).post(
    '/checkout',
    async ({ project, key, body, request }) => {
      const { successUrl, cancelUrl } = body
      await checkReturnUrls(ctx, project, key, { successUrl, cancelUrl })
      const subscriber = await callingSubscriber(ctx, project.id, request)
      const order = { ...body, idempotencyKey: readIdempotencyKey(request.headers) }
      return { data: await openCheckout(ctx, project, subscriber, order) }
    },
    {
      body: CheckoutBody,
      response: CheckoutAnswer,
      detail: {
        tags,
        'x-identity': 'device',
        'x-errors': ['SUBSCRIBER_UNRESOLVABLE', 'STORE_API_ERROR'],
        summary: 'Open a checkout of the payment provider',
        description:
          "data is the provider's checkout session, without its secrets. 400 names an offering, package or payment id that is missing, and a project without a payment account. A retry with the same Idempotency-Key opens no second checkout, at the provider either. All trouble with the provider is 502 STORE_API_ERROR.",
        operationId: 'createCheckout',
      },
    },
  )

/** The page shows what a person pays, so a repetition must prove who it speaks for, as the first call did. */
const portalRoute = (ctx: Context) =>
  api(ctx, { key: 'any', idempotency: { checksReplay: true } }).post(
    '/billing-portal',
    async ({ project, key, body: { returnUrl }, request, replayed }) => {
      const { headers } = request
      if (!replayed) await checkReturnUrls(ctx, project, key, { returnUrl })
      const subscriber = await callingSubscriber(ctx, project.id, request)
      const { appUserId: label } = subscriber
      const deviceKey = deviceKeyOf('device', headers, {})
      if (label !== null) await requireIdentity(ctx, { project, key, headers, label, deviceKey })
      if (replayed) throw new Replayed(replayed)
      return { data: await openPortal(ctx, project, subscriber, returnUrl) }
    },
    {
      body: PortalBody,
      response: PortalAnswer,
      detail: {
        tags,
        'x-identity': 'device',
        parameters: [IDENTITY_PARAMETER],
        'x-errors': [
          'FORBIDDEN',
          'FEATURE_NOT_CONFIGURED',
          'SUBSCRIBER_UNRESOLVABLE',
          'PAYMENT_CUSTOMER_NOT_FOUND',
          'PAYMENT_NOT_CONNECTED',
          'STORE_API_ERROR',
        ],
        summary: "Open the payment provider's billing portal",
        description:
          "data is the provider's portal session. 404 PAYMENT_CUSTOMER_NOT_FOUND is normal for a subscriber who bought in app stores only. With the setting `identityVerification: labels`, a call with a public key for a subscriber with your own id needs an identity token that your server signed. All trouble with the provider is 502 STORE_API_ERROR.",
        operationId: 'createBillingPortal',
      },
    },
  )

/** Refuses a return address that the project does not allow (wire 2.18). The error names the member that holds it. */
async function checkReturnUrls(
  ctx: Context,
  project: ProjectState,
  key: KeyState,
  urls: Readonly<Record<string, string>>,
): Promise<void> {
  const isRestricted = project.settings.restrictReturnUrls && key.presented === 'public'
  const [listNames] = (isRestricted && ctx.hooks.projectHostnames) || []
  const rule: ReturnUrlRule = {
    isRestricted,
    allowedOrigins: project.allowedOrigins,
    customDomains: (await listNames?.(ctx, project.id)) ?? [],
  }
  for (const [name, text] of Object.entries(urls)) {
    const result = checkReturnUrl(text, rule)
    if (!result.ok) throw invalid(sentenceOf(name, result))
  }
}

function sentenceOf(name: string, result: Exclude<ReturnUrlResult, { ok: true }>): string {
  if (result.reason === 'malformed') return `${name} must be an absolute https address`
  if (result.reason === 'scheme') return `${name} must be https (http for localhost only), not ${result.origin}`
  return `${name} leads to ${result.origin}: add it to the allowed origins of the project, or call with a secret key`
}
