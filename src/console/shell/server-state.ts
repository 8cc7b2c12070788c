import { makeStore } from '../lib/store'

/** Whether the server answers, and with the console that this page is a part of. */
export const serverState = makeStore<'ok' | 'away' | 'newer'>('ok')
