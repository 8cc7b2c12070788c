import { useRead } from '../../api/queries'
import { useProject } from '../../lib/session'
import { AssistantCredentials } from '../../parts/assistant/credentials'
import { useText } from '../../text/catalogue'

/** Only an owner may read whether there is a model; for others the first question is refused. */
export function useNoModel(): boolean {
  const { path, hasRole } = useProject()
  const found = useRead(
    '/dashboard/projects/{projectId}/assistant/credentials',
    { params: { path } },
    { enabled: hasRole('OWNER') },
  )
  return found.data?.configured === false
}

/** In place of the conversation: the form for an owner, and who to ask for everybody else. */
export function NoModel() {
  const t = useText('assistant')
  const { hasRole } = useProject()
  return (
    <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto p-4">
      <p className="text-md font-medium">{t.noModel}</p>
      <p className="text-sm text-ink-2">{hasRole('OWNER') ? t.noModelOwner : t.noModelOther}</p>
      {hasRole('OWNER') && <AssistantCredentials />}
    </div>
  )
}
