import { Link } from 'wouter'
import { Card } from '../../../kit/card'
import { CopyText } from '../../../kit/copy'
import { PlainTable } from '../../../kit/table'
import { Count } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import type { Job } from './model'

/** Products of the file that the catalogue does not have: their purchases give no access. */
export function UnknownProducts({ job: { unknownProducts } }: { job: Job }) {
  const t = useText('moving')
  const { base } = useProject()
  return (
    <Card
      title={t.unknownProducts}
      flush
      aside={
        <Link href={`${base}/catalogue`} className="text-accent hover:underline">
          {t.toCatalogue}
        </Link>
      }
      footer={t.unknownProductsHint}
    >
      <PlainTable
        label={t.unknownProducts}
        rows={unknownProducts}
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
    </Card>
  )
}
