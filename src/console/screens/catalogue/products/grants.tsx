import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../../kit/button'
import { Card } from '../../../kit/card'
import type { Draft } from '../../../kit/draft'
import { Field, Select, TextInput } from '../../../kit/field'
import { useText } from '../../../text/catalogue'
import { useCurrencies } from '../use-catalogue'
import type { Grant, ProductState } from './model'

const MOMENTS = ['PURCHASE', 'RENEWAL', 'BOTH'] as const

/** The virtual currency that a purchase or a renewal grants. */
export function CurrencyGrants({ draft: { value, set } }: { draft: Draft<ProductState> }) {
  const t = useText('catalogue')
  const { items } = useCurrencies()
  const currencies = items.filter(({ archivedAt }) => archivedAt === null)
  const { grants } = value
  const put = (next: Grant[]) => set((state) => ({ ...state, grants: next }))
  const [first] = currencies
  const isUnsafe = grants.some(({ amount }) => !Number.isSafeInteger(amount))
  return (
    <Card title={t.grantsCurrency}>
      <div className="grid gap-3">
        {currencies.length === 0 && <p className="text-sm text-ink-2">{t.noCurrencyYet}</p>}
        {isUnsafe && <p className="text-sm text-warn">{t.amountTooLarge}</p>}
        {grants.map((grant, index) => (
          <GrantRow
            key={index}
            grant={grant}
            place={index + 1}
            isFixed={isUnsafe}
            isSubscription={value.type === 'SUBSCRIPTION'}
            currencies={items}
            onChange={(next) => put(grants.with(index, next))}
            onRemove={() => put(grants.filter((_, at) => at !== index))}
          />
        ))}
        {first && !isUnsafe && (
          <div>
            <Button
              variant="quiet"
              icon={<Plus aria-hidden size={14} />}
              onClick={() => put([...grants, { currencyId: first.id, amount: 1, grantOn: 'PURCHASE' }])}
            >
              {t.addGrant}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}

interface GrantRowProps {
  grant: Grant
  place: number
  isFixed: boolean
  isSubscription: boolean
  currencies: readonly { id: string; code: string }[]
  onChange: (grant: Grant) => void
  onRemove: () => void
}

function GrantRow({ grant, place, isFixed, isSubscription, currencies, onChange, onRemove }: GrantRowProps) {
  const t = useText('catalogue')
  const common = useText('common')
  const moments = isSubscription || grant.grantOn !== 'PURCHASE' ? MOMENTS : (['PURCHASE'] as const)
  return (
    <fieldset disabled={isFixed} className="grid gap-2 rounded-control border border-line p-2">
      <legend className="sr-only">{t.grantAt(place)}</legend>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-2">
        <Field label={common.amount} name={`grants.${place - 1}.amount`}>
          <TextInput
            type="number"
            min={1}
            step={1}
            value={String(grant.amount)}
            onChange={({ target }) => onChange({ ...grant, amount: Math.max(0, Math.trunc(Number(target.value))) })}
          />
        </Field>
        <Field label={t.currency} name={`grants.${place - 1}.currencyId`}>
          <Select
            value={grant.currencyId}
            onChange={({ target }) => onChange({ ...grant, currencyId: target.value })}
            options={currencies.map(({ id, code }) => [id, code] as const)}
          />
        </Field>
        <IconButton label={t.removeGrant(place)} onClick={onRemove}>
          <X aria-hidden size={14} />
        </IconButton>
      </div>
      <Field label={t.grantWhen} name={`grants.${place - 1}.grantOn`}>
        <Select
          value={grant.grantOn}
          onChange={({ target }) => onChange({ ...grant, grantOn: target.value as Grant['grantOn'] })}
          options={moments.map((moment) => [moment, t.grantOn[moment]] as const)}
        />
      </Field>
    </fieldset>
  )
}
