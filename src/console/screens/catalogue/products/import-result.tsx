import { Link } from 'wouter'
import type { Schemas } from '../../../api/schemas'
import { Button } from '../../../kit/button'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'

/** The products that an import made, and those that it skipped with the reason. */
export function ImportResult({ result, onClose }: { result: Schemas['ProductImport']; onClose: () => void }) {
  const t = useText('catalogue')
  const common = useText('common')
  const { base } = useProject()
  return (
    <>
      <p className="text-sm font-medium" role="status">
        {t.imported(result.created.length, result.skipped.length)}
      </p>
      {result.waitingPurchases > 0 && <p className="text-sm">{t.waitingPurchases(result.waitingPurchases)}</p>}
      <ul className="grid gap-1 text-sm">
        {result.created.map(({ id, identifier }) => (
          <li key={id}>
            <Link href={`${base}/catalogue/products/${id}`} className="font-mono text-accent hover:underline">
              {identifier}
            </Link>
          </li>
        ))}
        {result.skipped.map(({ storeId, reason }) => (
          <li key={storeId} className="text-ink-2">
            <span className="font-mono">{storeId}</span> {t.skipped[reason]}
          </li>
        ))}
      </ul>
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          {common.done}
        </Button>
      </div>
    </>
  )
}
