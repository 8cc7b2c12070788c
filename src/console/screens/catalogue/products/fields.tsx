import { Card } from '../../../kit/card'
import type { Draft } from '../../../kit/draft'
import { Field, Select, Switch, TextInput } from '../../../kit/field'
import { JsonField } from '../../../kit/json-field'
import { useText } from '../../../text/catalogue'
import { PRODUCT_TYPES } from './filters'
import type { ProductState } from './model'

const PERIODS = ['P1W', 'P1M', 'P2M', 'P3M', 'P6M', 'P1Y']

interface FieldsProps {
  draft: Draft<ProductState>
}

/** What the product is. */
export function ProductFields({ draft: { value, set } }: FieldsProps) {
  const t = useText('catalogue')
  const common = useText('common')
  const put = (change: Partial<ProductState>) => set((state) => ({ ...state, ...change }))
  return (
    <Card title={t.general}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:grid-cols-2">
        <Field label={t.identifier} name="identifier" hint={t.identifierHint}>
          <TextInput
            className="font-mono"
            maxLength={64}
            value={value.identifier}
            onChange={({ target }) => put({ identifier: target.value })}
          />
        </Field>
        <Field label={common.name} name="displayName" hint={t.displayNameHint}>
          <TextInput
            maxLength={255}
            value={value.displayName}
            onChange={({ target }) => put({ displayName: target.value })}
          />
        </Field>
        <Field label={common.type} name="type" hint={t.typeHints[value.type]}>
          <Select
            value={value.type}
            onChange={({ target }) => put({ type: target.value as ProductState['type'] })}
            options={PRODUCT_TYPES.map((type) => [type, t.types[type]] as const)}
          />
        </Field>
        {value.type === 'SUBSCRIPTION' && (
          <Field label={t.period} name="period" hint={t.periodHint}>
            <TextInput
              className="font-mono"
              list="periods"
              value={value.period}
              onChange={({ target }) => put({ period: target.value })}
            />
            <datalist id="periods">
              {PERIODS.map((period) => (
                <option key={period} value={period} />
              ))}
            </datalist>
          </Field>
        )}
        <Field label={t.testPrice} name="price" hint={t.testPriceHint} isOptional>
          <span className="flex gap-2">
            <TextInput
              className="tnum"
              inputMode="decimal"
              maxLength={16}
              value={value.price.amount}
              onChange={({ target }) => put({ price: { ...value.price, amount: target.value } })}
            />
            <TextInput
              className="max-w-20 font-mono"
              id={undefined}
              aria-label={t.testPriceCurrency}
              maxLength={3}
              value={value.price.currency}
              onChange={({ target }) => put({ price: { ...value.price, currency: target.value } })}
            />
          </span>
        </Field>
        <div className="md:col-span-2">
          <Switch label={t.productActive} checked={value.isActive} onChange={(isActive) => put({ isActive })} />
          <p className="text-xs text-ink-2">{t.inactiveHint}</p>
        </div>
        <div className="md:col-span-2">
          <JsonField
            label={t.metadata}
            name="metadata"
            hint={t.metadataHint}
            isObject
            value={value.metadata}
            onChange={(metadata) => put({ metadata: metadata as Record<string, unknown> })}
          />
        </div>
      </div>
    </Card>
  )
}

/** Its ids at the stores. */
export function StoreFields({ draft: { value, set } }: FieldsProps) {
  const t = useText('catalogue')
  const put = (change: Partial<ProductState>) => set((state) => ({ ...state, ...change }))
  const setId = (store: keyof ProductState['storeIds'], id: string) =>
    put({ storeIds: { ...value.storeIds, [store]: id } })
  return (
    <Card title={t.atTheStores} aside={t.atTheStoresHint}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:grid-cols-2">
        {(['ios', 'android', 'payment'] as const).map((store) => (
          <Field key={store} label={t.stores[store]} name={`storeIds.${store}`} hint={t.storeIdHints[store]} isOptional>
            <TextInput
              className="font-mono"
              maxLength={255}
              value={value.storeIds[store]}
              onChange={({ target }) => setId(store, target.value)}
            />
          </Field>
        ))}
        {value.storeIds.android !== '' && (
          <>
            <Field label={t.basePlan} name="androidBasePlanId" isOptional>
              <TextInput
                className="font-mono"
                maxLength={255}
                value={value.androidBasePlanId}
                onChange={({ target }) => put({ androidBasePlanId: target.value })}
              />
            </Field>
            <Field label={t.offer} name="androidOfferId" isOptional>
              <TextInput
                className="font-mono"
                maxLength={255}
                value={value.androidOfferId}
                onChange={({ target }) => put({ androidOfferId: target.value })}
              />
            </Field>
          </>
        )}
      </div>
    </Card>
  )
}
