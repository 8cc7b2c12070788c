// The keys under which the client keeps something, besides the answers of the server.
export const IDENTITY = 'id'
export const ATTRIBUTES = 'q'
export const EVENTS = 'e'
export const SESSIONS = 's'
/** What goes with the next receipt. */
export const CONTEXT = 'p'
/** The checkout from which the user will return. */
export const CHECKOUT = 'w'
export const LEASE = 'l'

/** Keys that start so are answers of the server: they may go when room is needed. */
export const ANSWERS = 'c.'

export const KEYS = [IDENTITY, ATTRIBUTES, EVENTS, SESSIONS, CONTEXT, CHECKOUT, LEASE]
