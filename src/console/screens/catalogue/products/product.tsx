import { useParams } from 'wouter'
import { useRead } from '../../../api/queries'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { ProductEditor } from './editor'

const EVERY_MS = 10_000

export default function Product() {
  const t = useText('common')
  const { id } = useParams<{ id: string }>()
  const { base, path } = useProject()
  const product = useRead(
    '/dashboard/projects/{projectId}/products/{id}',
    { params: { path: { ...path, id } } },
    { enabled: id !== 'new', every: EVERY_MS, keep: false },
  )
  if (id === 'new') return <ProductEditor key="new" product={null} />
  if (product.data) return <ProductEditor key={id} product={product.data} />
  return (
    <Page title={t.products} crumbs={[[t.products, `${base}/catalogue`]]}>
      {product.error ? <Failure error={product.error} onRetry={() => void product.refetch()} /> : <Skeleton />}
    </Page>
  )
}
