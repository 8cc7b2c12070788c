import { useLocation } from 'wouter'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import type { MenuItem } from '../../../kit/menu'
import { toast } from '../../../kit/toast'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { useProject } from '../../../lib/session'
import { ObjectMenu } from '../../../parts/object-menu'
import { useText } from '../../../text/catalogue'
import type { FunnelView } from './model'
import { REFRESHES } from './use-funnel-edit'

type Command = 'unpublish' | 'archive' | 'restore' | 'duplicate'

const P = '/dashboard/projects/{projectId}/funnels/{id}'

/** What can be done with a funnel as a whole. */
export function FunnelMenu({ funnel, reason }: { funnel: FunnelView; reason: string | null }) {
  const failed = useFailureToast()
  const t = useText('funnels')
  const { base, path } = useProject()
  const [, navigate] = useLocation()
  const { id, slug, revision, status } = funnel
  const params = { path: { ...path, id }, header: { 'If-Match': `"${revision}"` } }
  const action = useAction({
    run: (command: Command) => callOf(command, params),
    refreshes: REFRESHES,
    onDone: (made, command) => {
      toast(t.commandsDone[command])
      if (command === 'duplicate') navigate(`${base}/growth/funnels/${made.id}`)
    },
    onFailure: failed,
  })
  const item = (command: Command): MenuItem => ({
    label: t.commands[command],
    reason,
    onSelect: () => action.submit(command),
  })
  const commands: Command[] =
    status === 'ARCHIVED'
      ? ['restore', 'duplicate']
      : ['duplicate', ...(status === 'PUBLISHED' ? (['unpublish'] as const) : []), 'archive']
  return (
    <ObjectMenu
      name={slug}
      items={commands.map(item)}
      reason={reason}
      effect={<p>{t.deleteEffect}</p>}
      onDelete={() => api.delete(P, { params })}
      refreshes={REFRESHES}
      next={`${base}/growth/funnels`}
    />
  )
}

interface Params {
  path: { projectId: string; id: string }
  header: { 'If-Match': string }
}

function callOf(command: Command, { path, header }: Params) {
  const init = { params: { path }, headers: header }
  switch (command) {
    case 'unpublish':
      return api.post(`${P}/unpublish`, init)
    case 'archive':
      return api.post(`${P}/archive`, init)
    case 'restore':
      return api.post(`${P}/restore`, init)
    default:
      return api.post(`${P}/duplicate`, { params: { path } })
  }
}
