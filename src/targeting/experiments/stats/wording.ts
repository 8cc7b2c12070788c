/** A share of 1 as a reader sees it, three digits: 0.10825 -> `10.8%`, 0.0005 -> `0.05%`. */
export const percent = (share: number): string => `${Number((share * 100).toPrecision(3))}%`

/** A count with its thousands apart: 12000 -> `12,000`. */
export const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',')

/** A probability that is small where it convinces: `p = 0.036`, `p < 0.001`. */
export const atMost = (name: string, value: number): string =>
  value < 0.001 ? `${name} < 0.001` : `${name} = ${Number(value.toPrecision(2))}`
