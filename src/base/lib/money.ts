/** An amount in millionths of the currency's main unit, with its ISO 4217 code: 9990000 USD is 9.99 USD. */
export interface Money {
  amountMicros: number
  currency: string
}

/** Whether both are the same amount of the same currency. */
export const isSameMoney = (a: Money | null | undefined, b: Money | null | undefined): boolean =>
  a?.amountMicros === b?.amountMicros && a?.currency === b?.currency

/** Money of a price in thousandths of the main unit, as the iOS store signs it: 9990 -> 9990000 micros. */
export const fromThousandths = (price: number, currency: string): Money => ({ amountMicros: price * 1000, currency })
