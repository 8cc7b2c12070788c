interface Limits {
  min?: number | undefined
  max?: number | undefined
  isWhole: boolean
}

/** The number that a text means. A comma counts as the decimal point, unless it may part thousands, as in `1,000`. */
export function readNumber(text: string, { min = -Infinity, max = Infinity, isWhole }: Limits): number | null {
  const plain = text.trim()
  if (/^[-+]?[1-9]\d{0,2},\d{3}$/.test(plain) || !NUMBER.test(plain)) return null
  const number = Number(plain.replace(',', '.'))
  const isTaken = number >= min && number <= max && Number.isFinite(number) && (!isWhole || Number.isInteger(number))
  return isTaken ? number : null
}

const NUMBER = /^[-+]?(\d+([.,]\d*)?|[.,]\d+)(e[-+]?\d+)?$/i
