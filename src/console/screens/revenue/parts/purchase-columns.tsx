import type { Schemas } from '../../../api/schemas'
import { Id } from '../../../kit/copy'
import type { PhoneRow } from '../../../kit/phone'
import { State, toneOf } from '../../../kit/state'
import type { Column } from '../../../kit/table'
import { Money, Time } from '../../../kit/values'
import { Identicon } from '../../../parts/identicon'
import { PersonLink, PersonName } from '../../../parts/person-link'
import { StoreName } from '../../../parts/store'
import { useHref } from '../../../parts/use-href'
import { useWords } from '../../../parts/words'
import { useText } from '../../../text/catalogue'

type Purchase = Schemas['ListedPurchase']

/** Columns of a list of purchases. The first links to the purchase on the screen of its person. */
export function usePurchaseColumns() {
  const { status } = useWords()
  const t = useText('revenue')
  const c = useText('common')
  const href = useHref()
  const all = {
    product: {
      title: c.product,
      whole: ({ productId, productIdentifier, storeProductId }) =>
        productId === null ? storeProductId : productIdentifier,
      cell: ({ store, productName, storeProductId }) =>
        productName || (store === 'MANUAL' ? c.storeNames.MANUAL : storeProductId),
    },
    person: {
      title: t.person,
      cell: ({ subscriberId, person, id }) => <PersonLink id={subscriberId} person={person} query={{ purchase: id }} />,
    },
    store: { title: c.store, isExtra: true, cell: ({ store }) => <StoreName store={store} /> },
    status: { title: c.status, cell: (row) => <State tone={toneOf(row.status)}>{status(row.status)}</State> },
    price: {
      title: t.price,
      isNumber: true,
      cell: ({ price }) => (price ? <Money micros={price.amountMicros} currency={price.currency} /> : '—'),
    },
    started: {
      title: t.started,
      isExtra: true,
      cell: ({ originalPurchaseDate }) => <Time at={originalPurchaseDate} absolute day />,
    },
    ends: {
      title: t.ends,
      cell: ({ effectiveEnd }) => (effectiveEnd === null ? t.noEnd : <Time at={effectiveEnd} absolute day />),
    },
    id: {
      title: c.id,
      isExtra: true,
      cell: ({ id }) => (
        <span className="-my-1 inline-flex align-middle">
          <Id id={id} />
        </span>
      ),
    },
  } satisfies Record<string, Column<Purchase>>
  const lines = (row: Purchase): PhoneRow => ({
    icon: <Identicon id={row.subscriberId} size={32} />,
    title: row.person ? <PersonName person={row.person} /> : all.product.cell(row),
    amount: all.price.cell(row),
    detail: (
      <State tone={toneOf(row.status)}>
        {status(row.status)}, {all.product.cell(row)}
      </State>
    ),
    aside: (
      <span className="inline-flex items-center gap-1.5">
        <StoreName store={row.store} isShort /> {all.ends.cell(row)}
      </span>
    ),
  })
  return {
    ...all,
    phone: { lines },
    hrefOf: ({ subscriberId, id }: Purchase) => href(`/subscribers/${subscriberId}`, { purchase: id }),
  }
}
