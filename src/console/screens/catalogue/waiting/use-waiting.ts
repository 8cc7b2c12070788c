import { useEffect, useRef, useState } from 'react'
import { useRead, useRefresh } from '../../../api/queries'
import { useProject } from '../../../lib/session'

export const WAITING = '/dashboard/projects/{projectId}/products/waiting'
const PROGRESS = '/dashboard/projects/{projectId}/purchases/relink'
const PRODUCTS = '/dashboard/projects/{projectId}/products'

/** What the creation of products changes. */
export const CHANGED = [PRODUCTS, PROGRESS, '/dashboard/projects/{projectId}/project-file'] as const

const SOON_MS = 1500
const LATER_MS = 30_000

export interface Progress {
  /** Purchases for which the catalogue has no product. */
  missing: number
  /** Purchases that are still to be linked, and how many there were when that was first seen. */
  left: number
  total: number
}

/** How many purchases wait, and how far their linking is; null while it is not known. */
export function useProgress(): Progress | null {
  const { path } = useProject()
  const total = useRef(0)
  const refresh = useRefresh()
  const [isLinking, setLinking] = useState(false)
  const { data } = useRead(PROGRESS, { params: { path } }, { every: isLinking ? SOON_MS : LATER_MS })
  const left = data?.waiting ?? 0
  total.current = left === 0 ? 0 : Math.max(total.current, left)
  const before = useRef(left)
  useEffect(() => {
    setLinking(left > 0)
    if (left !== before.current) refresh(WAITING)
    before.current = left
  }, [left, refresh])
  return data ? { missing: data.withoutProduct, left, total: total.current } : null
}
