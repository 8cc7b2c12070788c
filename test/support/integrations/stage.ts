import { type Stage, stage } from '../cast'
import { type Staff, staff } from '../staff'
import { AMPLITUDE_KEY } from './amplitude'
import { type IntegrationServer, serveIntegrations } from './server'

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
