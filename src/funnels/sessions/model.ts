/** wire 4.3: IN_PROGRESS → PAID → COMPLETED; IN_PROGRESS → ABANDONED, and back at the next answer. */
export type FunnelSessionState = 'IN_PROGRESS' | 'PAID' | 'COMPLETED' | 'ABANDONED'
