import { type ReactNode, useEffect } from 'react'
import { useAction } from '../api/queries'
import type { Schemas } from '../api/schemas'
import { Button } from '../kit/button'
import { Dialog } from '../kit/dialog'
import { Skeleton } from '../kit/empty'
import { FormFailure } from '../kit/failure'
import { PlainTable } from '../kit/table'
import { toast } from '../kit/toast'
import { useText } from '../text/catalogue'

type Planned = Schemas['MissingProducts']

interface CreateProductsProps {
  hint: string
  /** Creates the products, or lists the ones that it would create. */
  run: (dryRun: boolean) => Promise<Planned>
  /** Identifiers of the accesses that are chosen for all of them; absent = each gives those of the plan. */
  chosen?: readonly string[]
  refreshes: readonly string[]
  /** Why they cannot be created. */
  reason: string | null
  onClose: () => void
  /** What can be chosen for them. */
  children?: ReactNode
}

/** Shows the products that would be created, and creates them. */
export function CreateProducts({ hint, run, chosen, refreshes, reason, onClose, children }: CreateProductsProps) {
  const t = useText('catalogue')
  const trial = useAction({ run: () => run(true) })
  const create = useAction({
    run: () => run(false),
    refreshes,
    onDone: (made) => {
      tell(made)
      onClose()
    },
  })
  const tell = ({ products, skipped, waitingPurchases }: Planned) => {
    toast(t.created(products.length, skipped.filter((one) => one.reason === 'EXISTS').length))
    if (waitingPurchases > 0) toast(t.waitingPurchases(waitingPurchases))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what would be created is asked for once.
  useEffect(() => trial.submit(undefined), [])
  const plan = trial.result
  const isEmpty = plan !== null && plan.products.length === 0
  return (
    <Dialog kind="sheet" title={t.createProducts} onClose={onClose}>
      <p className="text-sm text-ink-2">{hint}</p>
      <FormFailure error={create.error ?? trial.error} />
      {trial.busy && <Skeleton lines={6} />}
      {plan && <Plan plan={plan} chosen={chosen} />}
      {plan && !isEmpty && children}
      <div className="flex justify-end">
        <Button
          variant="primary"
          busy={create.busy}
          reason={reason ?? (isEmpty ? t.nothingToCreate : null)}
          onClick={() => create.submit(undefined)}
        >
          {t.createProducts}
        </Button>
      </div>
    </Dialog>
  )
}

function Plan({
  plan: { products, access, skipped },
  chosen,
}: {
  plan: Planned
  chosen?: readonly string[] | undefined
}) {
  const t = useText('catalogue')
  const common = useText('common')
  return (
    <>
      <p className="text-sm font-medium" role="status">
        {products.length === 0 ? t.nothingToCreate : t.wouldCreate(products.length)}
      </p>
      {products.length > 0 && (
        <div className="overflow-hidden rounded-control border border-line">
          <PlainTable
            label={common.products}
            rows={products}
            keyOf={({ identifier }) => identifier}
            columns={[
              {
                title: t.identifier,
                cell: ({ identifier }) => <span className="font-mono text-xs">{identifier}</span>,
                whole: ({ identifier }) => identifier,
              },
              { title: common.type, cell: ({ type }) => t.types[type] },
              { title: t.period, cell: ({ period }) => period ?? '—' },
              { title: t.gives, cell: (one) => (chosen ?? one.access).join(', ') || '—' },
            ]}
          />
        </div>
      )}
      {access.length > 0 && (
        <p className="text-sm text-ink-2">{t.newAccessToo(access.map(({ identifier }) => identifier).join(', '))}</p>
      )}
      {skipped.length > 0 && (
        <ul className="grid gap-1 text-sm text-ink-2">
          {skipped.map(({ store, identifier, reason }) => (
            <li key={`${store} ${identifier}`}>
              <span className="font-mono">{identifier}</span> {t.leftOutOfPlan[reason]}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
