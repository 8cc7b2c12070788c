import { useEffect, useState } from 'react'
import { type Draft, isSame } from '../../../kit/draft'
import type { Grant, ProductState } from './model'

interface Refused {
  grants: Grant[]
  error: Error
}

const refused = new Map<string, Refused>()

/** The product was made, but not what it grants: the screen of the product goes on from there. */
export const keepRefused = (productId: string, grants: Grant[], error: Error): void =>
  void refused.set(productId, { grants, error })

/** Takes over what was refused right after the product was made. The error holds until other grants are typed. */
export function useRefusedGrants(productId: string | null, draft: Draft<ProductState>): Error | null {
  const [held] = useState(() => (productId === null ? null : (refused.get(productId) ?? null)))
  useEffect(() => {
    if (productId === null || held === null || !refused.delete(productId)) return
    draft.set((state) => ({ ...state, grants: held.grants }))
  }, [productId, held, draft.set])
  const isStill = held !== null && isSame(draft.value.grants, held.grants)
  return isStill && !isSame(draft.base.value.grants, held.grants) ? held.error : null
}
