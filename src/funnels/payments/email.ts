import type { Context } from '../../base/context'

const PURPOSE = 'funnel address'

/** The keyed hash of an address, in whatever letters it was typed. */
export const emailHash = ({ mac }: Pick<Context, 'mac'>, projectId: string, email: string): string =>
  mac.sign(`${projectId} ${normalized(email)}`, PURPOSE)

export const normalized = (email: string): string => email.trim().toLowerCase()

export const contextOf = (paymentId: string): string => `funnel payment ${paymentId}`

/** Null where nothing can be encrypted. */
export const sealed = ({ vault }: Pick<Context, 'vault'>, paymentId: string, text: string): string | null =>
  vault?.seal(text, contextOf(paymentId)) ?? null

/** Null where there is none, and where this master key does not open it. */
export const opened = ({ vault }: Pick<Context, 'vault'>, paymentId: string, text: string | null): string | null =>
  text === null ? null : (vault?.open(text, contextOf(paymentId)) ?? null)
