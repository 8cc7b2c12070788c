/** A fraction as it is written in a field: 0.07 is 7, not 7.000000000000001. */
export const percentOf = (fraction: number): number => Number((fraction * 100).toPrecision(DIGITS))

export const fractionOf = (percent: number): number => Number((percent / 100).toPrecision(DIGITS))

const DIGITS = 12
