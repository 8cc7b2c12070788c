import { unitsOf } from '../../core/money/money'
import type { Money, ProviderRequest } from './provider'

/** A POST with a JSON body. Members that are undefined are left out. */
export const postJson = (
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): ProviderRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** The object without members whose value is null or undefined. */
export const withoutNulls = <Members extends object>(members: Members): Partial<NonNullMembers<Members>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined)) as Partial<
    NonNullMembers<Members>
  > // Only members that are not null are left.

type NonNullMembers<Members> = { [Name in keyof Members]: NonNullable<Members[Name]> }

/** The revenue in whole US dollars; null when it is not known. Money that went back counts against it. */
export function revenueOf(type: string, money: Money | null): number | null {
  const usdMicros = money?.usdMicros ?? null
  return usdMicros === null ? null : unitsOf(type === 'purchase.refunded' ? -usdMicros : usdMicros)
}
