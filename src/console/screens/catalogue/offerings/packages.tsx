import { Plus } from 'lucide-react'
import { Button } from '../../../kit/button'
import type { Draft } from '../../../kit/draft'
import { moved, SortableList } from '../../../kit/sortable'
import { useText } from '../../../text/catalogue'
import { useProducts } from '../use-catalogue'
import { freshUid, type OfferingState, type Package, usualName } from './model'
import { PackageCard } from './package-card'

/** The packages in the order in which apps show them. */
export function Packages({ draft: { value, set } }: { draft: Draft<OfferingState> }) {
  const t = useText('catalogue')
  const { items: products } = useProducts()
  const { packages } = value
  const put = (next: Package[]) => set((state) => ({ ...state, packages: next }))
  const move = (from: number, to: number) => put(moved(packages, from, to))
  const unused = products.find(({ id, isActive }) => isActive && !packages.some(({ productId }) => productId === id))
  const product = unused ?? products[0]
  const add = () =>
    product &&
    put([
      ...packages,
      {
        uid: freshUid(packages),
        identifier: usualName(product),
        productId: product.id,
        isPromoted: false,
        metadata: {},
      },
    ])
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {packages.length === 0 && <p className="text-sm text-ink-2">{t.noPackages}</p>}
      <SortableList
        items={packages}
        keyOf={({ uid }) => uid}
        nameOf={({ identifier }) => identifier || t.package}
        onMove={move}
      >
        {(one, index, handle) => (
          <PackageCard
            value={one}
            index={index}
            count={packages.length}
            products={products}
            handle={handle}
            onChange={(next) => put(packages.with(index, next))}
            onMove={move}
            onRemove={() => put(packages.filter((_, at) => at !== index))}
          />
        )}
      </SortableList>
      <div>
        <Button
          variant="quiet"
          icon={<Plus aria-hidden size={14} />}
          reason={product ? null : t.productFirst}
          onClick={add}
        >
          {t.addPackage}
        </Button>
      </div>
    </div>
  )
}
