import type { Schemas } from '../../api/schemas'
import { Choice, Choices } from '../../parts/choices'
import { useText } from '../../text/catalogue'

type Product = Schemas['Product']

/** As many as one call sells. */
const MOST = 20

/** The products of one purchase: a cart of one-time products, or subscriptions of one period. */
const fits = (one: Product, other: Product): boolean =>
  (one.type === 'SUBSCRIPTION') === (other.type === 'SUBSCRIPTION') && one.period === other.period

interface ProductChoicesProps {
  products: readonly Product[]
  chosen: readonly Product[]
  onChange: (chosen: readonly Product[]) => void
}

/** Chooses the products of one purchase. A product that no store sells together with the chosen ones is disabled. */
export function ProductChoices({ products, chosen, onChange }: ProductChoicesProps) {
  const t = useText('signIn')
  return (
    <div className="grid max-w-prose gap-1.5">
      <Choices label={t.buyWhat} isMany>
        {products.map((product) => {
          const isChosen = chosen.includes(product)
          const isFitting = chosen.length < MOST && chosen.every((other) => fits(product, other))
          return (
            <Choice
              key={product.id}
              kind="checkbox"
              name="product"
              checked={isChosen}
              disabled={!isChosen && !isFitting}
              onChange={(on) => onChange(on ? [...chosen, product] : chosen.filter((other) => other !== product))}
              title={product.displayName}
              hint={product.identifier}
            />
          )
        })}
      </Choices>
      <p className="text-xs text-ink-2">{t.buyTogether}</p>
    </div>
  )
}
