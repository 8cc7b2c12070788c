import type { Schemas } from '../../../api/schemas'
import { formatPeriod } from '../../../kit/charts/units'
import { Chip, State } from '../../../kit/state'
import type { Column } from '../../../kit/table'
import { useReading } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import type { ProductView } from './model'

/** A product in the list. */
export function useProductColumns(access: readonly Schemas['Access'][]): Column<ProductView>[] {
  const t = useText('catalogue')
  const common = useText('common')
  const reading = useReading()
  return [
    {
      title: t.identifier,
      cell: ({ identifier }) => <span className="font-mono">{identifier}</span>,
      whole: ({ identifier }) => identifier,
    },
    { title: common.name, cell: ({ displayName }) => displayName, whole: ({ displayName }) => displayName },
    { title: common.type, isExtra: true, cell: ({ type }) => t.types[type] },
    { title: t.period, isExtra: true, cell: ({ period }) => (period === null ? '—' : formatPeriod(reading, period)) },
    {
      title: t.gives,
      cell: ({ accessIds, grants }) => (
        <span className="inline-flex gap-1">
          {accessIds.map((id) => (
            <Chip key={id} tone="info">
              {access.find((one) => one.id === id)?.identifier ?? id}
            </Chip>
          ))}
          {grants.length > 0 && <Chip>{t.grantCount(grants.length)}</Chip>}
          {accessIds.length + grants.length === 0 && '—'}
        </span>
      ),
    },
    {
      title: t.soldAt,
      isExtra: true,
      cell: ({ storeIds }) =>
        (['ios', 'android', 'payment'] as const)
          .filter((store) => storeIds[store] !== null)
          .map((store) => t.stores[store])
          .join(', ') || '—',
    },
    {
      title: common.state,
      cell: ({ isActive }) => <State tone={isActive ? 'good' : 'mute'}>{isActive ? t.active : t.inactive}</State>,
    },
  ]
}
