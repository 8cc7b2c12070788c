import type { Schemas } from '../../../api/schemas'
import { TextInput } from '../../../kit/field'
import { FilterSelect } from '../../../kit/filter-select'
import { useFilterMode } from '../../../kit/filters'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'

export const PRODUCT_TYPES = ['SUBSCRIPTION', 'CONSUMABLE', 'NON_CONSUMABLE'] as const

/** Filters of the products; all products are there, so they are applied here. */
export function ProductFilters({ access }: { access: readonly Schemas['Access'][] }) {
  const t = useText('catalogue')
  const common = useText('common')
  const [params, setParams] = useParams()
  return (
    <>
      {useFilterMode() !== 'sheet' && (
        <div className="w-64 max-w-full">
          <TextInput
            type="search"
            aria-label={common.search}
            placeholder={t.searchProducts}
            value={params.get('q') ?? ''}
            onChange={({ target }) => setParams({ q: target.value })}
          />
        </div>
      )}
      <FilterSelect
        label={common.type}
        value={params.get('type') ?? ''}
        onChange={({ target }) => setParams({ type: target.value })}
        options={[['', common.all], ...PRODUCT_TYPES.map((type) => [type, t.types[type]] as const)]}
      />
      <FilterSelect
        label={t.gives}
        value={params.get('access') ?? ''}
        onChange={({ target }) => setParams({ access: target.value })}
        options={[['', common.all], ...access.map(({ id, identifier }) => [id, identifier] as const)]}
      />
      <FilterSelect
        label={common.state}
        value={params.get('state') ?? ''}
        onChange={({ target }) => setParams({ state: target.value })}
        options={[
          ['', common.all],
          ['active', t.active],
          ['inactive', t.inactive],
        ]}
      />
    </>
  )
}

export function isWanted(product: Schemas['Product'], params: URLSearchParams): boolean {
  const { identifier, displayName, storeIds, type, accessIds, isActive } = product
  const text = [identifier, displayName, ...Object.values(storeIds)].join(' ').toLowerCase()
  const [wantedType, access, state] = [params.get('type'), params.get('access'), params.get('state')]
  return (
    text.includes((params.get('q') ?? '').toLowerCase()) &&
    (!wantedType || type === wantedType) &&
    (!access || accessIds.includes(access)) &&
    (!state || isActive === (state === 'active'))
  )
}
