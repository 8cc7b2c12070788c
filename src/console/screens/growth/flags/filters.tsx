import { TextInput } from '../../../kit/field'
import { FilterSelect } from '../../../kit/filter-select'
import { useFilterMode } from '../../../kit/filters'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'

/** Filters of the flags; all flags are there, so they are applied by the list itself. */
export function FlagFilters() {
  const t = useText('growth')
  const common = useText('common')
  const [params, setParams] = useParams()
  return (
    <>
      {useFilterMode() !== 'sheet' && (
        <div className="w-64 max-w-full">
          <TextInput
            type="search"
            aria-label={common.search}
            placeholder={t.searchFlags}
            value={params.get('q') ?? ''}
            onChange={({ target }) => setParams({ q: target.value })}
          />
        </div>
      )}
      <FilterSelect
        label={t.valueType}
        value={params.get('type') ?? ''}
        onChange={({ target }) => setParams({ type: target.value })}
        options={[
          ['', common.all],
          ...(['BOOLEAN', 'STRING', 'NUMBER', 'JSON'] as const).map((type) => [type, t.types[type]] as const),
        ]}
      />
    </>
  )
}
