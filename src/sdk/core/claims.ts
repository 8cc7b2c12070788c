import type { Core } from './core'
import type { ErrorKind, SvcError } from './error'
import type { FunnelClaim, InstallFacts } from './model'

export interface Claims {
  /** Gives this install what was bought in a funnel. */
  claimFunnelToken(token: string): Promise<FunnelClaim>
  /** As `claimFunnelToken`, with the link that opened the app. */
  claimFunnelUrl(url: string): Promise<FunnelClaim>
  /** Asks whether this install came from a funnel; null when it did not. */
  claimFunnelInstall(facts: InstallFacts): Promise<FunnelClaim | null>
  /** Mails the way into the app to a buyer. */
  claimFunnelEmail(email: string): Promise<void>
}

interface WireClaim {
  subscriber_id: string
  funnel_answers?: Record<string, unknown>
  access?: Record<string, unknown>
}

const KINDS: Record<number, ErrorKind> = {
  404: 'FunnelTokenNotFound',
  410: 'FunnelTokenExpired',
  409: 'FunnelTokenAlreadyClaimed',
}

export interface ClaimHooks {
  bound(): Promise<unknown>
  claimed(claim: FunnelClaim, access: Record<string, unknown> | undefined): void
}

export function createClaims(core: Core, hooks: ClaimHooks): Claims {
  const install = () => ({ install_id: core.identity().deviceKey })
  const claims: Claims = {
    async claimFunnelToken(token) {
      try {
        await hooks.bound()
        const body = { token, anon_id: core.identity().deviceKey }
        const wire = await core.send<WireClaim>('/subscribers/claim-funnel-token', body)
        const claim = { subscriberId: wire.subscriber_id, funnelAnswers: wire.funnel_answers ?? {} }
        hooks.claimed(claim, wire.access)
        return claim
      } catch (error) {
        throw refusalOf(core, error as SvcError)
      }
    },
    async claimFunnelUrl(url) {
      const token = tokenIn(url)
      if (!token) throw core.error('InvalidArgument', 'This link has no funnel token')
      return claims.claimFunnelToken(token)
    },
    async claimFunnelInstall({ screenDims, deviceModel, installReferrer, ...facts }) {
      const more = { screen_dims: screenDims, device_model: deviceModel, install_referrer: installReferrer }
      try {
        const { token } = await core.send<{ token: string }>('/sdk/claim-install', { ...install(), ...facts, ...more })
        return await claims.claimFunnelToken(token)
      } catch (error) {
        const { status, code } = error as SvcError
        if (status === 404 && !code) return null
        throw error
      }
    },
    async claimFunnelEmail(email) {
      await core.send('/sdk/claim-via-email', { ...install(), email })
    },
  }
  return claims
}

/** A refusal under the name of what is wrong with the token. */
function refusalOf(core: Core, error: SvcError): SvcError {
  const { status = 0, code = '' } = error
  const kind = KINDS[status]
  return kind && /^(NOT_FOUND|HTTP_ERROR|CONFLICT)$/.test(code) ? core.error(kind, error.message, error) : error
}

const tokenIn = (url: string): string | undefined =>
  /\/funnels\/open\/([^/?#]+)/.exec(url)?.[1] ??
  /[?&#]svc_funnel_token=([^&#]+)/.exec(url)?.[1] ??
  /onboarding-complete[^#]*[?&]token=([^&#]+)/.exec(url)?.[1]
