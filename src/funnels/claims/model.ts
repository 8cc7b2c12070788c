/** The kinds of mails that go to buyers. */
export const BUYER_MAILS = ['funnel_claim', 'funnel_buyer', 'funnel_paid'] as const

/** How a token reached its holder. Only a mailed one proves the address. */
export type ClaimProof = 'PAID' | 'MAIL' | 'SHOWN' | 'INSTALL'

/**
 * What a secret address opens. `APP`: a purchase in the app; `APP_MORE`: a further one of the same mail. `BUYER`: the
 * buyer's page, by its mail; `BUYER_COOKIE`: the page for 15 minutes, by the cookie that the mail was exchanged for.
 */
export type LinkPurpose = 'APP' | 'APP_MORE' | 'BUYER' | 'BUYER_COOKIE'
