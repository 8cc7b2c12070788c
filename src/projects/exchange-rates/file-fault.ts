/** Why a file of rates is refused as a whole, for people: `line 7: the rate of JPY is 0`. */
export class RateFileFault extends Error {}

export const atLine = (line: number, what: string): RateFileFault => new RateFileFault(`line ${line}: ${what}`)
