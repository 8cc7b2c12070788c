import { type Stage, stage } from '../cast'
import { type Staff, staff } from '../staff'
import { AMPLITUDE_KEY } from './amplitude'
import { META_PIXEL, META_TOKEN } from './meta-capi'
import { type IntegrationServer, serveIntegrations } from './server'
import { TIKTOK_PIXEL, TIKTOK_TOKEN } from './tiktok-events'

export interface IntegrationStage {
  s: Stage
  team: Staff
  /** The providers. */
  server: IntegrationServer
  close(): Promise<void>
}

/** A stage whose providers are the stand-ins. */
export async function integrationStage(env: Record<string, string> = {}): Promise<IntegrationStage> {
  const server = serveIntegrations()
  const s = await stage({
    env: { SVC_INTEGRATIONS_URL: server.url, SVC_ALLOW_PRIVATE_TARGETS: '1', ...env },
    settings: { extraReservedKeys: true },
  })
  return {
    ...{ s, team: staff(s), server },
    async close() {
      await s.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

export const AMPLITUDE_BODY = {
  provider: 'AMPLITUDE',
  credentials: { apiKey: AMPLITUDE_KEY, region: 'US' },
  enabledEvents: ['*'],
}

export const META_BODY = {
  provider: 'META_CAPI',
  credentials: { pixelId: META_PIXEL, accessToken: META_TOKEN },
  enabledEvents: ['*'],
}

export const TIKTOK_BODY = {
  provider: 'TIKTOK_EVENTS',
  credentials: { pixelCode: TIKTOK_PIXEL, accessToken: TIKTOK_TOKEN },
  enabledEvents: ['*'],
}
