import { createContext, useContext, useMemo } from 'react'
import { useRead } from '../api/queries'
import type { Schemas } from '../api/schemas'
import { useProject } from '../lib/session'

export type Person = Schemas['SubscriberWithAll']
export type Purchase = Schemas['PurchaseView']
export type Line = Schemas['TransactionItem']
export type Product = Schemas['Product']

/** The person of the screen, for everything below its head. */
export const PersonContext = createContext<Person | null>(null)

export function usePerson(): Person {
  const person = useContext(PersonContext)
  if (!person) throw new Error('There is no person around this component.')
  return person
}

/** Every path that shows something about a person. */
export const PERSON_PATHS = [
  '/dashboard/projects/{projectId}/subscribers',
  '/dashboard/projects/{projectId}/subscriptions',
  '/dashboard/projects/{projectId}/transactions',
] as const

const NONE: readonly never[] = []

/** The newest charges and refunds of the person. */
export function useLines(): { lines: readonly Line[]; isCut: boolean; error: Error | null } {
  const { path } = useProject()
  const { subscriber } = usePerson()
  const { data, error } = useRead('/dashboard/projects/{projectId}/transactions', {
    params: { path, query: { subscriberId: subscriber.id, limit: 200 } },
  })
  return { lines: data?.items ?? NONE, isCut: data?.nextCursor != null, error }
}

/** The products of the catalogue by id. */
export function useProducts(): ReadonlyMap<string, Product> {
  const { path } = useProject()
  const { data } = useRead('/dashboard/projects/{projectId}/products', { params: { path, query: { limit: 200 } } })
  return useMemo(() => new Map((data?.items ?? []).map((one) => [one.id, one])), [data])
}

/** The names of the products of the catalogue by their identifiers; an identifier that it lacks is its own name. */
export function useProductNames(): (identifier: string) => string {
  const products = useProducts()
  const names = new Map([...products.values()].map((one) => [one.identifier, one.displayName]))
  return (identifier) => names.get(identifier) || identifier
}

/** What a purchase is of: by the name of the catalogue, and what the catalogue lacks by the id of the store. */
export const productName = (products: ReadonlyMap<string, Product>, purchase: Purchase): string =>
  purchase.productId === null
    ? purchase.storeProductId
    : products.get(purchase.productId)?.displayName || purchase.productIdentifier
