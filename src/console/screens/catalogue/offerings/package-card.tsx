import { type ReactNode, useState } from 'react'
import { Checkbox, Field, Select, TextInput } from '../../../kit/field'
import { JsonField } from '../../../kit/json-field'
import { RowMenu } from '../../../kit/row-menu'
import { Chip } from '../../../kit/state'
import { useText } from '../../../text/catalogue'
import type { ProductView } from '../products/model'
import type { Package } from './model'

interface PackageCardProps {
  value: Package
  index: number
  count: number
  products: readonly ProductView[]
  handle: ReactNode
  onChange: (value: Package) => void
  onMove: (from: number, to: number) => void
  onRemove: () => void
}

/** One package: a slot with a name, and the product in it. */
export function PackageCard({ value, index, count, products, handle, onChange, onMove, onRemove }: PackageCardProps) {
  const t = useText('catalogue')
  const common = useText('common')
  const [hasMetadata, showMetadata] = useState(Object.keys(value.metadata).length > 0)
  const product = products.find(({ id }) => id === value.productId)
  const label = t.packageAt(index + 1)
  return (
    <article
      aria-label={`${label}, ${value.identifier}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-control border border-line bg-surface px-3 py-2"
    >
      <header className="flex items-center gap-2">
        <span className="w-4 text-sm text-ink-2 tabular-nums">{index + 1}</span>
        <h3 className="min-w-0 flex-1 truncate text-sm font-medium">{product?.displayName ?? value.productId}</h3>
        {product?.isActive === false && <Chip tone="warn">{t.inactiveLeftOut}</Chip>}
        <RowMenu
          label={label}
          index={index}
          count={count}
          items={[{ label: t.editMetadata, onSelect: () => showMetadata(true) }]}
          onMove={onMove}
          onRemove={onRemove}
        />
        {handle}
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] items-end gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
        <Field label={t.packageName} name={`packages.${index}.identifier`}>
          <TextInput
            className="font-mono"
            maxLength={64}
            value={value.identifier}
            onChange={({ target }) => onChange({ ...value, identifier: target.value })}
          />
        </Field>
        <Field label={common.product} name={`packages.${index}.productId`}>
          <Select
            value={value.productId}
            onChange={({ target }) => onChange({ ...value, productId: target.value })}
            options={products.map(({ id, identifier }) => [id, identifier] as const)}
          />
        </Field>
        <div className="flex h-9 items-center">
          <Checkbox
            label={t.promoted}
            checked={value.isPromoted}
            onChange={(isPromoted) => onChange({ ...value, isPromoted })}
          />
        </div>
      </div>
      {hasMetadata && (
        <JsonField
          label={`${t.metadata}, ${label}`}
          name={`packages.${index}.metadata`}
          isObject
          rows={2}
          value={value.metadata}
          onChange={(metadata) => onChange({ ...value, metadata: metadata as Record<string, unknown> })}
        />
      )}
    </article>
  )
}
