import type { Schemas } from '../../../api/schemas'
import { Id } from '../../../kit/copy'
import type { PhoneRow } from '../../../kit/phone'
import { Dot, type Tone } from '../../../kit/state'
import type { Column } from '../../../kit/table'
import { Money, Time } from '../../../kit/values'
import { Identicon } from '../../../parts/identicon'
import { PersonLink, PersonName } from '../../../parts/person-link'
import { StoreName } from '../../../parts/store'
import { useHref } from '../../../parts/use-href'
import { wordOf } from '../../../parts/words'
import { useText } from '../../../text/catalogue'

type Line = Schemas['TransactionItem']

/** Columns of a list of charges and refunds, and their two lines on a phone. */
export function useLineColumns() {
  const t = useText('revenue')
  const c = useText('common')
  const product = ({ store, productName, storeProductId }: Line) =>
    productName || (store === 'MANUAL' ? c.storeNames.MANUAL : (storeProductId ?? '—'))
  const amount = ({ price }: Line) => (price ? <Money micros={price.amountMicros} currency={price.currency} /> : '—')
  const all: Column<Line>[] = [
    { title: t.occurred, cell: ({ occurredAt }) => <Time at={occurredAt} absolute /> },
    { title: t.kind, cell: ({ kind }) => wordOf(t.kinds, kind) },
    {
      title: t.person,
      cell: ({ subscriberId, person, purchaseId }) =>
        subscriberId === null ? '—' : <PersonLink id={subscriberId} person={person} query={{ purchase: purchaseId }} />,
    },
    {
      title: c.product,
      whole: ({ productIdentifier, storeProductId }) => productIdentifier ?? storeProductId ?? '',
      cell: product,
    },
    { title: c.store, isExtra: true, cell: ({ store }) => <StoreName store={store} /> },
    { title: c.amount, isNumber: true, cell: amount },
    {
      title: t.inUsd,
      isNumber: true,
      isExtra: true,
      cell: ({ usdMicros }) => <Money micros={usdMicros} currency="USD" />,
    },
    {
      title: t.order,
      isExtra: true,
      whole: ({ storeTransactionId }) => storeTransactionId,
      cell: ({ storeTransactionId }) => <Id id={storeTransactionId} />,
    },
    {
      title: c.id,
      isExtra: true,
      cell: ({ id }) => (
        <span className="-my-1 inline-flex align-middle">
          <Id id={id} />
        </span>
      ),
    },
  ]
  return { all, phone: usePhone({ amount, product }) }
}

type Cell = (row: Line) => React.ReactNode

function usePhone({ amount, product }: { amount: Cell; product: Cell }) {
  const t = useText('revenue')
  const href = useHref()
  const lines = (row: Line): PhoneRow => ({
    ...(row.subscriberId !== null && { icon: <Identicon id={row.subscriberId} size={32} /> }),
    title: row.person ? <PersonName person={row.person} /> : product(row),
    amount: <span className={isBack(row) ? 'text-bad' : undefined}>{amount(row)}</span>,
    detail: (
      <span className="inline-flex max-w-full items-center gap-2">
        <Dot tone={toneOf(row)} />
        <span className="truncate">
          {wordOf(t.kinds, row.kind)}, {product(row)}
        </span>
      </span>
    ),
    aside: (
      <span className="inline-flex items-center gap-1.5">
        <StoreName store={row.store} isShort /> <Time at={row.occurredAt} />
      </span>
    ),
  })
  const hrefOf = ({ subscriberId, purchaseId }: Line): string =>
    subscriberId === null
      ? href('/revenue/transactions', { purchaseId })
      : href(`/subscribers/${subscriberId}`, { purchase: purchaseId })
  return { lines, hrefOf }
}

const isBack = ({ price }: Line): boolean => (price?.amountMicros ?? 0) < 0

const toneOf = (row: Line): Tone => (isBack(row) ? 'bad' : row.kind === 'TRIAL' ? 'info' : 'good')
