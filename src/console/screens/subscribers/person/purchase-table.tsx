import { useState } from 'react'
import { Id } from '../../../kit/copy'
import { Chip, State, toneOf } from '../../../kit/state'
import { PlainTable } from '../../../kit/table'
import { Money, Time } from '../../../kit/values'
import { useParam } from '../../../lib/url-state'
import { StoreName } from '../../../parts/store'
import { productName, usePerson, useProducts } from '../../../parts/use-person'
import { useWords } from '../../../parts/words'
import { useText } from '../../../text/catalogue'

/** The purchases in words and figures, for reading and copying what the drawing shows. */
export function PurchaseTable() {
  const { t, status, store } = useWords()
  const c = useText('common')
  const { purchases } = usePerson()
  const products = useProducts()
  const [chosen] = useParam('purchase')
  const [isOpen, setOpen] = useState(chosen !== '')
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="-mx-4 -mb-4 border-t border-line"
    >
      <summary className="px-4 py-2 text-xs text-ink-2">
        {t.asTable} ({purchases.length})
      </summary>
      {isOpen && (
        <PlainTable
          label={t.purchases}
          rows={purchases}
          keyOf={({ id }) => id}
          columns={[
            {
              title: c.product,
              whole: ({ productIdentifier }) => productIdentifier,
              cell: (row) => (
                <span className="inline-flex items-center gap-2">
                  {row.store === 'MANUAL' ? store('MANUAL') : productName(products, row)}
                  {row.environment === 'SANDBOX' && <Chip tone="warn">{c.sandbox}</Chip>}
                </span>
              ),
            },
            { title: c.store, cell: ({ store }) => <StoreName store={store} /> },
            { title: c.status, cell: (row) => <State tone={toneOf(row.status)}>{status(row.status)}</State> },
            {
              title: t.bought,
              isExtra: true,
              cell: ({ originalPurchaseDate }) => <Time at={originalPurchaseDate} absolute />,
            },
            {
              title: t.ends,
              isNamed: true,
              cell: ({ effectiveEnd }) => (effectiveEnd === null ? t.noEnd : <Time at={effectiveEnd} absolute />),
            },
            { title: t.renews, isExtra: true, cell: ({ autoRenews }) => (autoRenews ? c.yes : c.no) },
            {
              title: c.amount,
              isNumber: true,
              cell: ({ price }) => (price ? <Money micros={price.amountMicros} currency={price.currency} /> : '—'),
            },
            { title: c.id, cell: ({ id }) => <Id id={id} /> },
          ]}
        />
      )}
    </details>
  )
}
