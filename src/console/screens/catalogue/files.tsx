import type { Schemas } from '../../api/schemas'
import type { Edit } from '../../kit/edit'
import { ProjectFilePart } from '../../kit/project-file'
import { accessAsFile, currencyAsFile, offeringAsFile, productAsFile } from './as-file'
import type { OfferingState, OfferingView } from './offerings/model'
import type { ProductState, ProductView } from './products/model'
import type { AccessState, AccessView } from './use-access-edit'
import { useAccess, useCurrencies, useProducts } from './use-catalogue'
import type { CurrencyState } from './use-currency-edit'

/** An access level in the project file. Nothing for a new one. */
export function AccessFile({ access, edit: { draft } }: { access: AccessView | null; edit: Edit<AccessState> }) {
  if (!access) return null
  const changed = draft.isChanged ? accessAsFile(draft.value) : null
  return (
    <ProjectFilePart
      isInside
      kind="access"
      identifier={access.identifier}
      revision={access.revision}
      changedAs={changed}
    />
  )
}

interface CurrencyFileProps {
  currency: Schemas['VirtualCurrency'] | null
  edit: Edit<CurrencyState>
}

/** The file does not have archived currencies. */
export function CurrencyFile({ currency, edit: { draft } }: CurrencyFileProps) {
  if (!currency || currency.archivedAt !== null) return null
  const changed = draft.isChanged ? currencyAsFile(draft.value) : null
  return (
    <ProjectFilePart
      isInside
      kind="virtualCurrency"
      identifier={currency.code}
      revision={currency.revision}
      changedAs={changed}
    />
  )
}

export function ProductFile({ product, edit: { draft } }: { product: ProductView | null; edit: Edit<ProductState> }) {
  const { items: access } = useAccess()
  const { items: currencies } = useCurrencies()
  if (!product) return null
  const names = {
    access: (id: string) => access.find((one) => one.id === id)?.identifier ?? id,
    currency: (id: string) => currencies.find((one) => one.id === id)?.code ?? id,
  }
  const changed = draft.isChanged ? productAsFile(draft.value, names) : null
  return (
    <ProjectFilePart kind="product" identifier={product.identifier} revision={product.revision} changedAs={changed} />
  )
}

export function OfferingFile({ offering, edit }: { offering: OfferingView | null; edit: Edit<OfferingState> }) {
  const { items: products } = useProducts()
  if (!offering) return null
  const nameOf = (id: string) => products.find((one) => one.id === id)?.identifier ?? id
  const { isChanged, value } = edit.draft
  const changed = isChanged ? offeringAsFile(value, offering.isDefault, nameOf) : null
  return (
    <ProjectFilePart
      kind="offering"
      identifier={offering.identifier}
      revision={offering.revision}
      changedAs={changed}
    />
  )
}
