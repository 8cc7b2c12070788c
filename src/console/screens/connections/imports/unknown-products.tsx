import { Link } from 'wouter'
import { api } from '../../../api/client'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { CopyText } from '../../../kit/copy'
import { PlainTable } from '../../../kit/table'
import { Count } from '../../../kit/values'
import { roleFor, useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { CreateProducts } from '../../../parts/create-products'
import { useText } from '../../../text/catalogue'
import { type Job, PATH } from './model'

/** Products of the file that the catalogue does not have: their purchases give no access. */
export function UnknownProducts({ job }: { job: Job }) {
  const t = useText('moving')
  const catalogue = useText('catalogue')
  const common = useText('common')
  const { base, can } = useProject()
  const [doing, setDoing] = useParam('do')
  const reason = can('products:write') ? null : common.roleNeeded(roleFor('products:write'))
  return (
    <Card
      title={t.unknownProducts}
      flush
      aside={
        <>
          <Link href={`${base}/catalogue`} className="text-accent hover:underline">
            {t.toCatalogue}
          </Link>
          {canCreate(job) && (
            <Button reason={reason} onClick={() => setDoing('products', { push: true })}>
              {catalogue.createProducts}
            </Button>
          )}
        </>
      }
      footer={t.unknownProductsHint}
    >
      <PlainTable
        label={t.unknownProducts}
        rows={job.unknownProducts}
        keyOf={({ store, identifier }) => `${store} ${identifier}`}
        columns={[
          {
            title: t.storeId,
            cell: ({ identifier }) => <CopyText text={identifier} />,
            whole: (one) => one.identifier,
          },
          { title: t.storeColumn, cell: ({ store }) => <span className="font-mono text-xs">{store}</span> },
          { title: t.rows, cell: ({ rows }) => <Count value={rows} />, isNumber: true },
        ]}
      />
      {doing === 'products' && <Create job={job} reason={reason} onClose={() => setDoing(null)} />}
    </Card>
  )
}

/** The product columns of the file are known after the dry run. */
const canCreate = ({ status }: Job): boolean => status !== 'PENDING_MAPPING' && status !== 'DRY_RUN_RUNNING'

function Create({ job: { id }, reason, onClose }: { job: Job; reason: string | null; onClose: () => void }) {
  const t = useText('catalogue')
  const { path } = useProject()
  return (
    <CreateProducts
      hint={t.createImportHint}
      run={(dryRun) => api.post(`${PATH}/{id}/products`, { params: { path: { ...path, id } }, body: { dryRun } })}
      refreshes={[PATH, ...CHANGED]}
      reason={reason}
      onClose={onClose}
    />
  )
}

const CHANGED = [
  '/dashboard/projects/{projectId}/products',
  '/dashboard/projects/{projectId}/access',
  '/dashboard/projects/{projectId}/purchases/relink',
  '/dashboard/projects/{projectId}/project-file',
]
