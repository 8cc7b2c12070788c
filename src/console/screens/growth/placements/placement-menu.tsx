import { api } from '../../../api/client'
import { useProject } from '../../../lib/session'
import { ObjectMenu } from '../../../parts/object-menu'
import { useText } from '../../../text/catalogue'
import type { PlacementView } from './model'

export function PlacementMenu({ placement, reason }: { placement: PlacementView; reason: string | null }) {
  const t = useText('growth')
  const { base, path } = useProject()
  const { id, identifier, revision } = placement
  return (
    <ObjectMenu
      name={identifier}
      reason={reason}
      effect={<p>{t.deletePlacementEffect}</p>}
      onDelete={() =>
        api.delete('/dashboard/projects/{projectId}/placements/{id}', {
          params: { path: { ...path, id }, header: { 'If-Match': `"${revision}"` } },
        })
      }
      refreshes={['/dashboard/projects/{projectId}/placements']}
      next={`${base}/growth/placements`}
    />
  )
}
