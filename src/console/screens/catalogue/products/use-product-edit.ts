import { useLocation } from 'wouter'
import { api, read } from '../../../api/client'
import { isSame } from '../../../kit/draft'
import { useEdit } from '../../../kit/edit'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { FILE, useAccess, useCurrencies } from '../use-catalogue'
import { BLANK, changeOf, type ProductState, type ProductView, toBody, toState } from './model'

const PATH = '/dashboard/projects/{projectId}/products/{id}'
const LIST = '/dashboard/projects/{projectId}/products'

/** The product in words. */
function useLines() {
  const t = useText('catalogue')
  const common = useText('common')
  const { items: access } = useAccess()
  const { items: currencies } = useCurrencies()
  const accessName = (id: string) => access.find((one) => one.id === id)?.identifier ?? id
  const currencyName = (id: string) => currencies.find((one) => one.id === id)?.code ?? id
  return (state: ProductState) => [
    { key: 'identifier', label: t.identifier, text: state.identifier },
    { key: 'displayName', label: common.name, text: state.displayName },
    { key: 'type', label: common.type, text: t.types[state.type] },
    { key: 'period', label: t.period, text: state.period },
    { key: 'isActive', label: common.state, text: state.isActive ? t.active : t.inactive },
    { key: 'access', label: t.gives, text: state.accessIds.map(accessName).join(', ') },
    { key: 'ios', label: t.stores.ios, text: state.storeIds.ios },
    { key: 'android', label: t.stores.android, text: state.storeIds.android },
    { key: 'basePlan', label: t.basePlan, text: state.androidBasePlanId },
    { key: 'offer', label: t.offer, text: state.androidOfferId },
    { key: 'payment', label: t.stores.payment, text: state.storeIds.payment },
    { key: 'metadata', label: t.metadata, text: JSON.stringify(state.metadata) },
    ...state.grants.map(({ currencyId, amount, grantOn }, index) => ({
      key: `grant.${index}`,
      label: t.grantAt(index + 1),
      text: `${amount} ${currencyName(currencyId)}, ${t.grantOn[grantOn]}`,
    })),
  ]
}

/** The draft of a product and of what it grants; null = a new product. */
export function useProductEdit(product: ProductView | null) {
  const { base, path } = useProject()
  const [, navigate] = useLocation()
  const lines = useLines()
  const params = { path: { ...path, id: product?.id ?? '' } }
  const setGrants = (id: string, revision: number, { grants }: ProductState) =>
    api.put('/dashboard/projects/{projectId}/products/{id}/currency-grants', {
      params: { path: { ...path, id }, header: { 'If-Match': `"${revision}"` } },
      body: { grants },
    })
  return useEdit({
    name: `product.${path.projectId}.${product?.id ?? 'new'}`,
    saved: product ? { value: toState(product), revision: product.revision } : { value: BLANK, revision: null },
    lines,
    save: async (state: ProductState, header, before) => {
      const saved = product
        ? await api.patch(PATH, { params: { ...params, header }, body: changeOf(state, before) })
        : await api.post(LIST, { params: { path }, body: toBody(state) })
      // The grants are a call of their own; it goes on from the revision that was just written.
      if (!isSame(state.grants, saved.grants)) await setGrants(saved.id, saved.revision, state)
      return saved
    },
    readNewest: async () => {
      const newest = await read(PATH, { params })
      return { value: toState(newest), revision: newest.revision }
    },
    refreshes: [LIST, FILE, '/dashboard/projects/{projectId}/access'],
    onSaved: ({ id }) => {
      if (!product) navigate(`${base}/catalogue/products/${id}`, { replace: true })
    },
  })
}
