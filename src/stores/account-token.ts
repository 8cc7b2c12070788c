/** Clients that have no account token send this one. It names no person. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

/** The account token that a store, a caller or a stored row has; null when there is none. */
export const accountTokenOf = (text: string | null | undefined): string | null =>
  text && text !== NO_ACCOUNT ? text : null
