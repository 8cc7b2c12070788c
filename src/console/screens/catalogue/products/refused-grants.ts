import { useEffect, useState } from 'react'
import { type Draft, isSame } from '../../../kit/draft'
import type { Grant, ProductState } from './model'

interface Refused {
  grants: Grant[]
  error: Error
}

const refused = new Map<string, Refused>()

/** The product was made, but not its grants: its screen shows the refusal. */
export const keepRefused = (productId: string, grants: Grant[], error: Error): void =>
  void refused.set(productId, { grants, error })

/** Shows the refusal of the grants right after the product was made, until other grants are typed. */
export function useRefusedGrants(productId: string | null, draft: Draft<ProductState>): Error | null {
  const [held] = useState(() => (productId === null ? null : (refused.get(productId) ?? null)))
  useEffect(() => {
    if (productId === null || held === null || !refused.delete(productId)) return
    draft.set((state) => ({ ...state, grants: held.grants }))
  }, [productId, held, draft.set])
  const isStill = held !== null && isSame(draft.value.grants, held.grants)
  return isStill && !isSame(draft.base.value.grants, held.grants) ? held.error : null
}
