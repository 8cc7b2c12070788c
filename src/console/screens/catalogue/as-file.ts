import { sortDeep, withoutNulls } from '../../../core/project-file/content'
import { type FileDraft, filled } from '../../lib/file-draft'
import type { OfferingState } from './offerings/model'
import { type ProductState, toBody } from './products/model'
import type { AccessState } from './use-access-edit'
import type { CurrencyState } from './use-currency-edit'

/** The name of an object by its id. */
export type NameOf = (id: string) => string

export const accessAsFile = ({ identifier, displayName, description, metadata }: AccessState): FileDraft => ({
  name: identifier,
  members: { displayName, description: filled(description), metadata: filled(sortDeep(metadata)) },
})

export const currencyAsFile = ({ code, name, clawback }: CurrencyState): FileDraft => ({
  name: code,
  members: { name, clawback },
})

export function productAsFile(state: ProductState, names: { access: NameOf; currency: NameOf }): FileDraft {
  const { identifier, type, displayName, period, price, storeIds, androidBasePlanId, androidOfferId, ...rest } =
    toBody(state)
  const grants = state.grants.map(({ currencyId, amount, grantOn }) => ({
    ...{ currency: names.currency(currencyId), amount, on: grantOn },
  }))
  return {
    name: identifier,
    members: {
      type,
      displayName,
      period: filled(period),
      price: filled(price),
      storeIds: filled(withoutNulls({ ...storeIds })),
      androidBasePlanId: filled(androidBasePlanId),
      androidOfferId: filled(androidOfferId),
      access: filled((rest.accessIds ?? []).map(names.access)),
      isActive: state.isActive ? null : false,
      metadata: filled(sortDeep(rest.metadata)),
      grants: filled(grants.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))),
    },
  }
}

const placeOf = ({ currency, on }: { currency: string; on: string }): string => `${currency} ${on}`

/** The form makes an offering the default and never takes that from it. */
export function offeringAsFile(state: OfferingState, wasDefault: boolean, productOf: NameOf): FileDraft {
  const isDefault = state.isDefault || wasDefault
  const packages = state.packages.map(({ identifier, productId, isPromoted, metadata }) =>
    withoutNulls({
      identifier,
      product: productOf(productId),
      promoted: isPromoted ? true : null,
      metadata: filled(sortDeep(metadata)),
    }),
  )
  return {
    name: state.identifier,
    members: {
      isDefault: isDefault ? true : null,
      metadata: filled(sortDeep(state.metadata)),
      packages: filled(packages),
    },
    ...(isDefault && !wasDefault && { single: 'isDefault' }),
  }
}
