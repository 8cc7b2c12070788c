/** Why a file of rates is refused as a whole, for people: `line 7: the rate of JPY is 0`. */
export class RateFileFault extends Error {}

export const atLine = (line: number, what: string): RateFileFault => new RateFileFault(`line ${line}: ${what}`)

/** The text of a file. Bytes that are no UTF-8 are refused. */
export function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new RateFileFault('it is no text in UTF-8')
  }
}
