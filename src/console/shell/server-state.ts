import { makeStore } from '../lib/store'

/** Whether the server answers, and with the console that this page is a part of. */
export const serverState = makeStore<'ok' | 'away' | 'newer'>('ok')

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15_000

let waiting: (() => void)[] = []

/** A call got no answer. The server is asked again until it answers. */
export function noteAway(): void {
  if (serverState.get() !== 'ok') return
  serverState.set('away')
  askAgain(FIRST_WAIT_MS)
}

function askAgain(afterMs: number): void {
  setTimeout(async () => {
    if (serverState.get() !== 'away') return
    const isThere = await fetch('/health', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) noteBack()
    else askAgain(Math.min(afterMs * 2, LONGEST_WAIT_MS))
  }, afterMs)
}

function noteBack(): void {
  serverState.set('ok')
  const told = waiting
  waiting = []
  for (const tell of told) tell()
  // The server may have been replaced meanwhile.
  void checkVersion()
}

/** When the server answers again; at once when it does. */
export const whenBack = (): Promise<void> =>
  serverState.get() === 'away' ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()

/** The script of this page. Its name is made of its content, so a newer console has another one. */
const ownScript = (): string | null => document.querySelector('script[type=module]')?.getAttribute('src') ?? null

/** Compares this page with the one that the server has now. An unchanged page costs an answer without a body. */
export async function checkVersion(): Promise<void> {
  const own = ownScript()
  if (own === null || serverState.get() !== 'ok') return
  const answer = await fetch('/', { cache: 'no-cache' }).catch(() => null)
  if (!answer?.ok || !answer.headers.get('content-type')?.startsWith('text/html')) return
  if (!(await answer.text()).includes(own)) serverState.set('newer')
}

const CHECK_MS = 5 * 60_000

/** Looks for a newer console now and then, and whenever the page is shown again. `onBack` is called when the server answers again. */
export function watchServer(onBack: () => void): void {
  const look = () => {
    if (!document.hidden) void checkVersion()
  }
  setInterval(look, CHECK_MS)
  document.addEventListener('visibilitychange', look)
  let before = serverState.get()
  serverState.subscribe(() => {
    const state = serverState.get()
    if (before === 'away' && state !== 'away') onBack()
    before = state
  })
}

/** A script of the console could not be fetched: the page is older than the server, or the connection broke. */
export class PartMissing extends Error {}

/** Fetches a part of the console. While the server is away it waits, and then tries once more. */
export async function fetchPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    const isThere = await fetch('/health', { cache: 'no-store' }).catch(() => null)
    if (!isThere?.ok) noteAway()
    await whenBack()
    await checkVersion()
    return await load().catch((cause: unknown) => {
      throw new PartMissing('a part of the console cannot be fetched', { cause })
    })
  }
}
