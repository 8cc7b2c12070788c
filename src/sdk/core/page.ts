import type { Core } from './core'
import type { Queues, SessionEvent } from './queues'

/** When the app comes into view and leaves it. */
export interface Life {
  shown(): void
  hidden(): void
}

/** `refresh` reads again what is old. React Native calls the members by its own state of the app. */
export function createLife(
  { clock, globals, appVersion, ends, platform }: Core,
  queues: Queues,
  refresh: () => void,
): Life {
  let openedAt = 0
  const session = (type: SessionEvent['type']): void => {
    const now = clock.now()
    const durationMs = type === 'open' ? undefined : Math.max(0, now - openedAt)
    openedAt = type === 'open' ? now : 0
    queues.addSession({ type, occurredAt: new Date(now).toISOString(), appVersion, durationMs })
  }
  const life: Life = {
    shown() {
      if (openedAt) return
      session('open')
      queues.flush()
      refresh()
    },
    hidden() {
      if (!openedAt) return
      session('background')
      queues.flush(true)
    },
  }
  const { document } = globals
  if (document) {
    const changed = () => life[document.visibilityState === 'hidden' ? 'hidden' : 'shown']()
    document.addEventListener('visibilitychange', changed)
    globals.addEventListener?.('pagehide', life.hidden)
    ends.push(() => {
      document.removeEventListener('visibilitychange', changed)
      globals.removeEventListener?.('pagehide', life.hidden)
    })
  }
  if (platform) session('open')
  return life
}
