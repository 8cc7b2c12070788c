import type { Handle } from '../../base/db/handle'
import type { Store } from '../../stores/observation'
import { findStoreSettings } from '../project/service'

declare module '../project/state' {
  interface ProjectParts {
    /** What the stores keep of a charge. */
    commission: Commission
  }
}

/** Fractions that the project says a store keeps, in millionths; null or absent = the usual ones. */
export type Commission = Readonly<Partial<Record<Store, number | null>>>

/** The rates that a project has set. */
export const loadCommission = async (handle: Handle, projectId: string): Promise<Commission> =>
  readCommission((await findStoreSettings(handle, projectId, 'commissionRates'))?.config ?? {})

/** The settings have fractions between 0 and 1. */
const readCommission = (config: Readonly<Record<string, unknown>>): Commission =>
  Object.fromEntries(
    Object.entries(config).flatMap(([store, rate]) =>
      typeof rate === 'number' ? [[store, Math.round(rate * 1_000_000)]] : [],
    ),
  )
