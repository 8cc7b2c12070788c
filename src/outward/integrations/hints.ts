const SHOWN = 4
/** Shorter values are not shown at all: their end would be too much of them. */
const LEAST = 3 * SHOWN

/** The end of a value, for `hint`: `…1f2e`. */
export const endOf = (value: string): string => (value.length < LEAST ? '…' : `…${value.slice(-SHOWN)}`)
