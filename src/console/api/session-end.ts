import { makeStore } from '../lib/store'

/** The id of the person whose page this is; null before the sign-in and after the sign-out. */
export const personHere = makeStore<string | null>(null)

/** Whether the session has ended under an open page, so that the person is asked to sign in in place. */
export const sessionEnded = makeStore(false)

/** Why the person is asked, in the words of the screen: the session is too old. Null = it has ended. */
export const signInReason = makeStore<{ title: string; text: string } | null>(null)

let waiting: ((isBack: boolean) => void)[] = []

/** Asks the person to sign in on top of the screen. True when they did, false when they closed it. */
export function signInAgain(reason: ReturnType<typeof signInReason.get> = null): Promise<boolean> {
  signInReason.set(reason)
  sessionEnded.set(true)
  return new Promise((resolve) => waiting.push(resolve))
}

/** The sign-in on top of the screen is over. The calls that waited are sent again when `isBack`. */
export function endWaiting(isBack: boolean): void {
  const told = waiting
  waiting = []
  sessionEnded.set(false)
  for (const tell of told) tell(isBack)
}

/**
 * After a refusal with 401: whether the call can be sent again. A call can also be refused so because a password in it
 * is wrong; then the session is still there.
 */
export async function isSignedInAgain(path: string): Promise<boolean> {
  if (path.startsWith('/api/auth/') || personHere.get() === null) return false
  if (path !== '/dashboard/me' && (await isSessionAlive())) return false
  return signInAgain()
}

const isSessionAlive = (): Promise<boolean> =>
  fetch('/dashboard/me', { cache: 'no-store' }).then(
    ({ status }) => status !== 401,
    () => true,
  )
