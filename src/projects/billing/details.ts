/** Whom the invoices of a project are for. */
export interface BillingDetails {
  name: string
  address: Address
  taxId: string | null
}

export interface Address {
  line1: string
  line2?: string
  city: string
  postalCode?: string
  state?: string
  /** ISO 3166, two letters. */
  country: string
}
