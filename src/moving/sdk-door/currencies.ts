import type { Context } from '../../base/context'
import { readBalances } from '../../people/currencies/service'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { SdkCaller } from './model'

/** The largest balance that the Android SDK can read: a larger one would fail its whole call. */
const MAX_32_BIT = 2n ** 31n - 1n

/** The balances of a person, with every currency that is not archived. */
export async function virtualCurrencies(ctx: Context, { project, platform }: SdkCaller, { id }: SubscriberRow) {
  const balances = await readBalances(ctx, id)
  const shown = (balance: bigint) =>
    Number(platform === 'android' || platform === 'amazon' ? clamped(balance) : balance)
  const entries = [...project.catalog.currencies.values()]
    .filter(({ archivedAt }) => archivedAt === null)
    .map(({ id: currencyId, code, name }) => [
      code,
      { balance: shown(balances.get(currencyId) ?? 0n), code, name, description: null },
    ])
  return { virtual_currencies: Object.fromEntries(entries) }
}

function clamped(balance: bigint): bigint {
  if (balance > MAX_32_BIT) return MAX_32_BIT
  return balance < -MAX_32_BIT - 1n ? -MAX_32_BIT - 1n : balance
}
