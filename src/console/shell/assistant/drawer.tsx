import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '../../kit/button'
import { Boundary } from '../../kit/card'
import { useIsPhone } from '../../kit/phone'
import { assistantOpen } from '../../lib/assistant-panel'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { Conversation } from './conversation'
import { threadHere } from './thread-here'
import { ThreadsMenu } from './threads-menu'

/** The assistant's panel at the right of the screen; on a phone it covers the page. */
export default function AssistantDrawer() {
  const { project } = useProject()
  // Another project has other threads.
  return <Panel key={project.id} />
}

/** A thread that is shown, or a new one. The key stays when a new one gets its id. */
interface Shown {
  key: number
  threadId: string | null
}

function Panel() {
  const t = useText('assistant')
  const c = useText('common')
  const { project } = useProject()
  const Heading = useIsPhone() ? 'h1' : 'h2'
  const [{ key, threadId }, setShown] = useState<Shown>({ key: 0, threadId: threadHere.get(project.id) })
  useFocusBack()
  const choose = (id: string | null) => {
    threadHere.set(project.id, id)
    setShown((before) => ({ key: before.key + 1, threadId: id }))
  }
  const onThread = (id: string) => {
    threadHere.set(project.id, id)
    setShown((before) => ({ ...before, threadId: id }))
  }
  return (
    <aside
      aria-label={c.assistant}
      data-assistant
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented && !isInLayer(event.target)) assistantOpen.set(false)
      }}
      className="fixed inset-y-0 right-0 z-40 flex w-full flex-col border-line bg-surface shadow-float md:w-[456px] md:border-l xl:sticky xl:top-0 xl:h-dvh xl:shadow-none print:hidden"
    >
      <header className="flex items-center gap-1 border-b border-line py-2 pr-2 pl-3">
        <Heading className="sr-only">{c.assistant}</Heading>
        <ThreadsMenu threadId={threadId} onChoose={choose} />
        <IconButton label={t.closePanel} onClick={() => assistantOpen.set(false)}>
          <X aria-hidden size={16} />
        </IconButton>
      </header>
      <Boundary>
        <Conversation key={key} threadId={threadId} onThread={onThread} />
      </Boundary>
    </aside>
  )
}

/** An Escape in a menu or a dialog closes that. */
const isInLayer = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('dialog, [popover]') !== null

/** The focus goes back to where it was when the panel closes. */
function useFocusBack(): void {
  // Read before the field of the panel takes it.
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    },
    [before],
  )
}
