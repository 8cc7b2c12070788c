/** A person in the rows of lists. */
export interface PersonRef {
  subscriberId: string
  appUserId: string | null
  deviceKey: string | null
  email: string | null
  displayName: string | null
  country: string | null
}

/** How a product is called in the rows of lists. */
export interface ProductRef {
  id: string
  identifier: string
  name: string
}
