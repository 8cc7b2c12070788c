import { api } from '../../../api/client'
import { useProject } from '../../../lib/session'
import { ObjectMenu } from '../../../parts/object-menu'
import { useText } from '../../../text/catalogue'
import type { ProductView } from './model'

export function ProductMenu({ product, reason }: { product: ProductView; reason: string | null }) {
  const t = useText('catalogue')
  const { base, path } = useProject()
  const { id, identifier, revision } = product
  return (
    <ObjectMenu
      name={identifier}
      reason={reason}
      effect={<p>{t.deleteProductEffect}</p>}
      onDelete={() =>
        api.delete('/dashboard/projects/{projectId}/products/{id}', {
          params: { path: { ...path, id }, header: { 'If-Match': `"${revision}"` } },
        })
      }
      refreshes={['/dashboard/projects/{projectId}/products']}
      next={`${base}/catalogue`}
    />
  )
}
