import type { PurchaseEnvironment } from '../../stores/observation'

/** The environment of a person: the sandbox of who bought only there, and production of everybody else. */
export const environmentOfPerson = (bought: Iterable<PurchaseEnvironment>): PurchaseEnvironment => {
  const environments = new Set(bought)
  return environments.size === 1 && environments.has('SANDBOX') ? 'SANDBOX' : 'PRODUCTION'
}

/** The stores at which a person bought. Grants do not count. */
export const boughtIn = (
  purchases: readonly { store: string; environment: PurchaseEnvironment }[],
): PurchaseEnvironment[] => purchases.flatMap(({ store, environment }) => (store === 'MANUAL' ? [] : environment))
