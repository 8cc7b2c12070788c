import { MessageSquare } from 'lucide-react'
import { useContext } from 'react'
import { IconButton } from '../kit/button'
import { assistantOpen, hasAssistant, toggleAssistant } from '../lib/assistant-panel'
import { commandKeys } from '../lib/keys'
import { ProjectContext } from '../lib/session'
import { useText } from '../text/catalogue'

/** Opens and closes the assistant. Absent outside of projects and where it is switched off. */
export function AssistantButton({ className }: { className?: string }) {
  const t = useText('common')
  const here = useContext(ProjectContext)
  const isOpen = assistantOpen.use()
  if (!here || !hasAssistant(here)) return null
  return (
    <IconButton
      label={t.askAssistant}
      title={`${t.askAssistant} (${commandKeys('J')})`}
      aria-expanded={isOpen}
      onClick={toggleAssistant}
      className={className}
    >
      <MessageSquare aria-hidden className="size-4 max-md:size-4.5" />
    </IconButton>
  )
}
