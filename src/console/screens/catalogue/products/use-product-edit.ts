import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { api, read } from '../../../api/client'
import { useRefresh } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { isSame } from '../../../kit/draft'
import { type Edit, type IfMatch, useEdit } from '../../../kit/edit'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { FILE, useAccess, useCurrencies } from '../use-catalogue'
import { givenState } from './given'
import { BLANK, changeOf, type ProductState, type ProductView, toBody, toState } from './model'
import { keepRefused, useRefusedGrants } from './refused-grants'

const PATH = '/dashboard/projects/{projectId}/products/{id}'
const LIST = '/dashboard/projects/{projectId}/products'
const RELINK = '/dashboard/projects/{projectId}/purchases/relink'

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
    {
      key: 'price',
      label: t.testPrice,
      text: state.price.amount === '' ? '' : `${state.price.amount} ${state.price.currency}`,
    },
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

/** Writes what a product grants, and reads the revision that it has then. */
function useGrants(): (product: ProductView, state: ProductState) => Promise<Saved> {
  const { path } = useProject()
  return async ({ id, revision, grants }, state) => {
    // The grants are a call of their own; it continues from the revision that was just written.
    if (isSame(state.grants, grants)) return { id, revision }
    await api.put('/dashboard/projects/{projectId}/products/{id}/currency-grants', {
      params: { path: { ...path, id }, header: { 'If-Match': `"${revision}"` } },
      body: { grants: state.grants },
    })
    const newest = await read(PATH, { params: { path: { ...path, id } } }).catch(() => null)
    return { id, revision: newest?.revision ?? null }
  }
}

interface Saved {
  id: string
  /** Null when it could not be read. */
  revision: number | null
}

/** The draft of a product and its grants; null = a new product. */
export function useProductEdit(product: ProductView | null): Edit<ProductState> {
  const { base, path } = useProject()
  const [, navigate] = useLocation()
  const t = useText('catalogue')
  const lines = useLines()
  const refresh = useRefresh()
  const setGrants = useGrants()
  const [query] = useParams()
  const given = product ? null : givenState(query)
  const params = { path: { ...path, id: product?.id ?? '' } }
  const refreshes = [LIST, FILE, RELINK, '/dashboard/projects/{projectId}/access']
  const tellWaiting = ({ waitingPurchases }: Schemas['SavedProduct']) => {
    if (waitingPurchases > 0) toast(t.waitingPurchases(waitingPurchases))
  }
  const create = async (state: ProductState) => {
    const made = await api.post(LIST, { params: { path }, body: toBody(state) })
    tellWaiting(made)
    return setGrants(made, state).catch((error: Error) => {
      keepRefused(made.id, state.grants, error)
      return made
    })
  }
  const change = async (state: ProductState, header: IfMatch, before: ProductState) => {
    const saved = await api.patch(PATH, { params: { ...params, header }, body: changeOf(state, before) })
    tellWaiting(saved)
    return setGrants(saved, state).catch((error: Error) => {
      // Only the grants are left to be saved.
      edit.draft.settle(saved.revision, toState(saved))
      refresh(...refreshes)
      throw error
    })
  }
  const edit: Edit<ProductState> = useEdit<ProductState, Saved>({
    name: `product.${path.projectId}.${product?.id ?? ['new', given?.displayName].filter(Boolean).join('.')}`,
    saved: product ? { value: toState(product), revision: product.revision } : { value: BLANK, revision: null },
    lines,
    save: (state, header, before) => (product ? change(state, header, before) : create(state)),
    readNewest: async () => {
      const newest = await read(PATH, { params })
      return { value: toState(newest), revision: newest.revision }
    },
    refreshes,
    onSaved: ({ id }) => {
      if (!product) navigate(`${base}/catalogue/products/${id}`, { replace: true })
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; what was changed since stays.
  useEffect(() => {
    if (given && !edit.draft.isChanged) edit.draft.set(() => given)
  }, [])
  const refusal = useRefusedGrants(product?.id ?? null, edit.draft)
  return { ...edit, error: edit.error ?? refusal }
}
